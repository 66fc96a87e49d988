/**
 * Turns: where boxes that turn on their way faced at the start of the tick.
 *
 * Few lists of boxes have any, so they are kept beside the list, for shapes and volumes alike.
 */

import { growColumns } from '../../base/grow.ts'
import { turnBetween } from '../../geometry/math/trig.ts'
import { type Boxes, setSweep } from './boxes.ts'

/** How two boxes move, seen from each other. */
export const STANDING = 0
export const MOVING = 1
export const TURNING = 2

/** Where boxes that turn faced at the start, and by how much they turn from there. */
type Turns = { isTurning: Uint8Array; fromX: Float64Array; fromY: Float64Array; turn: Float64Array }
const turnsOf = new WeakMap<Boxes, Turns>()
/** Those of the list that was last asked about. */
let boxesInUse: Boxes | undefined
let turns: Turns | undefined

function useTurns(boxes: Boxes): void {
  if (boxes === boxesInUse) return
  boxesInUse = boxes
  turns = turnsOf.get(boxes)
}

/** To be called when a shape or volume is added: its place may have been that of one that turned. */
export function forgetTurn(boxes: Boxes, box: number): void {
  useTurns(boxes)
  if (turns !== undefined && box < turns.isTurning.length) turns.isTurning[box] = 0
}

export function isTurning(boxes: Boxes, box: number): boolean {
  useTurns(boxes)
  return turns !== undefined && boxes.shape[box] !== undefined && turns.isTurning[box] === 1
}

/** Only for a list that has a box that turns. */
export function turnsIn(boxes: Boxes): Turns {
  useTurns(boxes)
  return turns!
}

/** Notes by how much a box that turns has turned, once for all pairs that it is in. */
export function measureTurn(boxes: Boxes, box: number): void {
  const { fromX, fromY, turn } = turnsIn(boxes)
  turn[box] = turnBetween(fromX[box], fromY[box], boxes.facingX[box], boxes.facingY[box])
}

/** Opens the columns of turns for a box. The caller writes where it faced, and then `boundTurn`. */
export function openTurn(boxes: Boxes, box: number): Turns {
  useTurns(boxes)
  if (turns === undefined) {
    const column = () => new Float64Array(64)
    turns = { isTurning: new Uint8Array(64), fromX: column(), fromY: column(), turn: column() }
    turnsOf.set(boxes, turns)
  }
  while (turns.isTurning.length <= box) {
    growColumns(turns, ['isTurning', 'fromX', 'fromY', 'turn'], 2 * turns.isTurning.length)
  }
  turns.isTurning[box] = 1
  return turns
}

/** Wherever it points on the way, a box that turns stays within reach of its pivot: `boxes.radius` of it, which the caller has written. */
export function boundTurn(boxes: Boxes, box: number): void {
  boxes.isSwept = true
  measureTurn(boxes, box)
  boxes.x[box] = boxes.poseX[box]
  boxes.y[box] = boxes.poseY[box]
  boxes.radius[box] *= 1 + 1e-12
  if (boxes.sweepX[box] !== 0 || boxes.sweepY[box] !== 0) setSweep(boxes, box, boxes.sweepX[box], boxes.sweepY[box])
}
