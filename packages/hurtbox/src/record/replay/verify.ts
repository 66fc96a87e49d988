/**
 * Verifying: play a replay again and see whether it goes the same way.
 *
 * The match is stepped from its start and the state's hash compared with each checksum. When one differs, the ticks since
 * the last good checksum are run again in two worlds side by side: if these disagree with each other, the rules depend on
 * something outside the world, and the exact tick, phase, row and column can be named. If they agree, the replay was made by rules
 * that behave differently (or by hand); then a keyframe shows row and column, and which phase wrote it last; or the checksums show the table.
 */

import { HurtboxError } from '../../base/errors.ts'
import { GameFailure } from '../../base/failure.ts'
import { type Difference, describeCell, diffWorlds } from '../../state/difference.ts'
import { hashWorld } from '../../state/hash.ts'
import { type Snapshot, sameSnapshot, snapshotFromBytes, snapshotTick } from '../../state/pack.ts'
import { findRow } from '../../state/table.ts'
import { capacityOf, withCapacity } from '../../world/capacity.ts'
import type { AnyGame } from '../../world/game.ts'
import { restore, snapshot } from '../../world/snapshot.ts'
import { createEncodedInputs, type EncodedInputs, encodeInputs, stepEncoded } from '../../world/step.ts'
import { type AnyWorld, createEmptyWorld, createWorld } from '../../world/world.ts'
import { inputsAt } from '../session/log.ts'
import { AFTER_PHASES, type PhasePlace, retrace, tellPhase, watchPhases } from '../session/phases.ts'
import { type Checksum, checksumOf, NOT_FINITE, partNames } from './checksum.ts'
import { compareFingerprints, fingerprint } from './fingerprint.ts'
import type { Replay } from './load.ts'

export type Verification = {
  readonly ok: boolean
  /** Ticks that came out as recorded. */
  readonly ticks: number
  /** The hash of the state after these ticks, as it came out now. */
  readonly hash: string
  /** Where it went another way. */
  readonly mismatch?: Mismatch
}

export type Mismatch = {
  /**
   * `setup`: the match began differently · `diverged`: the rules behave differently from those that recorded it ·
   * `not-deterministic`: they differ from themselves · `not-finite`: a number in the state became NaN or infinite ·
   * `failed`: a tick could not be run
   */
  readonly cause: 'setup' | 'diverged' | 'not-deterministic' | 'not-finite' | 'failed'
  /** The tick that came out differently is one of these, both included; equal when it is known exactly. */
  readonly fromTick: number
  readonly toTick: number
  /** The parts of the state that differ after `toTick`: tables, `header`, `arrays`. */
  readonly tables: readonly string[]
  /** Row and column, where they are known: `a` is what came out now, `b` what was recorded (or came out before). */
  readonly differences: readonly Difference[]
  /**
   * Where it happened on the way through a tick: what came out differently first (`not-deterministic`), or what last wrote the first
   * column that differs (`diverged`, where row and column are known).
   */
  readonly place: PhasePlace | undefined
  /** Where code of the game threw (`failed`). */
  readonly failure?: GameFailure
  /** All of it in one sentence. */
  readonly message: string
}

/**
 * Plays `replay` by the rules of `game` and compares. `game` may be another build than the replay was loaded with, as
 * long as its state and inputs have the same shape: that shows what a change of rules does to a recorded match.
 */
export function verifyReplay(
  game: AnyGame,
  replay: Replay,
  onProgress?: (ticksDone: number, ticks: number) => void,
): Verification {
  const run = startRun(requireSameShape(game, replay), replay)
  let hash = checksumOf(run.world).hash
  for (const checksum of replay.checksums) {
    const mismatch = stepTo(run, checksum.tick) ?? compareChecksum(run, checksum)
    if (mismatch !== undefined) return { ok: false, ticks: goodTick(run), hash, mismatch }
    hash = checksum.hash
    snapshot(run.world, run.lastGood)
    onProgress?.(checksum.tick, replay.ticks)
  }
  return { ok: true, ticks: goodTick(run), hash }
}

/** The parts of a fingerprint without which inputs and states mean something else. */
const SHAPE = ['tickRate', 'seats', 'layout', 'streams', 'input', 'options', 'tuning']

/** The game with the capacities of the replay; throws unless worlds of it can play the replay at all. */
export function requireSameShape(given: AnyGame, replay: Replay): AnyGame {
  if (given === replay.game) return given
  const game = withCapacity(given, capacityOf(replay.game))
  const differences = compareFingerprints(fingerprint(game), replay.header.fingerprint, SHAPE)
  if (differences.length === 0) return game
  throw new HurtboxError('bad-replay', `the replay does not fit the game: ${differences.join(', ')}.`, { differences })
}

type Run = {
  readonly replay: Replay
  readonly world: AnyWorld
  readonly inputs: EncodedInputs
  /** The state at the last checksum that was equal. */
  readonly lastGood: Snapshot
}

function startRun(game: AnyGame, replay: Replay): Run {
  const world = createWorld(game, replay.setup)
  return { replay, world, inputs: createEncodedInputs(world), lastGood: snapshot(world) }
}

/** Runs up to `tick`. A tick that cannot be run ends the match: a rule threw, or the inputs are impossible. */
function stepTo({ world, replay, inputs }: Run, tick: number): Mismatch | undefined {
  while (world.tick < tick) {
    const { tick: now } = world
    try {
      stepRecorded(world, replay, inputs)
    } catch (error) {
      if (error instanceof GameFailure) return { ...mismatchAt('failed', now, now, error.message), failure: error }
      const what = error instanceof Error ? error.message : String(error)
      return mismatchAt('failed', now, now, `tick ${now} could not be run: ${what}`)
    }
  }
  return undefined
}

/** One tick from the log, with the check that a live match makes: a file may contain a join on a taken seat. */
function stepRecorded(world: AnyWorld, { log }: Replay, inputs: EncodedInputs): void {
  inputsAt(log, world.tick, inputs)
  const { controls } = inputs
  if (controls.length > 0) {
    encodeInputs(world, { controls }, inputs)
    inputsAt(log, world.tick, inputs)
  }
  stepEncoded(world, inputs)
}

function compareChecksum(run: Run, recorded: Checksum): Mismatch | undefined {
  const { world, replay } = run
  const now = checksumOf(world)
  if (now.hash === NOT_FINITE) return findNotFiniteTick(run, recorded.tick)
  if (now.hash === recorded.hash) return undefined

  const tables = partNames(world.game).filter((_, i) => now.parts[i] !== recorded.parts[i])
  const differences = diffFromKeyframe(world, replay)
  const details = describeDetails(tables, differences)
  if (recorded.tick === 0)
    return mismatchAt('setup', 0, 0, `the match began differently: ${details}`, { tables, differences })
  const unstable = findUnstableTick(run)
  if (unstable !== undefined) return unstable
  const place = differences.length === 0 ? undefined : findWriter(run, recorded.tick, differences[0])
  const writer = place === undefined ? '' : ` It was last written in tick ${place.tick}, by ${tellPhase(place.phase)}.`
  return mismatchAt(
    'diverged',
    goodTick(run),
    recorded.tick - 1,
    `${describeTicks(goodTick(run), recorded.tick - 1)} came out differently from the recording: ${details}${writer}`,
    { tables, differences, place },
  )
}

/** Runs the ticks since the last good checksum again: which phase wrote this value last? */
function findWriter(run: Run, end: number, difference: Difference): PhasePlace | undefined {
  const world = worldAtLastGood(run)
  let found: PhasePlace | undefined
  let before = valueIn(world, difference)
  const inputsOf = (tick: number, into: EncodedInputs) => inputsAt(run.replay.log, tick, into)
  try {
    retrace(world, end, inputsOf, (place) => {
      const now = valueIn(world, difference)
      if (!Object.is(now, before)) found = place
      before = now
      return false
    })
  } catch {
    // It ran before, so this is no reason to say nothing of the rest.
  }
  return found
}

function valueIn(world: AnyWorld, { table, id, row, column }: Difference): number | undefined {
  const rows = world.tables[table]
  const [, name, index = '0'] = /^(.*?)(?:\[(\d+)\])?$/.exec(column)!
  const spec = rows?.columns.find((each: { readonly name: string }) => each.name === name)
  if (spec === undefined) return undefined
  const at = id > 0 ? findRow(rows, id) : row
  return at < 0 || at >= rows.count ? undefined : spec.array[at * spec.width + Number(index)]
}

/** Runs the ticks since the last good checksum again and hashes each: in which one did a number stop being finite? */
function findNotFiniteTick(run: Run, toTick: number): Mismatch {
  const world = worldAtLastGood(run)
  do {
    const problem = describeNotFinite(world)
    const tick = Math.max(world.tick - 1, 0)
    if (problem !== undefined) return mismatchAt('not-finite', tick, tick, problem)
  } while (world.tick < toTick && tryStep(world, run.replay, run.inputs))
  return notDeterministic(goodTick(run), toTick - 1, 'a number became infinite or NaN, but not again.', [])
}

function describeNotFinite(world: AnyWorld): string | undefined {
  try {
    hashWorld(world)
    return undefined
  } catch (error) {
    return (error as HurtboxError).message
  }
}

/** Runs the ticks since the last good checksum in two worlds side by side: do the rules agree with themselves? */
function findUnstableTick(run: Run): Mismatch | undefined {
  const { world, replay, inputs } = run
  const [one, other] = [worldAtLastGood(run), worldAtLastGood(run)]
  // The states of the one after each phase of the tick, and the first phase after which the other had another.
  const way: Snapshot[] = []
  let at = 0
  let first: { readonly phase: string; readonly differences: readonly Difference[] } | undefined
  const beginOne = watchPhases(one, () => {
    way[at] = snapshot(one, way[at])
    at++
  })
  const beginOther = watchPhases(other, (phase) => {
    const state = way[at++]
    if (first !== undefined || sameSnapshot(snapshot(other), state)) return
    const twin = createEmptyWorld(other.game, replay.setup)
    restore(twin, state)
    first = { phase, differences: diffWorlds(twin, other) }
  })
  while (one.tick < world.tick) {
    const { tick } = one
    beginOne()
    beginOther()
    const hasRun = [one, other].every((each) => {
      at = 0
      return tryStep(each, replay, inputs)
    })
    if (hasRun && sameSnapshot(snapshot(one), snapshot(other))) {
      first = undefined
      continue
    }
    const phase = first?.phase ?? (hasRun ? AFTER_PHASES : undefined)
    const differences = first?.differences ?? (hasRun ? diffWorlds(one, other) : [])
    const details = hasRun ? describeDetails([], differences) : 'it could not be run again.'
    return notDeterministic(tick, tick, details, differences, phase)
  }
  if (sameSnapshot(snapshot(one), snapshot(world))) return undefined
  const differences = diffWorlds(one, world)
  return notDeterministic(goodTick(run), world.tick - 1, describeDetails([], differences), differences)
}

function notDeterministic(
  fromTick: number,
  toTick: number,
  details: string,
  differences: readonly Difference[],
  phase?: string,
): Mismatch {
  const where = phase === undefined ? '' : `, first in ${tellPhase(phase)}`
  const message =
    `${describeTicks(fromTick, toTick)} came out differently when run again from the same state${where}: ${details} ` +
    'The rules depend on something outside the world (a module variable, a clock, Math.random).'
  const tables = [...new Set(differences.map(({ table }) => table || 'arrays'))]
  const place = phase === undefined ? undefined : { tick: fromTick, phase }
  return mismatchAt('not-deterministic', fromTick, toTick, message, { tables, differences, place })
}

function tryStep(world: AnyWorld, replay: Replay, inputs: EncodedInputs): boolean {
  try {
    stepRecorded(world, replay, inputs)
    return true
  } catch {
    return false
  }
}

function worldAtLastGood({ world, replay, lastGood }: Run): AnyWorld {
  const again = createEmptyWorld(world.game, replay.setup)
  restore(again, lastGood)
  return again
}

function goodTick(run: Run): number {
  return snapshotTick(run.lastGood)
}

/** Where `world` differs from the recorded state, if there is a keyframe of this tick. */
function diffFromKeyframe(world: AnyWorld, replay: Replay): Difference[] {
  const keyframe = replay.keyframes.find(({ tick }) => tick === world.tick)
  if (keyframe === undefined) return []
  const recorded = createEmptyWorld(world.game, replay.setup)
  restore(recorded, snapshotFromBytes(world.memory.layout, keyframe.bytes))
  return diffWorlds(world, recorded)
}

function mismatchAt(
  cause: Mismatch['cause'],
  fromTick: number,
  toTick: number,
  message: string,
  details: Partial<Pick<Mismatch, 'tables' | 'differences' | 'place'>> = {},
): Mismatch {
  const { tables = [], differences = [], place } = details
  return { cause, fromTick, toTick, tables, differences, place, message }
}

function describeTicks(fromTick: number, toTick: number): string {
  return fromTick === toTick ? `tick ${toTick}` : `one of the ticks ${fromTick} to ${toTick}`
}

function describeDetails(tables: readonly string[], differences: readonly Difference[]): string {
  const first = differences[0]
  if (first !== undefined) return `${describeCell(first)}.`
  return tables.length > 0 ? `${tables.join(', ')} differ.` : 'the state differs.'
}
