/**
 * A session: a match with its inputs, so that any tick can be reached again.
 *
 * It keeps the inputs of every tick and a snapshot now and then. Any tick can be reached again by restoring the nearest
 * snapshot before it and stepping on; that this gives the same bits is the engine's promise, so a session needs no
 * other history. Replays, the studio's scrub bar, `why` and the sync test all stand on it.
 */

import { HurtboxError, requireInteger } from '../../base/errors.ts'
import { watchPair, watchWall } from '../../rules/collide/explain.ts'
import type { TraceEntry } from '../../rules/collide/trace.ts'
import type { Snapshot } from '../../state/pack.ts'
import type { Id } from '../../state/table.ts'
import type { AnyGame, Declaration, Game } from '../../world/game.ts'
import { restore, snapshot } from '../../world/snapshot.ts'
import {
  createEncodedInputs,
  type EncodedInputs,
  encodeInputs,
  stepEncoded,
  type TickInputs,
} from '../../world/step.ts'
import {
  type AnyWorld,
  createEmptyWorld,
  createWorld,
  type World,
  type WorldOf,
  type WorldOptions,
} from '../../world/world.ts'
import {
  appendInputs,
  cloneLog,
  createLog,
  forgetInputs,
  type InputLog,
  inputsAt,
  keepChanges,
  truncateLog,
} from './log.ts'

/** How a match starts. Plain data: it goes into the replay file as it is. */
export type Setup = {
  readonly seed: number
  readonly options: Readonly<Record<string, unknown>>
  readonly tuning: Readonly<Record<string, number>>
}

export type Session<W extends AnyWorld = AnyWorld> = {
  readonly game: AnyGame
  readonly setup: Setup
  readonly world: W
  readonly log: InputLog
  /** States before their tick runs, ascending; the first is of the first tick that the log knows. */
  readonly keyframes: { readonly tick: number; readonly state: Snapshot }[]
  /** Ticks between two keyframes. Doubles when there are too many. */
  keyframeEvery: number
  /** Scratch: the inputs of the tick that runs. */
  readonly inputs: EncodedInputs
  /** Those of `inputs` that change something: what the log keeps. */
  readonly changes: EncodedInputs
}

/** Ticks between two keyframes: seeking costs at most this many steps. */
const SEEK_KEYFRAME_TICKS = 256
/** Beyond this many keyframes every other one goes: a long match costs bounded memory, and a little more to seek. */
const MAX_KEYFRAMES = 256

/**
 * Starts a match that can be rewound.
 *
 * @example
 * ```ts
 * import { advance, createSession, declareGame, defineGame, each, spawn } from 'hurtbox'
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
 * const session = createSession(game, { seed: 1 })
 * for (let i = 0; i < 100; i++) advance(session)
 * console.log(session.world.tick) // 100
 * ```
 */
export function createSession<D extends Declaration>(
  game: Game<D>,
  given: Omit<WorldOptions<D>, 'block'> = {},
  keyframeEvery: number = SEEK_KEYFRAME_TICKS,
): Session<WorldOf<D>> {
  const world = createWorld(game, given)
  return {
    game,
    setup: {
      seed: world.seed,
      options: world.options as Setup['options'],
      tuning: { ...given.tuning } as Setup['tuning'],
    },
    world,
    log: createLog(game),
    keyframes: [{ tick: 0, state: snapshot(world) }],
    keyframeEvery: requireInteger(keyframeEvery, 'keyframeEvery', 1, 1 << 20),
    inputs: createEncodedInputs(world),
    changes: createEncodedInputs(world),
  }
}

/**
 * Runs one tick and remembers it. After a seek into the past, what came later is forgotten: the match goes on from here.
 *
 * @example
 * ```ts
 * import { advance, createSession, declareGame, defineGame, each, spawn } from 'hurtbox'
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
 * const session = createSession(game, { seed: 1 })
 * for (let i = 0; i < 100; i++) advance(session)
 * console.log(session.world.tick) // 100
 * ```
 */
export function advance<W extends AnyWorld>(
  session: Session<W>,
  inputs: W extends World<infer D> ? TickInputs<D> : TickInputs = {} as never,
): void {
  encodeInputs(session.world, inputs as TickInputs, session.inputs)
  advanceEncoded(session, session.inputs)
}

/** As `advance`, with inputs that are checked and encoded already. */
export function advanceEncoded(session: Session, inputs: EncodedInputs): void {
  const { world, log, keyframes, changes } = session
  const { tick } = world
  if (tick > log.length || tick < log.from) {
    throw new HurtboxError(
      'bad-argument',
      'the world was stepped outside its session, which cannot replay that; use advance.',
    )
  }
  keepChanges(world, inputs, changes)
  stepEncoded(world, changes)
  if (tick < log.length) {
    truncateLog(log, tick)
    while (keyframes[keyframes.length - 1].tick > tick) keyframes.pop()
  }
  appendInputs(log, changes)
  keepKeyframe(session)
}

/**
 * Brings the session's world to the state before `tick` runs. Forward or back; to any tick of the log.
 *
 * @example
 * ```ts
 * import { advance, createSession, declareGame, defineGame, each, seek, spawn } from 'hurtbox'
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
 * for (let i = 0; i < 100; i++) advance(session)
 * seek(session, 40)
 * for (const slime of each(session.world, 'slime')) console.log(slime.x) // 80
 * ```
 */
export function seek(session: Session, tick: number): void {
  replayTo(session, session.world, tick)
}

/**
 * Why did (or did not) `a` and `b` hit each other in `tick`? What each phase and rule said about them, in order.
 *
 * The session's world stays where it is. Pushes apart are told too; a game without `collide` has no rules to ask, and each
 * phase that changed both is told instead. Empty when none did.
 *
 * @example
 * ```ts
 * import { advance, collide, createSession, declareGame, defineGame, spawn, why } from 'hurtbox'
 *
 * const layers = { sword: ['slime'], slime: [] } as const
 * const arena = declareGame({ id: 'arena', tickRate: 60, layers, things: { hp: 'f64' } })
 * const hits = collide(arena, {
 *   'sword hits slime': { between: ['sword', 'slime'], decide: (_sword, slime) => void (slime.hp -= 12) },
 * })
 * const session = createSession(
 *   defineGame(arena, {
 *     setup(world) {
 *       spawn(world, 'sword', { radius: 20 })
 *       spawn(world, 'slime', { x: 30, radius: 15, hp: 30 })
 *     },
 *     phases: { hits },
 *   }),
 * )
 * advance(session)
 * const [{ verdict, changes }] = why(session, 0, 1, 2)
 * console.log(verdict, changes[0]) // accepted hp of things id 2: 30 → 18
 * ```
 */
export function why(session: Session, tick: number, a: Id, b: Id | { readonly wall: number }): readonly TraceEntry[] {
  requireInteger(tick, 'tick', session.log.from, session.log.length - 1)
  requireInteger(a, 'a', 1, 0xffffffff)
  const wall = (b as { readonly wall?: number } | undefined)?.wall
  if (wall === undefined) requireInteger(b, 'b', 1, 0xffffffff)
  else requireInteger(wall, 'wall', 0, 0xffffffff)
  const world = createTwin(session)
  replayTo(session, world, tick)
  const entries = wall === undefined ? watchPair(world, a, b as Id) : watchWall(world, a, wall)
  inputsAt(session.log, tick, session.inputs)
  stepEncoded(world, session.inputs)
  return entries
}

/**
 * Forgets the past up to the last keyframe before `tick`, for matches that run for days. What is forgotten can no longer
 * be sought; a replay that has been written has it.
 */
export function forgetBefore({ log, keyframes, world }: Session, tick: number): void {
  // Where the world stands now the match can go on, so that much is kept.
  const forgotten = nearestKeyframe(keyframes, Math.min(tick, world.tick))
  if (forgotten === 0) return
  keyframes.splice(0, forgotten)
  forgetInputs(log, keyframes[0].tick)
}

/** A copy of the session with its log and keyframes, at its first tick. Snapshots are shared: they are never written. */
export function cloneSession(session: Session): Session {
  const world = createTwin(session)
  return {
    ...session,
    world,
    log: cloneLog(session.log),
    keyframes: [...session.keyframes],
    inputs: createEncodedInputs(world),
    changes: createEncodedInputs(world),
  }
}

/** A session that begins with a state of a match that is played elsewhere; what came before it is not known. */
export function sessionFrom(game: AnyGame, setup: Setup, state: Snapshot): Session {
  const world: AnyWorld = createEmptyWorld(game, setup)
  restore(world, state)
  const { tick } = world
  const inputs = createEncodedInputs(world)
  const log = { ...createLog(game), from: tick, length: tick }
  const changes = createEncodedInputs(world)
  return { game, setup, world, log, keyframes: [{ tick, state }], keyframeEvery: SEEK_KEYFRAME_TICKS, inputs, changes }
}

/** A fresh world of the session's match, where its memory begins. */
export function createTwin(session: Session): AnyWorld {
  const twin: AnyWorld = createEmptyWorld(session.game, session.setup)
  restore(twin, session.keyframes[0].state)
  return twin
}

/**
 * Brings `world`, a world of this session's match, to the state before `tick`; from where it stands, if that is not behind
 * `tick` and no keyframe is nearer.
 */
export function replayTo(session: Session, world: AnyWorld, tick: number): void {
  const { keyframes, log } = session
  requireInteger(tick, 'tick', log.from, log.length)
  const nearest = keyframes[nearestKeyframe(keyframes, tick)]
  const canStepOn = world.memory.status === 'ready' && world.tick <= tick
  if (!canStepOn || nearest.tick > world.tick) restore(world, nearest.state)
  while (world.tick < tick) {
    inputsAt(log, world.tick, session.inputs)
    stepEncoded(world, session.inputs)
    keepKeyframe(session, world)
  }
}

/** The last keyframe that is not after `tick`. */
function nearestKeyframe(keyframes: Session['keyframes'], tick: number): number {
  let nearest = keyframes.length - 1
  while (nearest > 0 && keyframes[nearest].tick > tick) nearest--
  return nearest
}

function keepKeyframe(session: Session, world: AnyWorld = session.world): void {
  const { keyframes, keyframeEvery } = session
  // Mostly at the end; in between where a replay brought few, or where thinning left wide gaps.
  const before = nearestKeyframe(keyframes, world.tick)
  if (world.tick < keyframes[before].tick + keyframeEvery) return
  if (keyframes[before + 1]?.tick - world.tick < keyframeEvery) return
  keyframes.splice(before + 1, 0, { tick: world.tick, state: snapshot(world) })
  if (keyframes.length > MAX_KEYFRAMES) thinKeyframes(session)
}

/** Drops every other keyframe, but never the first. */
function thinKeyframes(session: Session): void {
  const { keyframes } = session
  for (let i = keyframes.length - 1; i > 0; i--) if (i % 2 === 1) keyframes.splice(i, 1)
  session.keyframeEvery *= 2
}
