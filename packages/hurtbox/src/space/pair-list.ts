/**
 * Pairs of circles: as they are found, and in canonical order.
 *
 * A grid finds pairs cell by cell, an order that depends on the size of the cells. What leaves this folder is ordered by
 * lower, then by higher index, which depends on nothing but the pairs. A counting sort on the lower index does most of it; the
 * few higher indexes behind one lower index are then put in order among themselves.
 */

import { createIndexSet, type IndexSet, reserveIndexes, sortAscending } from './ascending.ts'

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

/** Pairs as they are found: lower index first, in any order. */
export type FoundPairs = {
  count: number
  lower: Uint32Array
  higher: Uint32Array
  /** Scratch: where the pairs of each lower index begin. */
  pairsOf: Int32Array
  /** Indexes are below this. */
  circleCount: number
  /** At most this many pairs are wanted, the first in canonical order. */
  limit: number
  /** Pairs that were found and dropped again, because `limit` others come before them. */
  dropped: number
  readonly indexes: IndexSet
}

/** As many pairs as there are: the largest number that is still a small integer to the compiler. */
export const UNLIMITED = 0x7fffffff

export function createPairList(): PairList {
  return { count: 0, a: new Uint32Array(64), b: new Uint32Array(64), refused: 0, checks: 0 }
}

export function createFoundPairs(): FoundPairs {
  return {
    count: 0,
    lower: new Uint32Array(64),
    higher: new Uint32Array(64),
    pairsOf: new Int32Array(0),
    circleCount: 0,
    limit: 0,
    dropped: 0,
    indexes: createIndexSet(),
  }
}

export function clearFound(found: FoundPairs, circleCount: number, limit: number): void {
  found.count = 0
  found.dropped = 0
  found.limit = limit
  found.circleCount = circleCount
  if (found.pairsOf.length <= circleCount) found.pairsOf = new Int32Array(2 * circleCount + 1)
  reserveIndexes(found.indexes, circleCount)
}

/**
 * Makes room for `more` pairs. The pairs of a pile grow with its square, so a limit bounds memory too: once there are twice
 * as many as wanted, those that can no longer be among the first go. `scratch` is written over.
 */
export function makeRoom(found: FoundPairs, more: number, scratch: PairList): void {
  if (found.count >= 2 * found.limit) prune(found, scratch)
  const needed = found.count + more
  if (found.lower.length >= needed) return
  found.lower = grow(found.lower, needed)
  found.higher = grow(found.higher, needed)
}

/** Hands over what was found, in canonical order. */
export function takePairs(found: FoundPairs, pairs: PairList): void {
  if (isSorted(found)) swapBuffers(found, pairs)
  else sortPairs(found, pairs)
  pairs.count = Math.min(found.count, found.limit)
  pairs.refused = found.dropped + found.count - pairs.count
}

export function reservePairs(pairs: PairList, count: number): void {
  if (pairs.a.length >= count) return
  pairs.a = grow(pairs.a, count)
  pairs.b = grow(pairs.b, count)
}

function prune(found: FoundPairs, scratch: PairList): void {
  const kept = Math.min(found.count, found.limit)
  if (!isSorted(found)) {
    sortPairs(found, scratch)
    found.lower.set(scratch.a.subarray(0, kept))
    found.higher.set(scratch.b.subarray(0, kept))
  }
  found.dropped += found.count - kept
  found.count = kept
}

function swapBuffers(found: FoundPairs, pairs: PairList): void {
  const { a, b } = pairs
  pairs.a = found.lower
  pairs.b = found.higher
  found.lower = a
  found.higher = b
}

function sortPairs(found: FoundPairs, pairs: PairList): void {
  reservePairs(pairs, found.count)
  sortByLower(found, pairs)
  sortByHigher(found, pairs)
}

/** Usually the second pair says no. In a pile on one spot all are in order, and there are very many. */
function isSorted({ count, lower, higher }: FoundPairs): boolean {
  let lastLower = 0
  let lastHigher = 0
  for (let i = 0; i < count; i++) {
    const low = lower[i]
    const high = higher[i]
    if (low < lastLower || (low === lastLower && high < lastHigher)) return false
    lastLower = low
    lastHigher = high
  }
  return true
}

/** A running sum turns counts into the place where each lower index ends; filling from the end, ends become beginnings. */
function sortByLower({ count, lower, higher, pairsOf, circleCount }: FoundPairs, { a, b }: PairList): void {
  pairsOf.fill(0, 0, circleCount + 1)
  for (let i = 0; i < count; i++) pairsOf[lower[i]]++
  let end = 0
  for (let index = 0; index <= circleCount; index++) {
    end = (end + pairsOf[index]) | 0
    pairsOf[index] = end
  }
  for (let i = count - 1; i >= 0; i--) {
    const index = lower[i]
    const place = (pairsOf[index] - 1) | 0
    pairsOf[index] = place
    a[place] = index
    b[place] = higher[i]
  }
}

function sortByHigher({ count, pairsOf, indexes }: FoundPairs, { a, b }: PairList): void {
  for (let i = 1; i < count; i++) {
    if (a[i] !== a[i - 1] || b[i] > b[i - 1]) continue
    const end = pairsOf[a[i] + 1]
    sortAscending(indexes, b, pairsOf[a[i]], end)
    i = end
  }
}

function grow(list: Uint32Array, length: number): Uint32Array<ArrayBuffer> {
  const grown = new Uint32Array(Math.max(length, 2 * list.length))
  grown.set(list)
  return grown
}
