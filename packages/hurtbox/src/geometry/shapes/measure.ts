/**
 * Distances and impacts of any two shapes: convex ones by the one formula for all of them, arcs piece by piece.
 */

import { arcSeparation } from './arc-separation.ts'
import { arcSweep } from './arc-sweep.ts'
import { boundingCircle } from './bounds.ts'
import { overlaps } from './overlap.ts'
import { pose } from './pose.ts'
import { convexSeparation, createSeparation, type Separation } from './separation.ts'
import { type PlacedShape, POINT } from './shape.ts'
import { convexSweep, type Impact, type MovingShape } from './sweep.ts'

/**
 * Writes distance, normal from the first to the second and contact point into `out`, and returns it. Arcs that overlap something
 * have the depth of the shortest way out across one side or rim; two arcs that of the way out of both discs.
 */
export function separation(first: PlacedShape, second: PlacedShape, out: Separation): Separation {
  if (first.shape.kind !== 'arc' && second.shape.kind !== 'arc') return convexSeparation(first, second, out)
  arcSeparation(first.shape, first.pose, second.shape, second.pose, out)
  return out
}

/** Scratch: written before it is read. */
const start = createSeparation()
const way = { dx: Number.NaN, dy: Number.NaN, touching: true, out: undefined as unknown as Impact }

/**
 * Returns whether a moving shape meets a target; if so, writes time, normal from the moving shape to the target and place
 * into `out`. If both move, pass the relative motion: that of the first minus that of the target. Shapes that overlap at
 * the start meet at time 0. Without `touching`, grazing, ending in touch or leaving from touch is no impact.
 */
export function sweep(moving: MovingShape, target: PlacedShape, out: Impact, touching = true): boolean {
  if (moving.shape.kind !== 'arc' && target.shape.kind !== 'arc') return convexSweep(moving, target, out, touching)
  if (passesBy(moving, target)) return false
  if (overlaps(moving, target, touching)) {
    arcSeparation(moving.shape, moving.pose, target.shape, target.pose, start)
    out.time = 0
    out.normalX = start.normalX
    out.normalY = start.normalY
    out.x = start.x
    out.y = start.y
    return true
  }
  way.dx = moving.dx
  way.dy = moving.dy
  way.touching = touching
  way.out = out
  return arcSweep(moving.shape, moving.pose, target.shape, target.pose, way)
}

const boundA = { x: Number.NaN, y: Number.NaN, radius: Number.NaN }
const boundB = { x: Number.NaN, y: Number.NaN, radius: Number.NaN }

/** Whether the circles around two shapes stay apart on the way: most sweeps of arcs end here. */
function passesBy(moving: MovingShape, target: PlacedShape): boolean {
  boundingCircle(moving, boundA)
  boundingCircle(target, boundB)
  const { dx, dy } = moving
  const x = boundB.x - boundA.x
  const y = boundB.y - boundA.y
  const squared = dx * dx + dy * dy
  const time = squared > 0 ? Math.min(1, Math.max(0, (x * dx + y * dy) / squared)) : 0
  const asideX = x - time * dx
  const asideY = y - time * dy
  // A hair more than the radii, because places are rounded.
  const reach = (boundA.radius + boundB.radius) * (1 + 1e-9) + (Math.abs(x) + Math.abs(y)) * 1e-12
  return asideX * asideX + asideY * asideY > reach * reach
}

/** From (x, y) to (x + dx, y + dy). */
export type Ray = { readonly x: number; readonly y: number; readonly dx: number; readonly dy: number }

/**
 * Returns whether a ray meets a target; if so, writes time, normal of the outline there (towards the start of the ray) and
 * place into `out`. A ray that starts inside meets it at time 0.
 */
export function raycast(target: PlacedShape, ray: Ray, out: Impact, touching = true): boolean {
  rayTip.pose.x = ray.x
  rayTip.pose.y = ray.y
  rayTip.dx = ray.dx
  rayTip.dy = ray.dy
  if (!sweep(rayTip, target, out, touching)) return false
  out.normalX = 0 - out.normalX
  out.normalY = 0 - out.normalY
  return true
}

/** Scratch: written before it is read in each call. */
const rayTip = { shape: POINT, pose: pose({ x: 0, y: 0 }), dx: Number.NaN, dy: Number.NaN }
