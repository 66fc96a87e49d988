/**
 * A set of word triples in an open-addressed table: scratch for "has this hit that already?".
 *
 * Triples are numbered in the order they come, and one may be there several times. Buffers are kept between phases.
 */

import { growColumns } from '../../base/grow.ts'

export type Triples = {
  count: number
  /** Three words each. */
  words: Int32Array
  /** Number of a triple + 1, 0 is free. A power of two above twice the triples. */
  slots: Int32Array
}

export function createTriples(): Triples {
  return { count: 0, words: new Int32Array(3 * 64), slots: new Int32Array(256) }
}

export function clearTriples(set: Triples): void {
  if (set.count === 0) return
  set.count = 0
  set.slots.fill(0)
}

/** The number of the first such triple after number `after`, or -1. */
export function findTriple(set: Triples, a: number, b: number, c: number, after = -1): number {
  const { words, slots } = set
  const mask = slots.length - 1
  // Equal triples start at one slot and lie in the order they came.
  for (let slot = slotOf(a, b, c) & mask; slots[slot] !== 0; slot = (slot + 1) & mask) {
    const number = slots[slot] - 1
    const at = 3 * number
    if (number > after && words[at] === (a | 0) && words[at + 1] === (b | 0) && words[at + 2] === (c | 0)) return number
  }
  return -1
}

/** Adds a triple; returns its number. */
export function addTriple(set: Triples, a: number, b: number, c: number): number {
  if (2 * (set.count + 1) > set.slots.length) {
    set.slots = new Int32Array(2 * set.slots.length)
    for (let number = 0; number < set.count; number++) enter(set, number)
  }
  const number = set.count++
  if (3 * set.count > set.words.length) growColumns(set, ['words'], 2 * set.words.length)
  set.words[3 * number] = a
  set.words[3 * number + 1] = b
  set.words[3 * number + 2] = c
  enter(set, number)
  return number
}

/** Takes back the triple that was added last. It ends its run of slots, so that no other is lost. */
export function dropLastTriple(set: Triples): void {
  const number = --set.count
  const { words, slots } = set
  const mask = slots.length - 1
  let slot = slotOf(words[3 * number], words[3 * number + 1], words[3 * number + 2]) & mask
  while (slots[slot] !== number + 1) slot = (slot + 1) & mask
  slots[slot] = 0
}

function enter({ words, slots }: Triples, number: number): void {
  const mask = slots.length - 1
  let slot = slotOf(words[3 * number], words[3 * number + 1], words[3 * number + 2]) & mask
  while (slots[slot] !== 0) slot = (slot + 1) & mask
  slots[slot] = number + 1
}

function slotOf(a: number, b: number, c: number): number {
  const mixed = Math.imul(b ^ Math.imul(c ^ Math.imul(a, 0xc2b2ae35), 0x9e3779b1), 0x85ebca6b)
  return mixed ^ (mixed >>> 15)
}
