/**
 * The sync test: rolls back on every tick and checks that the future is the same.
 *
 * Whatever a game keeps outside the world's memory (a closure, a module variable, a clock) shows up here at once, long
 * before two players disagree. States are compared byte for byte, which is stronger and cheaper than hashes.
 */

import { HurtboxError, requireInteger } from '../errors.ts'
import { type Difference, describeCell, diffWorlds } from '../inspect.ts'
import { CLOCK } from '../layout.ts'
import { restore, type Snapshot, sameSnapshot, snapshot } from '../snapshot.ts'
import { createEncodedInputs, stepEncoded } from '../step.ts'
import { createEmptyWorld } from '../world.ts'
import { inputsAt } from './log.ts'
import { createTwin, type Session } from './session.ts'

export type SyncReport = {
  readonly ticks: number
  readonly rollbacks: number
  readonly resimulatedTicks: number
  /** In how many ticks the state changed beyond its own clock. A test on a world that stands still proves nothing. */
  readonly changedTicks: number
  /** The first tick that came out differently, and where; undefined when all were equal. */
  readonly mismatch:
    | { readonly tick: number; readonly depth: number; readonly differences: readonly Difference[] }
    | undefined
}

/**
 * Plays the recorded match of `session` again in a world of its own; after each tick it goes back `depth` ticks, steps
 * forward again, and compares every state on the way. Stops at the first mismatch. `fresh` restores into a new world
 * each time instead of the same one.
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
export function syncTest(session: Session, depth: number, options: { readonly fresh?: boolean } = {}): SyncReport {
  requireInteger(depth, 'depth', 1, 1024)
  const { log } = session
  let world = createTwin(session)
  const inputs = createEncodedInputs(world)
  // Slot `tick % (depth + 1)` holds the state before `tick`.
  const ring: Snapshot[] = Array.from({ length: depth + 1 }, () => snapshot(world))
  const again = snapshot(world)
  const report = { ticks: 0, rollbacks: 0, resimulatedTicks: 0, changedTicks: 0 }

  for (let tick = log.from; tick < log.length; tick++) {
    inputsAt(log, tick, inputs)
    stepEncoded(world, inputs)
    const now = snapshot(world, ring[(tick + 1) % (depth + 1)])
    if (changedBeyondClock(now, ring[tick % (depth + 1)])) report.changedTicks++
    report.ticks++

    const from = Math.max(log.from, tick + 1 - depth)
    if (options.fresh === true) world = createEmptyWorld(session.game, session.setup)
    restore(world, ring[from % (depth + 1)])
    report.rollbacks++
    for (let redo = from; redo <= tick; redo++) {
      inputsAt(log, redo, inputs)
      stepEncoded(world, inputs)
      report.resimulatedTicks++
      const expected = ring[(redo + 1) % (depth + 1)]
      if (sameSnapshot(snapshot(world, again), expected)) continue
      const before = createTwin(session)
      restore(before, expected)
      return { ...report, mismatch: { tick: redo, depth: tick + 1 - from, differences: diffWorlds(before, world) } }
    }
  }
  // A world changed by hand between ticks has changes that no replay contains.
  if (session.world.tick === log.length && session.world.memory.status === 'ready') {
    const differences = sameSnapshot(snapshot(world, again), snapshot(session.world))
      ? []
      : diffWorlds(session.world, world)
    if (differences.length > 0) return { ...report, mismatch: { tick: log.length, depth: 0, differences } }
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
        : `tick ${mismatch.tick} came out differently after a rollback of ${mismatch.depth} ticks: `) +
        `${first === undefined ? 'the row counts differ' : describeCell(first)}.`,
      { mismatch },
    )
  }
  if (report.ticks > 0 && report.changedTicks === 0) {
    throw new HurtboxError('desync', 'the state never changed, so the sync test proves nothing. Give the match inputs.')
  }
}

/** Tick and clock, the first words of the header, change always. */
function changedBeyondClock(a: Snapshot, b: Snapshot): boolean {
  if (a.byteLength !== b.byteLength) return true
  for (let i = 4 * (CLOCK + 1); i < a.byteLength; i++) if (a.bytes[i] !== b.bytes[i]) return true
  return false
}
