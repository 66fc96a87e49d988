/**
 * Lag compensation: where things were when a player saw them.
 *
 * A player aims at what the screen shows, which is the past. To judge a shot by it, the poses of the last ticks are kept, and the
 * input says how long ago its player saw them. Both are part of the state and of the input like everything else, so
 * replays, rollbacks and mirrors need to know nothing of it. A game asks for a pose where an attack of its own is judged;
 * attacks that do not ask are judged in the present, so it is on, off, or on for some abilities.
 *
 * A past pose is only ever one of the same life: not from before a spawn, a death, a return or a jump. Asking for
 * more returns the oldest pose that counts.
 */

import { HurtboxError, requireInteger } from '../../base/errors.ts'
import { addRow, findRow, type Id } from '../../state/table.ts'
import type { Declaration, Phase } from '../../world/game.ts'
import { wide } from '../../world/handles/wide.ts'
import { fixed } from '../../world/input.ts'
import type { AnyWorld } from '../../world/world.ts'

/** How the past is kept. */
export type Rewind = {
  /** For the declaration's `tables`: one row of poses per thing that is recorded. */
  readonly tables: { readonly poses: PosesSpec }
  /** For the declaration's `input`. Netcode fills it in; otherwise a player sees the present. */
  readonly input: { readonly seenAgo: ReturnType<typeof fixed> }
  /** States that are kept, the present one among them. */
  readonly ticks: number
}

type PosesSpec = {
  readonly capacity: number
  readonly columns: {
    readonly thing: 'id'
    /** The first state of the present life that is recorded. */
    readonly from: 'u32'
    /** The thing's jumps and whether it lived, when last recorded. */
    readonly jumps: 'u8'
    readonly lived: 'u8'
    readonly pastX: { readonly type: 'f64'; readonly width: number }
    readonly pastY: { readonly type: 'f64'; readonly width: number }
  }
}

/** Where a thing was; `ago` is how far back it really is, after all that limits it. */
export type SeenPose = { x: number; y: number; ago: number }

const MAX_TICKS = 64
/** The input field that says how long ago a player saw the others, and in which parts of a tick it counts. */
export const SEEN_AGO = { field: 'seenAgo', partsPerTick: 32 } as const

/** `ticks`: how many states are kept, so `ticks − 1` is the furthest look back. `capacity`: the most things recorded. */
export function defineRewind(ticks: number, capacity: number): Rewind {
  requireInteger(ticks, 'ticks', 2, MAX_TICKS)
  requireInteger(capacity, 'capacity', 1, 1 << 16)
  const past = wide('f64', ticks)
  return {
    ticks,
    tables: {
      poses: {
        capacity,
        columns: { thing: 'id', from: 'u32', jumps: 'u8', lived: 'u8', pastX: past, pastY: past },
      },
    },
    input: { seenAgo: seenAgoInput(ticks) },
  }
}

/** The input of how long ago a player saw the others, where `ticks` states are kept. */
export function seenAgoInput(ticks: number): ReturnType<typeof fixed> {
  return fixed({ min: 0, max: ticks - 1, step: 1 / SEEN_AGO.partsPerTick })
}

/** The phase that records, to stand at the end of the tick: poses of all things for which `isRecorded` says so. */
export function recordPoses<D extends Declaration>(
  rewind: Rewind,
  isRecorded: (world: AnyWorld, row: number) => boolean,
): Phase<D> {
  const run = (world: AnyWorld): void => {
    const { things, poses } = world.tables
    for (let pose = 0; pose < poses.count; pose++) {
      const row = findRow(things, poses.thing[pose])
      if (row < 0 || things.leaving[row] !== 0) poses.leaving[pose] = 1
    }
    // Poses are nearly always in the order of the things, so the next one is nearly always the one looked for.
    let hint = 0
    for (let row = 0; row < things.count; row++) {
      if (things.leaving[row] !== 0 || !isRecorded(world, row)) continue
      const pose = findPose(world, things.id[row], hint)
      hint = pose >= 0 ? record(world, rewind.ticks, row, pose) : start(world, rewind.ticks, row)
    }
  }
  return {
    whilePaused: true,
    create(world) {
      if ('poses' in world.tables) return { run: (typed) => run(typed as unknown as AnyWorld) }
      throw new HurtboxError('bad-declaration', 'recorded poses need their table: tables: { …, ...rewind.tables }.')
    },
  }
}

/**
 * Where the thing in `row` was `ago` ticks before the tick that runs: 0 is the state this tick started from, which is what
 * somebody without any delay sees. Writes into `out`.
 */
export function seenPose(world: AnyWorld, rewind: Rewind, row: number, ago: number, out: SeenPose): void {
  const { things, poses } = world.tables
  const { tick } = world
  const pose = findPose(world, things.id[row], 0)
  if (pose < 0 || !isSameLife(world, row, pose) || poses.from[pose] > tick) {
    out.x = things.x[row]
    out.y = things.y[row]
    out.ago = 0
    return
  }
  const furthest = Math.min(rewind.ticks - 1, tick - poses.from[pose])
  out.ago = Math.min(Math.max(ago, 0), furthest)
  const seen = tick - out.ago
  const older = Math.floor(seen)
  const part = seen - older
  const at = pose * rewind.ticks
  const a = at + (older % rewind.ticks)
  const b = part === 0 ? a : at + ((older + 1) % rewind.ticks)
  out.x = poses.pastX[a] + (poses.pastX[b] - poses.pastX[a]) * part
  out.y = poses.pastY[a] + (poses.pastY[b] - poses.pastY[a]) * part
}

/** The pose of this tick's end is the state that the next tick starts from. */
function record(world: AnyWorld, ticks: number, row: number, pose: number): number {
  const { things, poses } = world.tables
  const state = world.tick + 1
  if (!isSameLife(world, row, pose)) poses.from[pose] = state
  poses.jumps[pose] = things.teleports[row]
  poses.lived[pose] = isAlive(world, row)
  const at = pose * ticks + (state % ticks)
  poses.pastX[at] = things.x[row]
  poses.pastY[at] = things.y[row]
  return pose + 1
}

function start(world: AnyWorld, ticks: number, row: number): number {
  const { things, poses } = world.tables
  const pose = addRow(poses)
  if (pose < 0) return 0
  poses.thing[pose] = things.id[row]
  poses.from[pose] = world.tick + 1
  poses.jumps[pose] = things.teleports[row]
  poses.lived[pose] = isAlive(world, row)
  return record(world, ticks, row, pose)
}

/** Whether nothing has happened to the thing since it was recorded that ends a life: a jump, a death, a return. */
function isSameLife(world: AnyWorld, row: number, pose: number): boolean {
  const { things, poses } = world.tables
  return poses.jumps[pose] === things.teleports[row] && poses.lived[pose] === isAlive(world, row)
}

/** Things without health are always there. */
export function isAlive(world: AnyWorld, row: number): number {
  const { hp } = world.tables.things
  return hp === undefined || hp[row] > 0 ? 1 : 0
}

function findPose(world: AnyWorld, thing: Id, hint: number): number {
  const { count, thing: ids } = world.tables.poses
  for (let i = 0; i < count; i++) {
    const pose = hint + i < count ? hint + i : hint + i - count
    if (ids[pose] === thing) return pose
  }
  return -1
}
