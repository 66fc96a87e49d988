/**
 * A frame: what one viewer sees of the world at one tick, as whole numbers.
 *
 * Rows are never changed once made, and a row that is as expected is the very same object in the next frame. Expected is
 * that it flies straight on: place + speed · time. So a bullet is one object from its birth to its death, and the
 * difference of two frames is found by comparing references. Rows are in the order of their ids.
 */

import { type AnyWorld, seatRow } from 'hurtbox'
import type { Scheme, WireTable, WireValue } from './scheme.ts'

export type Row = {
  readonly id: number
  readonly numbers: Int32Array
  /** The clock at which `numbers` were true; a straight flight goes on from there. */
  readonly since: number
}

export type Frame = {
  readonly tick: number
  readonly clock: number
  readonly paused: boolean
  /** Rows of each table of the scheme. */
  readonly tables: readonly (readonly Row[])[]
  readonly singles: Int32Array
  /** What happened since the frame before, encoded. */
  readonly events: Uint8Array
}

/** By how many steps a place may stray from the expected one before it is told again. */
const TOLERANCE = 4

const NOTHING = new Uint8Array(0)

/** What everybody starts from. */
export function emptyFrame(scheme: Scheme): Frame {
  const singles = new Int32Array(scheme.singles.length)
  return { tick: 0, clock: 0, paused: false, tables: scheme.tables.map(() => []), singles, events: NOTHING }
}

/** Whose eyes: `side` is a team; `everything` where the game has no fog. */
export type Eyes = { readonly everything: boolean; readonly sides: readonly number[] }

/** The eyes of a seat, or those of a spectator, who sees what every team sees. */
export function eyesOf(scheme: Scheme, world: AnyWorld, seat: number): Eyes {
  if (!scheme.hasFog) return { everything: true, sides: [] }
  const { players } = world.tables
  const row = seatRow(world, seat)
  if (row >= 0) return { everything: false, sides: [players.team[row]] }
  const teams = new Set<number>()
  for (let other = 0; other < players.count; other++) teams.add(players.team[other])
  return { everything: false, sides: [...teams].sort((a, b) => a - b) }
}

/** The world as `eyes` see it, sharing with `before` what has not changed. */
export function makeFrame(scheme: Scheme, world: AnyWorld, eyes: Eyes, before: Frame, events: Uint8Array): Frame {
  const { clock } = world
  const tables: Row[][] = []
  let seen: readonly Row[] | undefined
  scheme.tables.forEach((wire, t) => {
    const hidesIds = scheme.hasFog ? seen : undefined
    const rows = makeRows(wire, world, eyes, before.tables[t], clock, hidesIds)
    if (wire.name === 'things') seen = rows
    tables.push(rows)
  })
  return { tick: world.tick, clock, paused: world.paused, tables, singles: makeSingles(scheme, world), events }
}

/** Whether a frame has this row of its first table: the things that its viewer sees. */
export function hasThing(rows: readonly Row[], id: number): boolean {
  return id === 0 || findRowOf(rows, id) >= 0
}

/** Where a number of a row stands at `clock`: places fly on, all else stays. */
export function numberAt(wire: WireTable, row: Row, index: number, clock: number): number {
  const speedAt = index === wire.x ? wire.vx : index === wire.y ? wire.vy : -1
  if (wire.x < 0 || speedAt < 0) return row.numbers[index]
  return (row.numbers[index] + Math.round(row.numbers[speedAt] * wire.quantaPerTick * (clock - row.since))) | 0
}

/** The nearest whole number of steps; what cannot be told is told as the end of the range, and no number as 0. */
export function toSteps(value: number, { kind, step }: WireValue): number {
  if (kind !== 'float') return value | 0
  const steps = Math.round(value / step)
  return Number.isFinite(steps) ? Math.min(Math.max(steps, -0x80000000), 0x7fffffff) : 0
}

/** The value of a number of steps; whole columns are unsigned. */
export function fromSteps(steps: number, { kind, step }: WireValue): number {
  return kind === 'float' ? steps * step : steps >>> 0
}

function makeRows(
  wire: WireTable,
  world: AnyWorld,
  eyes: Eyes,
  before: readonly Row[],
  clock: number,
  seen: readonly Row[] | undefined,
): Row[] {
  const table = world.tables[wire.name]
  const isThings = wire.name === 'things'
  const rows: Row[] = []
  const numbers = new Int32Array(wire.values.length)
  const fog = isThings && !eyes.everything ? eyes : undefined
  let old = 0
  for (let row = 0; row < table.count; row++) {
    if (isThings && !isSeen(world, eyes, row)) continue
    const id: number = table.id[row]
    while (old < before.length && before[old].id < id) old++
    const known = before[old]?.id === id ? before[old] : undefined
    readNumbers(wire, world, row, fog, seen, numbers)
    rows.push(isExpected(wire, numbers, known, clock) ? known! : { id, numbers: numbers.slice(), since: clock })
  }
  return rows
}

/** The numbers of a row as they are now; ids of what the viewer does not see are 0. */
function readNumbers(
  wire: WireTable,
  world: AnyWorld,
  row: number,
  fog: Eyes | undefined,
  seen: readonly Row[] | undefined,
  into: Int32Array,
): void {
  const table = world.tables[wire.name]
  for (let i = 0; i < into.length; i++) {
    const value = wire.values[i]
    into[i] = toSteps(table[value.column][row * value.width + value.index], value)
    if (value.kind !== 'id' || into[i] === 0) continue
    const id = into[i] >>> 0
    if (fog !== undefined ? !isThingSeen(world, fog, id) : seen !== undefined && !hasThing(seen, id)) into[i] = 0
  }
}

/** Whether a row is where its last numbers let one expect it, so that nothing need be said. */
function isExpected(wire: WireTable, numbers: Int32Array, known: Row | undefined, clock: number): boolean {
  if (known === undefined) return false
  for (let i = 0; i < numbers.length; i++) {
    const off = numbers[i] - numberAt(wire, known, i, clock)
    if (off === 0) continue
    const isPlace = wire.x >= 0 && (i === wire.x || i === wire.y)
    if (!isPlace || off > TOLERANCE || off < -TOLERANCE) return false
  }
  return true
}

function makeSingles(scheme: Scheme, world: AnyWorld): Int32Array {
  const numbers = new Int32Array(scheme.singles.length)
  scheme.singles.forEach((single, i) => {
    const isGlobal = single.array.startsWith('globals.')
    const value = isGlobal ? world.globals[single.column] : world.arrays[single.array][single.index]
    numbers[i] = toSteps(value, single)
  })
  return numbers
}

function isSeen(world: AnyWorld, eyes: Eyes, row: number): boolean {
  if (eyes.everything) return true
  const { behaviour } = world.game
  for (const side of eyes.sides) if (!behaviour.visible!(world, side, row)) return false
  return eyes.sides.length > 0
}

function isThingSeen(world: AnyWorld, eyes: Eyes, id: number): boolean {
  const row = findId(world.tables.things.id, world.tables.things.count, id)
  return row >= 0 && isSeen(world, eyes, row)
}

function findId(ids: Uint32Array, count: number, id: number): number {
  let low = 0
  let high = count - 1
  while (low <= high) {
    const middle = (low + high) >>> 1
    if (ids[middle] === id) return middle
    if (ids[middle] < id) low = middle + 1
    else high = middle - 1
  }
  return -1
}

function findRowOf(rows: readonly Row[], id: number): number {
  let low = 0
  let high = rows.length - 1
  while (low <= high) {
    const middle = (low + high) >>> 1
    if (rows[middle].id === id) return middle
    if (rows[middle].id < id) low = middle + 1
    else high = middle - 1
  }
  return -1
}
