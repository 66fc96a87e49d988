/**
 * `travel`: things that move within a phase, meet the first thing on their way, and go on with what is left of their tick.
 *
 * A phase of `collide` looks at ways that are already gone. That is right for a bullet that ends where it hits, and wrong for a ball
 * that bounces: after the first wall its way is another one. With `travel` the phase moves the things itself. Contacts are
 * decided in the order of time. A rule that changes the speed or the place of a thing that travels ends its way there; a new way
 * begins at that moment, and whatever lies on it is looked for. As contacts come in order, the ways of all
 * others are known from that moment on, so no pass has to be repeated and nothing is missed between two deflections.
 *
 * While a rule decides, both things stand where they are at that time. A thing is deflected at most `most` times in a tick; then
 * it stays where it is until the next, and so does what still runs into it: a ball that is pinched between a shield and a wall
 * stops the shield.
 *
 * A thing that has the columns `facingX`, `facingY` and `spin` also turns on its way, and its shapes with it.
 */

import { HurtboxError, requireInteger } from '../../base/errors.ts'
import { closeRules, openRules } from '../../world/handles/pool.ts'
import type { HasLayers } from '../../world/layers.ts'
import type { Collision, Travel } from '../collide/collide.ts'
import { copyWords, takeBack } from '../collide/decide.ts'
import { narrowShapes } from '../collide/shape-boxes.ts'
import { clearTriples } from '../collide/triples.ts'
import { gapOfVolumes, narrowVolumes } from '../collide/volume-boxes.ts'
import { decideNext } from './deflect.ts'
import { approachInPlane } from './plane.ts'
import { arrive, putBack, setOut } from './rows.ts'
import { findAll } from './search.ts'
import { approachInSpace } from './space.ts'
import { createTraffic, type Geometry, type Traffic } from './traffic.ts'

export type TravelOptions = {
  /** How often one thing may be deflected in a tick. Default: 8. */
  readonly most?: number
  /** Whether `vx` and `vy` are per tick. Default: per second. */
  readonly perTick?: boolean
}

/**
 * Makes the setting of `collide` that moves the things of these layers by their speed, in the plane: per second, unless `perTick`.
 *
 * @example
 * ```ts
 * import { collide, createWorld, declareGame, defineGame, defineStatics, spawn, step } from 'hurtbox'
 * import { bounce, contact, travel } from 'hurtbox/contacts'
 *
 * const arena = declareGame({ id: 'arena', tickRate: 60, layers: { ball: ['wall'], wall: [] } })
 * const statics = defineStatics(arena, [
 *   { layer: 'wall', minX: -20, minY: -50, maxX: -10, maxY: 50 },
 *   { layer: 'wall', minX: 110, minY: -50, maxX: 120, maxY: 50 },
 * ])
 * const fly = collide(
 *   arena,
 *   { 'ball meets wall': { between: ['ball', 'wall'], decide: (ball, _wall, hit) => void bounce(ball, contact(hit)) } },
 *   { statics, travel: travel(['ball'], { perTick: true }) },
 * )
 * const world = createWorld(defineGame(arena, { phases: { fly } }))
 * const ball = spawn(world, 'ball', { x: 50, radius: 10, vx: 330 })
 * step(world) // 50 to the right wall, 100 back to the left one, 100 again, and 80 on its way to the left
 * console.log(Math.round(ball.x), ball.vx) // 20 -330
 * ```
 */
export function travel<const L extends string>(
  layers: readonly L[],
  options: TravelOptions = {},
): Travel<HasLayers<L>> {
  return makeTravel(layers, options, { approach: approachInPlane, narrow: narrowShapes, gap: undefined })
}

/** The same in space, for phases of volumes: `vz` counts too. */
export function travelInSpace<const L extends string>(
  layers: readonly L[],
  options: TravelOptions = {},
): Travel<HasLayers<L>> {
  return makeTravel(layers, options, { approach: approachInSpace, narrow: narrowVolumes, gap: gapOfVolumes })
}

function makeTravel(layers: readonly string[], options: TravelOptions, geometry: Geometry): Travel {
  const { most = 8, perTick = false } = options
  requireInteger(most, 'most of travel', 1, 1000)
  if (!Array.isArray(layers)) throw new HurtboxError('bad-argument', "travel takes a list of layers, as ['ball'].")
  const known = new WeakMap<Collision, Traffic>()
  return (given) => {
    // `collide` makes it; a game's own world is in it, whatever its declaration.
    const collision = given as unknown as Collision
    let traffic = known.get(collision)
    if (traffic === undefined) {
      traffic = createTraffic(collision, layers, geometry, { most, perTick })
      known.set(collision, traffic)
    }
    run(traffic)
  }
}

function run(traffic: Traffic): void {
  const { collision } = traffic
  const { block, world, hits, ledger, eventsAtOpen } = collision
  setOut(traffic)
  openRules(block)
  clearTriples(hits)
  ledger?.open(ledger)
  copyWords(world.memory.eventCounters, eventsAtOpen)
  try {
    findAll(traffic)
    while (traffic.waiting > 0) decideNext(traffic)
    collision.trace?.onDecided(collision)
  } catch (error) {
    takeBack(block, 0, 0)
    copyWords(eventsAtOpen, world.memory.eventCounters)
    putBack(traffic)
    throw error
  } finally {
    closeRules(block)
  }
  arrive(traffic)
  const { journal } = block
  if (journal.moves.count > 0) journal.moves.apply!(journal, world)
  ledger?.commit(ledger)
}
