/**
 * A scene: a reproducible start and the inputs that follow, under a name.
 *
 * Tests, benchmarks, the command line and the studio all take scenes, so that a bug seen in one is a scene for all.
 */

import { hashWorld } from '../../state/hash.ts'
import type { AnyGame } from '../../world/game.ts'
import type { TickInputs } from '../../world/step.ts'
import type { AnyWorld } from '../../world/world.ts'
import { advance, createSession, type Session } from './session.ts'

export type Scene = {
  readonly name: string
  /** One sentence: what there is to see. */
  readonly about: string
  readonly game: AnyGame
  readonly seed: number
  readonly options?: Readonly<Record<string, unknown>>
  readonly tuning?: Readonly<Record<string, number>>
  /** How long it plays. */
  readonly ticks: number
  /** What enters in each tick; the world is there to be read. Default: nothing. */
  readonly inputs?: (tick: number, world: AnyWorld) => TickInputs
}

export function startScene(scene: Scene, seed: number = scene.seed): Session {
  const { options = {}, tuning = {} } = scene
  return createSession(scene.game, { seed, options, tuning })
}

/** Runs `ticks` more ticks of a scene. */
export function playScene(scene: Scene, session: Session, ticks: number): void {
  const { world } = session
  for (let i = 0; i < ticks; i++) advance(session, scene.inputs?.(world.tick, world) ?? {})
}

/**
 * Plays a scene from start to end: the hash it must always have, and hashes on the way to find where it went wrong.
 *
 * @example
 * ```ts
 * import { declareGame, defineGame, each, runScene, spawn } from 'hurtbox'
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
 * const scene = { name: 'crawl', about: 'one slime crawls', game, seed: 1, ticks: 60 }
 * console.log(runScene(scene).hash === runScene(scene).hash) // true
 * ```
 */
export function runScene(
  scene: Scene,
  hashEvery = 32,
): { readonly ticks: number; readonly hash: string; readonly hashes: readonly string[] } {
  const session = startScene(scene)
  const hashes: string[] = []
  for (let tick = 0; tick < scene.ticks; tick++) {
    playScene(scene, session, 1)
    if (session.world.tick % hashEvery === 0) hashes.push(hashWorld(session.world))
  }
  return { ticks: scene.ticks, hash: hashWorld(session.world), hashes }
}
