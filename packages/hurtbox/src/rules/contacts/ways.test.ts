import { expect, test } from 'vitest'
import { arcBand } from '../../geometry/shapes/index.ts'
import { defineLayers } from '../../world/layers.ts'
import { createBoxes } from '../collide/boxes.ts'
import { boundShape, openShape, turnShape } from '../collide/shape-boxes.ts'
import { turnsIn } from '../collide/turns.ts'
import { createWay, cut, cutWay, keepWay, putBackWay, stopWay } from './ways.ts'

/** A bat that has come by a turn of one radian to where it faces. */
function bat() {
  const boxes = createBoxes(defineLayers({ bat: [] }), 8)
  const box = openShape(boxes, 0, 0, arcBand(40, 50, 2))
  boxes.facingX[box] = Math.cos(1)
  boxes.facingY[box] = Math.sin(1)
  boundShape(boxes, box)
  turnShape(boxes, box, Float64Array.of(1), 0)
  return { boxes, box, turn: () => turnsIn(boxes).turn[box], from: () => turnsIn(boxes).fromX[box] }
}

test('[GE14] what is left of a turn when its start is cut off, and all of it when that is put back', () => {
  const { boxes, box, turn, from } = bat()
  expect([turn(), from()]).toEqual([expect.closeTo(1, 12), expect.closeTo(1, 12)])
  const [kept, whole] = [createWay(), turn()]
  keepWay(boxes, box, kept)
  cut.part = 0.75
  cutWay(boxes, box)
  expect([turn(), from()]).toEqual([expect.closeTo(0.25, 12), expect.closeTo(Math.cos(0.75), 12)])
  putBackWay(boxes, box, kept)
  expect(turn()).toBe(whole)
  stopWay(boxes, box)
  expect([turn(), boxes.facingX[box]]).toEqual([0, expect.closeTo(Math.cos(0.75), 12)])
})
