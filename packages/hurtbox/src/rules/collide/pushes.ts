/**
 * A record of pushes, for `why` and for drawing.
 *
 * It lies here and not with the phases that push (`kits/motion`), because `why` reads it without knowing them.
 * Nothing is recorded in play. A tool asks for the record of one world; from then on the phases that push things apart note
 * each push there. It is not state: a world with a record steps to the same bits.
 */

/** One push that moved two things apart. */
export type Push = {
  /** By id; the second is the one that yields, where one does. */
  readonly first: number
  readonly second: number
  /** How deep they overlapped, and how much of it the push undid: less where strength or the longest push hold it down. */
  readonly overlap: number
  readonly push: number
  /** How far each of them was moved. */
  readonly shareFirst: number
  readonly shareSecond: number
  /** The direction from the first to the second: the first moves against it, the second along it. */
  readonly x: number
  readonly y: number
  readonly z: number
}

/** A wall of a static map that stopped a thing, or that a thing was moved out of. */
export type WallPush = {
  readonly thing: number
  readonly statics: object
  /** Its place in the map. */
  readonly wall: number
  /** Whether the thing was in the wall and moved out of it; else it ran into it. */
  readonly isOut: boolean
  /** How deep it was in it. */
  readonly depth: number
  /** The direction out of the wall. */
  readonly x: number
  readonly y: number
  readonly z: number
}

export type PushRecord = {
  /** The tick of these pushes. */
  tick: number
  readonly pushes: Push[]
  readonly walls: WallPush[]
}

/** What a record is about: the rows of a push are those of `things`. */
type PushedWorld = { readonly tick: number; readonly tables: { readonly things: { readonly id: Uint32Array } } }

const records = new WeakMap<object, PushRecord>()

/** Records the pushes of a world from now on. The list always has those of the last tick with any, in their order. */
export function recordPushes(world: object): Readonly<PushRecord> {
  let record = records.get(world)
  if (record === undefined) records.set(world, (record = { tick: -1, pushes: [], walls: [] }))
  return record
}

/** The record of a world, if a tool has asked for one, ready for the pushes of this tick. */
export function openRecord(world: PushedWorld): PushRecord | undefined {
  const record = records.get(world)
  if (record !== undefined && record.tick !== world.tick) {
    record.tick = world.tick
    record.pushes.length = 0
    record.walls.length = 0
  }
  return record
}

/** Notes a push between two rows of `things`. */
export function notePush(
  record: PushRecord,
  world: PushedWorld,
  rows: readonly [number, number],
  push: Omit<Push, 'first' | 'second'>,
): void {
  const { id } = world.tables.things
  record.pushes.push({ first: id[rows[0]], second: id[rows[1]], ...push })
}

/** Notes that a wall stopped the thing in a row, or that it was moved out of one. */
export function noteWall(record: PushRecord, world: PushedWorld, row: number, push: Omit<WallPush, 'thing'>): void {
  record.walls.push({ thing: world.tables.things.id[row], ...push })
}
