/** Looking for what lies on the ways of things that travel: all of them at the start, later only new ones. */

import { findPairs } from '../../geometry/space/find-pairs.ts'
import { type Boxes, imageShiftX, imageShiftY, STATIC_OWNER } from '../collide/boxes.ts'
import { met } from './met.ts'
import { enlist } from './queue.ts'
import type { Traffic } from './traffic.ts'
import { createWay, cut, cutWay, keepWay, putBackWay } from './ways.ts'

/** Scratch: written before it is read. */
const keptSecond = createWay()

/** Looks for all contacts of the phase, and for those with the static map. */
export function findAll(traffic: Traffic): void {
  const { collision, geometry } = traffic
  const { detector, boxes, contacts, cases, pairOptions } = collision
  const { pairs } = detector
  cases.count = 0
  // A thing that was deflected may meet another again.
  cases.mayRepeat = true
  traffic.now = 0
  traffic.waiting = 0
  traffic.deflects.fill(0)
  findPairs(detector.finder, boxes, pairs, pairOptions)
  contacts.checks = pairs.checks
  const { owner } = boxes
  for (let i = 0; i < pairs.count; i++) {
    const a = pairs.a[i]
    const b = pairs.b[i]
    if (owner[a] === owner[b]) continue
    if (geometry.approach(boxes, a, b)) enlist(traffic, a, b)
  }
  findWalls(traffic, 0)
}

/** Looks for walls on the ways of the boxes from `first` on, which begin at `traffic.now`. */
function findWalls(traffic: Traffic, first: number): void {
  const { collision, nearby } = traffic
  const { statics, contacts } = collision
  if (statics === undefined) return
  contacts.count = 0
  nearby.from = first
  statics.detect(collision, nearby)
  for (let i = 0; i < contacts.count; i++) {
    met.time = contacts.time[i]
    enlist(traffic, contacts.a[i], contacts.b[i])
  }
}

/** Looks for everything on the ways of the boxes from `first` on, which begin at `traffic.now`. */
export function findOnNewWays(traffic: Traffic, first: number): void {
  const { collision, now, geometry, ways, wayOfBox, since } = traffic
  const { boxes, pairOptions } = collision
  const { owner, layer } = boxes
  const { meets } = pairOptions
  const end = boxes.count
  for (let a = first; a < end; a++) {
    for (let b = 0; b < a; b++) {
      if (((meets[layer[a]] >>> layer[b]) & 1) === 0 || owner[b] === owner[a] || owner[b] === STATIC_OWNER) continue
      if (wayOfBox[b] !== ways[owner[b]]) continue
      if (!areNear(boxes, a, b)) continue
      keepWay(boxes, b, keptSecond)
      cut.part = (now - since[owner[b]]) / (1 - since[owner[b]])
      cutWay(boxes, b)
      const isMet = geometry.approach(boxes, a, b)
      putBackWay(boxes, b, keptSecond)
      if (isMet) enlist(traffic, a, b)
    }
  }
  findWalls(traffic, first)
}

/** Whether the circles around two boxes overlap. */
export function areNear(boxes: Boxes, a: number, b: number): boolean {
  const { x, y, radius } = boxes
  const dx = x[b] + imageShiftX(boxes, a, b) - x[a]
  const dy = y[b] + imageShiftY(boxes, a, b) - y[a]
  const reach = radius[a] + radius[b]
  return dx * dx + dy * dy <= reach * reach
}
