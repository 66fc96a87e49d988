/**
 * Pairs each contact with the rules that apply, in a total order.
 *
 * Rule by rule as the game lists them, because "an enemy shot this tick no longer bites" is a statement about rules.
 * Inside a rule by when in the tick they met, because a bullet hits the nearer of two. All that stands meets at the same
 * time; such cases are ordered by the owners of the boxes, older first, then by the boxes. The order of detection never shows.
 */

import { requireFinite } from '../../base/errors.ts'
import { growColumns } from '../../base/grow.ts'
import type { Boxes } from './boxes.ts'
import type { BoundRule } from './decide.ts'
import type { Contacts } from './detect.ts'
import { type SortedPlaces, sortPlaces } from './stable-sort.ts'

/** What is to be decided; `places` says in which order. Boxes are places in the box list. */
export type Cases = SortedPlaces & {
  count: number
  /** Whether two things, or a thing and a wall, may meet with more than one pair of boxes. */
  mayRepeat: boolean
  readonly rules: BoundRule[]
  firstBox: Uint32Array
  secondBox: Uint32Array
  /** When in the tick the boxes met. */
  time: Float64Array
  /** What the game orders by, if it does. */
  key: Float64Array
}

/** Writes the key of the case at a place into `cases.key`: a number that it returned would take memory. */
export type SetKey = (place: number) => void

export function createCases(): Cases {
  return {
    count: 0,
    mayRepeat: false,
    rules: [],
    firstBox: new Uint32Array(256),
    secondBox: new Uint32Array(256),
    time: new Float64Array(256),
    key: new Float64Array(256),
    places: new Uint32Array(256),
    spare: new Uint32Array(256),
  }
}

/**
 * Lists the cases of all groups of rules. Inside a group they are ordered by the keys that `setKey` writes, without it by the
 * time of impact: smaller first, equals in canonical order.
 */
export function listCases(
  contacts: Contacts,
  boxes: Boxes,
  groups: readonly (readonly BoundRule[])[],
  cases: Cases,
  setKey?: SetKey,
): void {
  cases.mayRepeat = sortByOwners(contacts, boxes)
  cases.count = 0
  for (const group of groups) {
    const first = cases.count
    addCases(cases, group, boxes, contacts)
    if (setKey) sortByKey(cases, first, setKey)
    // Without a sweep all met at the same time.
    else if (boxes.isSwept) sortPlaces(cases, cases.time, first, cases.count)
  }
}

/** Whether two boxes touch without overlapping. Same expressions as detection, so the two never disagree. */
function onlyTouch(boxes: Boxes, a: number, b: number): boolean {
  if (!boxes.isPlain) return boxes.narrow!(boxes, a, b, false) < 0
  const { x, y, radius, around } = boxes
  const reach = radius[a] + radius[b]
  const dx = x[a] - x[b]
  const dy = y[a] - y[b]
  return (around === undefined ? dx * dx + dy * dy : around.squaredApart(boxes, boxes, a, b)) >= reach * reach
}

function addCases(cases: Cases, group: readonly BoundRule[], boxes: Boxes, contacts: Contacts): void {
  const { layer } = boxes
  const { a: boxesA, b: boxesB, time } = contacts
  for (let c = 0; c < contacts.count; c++) {
    const a = boxesA[c]
    const b = boxesB[c]
    for (let r = 0; r < group.length; r++) {
      const bound = group[r]
      const aIsFirst = layer[a] === bound.firstLayer && layer[b] === bound.secondLayer
      const bIsFirst = layer[b] === bound.firstLayer && layer[a] === bound.secondLayer
      if (!aIsFirst && !bIsFirst) continue
      if (!bound.touching && onlyTouch(boxes, a, b)) continue
      if (aIsFirst) addCase(cases, bound, a, b, time[c])
      if (bIsFirst && (!aIsFirst || bound.mutual)) addCase(cases, bound, b, a, time[c])
    }
  }
}

export function addCase(cases: Cases, bound: BoundRule, firstBox: number, secondBox: number, time: number): void {
  const at = cases.count++
  if (at === cases.firstBox.length) {
    growColumns(cases, ['places', 'spare', 'firstBox', 'secondBox', 'time', 'key'], 2 * at)
  }
  cases.places[at] = at
  cases.rules[at] = bound
  cases.firstBox[at] = firstBox
  cases.secondBox[at] = secondBox
  cases.time[at] = time
}

/**
 * Contacts come sorted by boxes, those with the static map last. That is the order by owners too, except where an owner has several boxes; then a
 * contact moves up a few places, which insertion does best. Returns whether two owners may meet more than once.
 */
function sortByOwners(contacts: Contacts, boxes: Boxes): boolean {
  const { a, b, time, amongThings: count } = contacts
  const { owner } = boxes
  let mayRepeat = count < contacts.count
  for (let i = 1; i < count; i++) {
    const boxA = a[i]
    const boxB = b[i]
    const met = time[i]
    let at = i
    while (at > 0) {
      const byOwner = owner[a[at - 1]] - owner[boxA] || owner[b[at - 1]] - owner[boxB]
      if (byOwner === 0) mayRepeat = true
      if (byOwner <= 0) break
      a[at] = a[at - 1]
      b[at] = b[at - 1]
      time[at] = time[at - 1]
      at--
    }
    a[at] = boxA
    b[at] = boxB
    time[at] = met
  }
  return mayRepeat
}

function sortByKey(cases: Cases, first: number, setKey: SetKey): void {
  const { key, count } = cases
  for (let c = first; c < count; c++) {
    setKey(c)
    if (key[c] - key[c] !== 0) requireFinite(key[c], 'orderBy')
  }
  sortPlaces(cases, key, first, count)
}
