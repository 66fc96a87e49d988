/**
 * Which things are in a shape: a cone or a band (arcs), a turned box, a capsule, a polygon.
 *
 * The circle around the shape finds candidates, and the exact test of `hurtbox/shapes` decides, so every shape there is can
 * be asked with.
 */

import { HurtboxError } from '../../base/errors.ts'
import { facingXOf } from '../../geometry/math/facing.ts'
import { boundingCircle } from '../../geometry/shapes/bounds.ts'
import { overlaps } from '../../geometry/shapes/overlap.ts'
import { type PlaneFrame, pose } from '../../geometry/shapes/pose.ts'
import { type ConvexShape, circle, type Shape } from '../../geometry/shapes/shape.ts'
import { overlapCircle } from '../../geometry/space/overlap.ts'
import { type Filter, requirePoint } from '../../geometry/space/query.ts'
import type { SpatialIndex } from './spatial-index.ts'

/** Scratch: each is written before it is read. */
type ScratchShape = { -readonly [K in keyof ConvexShape]: ConvexShape[K] }
const round: ScratchShape = { ...circle(1.5) }
const thing = { shape: round as Shape, pose: pose({ x: 0, y: 0 }) }
const asked = { shape: round as Shape, pose: pose({ x: 0, y: 0 }) }
const bound = { x: Number.NaN, y: Number.NaN, radius: Number.NaN }

/**
 * Finds all things whose circles overlap or touch a shape that stands where `frame` is and faces its way, oldest first.
 *
 * @example
 * ```ts
 * import { createWorld, declareGame, defineGame, spawn } from 'hurtbox'
 * import { createSpatialIndex, rebuild, withinShape } from 'hurtbox/query'
 * import { arc } from 'hurtbox/shapes'
 *
 * const arena = declareGame({ id: 'arena', tickRate: 60, layers: { slime: [] } })
 * const world = createWorld(defineGame(arena, { phases: {} }))
 * spawn(world, 'slime', { x: 50, radius: 10 })
 * spawn(world, 'slime', { x: -50, radius: 10 })
 * const index = createSpatialIndex(world)
 * rebuild(index)
 * console.log(withinShape(index, arc(100, 1), { x: 0, y: 0 })) // 1
 * ```
 */
export function withinShape(
  // biome-ignore lint/suspicious/noExplicitAny: an index of any game.
  { index, answer, circles }: SpatialIndex<any>,
  shape: Shape,
  frame: PlaneFrame,
  filter?: Filter,
): number {
  if (shape?.corners === undefined) {
    throw new HurtboxError('bad-argument', 'withinShape takes a shape of hurtbox/shapes, as arc(100, 1) or box(20, 5).')
  }
  requirePoint(frame)
  asked.shape = shape
  asked.pose.x = frame.x
  asked.pose.y = frame.y
  const { facingX = 1, facingY = 0 } = frame
  asked.pose.facingX = facingXOf(facingX, facingY)
  asked.pose.facingY = facingY
  overlapCircle(index, boundingCircle(asked, bound), answer, filter)
  const { topology } = index
  const { x, y, radius } = circles
  let kept = 0
  for (let i = 0; i < answer.count; i++) {
    const row = answer.circle[i]
    round.radius = radius[row]
    round.boundRadius = radius[row]
    thing.pose.x = nearestTo(bound.x, x[row], topology.width)
    thing.pose.y = nearestTo(bound.y, y[row], topology.height)
    if (overlaps(asked, thing, true)) answer.circle[kept++] = row
  }
  answer.count = kept
  return kept
}

/** The image of a coordinate that is nearest to another. */
function nearestTo(centre: number, at: number, period: number): number {
  if (period === Number.POSITIVE_INFINITY) return at
  return at - Math.round((at - centre) / period) * period
}
