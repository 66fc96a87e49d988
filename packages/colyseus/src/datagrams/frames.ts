/**
 * Datagrams between the process of the rooms and the native one: many in one write, each with the channel that it is for or from.
 *
 *   channel (4 bytes), length (2), bytes
 *
 * Node's own messages between processes make an object of each, which costs more than all the rest of the way.
 */

const HEADER_BYTES = 6
/** Longer than any datagram, and than any message of a channel that the native code takes. */
export const MAX_FRAME_BYTES = 8192
/** The pipe between the processes: the one after the channel for everything else. */
export const PIPE = 4
/** What may wait in it; more is dropped, since it would come too late anyway. */
export const MAX_PIPED = 1 << 20

export type Addressed = readonly [channel: number, bytes: Uint8Array]

/** One piece of bytes for a stream. */
export function joinFrames(batch: readonly Addressed[]): Buffer {
  let length = 0
  for (const [, bytes] of batch) length += HEADER_BYTES + bytes.length
  const joined = Buffer.allocUnsafe(length)
  let at = 0
  for (const [channel, bytes] of batch) {
    joined.writeUInt32LE(channel, at)
    joined.writeUInt16LE(bytes.length, at + 4)
    joined.set(bytes, at + HEADER_BYTES)
    at += HEADER_BYTES + bytes.length
  }
  return joined
}

/** Takes pieces of a stream as they come, and gives whole frames. */
export function createFrameReader(take: (channel: number, bytes: Uint8Array) => void): (piece: Buffer) => void {
  let rest: Buffer | undefined
  return (piece) => {
    const data = rest === undefined ? piece : Buffer.concat([rest, piece])
    let at = 0
    while (data.length - at >= HEADER_BYTES) {
      const end = at + HEADER_BYTES + data.readUInt16LE(at + 4)
      if (end > data.length) break
      take(data.readUInt32LE(at), data.subarray(at + HEADER_BYTES, end))
      at = end
    }
    rest = at === data.length ? undefined : data.subarray(at)
  }
}
