/**
 * The sync test: rolls back on every tick and checks that the future is the same.
 *
 * Whatever a game keeps outside the world's memory (a closure, a module variable, a clock) shows up here at once, long
 * before two players disagree. States are compared byte for byte, which is stronger and cheaper than hashes.
 */

import { HurtboxError, requireInteger } from '../../base/errors.ts'
import { type Difference, describeCell, diffWorlds } from '../../state/difference.ts'
import { CLOCK } from '../../state/layout.ts'
import { type Snapshot, sameSnapshot } from '../../state/pack.ts'
import { restore, snapshot } from '../../world/snapshot.ts'
import { createEncodedInputs, type EncodedInputs, stepEncoded } from '../../world/step.ts'
import { type AnyWorld, createEmptyWorld } from '../../world/world.ts'
import { inputsAt } from './log.ts'
import { AFTER_PHASES, tellPhase, watchPhases } from './phases.ts'
import { createTwin, type Session } from './session.ts'

export type SyncReport = {
  readonly ticks: number
  readonly rollbacks: number
  readonly resimulatedTicks: number
  /** In how many ticks the state changed beyond its own clock. A test on a world that stands still proves nothing. */
  readonly changedTicks: number
  /** The first tick that came out differently, and where; undefined when all were equal. */
  readonly mismatch: SyncMismatch | undefined
}

export type SyncMismatch = {
  readonly tick: number
  readonly depth: number
  /**
   * The first phase of the tick that came out differently; `inputs` and `end of tick` stand for what runs before and after
   * the phases. Undefined where the difference does not show again.
   */
  readonly phase: string | undefined
  /** Where the state differs after the tick, what that phase wrote first. */
  readonly differences: readonly Difference[]
}

/**
 * Plays the recorded match of `session` again in a world of its own; after each tick it goes back `depth` ticks, steps
 * forward again, and compares every state on the way. Stops at the first mismatch. `fresh` restores into a new world
 * each time instead of the same one. `phases` keeps the state after every phase, which costs time, to name the phase also where
 * the tick does not come out differently once more (a function that does something on every sixtieth call).
 *
 * @example
 * ```ts
 * import { advance, createSession, declareGame, defineGame, each, spawn, syncTest } from 'hurtbox'
 *
 * const arena = declareGame({ id: 'arena', tickRate: 60, layers: { slime: [] } })
 * const game = defineGame(arena, {
 *   setup: (world) => void spawn(world, 'slime', { vx: 2 }),
 *   phases: {
 *     crawl(world) {
 *       for (const slime of each(world, 'slime')) slime.x += slime.vx
 *     },
 *   },
 * })
 * const session = createSession(game)
 * for (let i = 0; i < 20; i++) advance(session)
 * console.log(syncTest(session, 4).mismatch) // undefined
 * ```
 */
export function syncTest(
  session: Session,
  depth: number,
  options: { readonly fresh?: boolean; readonly phases?: boolean } = {},
): SyncReport {
  requireInteger(depth, 'depth', 1, 1024)
  const { log } = session
  const keepsPhases = options.phases === true
  let world = createTwin(session)
  let watch = keepsPhases ? keepWays(world) : undefined
  const inputs = createEncodedInputs(world)
  // Slot `tick % (depth + 1)` holds the state before `tick`, and the states on the way through it.
  const ring: Snapshot[] = Array.from({ length: depth + 1 }, () => snapshot(world))
  const ways: Way[] = Array.from({ length: depth + 1 }, createWay)
  const again = snapshot(world)
  const wayAgain = createWay()
  const report = { ticks: 0, rollbacks: 0, resimulatedTicks: 0, changedTicks: 0 }

  for (let tick = log.from; tick < log.length; tick++) {
    watch?.(ways[tick % (depth + 1)])
    inputsAt(log, tick, inputs)
    stepEncoded(world, inputs)
    const now = snapshot(world, ring[(tick + 1) % (depth + 1)])
    if (changedBeyondClock(now, ring[tick % (depth + 1)])) report.changedTicks++
    report.ticks++

    const from = Math.max(log.from, tick + 1 - depth)
    if (options.fresh === true) {
      world = createEmptyWorld(session.game, session.setup)
      if (keepsPhases) watch = keepWays(world)
    }
    restore(world, ring[from % (depth + 1)])
    report.rollbacks++
    for (let redo = from; redo <= tick; redo++) {
      watch?.(wayAgain)
      inputsAt(log, redo, inputs)
      stepEncoded(world, inputs)
      report.resimulatedTicks++
      const expected = ring[(redo + 1) % (depth + 1)]
      if (sameSnapshot(snapshot(world, again), expected)) continue
      const before = createTwin(session)
      restore(before, expected)
      const all = diffWorlds(before, world)
      const { phase, differences } =
        (keepsPhases ? compareWays(session, ways[redo % (depth + 1)], wayAgain) : undefined) ??
        repeatTick(session, world, ring[redo % (depth + 1)], inputs) ??
        NOWHERE
      const mismatch = { tick: redo, depth: tick + 1 - from, phase, differences: withFirst(all, differences) }
      return { ...report, mismatch }
    }
  }
  // A world changed by hand between ticks has changes that no replay contains.
  if (session.world.tick === log.length && session.world.memory.status === 'ready') {
    const differences = sameSnapshot(snapshot(world, again), snapshot(session.world))
      ? []
      : diffWorlds(session.world, world)
    if (differences.length > 0) {
      return { ...report, mismatch: { tick: log.length, depth: 0, phase: undefined, differences } }
    }
  }
  return { ...report, mismatch: undefined }
}

/** Throws with the first difference in words when a sync test found one, or when the state never changed. */
export function requireInSync(report: SyncReport): void {
  const { mismatch } = report
  if (mismatch !== undefined) {
    const first = mismatch.differences[0]
    throw new HurtboxError(
      'desync',
      (mismatch.depth === 0
        ? 'the match as it was played differs from its replay; was the world changed outside a step? '
        : `tick ${mismatch.tick} came out differently after a rollback of ${mismatch.depth} ticks` +
          `${mismatch.phase === undefined ? '' : `, first in ${tellPhase(mismatch.phase)}`}: `) +
        `${first === undefined ? 'the row counts differ' : describeCell(first)}.`,
      { mismatch },
    )
  }
  if (report.ticks > 0 && report.changedTicks === 0) {
    throw new HurtboxError('desync', 'the state never changed, so the sync test proves nothing. Give the match inputs.')
  }
}

/** The states on the way through one tick: before the first phase, and after each. Buffers are used again. */
type Way = { readonly phases: string[]; readonly states: Snapshot[] }

type FirstPhase = { readonly phase: string | undefined; readonly differences: readonly Difference[] }

const NOWHERE: FirstPhase = { phase: undefined, differences: [] }

function createWay(): Way {
  return { phases: [], states: [] }
}

/** Keeps the states on the way through every tick. The function it returns sets where, before each step. */
function keepWays(world: AnyWorld): (way: Way) => void {
  let way = createWay()
  const begin = watchPhases(world, (phase) => {
    const place = way.phases.push(phase) - 1
    way.states[place] = snapshot(world, way.states[place])
  })
  return (next) => {
    way = next
    way.phases.length = 0
    begin()
  }
}

/** The first phase after which two ways through one tick differ; its end, when all phases came out equal. */
function compareWays(session: Session, a: Way, b: Way): FirstPhase {
  for (let i = 0; i < Math.max(a.phases.length, b.phases.length); i++) {
    // A phase that ran in one of the two only: in the other the match was over.
    if (a.phases[i] !== b.phases[i]) return { phase: a.phases[i] ?? b.phases[i], differences: [] }
    if (sameSnapshot(a.states[i], b.states[i])) continue
    const [here, there] = [createTwin(session), createTwin(session)]
    restore(here, a.states[i])
    restore(there, b.states[i])
    return { phase: a.phases[i], differences: diffWorlds(here, there) }
  }
  return { phase: AFTER_PHASES, differences: [] }
}

/**
 * The phase that brings a difference, found by stepping the tick again and again from one state: in the world that differed, and
 * in a fresh one, because what a phase keeps for each world shows only against a world that has kept nothing yet. Undefined
 * when all came out equal. The worlds are of no use afterwards.
 */
function repeatTick(
  session: Session,
  world: AnyWorld,
  before: Snapshot,
  inputs: EncodedInputs,
): FirstPhase | undefined {
  const run = (tried: AnyWorld, watch: (way: Way) => void) => {
    const way = createWay()
    watch(way)
    restore(tried, before)
    stepEncoded(tried, inputs)
    return { way, end: snapshot(tried) }
  }
  const watch = keepWays(world)
  const fresh = createTwin(session)
  const first = run(world, watch)
  for (const other of [run(world, watch), run(fresh, keepWays(fresh))]) {
    if (!sameSnapshot(first.end, other.end)) return compareWays(session, first.way, other.way)
  }
  return undefined
}

/** Differences with those that a phase made in front; later phases only carry them on. */
function withFirst(all: readonly Difference[], made: readonly Difference[]): readonly Difference[] {
  const isMade = ({ table, id, column }: Difference) =>
    made.some((other) => other.table === table && other.id === id && other.column === column)
  return [...all.filter(isMade), ...all.filter((difference) => !isMade(difference))]
}

/** Tick and clock, the first words of the header, change always. */
function changedBeyondClock(a: Snapshot, b: Snapshot): boolean {
  if (a.byteLength !== b.byteLength) return true
  for (let i = 4 * (CLOCK + 1); i < a.byteLength; i++) if (a.bytes[i] !== b.bytes[i]) return true
  return false
}
