/**
 * Pairs of circles: as they are found, and in canonical order.
 *
 * A grid finds pairs cell by cell, an order that depends on the size of the cells. What leaves this folder is sorted by
 * lower index, then higher index, which depends on nothing but the pairs. A counting sort on the lower index does most of it;
 * the few higher indexes behind one lower index are then put in order among themselves.
 */

import { createIndexSet, type IndexSet, reserveIndexes, sortAscending } from './ascending.ts'
import { KEY_SHIFT } from './circles.ts'

/** What `findPairs` returns: `a[i] < b[i]`, ascending by `a`, then by `b`. Buffers are kept and only ever grow. */
export type PairList = {
  count: number
  a: Uint32Array
  b: Uint32Array
  /** Pairs beyond `maxPairs`: found, counted, and left out. */
  refused: number
  /** Exact distance tests it took. */
  checks: number
}

/** Pairs as they are found: two keys each, in any order. */
export type FoundPairs = {
  /** Words in use, two for each pair. */
  length: number
  keys: Int32Array
  /** Keys are those of circles below this. */
  circleCount: number
  /** At most this many pairs are wanted, the first in canonical order. */
  limit: number
  /** Pairs that were found and dropped again, because `limit` others come before them. */
  dropped: number
  /** Scratch: where the pairs of each lower index begin. */
  firstOf: Int32Array
  readonly indexes: IndexSet
}

/** Words of `FoundPairs` beyond which pairs that can no longer be wanted are dropped: twice the limit, two words each. */
const PRUNE_AT = 4

export function createPairList(): PairList {
  return { count: 0, a: new Uint32Array(64), b: new Uint32Array(64), refused: 0, checks: 0 }
}

export function createFoundPairs(): FoundPairs {
  return {
    length: 0,
    keys: new Int32Array(256),
    circleCount: 0,
    limit: 0,
    dropped: 0,
    firstOf: new Int32Array(0),
    indexes: createIndexSet(),
  }
}

export function reservePairs(pairs: PairList, count: number): void {
  if (pairs.a.length >= count) return
  const capacity = Math.max(count, 2 * pairs.a.length)
  const a = new Uint32Array(capacity)
  const b = new Uint32Array(capacity)
  a.set(pairs.a)
  b.set(pairs.b)
  pairs.a = a
  pairs.b = b
}

/**
 * Makes room for `words` more. A pile of things makes a number of pairs that grows with its square, so with a limit
 * memory is bounded too: what cannot be among the first `limit` any more goes. `sorted` is written over.
 */
export function makeRoom(found: FoundPairs, words: number, sorted: PairList): void {
  if (found.length >= PRUNE_AT * found.limit) prune(found, sorted)
  const needed = found.length + words
  if (found.keys.length >= needed) return
  const keys = new Int32Array(Math.max(needed, 2 * found.keys.length))
  keys.set(found.keys)
  found.keys = keys
}

/** Writes what was found into `pairs`, in canonical order, and empties `found`. */
export function takePairs(found: FoundPairs, pairs: PairList): void {
  orderPairs(found, pairs)
  pairs.refused = found.dropped + Math.max(0, pairs.count - found.limit)
  pairs.count = Math.min(pairs.count, found.limit)
  found.length = 0
  found.dropped = 0
}

function prune(found: FoundPairs, sorted: PairList): void {
  orderPairs(found, sorted)
  const kept = Math.min(sorted.count, found.limit)
  for (let i = 0; i < kept; i++) {
    found.keys[2 * i] = sorted.a[i] << KEY_SHIFT
    found.keys[2 * i + 1] = sorted.b[i] << KEY_SHIFT
  }
  found.dropped += sorted.count - kept
  found.length = 2 * kept
}

function orderPairs(found: FoundPairs, pairs: PairList): void {
  const { keys, length, circleCount, indexes } = found
  const pairCount = length >> 1
  reservePairs(pairs, pairCount)
  reserveIndexes(indexes, circleCount)
  if (found.firstOf.length <= circleCount) found.firstOf = new Int32Array(2 * circleCount + 1)
  const { firstOf } = found
  const { a, b } = pairs

  // Keys become indexes, lower one first, and the pairs of each lower index are counted.
  firstOf.fill(0, 0, circleCount + 1)
  for (let i = 0; i < length; i += 2) {
    const one = keys[i] >> KEY_SHIFT
    const other = keys[i + 1] >> KEY_SHIFT
    // Without a branch, because half of all pairs would take it: `swap` is one - other if that is negative, else 0.
    const swap = (one - other) & ((one - other) >> 31)
    const lower = other + swap
    keys[i] = lower
    keys[i + 1] = one - swap
    firstOf[lower]++
  }

  // A running sum turns the counts into the place where each lower index ends; filling from the back turns ends into
  // beginnings.
  let end = 0
  for (let lower = 0; lower <= circleCount; lower++) {
    end += firstOf[lower]
    firstOf[lower] = end
  }
  for (let i = length - 2; i >= 0; i -= 2) {
    const lower = keys[i]
    const place = --firstOf[lower]
    a[place] = lower
    b[place] = keys[i + 1]
  }

  for (let i = 1; i < pairCount; i++) {
    if (a[i] !== a[i - 1] || b[i] > b[i - 1]) continue
    const to = firstOf[a[i] + 1]
    sortAscending(indexes, b, firstOf[a[i]], to)
    i = to
  }

  pairs.count = pairCount
}
