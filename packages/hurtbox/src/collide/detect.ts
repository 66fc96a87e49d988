/**
 * Which boxes overlap? Reads the box list, writes the contact list, and nothing else.
 *
 * The broad phase finds pairs whose circles overlap, in canonical order. For standing circles that is the answer;
 * everything else is tested exactly.
 */

import { createPairFinder, findPairs, type PairFinder, type PairOptions } from '../space/find-pairs.ts'
import { createPairList, type PairList } from '../space/pair-list.ts'
import type { Boxes } from './boxes.ts'

/** Pairs of boxes, lower first, in canonical order. */
export type Contacts = {
  count: number
  a: Uint32Array
  b: Uint32Array
  /** When in the tick they met, from 0 to 1; 1 for boxes that overlap now and did not come from anywhere. */
  time: Float64Array
  /** How many exact tests of circles the broad phase made. */
  checks: number
}

export type Detector = { readonly finder: PairFinder; readonly pairs: PairList }

export function createContacts(): Contacts {
  return { count: 0, a: new Uint32Array(256), b: new Uint32Array(256), time: new Float64Array(256), checks: 0 }
}

export function createDetector(): Detector {
  return { finder: createPairFinder(), pairs: createPairList() }
}

/** Every pair of boxes of different owners whose layers meet and that overlap or touch. */
export function detectContacts(
  detector: Detector,
  boxes: Boxes,
  meets: Uint32Array,
  contacts: Contacts,
  options: PairOptions,
): void {
  const { finder, pairs } = detector
  findPairs(finder, boxes, meets, pairs, options)
  contacts.checks = pairs.checks
  contacts.count = 0
  if (contacts.a.length < pairs.count) growContacts(contacts, pairs.count)
  const { owner, isPlain, narrow } = boxes
  for (let i = 0; i < pairs.count; i++) {
    const a = pairs.a[i]
    const b = pairs.b[i]
    if (owner[a] === owner[b]) continue
    const time = isPlain ? 1 : narrow!(boxes, a, b, true)
    if (time < 0) continue
    const at = contacts.count++
    contacts.a[at] = a
    contacts.b[at] = b
    contacts.time[at] = time
  }
}

function growContacts(contacts: Contacts, atLeast: number): void {
  const capacity = Math.max(atLeast, 2 * contacts.a.length)
  contacts.a = new Uint32Array(capacity)
  contacts.b = new Uint32Array(capacity)
  contacts.time = new Float64Array(capacity)
}
