/** The ways of boxes, cut to a part of the tick: things that travel are looked at from the time of their last contact on. */

import { direction } from '../../geometry/math/trig.ts'
import type { Boxes } from '../collide/boxes.ts'
import { isTurning, measureTurn, turnsIn } from '../collide/turns.ts'

/** Scratch: written before it is read. */
const turned = { x: Number.NaN, y: Number.NaN }

/** Which part of a way is cut off, from 0 to 1: written before `cutWay` and `stopWay`. V8 puts doubles that are handed over on the heap. */
export const cut = { part: Number.NaN }

/** Moves the start of a box's way on by `cut.part`; where it ends stays. */
export function cutWay(boxes: Boxes, box: number): void {
  const { part } = cut
  if (isTurning(boxes, box)) {
    const { fromX, fromY } = turnsIn(boxes)
    const startX = fromX[box]
    const startY = fromY[box]
    direction(turnsIn(boxes).turn[box] * part, turned)
    fromX[box] = startX * turned.x - startY * turned.y
    fromY[box] = startY * turned.x + startX * turned.y
    measureTurn(boxes, box)
  }
  boxes.sweepX[box] *= 1 - part
  boxes.sweepY[box] *= 1 - part
  boxes.sweepZ[box] *= 1 - part
}

/** Lets a box stand where it is at `cut.part` of its way. */
export function stopWay(boxes: Boxes, box: number): void {
  cutWay(boxes, box)
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
  turnsIn(boxes).turn[box] = 0
}

/** Keeps the way of a box, to put it back after `cutWay` or `stopWay`. */
export function keepWay(boxes: Boxes, box: number, kept: Way): void {
  kept[0] = boxes.poseX[box]
  kept[1] = boxes.poseY[box]
  kept[2] = boxes.poseZ[box]
  kept[3] = boxes.sweepX[box]
  kept[4] = boxes.sweepY[box]
  kept[5] = boxes.sweepZ[box]
  kept[6] = boxes.facingX[box]
  kept[7] = boxes.facingY[box]
  if (!isTurning(boxes, box)) return
  const { fromX, fromY, turn } = turnsIn(boxes)
  kept[8] = fromX[box]
  kept[9] = fromY[box]
  kept[10] = turn[box]
}

export function putBackWay(boxes: Boxes, box: number, kept: Way): void {
  boxes.poseX[box] = kept[0]
  boxes.poseY[box] = kept[1]
  boxes.poseZ[box] = kept[2]
  boxes.sweepX[box] = kept[3]
  boxes.sweepY[box] = kept[4]
  boxes.sweepZ[box] = kept[5]
  boxes.facingX[box] = kept[6]
  boxes.facingY[box] = kept[7]
  if (!isTurning(boxes, box)) return
  const { fromX, fromY, turn } = turnsIn(boxes)
  fromX[box] = kept[8]
  fromY[box] = kept[9]
  turn[box] = kept[10]
}

/** Pose, sweep, facing, where it faced at the start, and how far it turns. */
export type Way = Float64Array

export function createWay(): Way {
  return new Float64Array(11)
}
