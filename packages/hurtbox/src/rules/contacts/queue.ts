/** The contacts of a phase that travels which are still to be decided, the next one first. */

import { growColumns } from '../../base/grow.ts'
import { STATIC_OWNER } from '../collide/boxes.ts'
import type { Collision } from '../collide/collide.ts'
import { addCase } from '../collide/order.ts'
import { met } from './met.ts'
import type { Traffic } from './traffic.ts'

/** Makes a case of a contact for each rule about it. It is at `met.time` of what is left of the tick at `traffic.now`. */
export function enlist(traffic: Traffic, a: number, b: number): void {
  const { collision, rules } = traffic
  const { cases, boxes } = collision
  const layerA = boxes.layer[a]
  const layerB = boxes.layer[b]
  // The older thing is the first where a rule is about one layer.
  const isOrdered = boxes.owner[a] < boxes.owner[b]
  for (let r = 0; r < rules.length; r++) {
    const { firstLayer, secondLayer, mutual } = rules[r]
    const aIsFirst = layerA === firstLayer && layerB === secondLayer
    const bIsFirst = layerB === firstLayer && layerA === secondLayer
    if (aIsFirst && (isOrdered || !bIsFirst || mutual)) {
      addCase(cases, rules[r], a, b, 0)
      wait(traffic)
    }
    if (bIsFirst && (!isOrdered || !aIsFirst || mutual)) {
      addCase(cases, rules[r], b, a, 0)
      wait(traffic)
    }
  }
}

/** Puts the case that was added last into the heap, with its time. */
function wait(traffic: Traffic): void {
  const { collision, ways, now } = traffic
  const { cases, boxes } = collision
  const c = cases.count - 1
  cases.time[c] = now + met.time * (1 - now)
  while (traffic.heap.length <= c) {
    growColumns(traffic, ['heap', 'partStart', 'firstWay', 'secondWay'], 2 * traffic.heap.length)
  }
  const second = boxes.owner[cases.secondBox[c]]
  traffic.partStart[c] = traffic.now
  traffic.firstWay[c] = ways[boxes.owner[cases.firstBox[c]]]
  traffic.secondWay[c] = second === STATIC_OWNER ? 0 : ways[second]
  const { heap } = traffic
  let at = traffic.waiting++
  while (at > 0 && comesBefore(collision, c, heap[(at - 1) >> 1])) {
    heap[at] = heap[(at - 1) >> 1]
    at = (at - 1) >> 1
  }
  heap[at] = c
}

/** Takes the next case out of the heap. */
export function takeNext(traffic: Traffic): number {
  const { heap, collision } = traffic
  const next = heap[0]
  const last = heap[--traffic.waiting]
  const { waiting } = traffic
  let at = 0
  for (;;) {
    let child = 2 * at + 1
    if (child >= waiting) break
    if (child + 1 < waiting && comesBefore(collision, heap[child + 1], heap[child])) child++
    if (!comesBefore(collision, heap[child], last)) break
    heap[at] = heap[child]
    at = child
  }
  heap[at] = last
  return next
}

/** By time; at one time as ever: by rule, by the owners of the boxes, by the boxes. */
function comesBefore({ cases, boxes }: Collision, c: number, than: number): boolean {
  const { time, rules, firstBox, secondBox } = cases
  const { owner, number } = boxes
  return (
    (time[c] - time[than] ||
      rules[c].number - rules[than].number ||
      owner[firstBox[c]] - owner[firstBox[than]] ||
      owner[secondBox[c]] - owner[secondBox[than]] ||
      number[firstBox[c]] - number[firstBox[than]] ||
      number[secondBox[c]] - number[secondBox[than]]) < 0
  )
}
