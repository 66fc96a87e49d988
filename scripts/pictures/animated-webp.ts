/**
 * Puts still WebP pictures together into a moving one.
 *
 * A browser can write a WebP but not an animated one, and the container is simple: RIFF chunks, one frame each. Spares a
 * dependency with a native encoder for one picture in the README.
 */

/** A moving picture from frames of equal size, each a lossy or lossless WebP; it repeats for ever. */
export function animateWebp(frames: readonly Uint8Array[], width: number, height: number, frameMs: number): Uint8Array {
  const header = chunk('VP8X', [0b10, 0, 0, 0, ...uint24(width - 1), ...uint24(height - 1)])
  // No background, no limit of repetitions.
  const animation = chunk('ANIM', [0, 0, 0, 0, 0, 0])
  const parts = frames.map((frame) =>
    chunk('ANMF', [
      ...uint24(0),
      ...uint24(0),
      ...uint24(width - 1),
      ...uint24(height - 1),
      ...uint24(frameMs),
      // Frames cover the whole picture: neither blended nor cleared.
      0b10,
      ...pictureOf(frame),
    ]),
  )
  const body = concat([text('WEBP'), header, animation, ...parts])
  return concat([text('RIFF'), uint32(body.length), body])
}

/** The picture data of a still WebP: its VP8 or VP8L chunk, header included. */
function pictureOf(webp: Uint8Array): Uint8Array {
  const view = new DataView(webp.buffer, webp.byteOffset, webp.byteLength)
  for (let at = 12; at + 8 <= webp.length; ) {
    const name = String.fromCharCode(...webp.subarray(at, at + 4))
    const end = at + 8 + paddedLength(view.getUint32(at + 4, true))
    if (name === 'VP8 ' || name === 'VP8L') return webp.subarray(at, end)
    at = end
  }
  throw new Error('this is no WebP with a picture in it.')
}

function chunk(name: string, data: Iterable<number>): Uint8Array {
  const bytes = Uint8Array.from(data)
  const padded = new Uint8Array(paddedLength(bytes.length))
  padded.set(bytes)
  return concat([text(name), uint32(bytes.length), padded])
}

/** Chunks begin at even places. */
function paddedLength(length: number): number {
  return length + (length & 1)
}

function text(name: string): Uint8Array {
  return Uint8Array.from(name, (letter) => letter.charCodeAt(0))
}

function uint24(value: number): number[] {
  return [value & 255, (value >> 8) & 255, (value >> 16) & 255]
}

function uint32(value: number): Uint8Array {
  return Uint8Array.from([...uint24(value), value >>> 24])
}

function concat(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0))
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}
