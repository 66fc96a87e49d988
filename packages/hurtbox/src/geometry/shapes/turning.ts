/** When do two shapes that move and turn first meet? See `math/advance.ts` for the bound. */

import { conservativeAdvance, instant, TURN_STEPS, TURN_TOLERANCE } from '../math/advance.ts'
import { direction } from '../math/trig.ts'
import { separation } from './measure.ts'
import { type Pose, pose, vectorLength } from './pose.ts'
import { createSeparation } from './separation.ts'
import { circle, type Shape } from './shape.ts'
import type { Impact } from './sweep.ts'

/** A shape at the start of its way: it moves by (dx, dy) and turns by `turn` radians about its pose. */
export type TurningShape = {
  readonly shape: Shape
  readonly pose: Pose
  readonly dx: number
  readonly dy: number
  readonly turn: number
}

/** Scratch: each is written before it is read. */
const placedA = { shape: circle(1.5) as Shape, pose: pose({ x: 0, y: 0 }) }
const placedB = { shape: circle(1.5) as Shape, pose: pose({ x: 0, y: 0 }) }
const gap = createSeparation()
const turned = { x: Number.NaN, y: Number.NaN }
/** The two that are being swept. */
let turningA: TurningShape
let turningB: TurningShape

/**
 * Whether two shapes that move and turn meet, and when; normal from A to B and place are those at that time. Shapes that overlap
 * at the start meet at time 0; with `fromTouch`, those that only touch there and part first have to come free of each other.
 */
export function sweepTurning(a: TurningShape, b: TurningShape, out: Impact, fromTouch = false): boolean {
  turningA = a
  turningB = b
  placedA.shape = a.shape
  placedB.shape = b.shape
  instant.most =
    vectorLength(a.dx - b.dx, a.dy - b.dy) + Math.abs(a.turn) * reachOf(a.shape) + Math.abs(b.turn) * reachOf(b.shape)
  instant.time = 0
  if (fromTouch && isParting(a, b)) {
    do {
      if (instant.time === 1) return false
      instant.time = Math.min(1, instant.time + 1 / TURN_STEPS)
      measureGap()
    } while (Math.abs(instant.gap) <= TURN_TOLERANCE)
    if (instant.gap < 0) {
      instant.time = 0
      measureGap()
      return write(out)
    }
  }
  return conservativeAdvance(measureGap) && write(out)
}

/** Whether two shapes touch at the start and move apart there. */
function isParting(a: TurningShape, b: TurningShape): boolean {
  measureGap()
  if (Math.abs(instant.gap) > TURN_TOLERANCE) return false
  const { normalX, normalY, x, y } = gap
  const speedX = a.dx - a.turn * (y - a.pose.y) - (b.dx - b.turn * (y - b.pose.y))
  const speedY = a.dy + a.turn * (x - a.pose.x) - (b.dy + b.turn * (x - b.pose.x))
  return normalX * speedX + normalY * speedY <= 0
}

function write(out: Impact): true {
  out.time = instant.time
  out.normalX = gap.normalX
  out.normalY = gap.normalY
  out.x = gap.x
  out.y = gap.y
  return true
}

function measureGap(): void {
  placeNow(turningA, placedA.pose)
  placeNow(turningB, placedB.pose)
  instant.gap = separation(placedA, placedB, gap).distance
}

/** Writes where a moving and turning shape is at `instant.time`. */
export function placeNow({ pose: start, dx, dy, turn }: TurningShape, out: Pose): void {
  const { time } = instant
  out.x = start.x + dx * time
  out.y = start.y + dy * time
  out.facingX = start.facingX
  out.facingY = start.facingY
  if (turn === 0) return
  direction(turn * time, turned)
  out.facingX = start.facingX * turned.x - start.facingY * turned.y
  out.facingY = start.facingY * turned.x + start.facingX * turned.y
}

/** How far the farthest point of a shape is from its pivot. */
export function reachOf({ corners, radius }: Shape): number {
  let farthest = 0
  for (let i = 0; i < corners.length; i += 2) farthest = Math.max(farthest, vectorLength(corners[i], corners[i + 1]))
  return farthest + radius
}
