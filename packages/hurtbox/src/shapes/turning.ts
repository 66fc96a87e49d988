/**
 * When do two shapes that move and turn first meet?
 *
 * Turning has no closed form, but it has a bound: no point of a shape travels farther than its motion plus its turn times its
 * distance from the pivot. Two shapes that are a gap apart cannot meet before that gap is travelled, so time is advanced by gap
 * over bound, again and again, and never past an impact. It ends when the gap is below `TURN_TOLERANCE`.
 *
 * Near a graze the steps become ever smaller; none is shorter than 1 / TURN_STEPS of the way. If such a step ends in an overlap,
 * the impact is found by halving. So the bound is: an impact is reported at most `TURN_TOLERANCE` early in distance and never late,
 * and what is missed is a graze that begins and ends within 1 / 512 of the way.
 */

import { atan2, direction } from '../math/trig.ts'
import { separation } from './measure.ts'
import { type Pose, pose, vectorLength } from './pose.ts'
import { createSeparation } from './separation.ts'
import type { Shape } from './shape.ts'
import type { Impact } from './sweep.ts'

/** How near two outlines are when they count as met, in units of the world. */
export const TURN_TOLERANCE = 1e-6
const TURN_STEPS = 512

/** A shape at the start of its way: it moves by (dx, dy) and turns by `turn` radians about its pose. */
export type TurningShape = {
  readonly shape: Shape
  readonly pose: Pose
  readonly dx: number
  readonly dy: number
  readonly turn: number
}

/** Scratch: each is written before it is read. */
const placedA = { shape: undefined as unknown as Shape, pose: pose({ x: 0, y: 0 }) }
const placedB = { shape: undefined as unknown as Shape, pose: pose({ x: 0, y: 0 }) }
const gap = createSeparation()
const turned = { x: Number.NaN, y: Number.NaN }

/**
 * Whether two shapes that move and turn meet, and when; normal from A to B and place are those at that time. Shapes that overlap
 * at the start meet at time 0; with `fromTouch`, those that only touch there and part first have to come free of each other.
 */
export function sweepTurning(a: TurningShape, b: TurningShape, out: Impact, fromTouch = false): boolean {
  placedA.shape = a.shape
  placedB.shape = b.shape
  const most =
    vectorLength(a.dx - b.dx, a.dy - b.dy) + Math.abs(a.turn) * reachOf(a.shape) + Math.abs(b.turn) * reachOf(b.shape)
  const shortest = 1 / TURN_STEPS
  let time = 0
  let free = 0
  if (fromTouch && isParting(a, b)) {
    do {
      if (time === 1) return false
      time = Math.min(1, time + shortest)
    } while (Math.abs(measureAt(a, b, time)) <= TURN_TOLERANCE)
    if (gap.distance < 0) {
      measureAt(a, b, 0)
      return write(0, out)
    }
  }
  for (;;) {
    const distance = measureAt(a, b, time)
    if (distance <= 0 && time > 0) break
    if (distance <= TURN_TOLERANCE) return write(time, out)
    free = time
    if (time === 1) return false
    time = Math.min(1, time + Math.max(distance / most, shortest))
  }
  // Free at one time, overlapping at the next: the impact lies between.
  for (let halvings = 0; halvings < 60; halvings++) {
    const middle = (free + time) / 2
    const distance = measureAt(a, b, middle)
    if (distance > 0 && distance <= TURN_TOLERANCE) return write(middle, out)
    if (distance > 0) free = middle
    else time = middle
  }
  measureAt(a, b, free)
  return write(free, out)
}

/** Whether two shapes touch at the start and move apart there. */
function isParting(a: TurningShape, b: TurningShape): boolean {
  if (Math.abs(measureAt(a, b, 0)) > TURN_TOLERANCE) return false
  const { normalX, normalY, x, y } = gap
  const speedX = a.dx - a.turn * (y - a.pose.y) - (b.dx - b.turn * (y - b.pose.y))
  const speedY = a.dy + a.turn * (x - a.pose.x) - (b.dy + b.turn * (x - b.pose.x))
  return normalX * speedX + normalY * speedY <= 0
}

function write(time: number, out: Impact): true {
  out.time = time
  out.normalX = gap.normalX
  out.normalY = gap.normalY
  out.x = gap.x
  out.y = gap.y
  return true
}

function measureAt(a: TurningShape, b: TurningShape, time: number): number {
  placeAt(a, time, placedA.pose)
  placeAt(b, time, placedB.pose)
  return separation(placedA, placedB, gap).distance
}

/** Writes where a moving and turning shape is at a part of its way. */
export function placeAt({ pose: start, dx, dy, turn }: TurningShape, time: number, out: Pose): void {
  out.x = start.x + dx * time
  out.y = start.y + dy * time
  out.facingX = start.facingX
  out.facingY = start.facingY
  if (turn === 0) return
  direction(turn * time, turned)
  out.facingX = start.facingX * turned.x - start.facingY * turned.y
  out.facingY = start.facingY * turned.x + start.facingX * turned.y
}

/** The angle from one facing to another, the short way round. */
export function turnBetween(fromX: number, fromY: number, toX: number, toY: number): number {
  return atan2(fromX * toY - fromY * toX, fromX * toX + fromY * toY)
}

/** How far the farthest point of a shape is from its pivot. */
export function reachOf({ corners, radius }: Shape): number {
  let farthest = 0
  for (let i = 0; i < corners.length; i += 2) farthest = Math.max(farthest, vectorLength(corners[i], corners[i + 1]))
  return farthest + radius
}
