/**
 * The difference of two frames as bytes.
 *
 *   table    removed: count, gaps of their places in the frame before
 *            changed: count, then for each the gap of its place, its age, and its changes
 *            born: count, then for each the gap of its id, its age, its kind if it has one, and its changes
 *   gap      · 2, + 1 when an age follows: how long ago the row had these values, since it moves on from there
 *   changes  which numbers differ, as bits in groups of eight that are left out when empty; then the differences
 *
 * What a number differs from is what the other side expects: of a changed row where its flight has brought it, of a born
 * one the youngest of its kind. Both ends build the same frame, with the same rows.
 */

import {
  type ByteReader,
  type ByteWriter,
  readByte,
  readCount,
  readSigned,
  readVarint,
  reject,
  writeByte,
  writeSigned,
  writeVarint,
} from 'hurtbox/wire'
import { type Frame, numberAt, type Row } from './frame.ts'
import type { Scheme, WireTable } from './scheme.ts'

export function writeDelta(writer: ByteWriter, scheme: Scheme, before: Frame, now: Frame): void {
  for (let t = 0; t < scheme.tables.length; t++) {
    writeRows(writer, scheme.tables[t], before.tables[t], now.tables[t], now.clock)
  }
  writeNumbers(writer, before.singles, now.singles)
}

/** The tables and singles of the next frame; the reader is bad when they are invalid. */
export function readDelta(
  reader: ByteReader,
  scheme: Scheme,
  before: Frame,
  clock: number,
): { readonly tables: Row[][]; readonly singles: Int32Array } {
  const tables = scheme.tables.map((wire, t) => {
    const { capacity } = scheme.game.tables[wire.name]
    return readRows(reader, wire, before.tables[t], clock, capacity)
  })
  const singles = before.singles.slice()
  readNumbers(reader, singles)
  return { tables, singles }
}

function writeRows(
  writer: ByteWriter,
  wire: WireTable,
  before: readonly Row[],
  now: readonly Row[],
  clock: number,
): void {
  const removed: number[] = []
  const changed: [place: number, row: Row][] = []
  const born: Row[] = []
  let old = 0
  for (const row of now) {
    while (old < before.length && before[old].id < row.id) removed.push(old++)
    if (before[old]?.id !== row.id) born.push(row)
    else if (before[old] !== row) changed.push([old++, row])
    else old++
  }
  while (old < before.length) removed.push(old++)

  writeVarint(writer, removed.length)
  let last = -1
  for (const place of removed) {
    writeVarint(writer, place - last - 1)
    last = place
  }
  writeVarint(writer, changed.length)
  last = -1
  const expected = new Int32Array(wire.values.length)
  for (const [place, row] of changed) {
    writeGap(writer, place - last - 1, clock - row.since)
    last = place
    expect(wire, before[place], row.since, expected)
    writeNumbers(writer, expected, row.numbers)
  }
  writeVarint(writer, born.length)
  let lastId = 0
  const models = new Map<number, Row>()
  if (born.length > 0) findModels(wire, before, models)
  for (const row of born) {
    writeGap(writer, row.id - lastId - 1, clock - row.since)
    lastId = row.id
    const kind = kindOf(wire, row)
    if (wire.kindAt >= 0) writeVarint(writer, kind)
    expectBorn(models.get(kind), kind, wire, expected)
    writeNumbers(writer, expected, row.numbers)
    models.set(kind, row)
  }
}

function readRows(reader: ByteReader, wire: WireTable, before: readonly Row[], clock: number, capacity: number): Row[] {
  const removed = new Set<number>()
  let last = -1
  const removedCount = readCount(reader, before.length)
  for (let i = 0; i < removedCount && !reader.problem; i++) {
    last += readVarint(reader) + 1
    if (last < before.length) removed.add(last)
    else reject(reader)
  }
  const rows = before.slice()
  last = -1
  const changedCount = readCount(reader, before.length)
  for (let i = 0; i < changedCount && !reader.problem; i++) {
    const head = readVarint(reader)
    last += Math.floor(head / 2) + 1
    if (last >= before.length) {
      reject(reader)
      break
    }
    const since = clock - (head & 1 ? readCount(reader, clock) : 0)
    const numbers = new Int32Array(wire.values.length)
    expect(wire, before[last], since, numbers)
    readNumbers(reader, numbers)
    rows[last] = { id: before[last].id, numbers, since }
  }
  const kept = rows.filter((_, place) => !removed.has(place))
  return mergeBorn(kept, readBorn(reader, wire, before, clock, capacity), reader)
}

function readBorn(reader: ByteReader, wire: WireTable, before: readonly Row[], clock: number, capacity: number): Row[] {
  const born: Row[] = []
  const count = readCount(reader, capacity)
  const models = new Map<number, Row>()
  if (count > 0) findModels(wire, before, models)
  let lastId = 0
  for (let i = 0; i < count && !reader.problem; i++) {
    const head = readVarint(reader)
    const id = lastId + Math.floor(head / 2) + 1
    lastId = id
    const since = clock - (head & 1 ? readCount(reader, clock) : 0)
    const kind = wire.kindAt >= 0 ? readVarint(reader) : 0
    const numbers = new Int32Array(wire.values.length)
    expectBorn(models.get(kind), kind, wire, numbers)
    readNumbers(reader, numbers)
    const row = { id, numbers, since }
    born.push(row)
    models.set(kind, row)
  }
  return born
}

/** Two lists in the order of ids as one. */
function mergeBorn(kept: readonly Row[], born: readonly Row[], reader: ByteReader): Row[] {
  if (born.length === 0) return kept as Row[]
  const rows: Row[] = []
  let next = 0
  for (const row of kept) {
    while (next < born.length && born[next].id < row.id) rows.push(born[next++])
    // An id cannot be added twice.
    if (born[next]?.id === row.id) reject(reader)
    rows.push(row)
  }
  while (next < born.length) rows.push(born[next++])
  return rows
}

/** Ids have 31 bits here: enough for two billion rows in a match. */
function writeGap(writer: ByteWriter, gap: number, age: number): void {
  writeVarint(writer, gap * 2 + (age > 0 ? 1 : 0))
  if (age > 0) writeVarint(writer, age)
}

/** Where the numbers of a row stand at `clock`, if it flew straight on. */
function expect(wire: WireTable, row: Row, clock: number, into: Int32Array): void {
  for (let i = 0; i < into.length; i++) into[i] = numberAt(wire, row, i, clock)
}

function expectBorn(model: Row | undefined, kind: number, wire: WireTable, into: Int32Array): void {
  if (model === undefined) into.fill(0)
  else into.set(model.numbers)
  if (wire.kindAt >= 0) into[wire.kindAt] = kind
}

/** The youngest row of each kind. */
function findModels(wire: WireTable, rows: readonly Row[], into: Map<number, Row>): void {
  for (const row of rows) into.set(kindOf(wire, row), row)
}

function kindOf(wire: WireTable, row: Row): number {
  return wire.kindAt < 0 ? 0 : row.numbers[wire.kindAt]
}

function writeNumbers(writer: ByteWriter, before: Int32Array, now: Int32Array): void {
  const groups = Math.ceil(now.length / 8)
  for (let first = 0; first < groups; first += 8) {
    let used = 0
    for (let g = first; g < Math.min(first + 8, groups); g++) if (maskOf(before, now, g) !== 0) used |= 1 << (g - first)
    writeByte(writer, used)
    for (let g = first; g < Math.min(first + 8, groups); g++) {
      const mask = maskOf(before, now, g)
      if (mask === 0) continue
      writeByte(writer, mask)
      for (let i = 0; i < 8; i++) if ((mask >>> i) & 1) writeSigned(writer, (now[8 * g + i] - before[8 * g + i]) | 0)
    }
  }
}

function readNumbers(reader: ByteReader, numbers: Int32Array): void {
  const groups = Math.ceil(numbers.length / 8)
  for (let first = 0; first < groups; first += 8) {
    const used = readByte(reader)
    for (let g = first; g < first + 8; g++) {
      if (((used >>> (g - first)) & 1) === 0) continue
      const mask = readByte(reader)
      for (let i = 0; i < 8; i++) {
        if (((mask >>> i) & 1) === 0) continue
        if (8 * g + i >= numbers.length) reject(reader)
        else numbers[8 * g + i] += readSigned(reader)
      }
    }
  }
}

function maskOf(before: Int32Array, now: Int32Array, group: number): number {
  let mask = 0
  const end = Math.min(8 * group + 8, now.length)
  for (let i = 8 * group; i < end; i++) if (now[i] !== before[i]) mask |= 1 << (i & 7)
  return mask
}
