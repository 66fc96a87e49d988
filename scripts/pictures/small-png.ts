/**
 * Pictures for the docs, small: at most 256 colours, chosen by splitting the space of colours at medians.
 *
 * A screenshot of a dark page with soft gradients has more, but nobody sees the difference, and the file is a third.
 */

import { deflateSync } from 'node:zlib'

export type Picture = { readonly width: number; readonly height: number; readonly rgba: Uint8Array }

const COLOURS = 256
/** Colours are counted in steps of 4: what is nearer together is one. */
const STEP_BITS = 2

export function encodeSmallPng({ width, height, rgba }: Picture): Buffer {
  const { palette, places } = quantise(rgba)
  const lines = Buffer.alloc((width + 1) * height)
  for (let y = 0; y < height; y++) {
    // Each line begins with its filter: 0, none, which packs best for palettes.
    for (let x = 0; x < width; x++) lines[y * (width + 1) + 1 + x] = places[y * width + x]
  }
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, 3, 0, 0, 0], 8)
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', header),
    chunk('PLTE', palette),
    chunk('IDAT', deflateSync(lines, { level: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

type Colour = { readonly key: number; readonly channels: readonly number[]; readonly count: number }

function quantise(rgba: Uint8Array): { palette: Buffer; places: Uint8Array } {
  const counts = new Map<number, number>()
  const keys = new Uint32Array(rgba.length / 4)
  for (let i = 0; i < keys.length; i++) {
    const key =
      ((rgba[4 * i] >> STEP_BITS) << 16) | ((rgba[4 * i + 1] >> STEP_BITS) << 8) | (rgba[4 * i + 2] >> STEP_BITS)
    keys[i] = key
    counts.set(key, (counts.get(key) ?? 0) + 1)
  }
  const colours = [...counts].map(
    ([key, count]): Colour => ({
      key,
      // Rare colours are what one looks at: a hit is small. So they count for more than their share.
      count: Math.sqrt(count),
      channels: [key >> 16, (key >> 8) & 0xff, key & 0xff].map((value) => (value << STEP_BITS) + (1 << STEP_BITS) / 2),
    }),
  )
  const boxes = [colours]
  while (boxes.length < COLOURS) {
    const widest = boxes.reduce((best, box, i) => (spreadOf(box) > spreadOf(boxes[best]) ? i : best), 0)
    if (boxes[widest].length < 2) break
    boxes.push(...split(boxes.splice(widest, 1)[0]))
  }
  const placeOf = new Map(boxes.flatMap((box, place) => box.map(({ key }) => [key, place] as const)))
  const palette = Buffer.from(boxes.flatMap((box) => meanOf(box)))
  return { palette, places: Uint8Array.from(keys, (key) => placeOf.get(key)!) }
}

/** How much is lost by making one colour of the box. */
function spreadOf(box: readonly Colour[]): number {
  return widthOf(box, widestChannel(box)) * box.reduce((sum, { count }) => sum + count, 0)
}

function widestChannel(box: readonly Colour[]): number {
  return [0, 1, 2].reduce((best, channel) => (widthOf(box, channel) > widthOf(box, best) ? channel : best), 0)
}

function widthOf(box: readonly Colour[], channel: number): number {
  let low = 255
  let high = 0
  for (const { channels } of box) {
    low = Math.min(low, channels[channel])
    high = Math.max(high, channels[channel])
  }
  return high - low
}

function split(box: readonly Colour[]): [Colour[], Colour[]] {
  const channel = widestChannel(box)
  const sorted = [...box].sort((a, b) => a.channels[channel] - b.channels[channel])
  const half = sorted.reduce((sum, { count }) => sum + count, 0) / 2
  let at = 0
  for (let sum = 0; at < sorted.length - 1 && sum < half; at++) sum += sorted[at].count
  const middle = Math.max(1, at)
  return [sorted.slice(0, middle), sorted.slice(middle)]
}

function meanOf(box: readonly Colour[]): number[] {
  const total = box.reduce((sum, { count }) => sum + count, 0)
  return [0, 1, 2].map((channel) =>
    Math.min(255, Math.round(box.reduce((sum, { channels, count }) => sum + channels[channel] * count, 0) / total)),
  )
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const framed = Buffer.alloc(body.length + 8)
  framed.writeUInt32BE(data.length, 0)
  framed.set(body, 4)
  framed.writeUInt32BE(crc32(body), body.length + 4)
  return framed
}

function crc32(bytes: Buffer): number {
  let crc = 0xffffffff
  for (const byte of bytes) {
    crc ^= byte
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0)
  }
  return (crc ^ 0xffffffff) >>> 0
}
