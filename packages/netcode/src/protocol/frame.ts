/**
 * A frame: what one viewer sees of the world at one tick, as whole numbers.
 *
 * Rows are never changed once made, and a row that is as expected is the very same object in the next frame. Expected is
 * that it flies straight on: place + speed · time. So a bullet is one object from its birth to its death, and the
 * difference of two frames is found by comparing references. Rows are in the order of their ids.
 */

import { findRow, thing } from 'hurtbox'
import { type AnyWorld, failureOf, seatRow } from 'hurtbox/tools'
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

/**
 * Ids of one viewpoint, given as things come into sight. The match's own ids count everything that was ever
 * spawned, so two of them in sight would reveal how much was spawned out of sight between them.
 */
export type ViewerIds = {
  next: number
  /** By the match's id, as long as the thing is there, in sight or not. */
  readonly byThing: Map<number, number>
  /** The other way round. */
  readonly things: Map<number, number>
  /** By the match's id: the things of the newest frame. */
  readonly inSight: Map<number, number>
}

export function createViewerIds(): ViewerIds {
  return { next: 1, byThing: new Map(), things: new Map(), inSight: new Map() }
}

/** The world as seen from `viewpoint`, sharing with `before` what has not changed. In a game with fog `ids` name things. */
export function makeFrame(scheme: Scheme, world: AnyWorld, viewpoint: Viewpoint, before: Frame, ids: ViewerIds): Frame {
  const { clock } = world
  const seen = scheme.hasFog ? nameVisible(world, viewpoint, ids) : undefined
  const tables = scheme.tables.map((wire, t) =>
    makeRows(wire, world, before.tables[t], seen === undefined ? undefined : { viewpoint, ids, rows: seen }),
  )
  return { tick: world.tick, clock, paused: world.paused, tables, singles: makeSingles(scheme, world), events: NOTHING }
}

/** Names the things in sight; returns their rows in the order of their new ids. */
function nameVisible(world: AnyWorld, viewpoint: Viewpoint, ids: ViewerIds): number[] {
  const { things } = world.tables
  const { byThing, inSight } = ids
  inSight.clear()
  const rows: number[] = []
  for (let row = 0; row < things.count; row++) {
    const own: number = things.id[row]
    if (!isSeen(world, viewpoint, own)) continue
    let id = byThing.get(own)
    if (id === undefined) {
      id = ids.next++
      byThing.set(own, id)
      ids.things.set(id, own)
    }
    inSight.set(own, id)
    rows.push(row)
  }
  if (byThing.size > 2 * things.count + SPARE_IDS) forgetGone(world, ids)
  return rows.sort((a, b) => inSight.get(things.id[a])! - inSight.get(things.id[b])!)
}

/** Ids of things that are gone are kept until there are more of them than of others. */
const SPARE_IDS = 64

function forgetGone(world: AnyWorld, { byThing, things }: ViewerIds): void {
  for (const [own, id] of byThing) {
    if (findRow(world.tables.things, own) >= 0) continue
    byThing.delete(own)
    things.delete(id)
  }
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

/** What fog leaves to be seen: from which viewpoint, which rows of things, and by which ids. */
type Sight = { readonly viewpoint: Viewpoint; readonly ids: ViewerIds; readonly rows: readonly number[] }

function makeRows(wire: WireTable, world: AnyWorld, before: readonly Row[], sight: Sight | undefined): Row[] {
  const table = world.tables[wire.name]
  const { clock } = world
  const places = sight !== undefined && wire.name === 'things' ? sight.rows : undefined
  const count: number = places?.length ?? table.count
  const width = wire.values.length
  const numbers = readColumns(wire, table)
  const rows: Row[] = []
  let old = 0
  for (let i = 0; i < count; i++) {
    const row = places?.[i] ?? i
    const id: number = places === undefined ? table.id[row] : sight!.ids.inSight.get(table.id[row])!
    const at = row * width
    if (sight !== undefined) hide(wire, world, row, sight, numbers, at)
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

/** Ids become the viewer's own, 0 for what it does not see. What is private to another team becomes 0. */
function hide(wire: WireTable, world: AnyWorld, row: number, sight: Sight, numbers: Int32Array, at: number): void {
  const { viewpoint, ids } = sight
  for (let i = 0; i < wire.values.length; i++) {
    if (wire.values[i].kind === 'id') numbers[at + i] = ids.inSight.get(numbers[at + i] >>> 0) ?? 0
  }
  if (wire.privateAt.length === 0) return
  const team: number = world.tables.players.team[row]
  if (viewpoint.teams.length > 0 && viewpoint.teams.every((each) => each === team)) return
  for (const i of wire.privateAt) numbers[at + i] = 0
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
  try {
    for (const team of teams) if (!behaviour.visible!(world, team, seen)) return false
  } catch (error) {
    throw failureOf(error, { what: 'visible', tick: world.tick, things: [{ layer: seen.layer, id }] })
  }
  return teams.length > 0
}
