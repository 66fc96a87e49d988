/**
 * Which boxes overlap? Reads the box list, writes the contact list, and nothing else.
 *
 * The broad phase finds pairs whose circles overlap, in canonical order. For standing circles that is the answer;
 * everything else is tested exactly.
 */

import { growColumns } from '../../base/grow.ts'
import { createPairFinder, findPairs, type PairFinder, type PairOptions } from '../../geometry/space/find-pairs.ts'
import { createPairList, type PairList } from '../../geometry/space/pair-list.ts'
import type { Boxes } from './boxes.ts'

/** Pairs of boxes, lower first, in canonical order. */
export type Contacts = {
  count: number
  a: Uint32Array
  b: Uint32Array
  /** When in the tick they met, from 0 to 1; 1 for boxes that overlap now and did not come from anywhere. */
  time: Float64Array
  /** The first of these are among things; the others are with the static map. */
  amongThings: number
  /** How many exact tests of circles the broad phase made. */
  checks: number
}

export type Detector = {
  readonly finder: PairFinder
  readonly pairs: PairList
  /** Where in the box list each static of the map stood when it was last near something. A hint, checked when used. */
  readonly boxOfStatic: number[]
}

export function createContacts(): Contacts {
  return {
    count: 0,
    a: new Uint32Array(256),
    b: new Uint32Array(256),
    time: new Float64Array(256),
    amongThings: 0,
    checks: 0,
  }
}

export function createDetector(): Detector {
  return { finder: createPairFinder(), pairs: createPairList(), boxOfStatic: [] }
}

/** Every pair of boxes of different owners whose layers meet and that overlap or touch. */
export function detectContacts(detector: Detector, boxes: Boxes, contacts: Contacts, options: PairOptions): void {
  const { finder, pairs } = detector
  findPairs(finder, boxes, pairs, options)
  contacts.checks = pairs.checks
  contacts.count = 0
  reserveContacts(contacts, pairs.count)
  const { owner, isPlain, narrow } = boxes
  for (let i = 0; i < pairs.count; i++) {
    const a = pairs.a[i]
    const b = pairs.b[i]
    if (owner[a] === owner[b]) continue
    const time = isPlain ? 1 : narrow!(boxes, a, b, true)
    if (time < 0) continue
    addContact(contacts, a, b, time)
  }
  contacts.amongThings = contacts.count
}

/** Notes a contact, for which `reserveContacts` has made room. */
export function addContact(contacts: Contacts, a: number, b: number, time: number): void {
  const at = contacts.count++
  contacts.a[at] = a
  contacts.b[at] = b
  contacts.time[at] = time
}

/** Makes room for `count` contacts in all. */
export function reserveContacts(contacts: Contacts, count: number): void {
  if (contacts.a.length >= count) return
  growColumns(contacts, ['a', 'b', 'time'], Math.max(count, 2 * contacts.a.length))
}
