/**
 * A frame: what one viewer sees of the world at one tick, as whole numbers.
 *
 * Rows are never changed once made, and a row that is as expected is the very same object in the next frame. Expected is
 * that it flies straight on: place + speed · time. So a bullet is one object from its birth to its death, and the
 * difference of two frames is found by comparing references. Rows are in the order of their ids.
 */

import { thing } from 'hurtbox'
import { type AnyWorld, seatRow } from 'hurtbox/tools'
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

/** By how many steps a position may differ from the expected one before it is sent again. */
const TOLERANCE = 4

const NOTHING = new Uint8Array(0)

/** The frame that a full frame is a difference to. */
export function emptyFrame(scheme: Scheme): Frame {
  const singles = new Int32Array(scheme.singles.length)
  return { tick: 0, clock: 0, paused: false, tables: scheme.tables.map(() => []), singles, events: NOTHING }
}

/** What a viewer sees: what all of `teams` see, or everything in a game without fog. */
export type Viewpoint = { readonly seesAll: boolean; readonly teams: readonly number[] }

/** The viewpoint of a seat. Spectators see what every team sees. */
export function viewpointOf(scheme: Scheme, world: AnyWorld, seat: number): Viewpoint {
  if (!scheme.hasFog) return { seesAll: true, teams: [] }
  const { players } = world.tables
  const row = seatRow(world, seat)
  if (row >= 0) return { seesAll: false, teams: [players.team[row]] }
  const teams = new Set<number>()
  for (let other = 0; other < players.count; other++) teams.add(players.team[other])
  return { seesAll: false, teams: [...teams].sort((a, b) => a - b) }
}

/** The world as seen from `viewpoint`, sharing with `before` what has not changed. */
export function makeFrame(
  scheme: Scheme,
  world: AnyWorld,
  viewpoint: Viewpoint,
  before: Frame,
  events: Uint8Array,
): Frame {
  const { clock } = world
  const tables: Row[][] = []
  let seen: readonly Row[] | undefined
  scheme.tables.forEach((wire, t) => {
    const hidesIds = scheme.hasFog ? seen : undefined
    const rows = makeRows(wire, world, viewpoint, before.tables[t], clock, hidesIds)
    if (wire.name === 'things') seen = rows
    tables.push(rows)
  })
  return { tick: world.tick, clock, paused: world.paused, tables, singles: makeSingles(scheme, world), events }
}

/** Whether a frame has this row of its first table: the things that its viewer sees. */
export function hasThing(rows: readonly Row[], id: number): boolean {
  return id === 0 || findRowOf(rows, id) >= 0
}

/** The value of a number of a row at `clock`: positions move on with their speed, everything else stays. */
export function numberAt(wire: WireTable, row: Row, index: number, clock: number): number {
  const speedAt = index === wire.x ? wire.vx : index === wire.y ? wire.vy : -1
  if (wire.x < 0 || speedAt < 0) return row.numbers[index]
  return (row.numbers[index] + Math.round(row.numbers[speedAt] * wire.quantaPerTick * (clock - row.since))) | 0
}

/** A value as a whole number of steps. */
export function toSteps(value: number, { kind, step }: WireValue): number {
  return kind === 'float' ? roundToSteps(value / step) : value | 0
}

/** The nearest whole number, clamped to 32 bits; 0 for NaN. */
function roundToSteps(steps: number): number {
  const rounded = Math.round(steps)
  if (rounded >= -0x80000000 && rounded <= 0x7fffffff) return rounded
  return rounded > 0 ? 0x7fffffff : rounded < 0 ? -0x80000000 : 0
}

/** The value of a number of steps; whole columns are unsigned. */
export function fromSteps(steps: number, { kind, step }: WireValue): number {
  return kind === 'float' ? steps * step : steps >>> 0
}

function makeRows(
  wire: WireTable,
  world: AnyWorld,
  viewpoint: Viewpoint,
  before: readonly Row[],
  clock: number,
  seen: readonly Row[] | undefined,
): Row[] {
  const table = world.tables[wire.name]
  const fog = wire.name === 'things' && !viewpoint.seesAll ? viewpoint : undefined
  const width = wire.values.length
  const numbers = readColumns(wire, table)
  const rows: Row[] = []
  let old = 0
  for (let row = 0; row < table.count; row++) {
    const id: number = table.id[row]
    if (fog !== undefined && !isSeen(world, fog, id)) continue
    const at = row * width
    if (fog !== undefined || seen !== undefined) hideIds(wire, world, fog, seen, numbers, at)
    while (old < before.length && before[old].id < id) old++
    const known = before[old]?.id === id ? before[old] : undefined
    if (known !== undefined && isExpected(wire, numbers, at, known, clock)) rows.push(known)
    else rows.push({ id, numbers: numbers.slice(at, at + width), since: clock })
  }
  return rows
}

/** The numbers of all rows, row after row. Column by column, so that each is looked up once. */
function readColumns(wire: WireTable, table: AnyWorld['tables'][string]): Int32Array {
  const { values } = wire
  const count: number = table.count
  const numbers = new Int32Array(count * values.length)
  for (let i = 0; i < values.length; i++) {
    const { column, width, index, kind, step } = values[i]
    const array: Float64Array = table[column]
    const perUnit = 1 / step
    for (let row = 0, at = i; row < count; row++, at += values.length) {
      const value = array[row * width + index]
      numbers[at] = kind === 'float' ? roundToSteps(value * perUnit) : value
    }
  }
  return numbers
}

/** Writes 0 for ids of things that the viewer does not see. */
function hideIds(
  wire: WireTable,
  world: AnyWorld,
  fog: Viewpoint | undefined,
  seen: readonly Row[] | undefined,
  numbers: Int32Array,
  at: number,
): void {
  for (let i = 0; i < wire.values.length; i++) {
    const id = numbers[at + i] >>> 0
    if (wire.values[i].kind !== 'id' || id === 0) continue
    if (fog !== undefined ? !isSeen(world, fog, id) : !hasThing(seen!, id)) numbers[at + i] = 0
  }
}

/** Whether a row is as its last numbers predict, so that nothing has to be sent. */
function isExpected(wire: WireTable, numbers: Int32Array, at: number, known: Row, clock: number): boolean {
  const { x, y } = wire
  for (let i = 0; i < known.numbers.length; i++) {
    if (x >= 0 && (i === x || i === y)) continue
    if (numbers[at + i] !== known.numbers[i]) return false
  }
  if (x < 0) return true
  const offX = numbers[at + x] - numberAt(wire, known, x, clock)
  const offY = numbers[at + y] - numberAt(wire, known, y, clock)
  return offX <= TOLERANCE && offX >= -TOLERANCE && offY <= TOLERANCE && offY >= -TOLERANCE
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

/** Whether all of these teams see the thing with this id. Handles are kept by the world, so asking allocates nothing. */
function isSeen(world: AnyWorld, { teams }: Viewpoint, id: number): boolean {
  const { behaviour } = world.game
  const seen = thing(world, id)
  if (seen === undefined) return false
  for (const team of teams) if (!behaviour.visible!(world, team, seen)) return false
  return teams.length > 0
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
