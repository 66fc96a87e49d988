/** The ways of boxes, cut to a part of the tick: things that travel are looked at from the time of their last contact on. */

import type { Boxes } from '../collide/boxes.ts'
import { isTurning, turnOf, turnsIn } from '../collide/turns.ts'
import { direction } from '../math/trig.ts'

/** Scratch: written before it is read. */
const turned = { x: Number.NaN, y: Number.NaN }

/** Moves the start of a box's way on by a part of it, from 0 to 1; where it ends stays. */
export function cutWay(boxes: Boxes, box: number, part: number): void {
  if (isTurning(boxes, box)) {
    const { fromX, fromY } = turnsIn(boxes)
    const [startX, startY] = [fromX[box], fromY[box]]
    direction(turnOf(boxes, box) * part, turned)
    fromX[box] = startX * turned.x - startY * turned.y
    fromY[box] = startY * turned.x + startX * turned.y
  }
  boxes.sweepX[box] *= 1 - part
  boxes.sweepY[box] *= 1 - part
  boxes.sweepZ[box] *= 1 - part
}

/** Lets a box stand where it is at a part of its way. */
export function stopWay(boxes: Boxes, box: number, part: number): void {
  cutWay(boxes, box, part)
  boxes.poseX[box] -= boxes.sweepX[box]
  boxes.poseY[box] -= boxes.sweepY[box]
  boxes.poseZ[box] -= boxes.sweepZ[box]
  boxes.sweepX[box] = 0
  boxes.sweepY[box] = 0
  boxes.sweepZ[box] = 0
  if (!isTurning(boxes, box)) return
  const { fromX, fromY } = turnsIn(boxes)
  boxes.facingX[box] = fromX[box]
  boxes.facingY[box] = fromY[box]
}

/** Keeps the way of a box, to put it back after `cutWay` or `stopWay`. */
export function keepWay(boxes: Boxes, box: number, kept: Way): void {
  for (let i = 0; i < WAY.length; i++) kept[WAY[i]] = boxes[WAY[i]][box]
  if (!isTurning(boxes, box)) return
  const { fromX, fromY } = turnsIn(boxes)
  kept.fromX = fromX[box]
  kept.fromY = fromY[box]
}

export function putBackWay(boxes: Boxes, box: number, kept: Way): void {
  for (let i = 0; i < WAY.length; i++) boxes[WAY[i]][box] = kept[WAY[i]]
  if (!isTurning(boxes, box)) return
  const { fromX, fromY } = turnsIn(boxes)
  fromX[box] = kept.fromX
  fromY[box] = kept.fromY
}

const WAY = ['poseX', 'poseY', 'poseZ', 'sweepX', 'sweepY', 'sweepZ', 'facingX', 'facingY'] as const

export type Way = Record<(typeof WAY)[number] | 'fromX' | 'fromY', number>

export function createWay(): Way {
  const n = Number.NaN
  return {
    poseX: n,
    poseY: n,
    poseZ: n,
    sweepX: n,
    sweepY: n,
    sweepZ: n,
    facingX: n,
    facingY: n,
    fromX: n,
    fromY: n,
  }
}
