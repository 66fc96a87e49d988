/**
 * Pairs of circles: as they are found, and in canonical order.
 *
 * A grid finds pairs cell by cell, an order that depends on the size of the cells. What leaves this folder is ordered by
 * lower, then by higher index, which depends on nothing but the pairs. A counting sort on the lower index does most of it; the
 * few higher indexes behind one lower index are then put in order among themselves. A general sort would take longer than
 * finding the pairs.
 */

import { growColumns } from '../../base/grow.ts'
import { createIndexSet, type IndexSet, reserveIndexes, sortAscending } from './ascending.ts'

/** What `findPairs` returns: `a[i] < b[i]`, ascending by `a`, then by `b`. Buffers are kept and only ever grow. */
export type PairList = {
  count: number
  a: Uint32Array
  b: Uint32Array
  /** Exact distance tests it took. */
  checks: number
}

/** Pairs as they are found: lower index first, in any order. */
export type FoundPairs = {
  count: number
  lower: Uint32Array
  higher: Uint32Array
  /** Scratch: where the pairs of each index begin. One longer than there are circles. */
  firstOf: Int32Array
  nextOf: Int32Array
  /** Indexes are below this. */
  circleCount: number
  /** Whether the pairs are known to be in canonical order already: all of them are of one crowd. */
  isAscending: boolean
  readonly indexes: IndexSet
}

/** Pairs per circle from which on they are sorted by both indexes. */
const CROWDED = 4

export function createPairList(): PairList {
  return { count: 0, a: new Uint32Array(64), b: new Uint32Array(64), checks: 0 }
}

export function createFoundPairs(): FoundPairs {
  return {
    count: 0,
    lower: new Uint32Array(64),
    higher: new Uint32Array(64),
    firstOf: new Int32Array(0),
    nextOf: new Int32Array(0),
    circleCount: 0,
    isAscending: true,
    indexes: createIndexSet(),
  }
}

export function clearFound(found: FoundPairs, circleCount: number): void {
  found.count = 0
  found.isAscending = true
  found.circleCount = circleCount
  if (found.firstOf.length <= circleCount) {
    found.firstOf = new Int32Array(2 * circleCount + 1)
    found.nextOf = new Int32Array(2 * circleCount + 1)
  }
  reserveIndexes(found.indexes, circleCount)
}

/** Makes room for `more` pairs. */
export function reserveFound(found: FoundPairs, more: number): void {
  const count = found.count + more
  if (found.lower.length >= count) return
  growColumns(found, ['lower', 'higher'], Math.max(count, 2 * found.lower.length))
}

/** Returns the pairs in canonical order. */
export function takePairs(found: FoundPairs, pairs: PairList): void {
  if (found.isAscending || isSorted(found)) swapBuffers(found, pairs)
  else sortPairs(found, pairs)
  pairs.count = found.count
}

export function reservePairs(pairs: PairList, count: number): void {
  if (pairs.a.length >= count) return
  growColumns(pairs, ['a', 'b'], Math.max(count, 2 * pairs.a.length))
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
  if (found.count > CROWDED * found.circleCount) {
    sortByBoth(found, pairs)
  } else {
    sortByLower(found, pairs)
    sortHigher(found, pairs)
  }
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

/** A counting sort by lower index. */
function sortByLower({ count, lower, higher, firstOf, circleCount }: FoundPairs, { a, b }: PairList): void {
  countEnds(firstOf, lower, count, circleCount)
  // Filling each index from its end turns the ends into beginnings.
  for (let i = count - 1; i >= 0; i--) {
    const index = lower[i]
    const place = (firstOf[index] - 1) | 0
    firstOf[index] = place
    a[place] = index
    b[place] = higher[i]
  }
}

/**
 * For many pairs per circle: a counting sort by higher index, then one by lower index that keeps the order of the first. Of
 * what is sorted by an index only the other one is written; the index itself follows from the counts.
 */
function sortByBoth(found: FoundPairs, { a, b }: PairList): void {
  const { count, lower, higher, firstOf, nextOf, circleCount } = found
  const lastHigher = countEnds(firstOf, higher, count, circleCount)
  for (let i = count - 1; i >= 0; i--) {
    const place = (firstOf[higher[i]] - 1) | 0
    firstOf[higher[i]] = place
    a[place] = lower[i]
  }
  const lastLower = countEnds(nextOf, lower, count, circleCount)
  // From the highest down, so that each lower index is filled from its end too.
  for (let high = lastHigher; high >= 0; high--) {
    for (let i = firstOf[high + 1] - 1; i >= firstOf[high]; i--) {
      const place = (nextOf[a[i]] - 1) | 0
      nextOf[a[i]] = place
      b[place] = high
    }
  }
  for (let low = 0; low <= lastLower; low++) a.fill(low, nextOf[low], nextOf[low + 1])
}

/**
 * Writes the place where each index would end if the list were sorted. Returns the largest index; the one behind it ends
 * there too.
 */
function countEnds(ends: Int32Array, list: Uint32Array, count: number, circleCount: number): number {
  ends.fill(0, 0, circleCount + 1)
  let last = 0
  for (let i = 0; i < count; i++) {
    const index = list[i]
    ends[index]++
    if (index > last) last = index
  }
  let end = 0
  for (let index = 0; index <= last + 1; index++) {
    end = (end + ends[index]) | 0
    ends[index] = end
  }
  return last
}

/** Puts the higher indexes behind each lower one in order. Most are alone, or in order already. */
function sortHigher({ count, firstOf, indexes }: FoundPairs, { a, b }: PairList): void {
  let lastA = -1
  let lastB = 0
  for (let i = 0; i < count; i++) {
    const nextA = a[i] | 0
    const nextB = b[i] | 0
    // Negative if the lower index is the same and the higher one smaller. One branch that is seldom taken instead of two.
    const isWrong = (nextA - lastA - 1) & (nextB - lastB)
    lastA = nextA
    lastB = nextB
    if (isWrong >= 0) continue
    const end = firstOf[nextA + 1]
    sortAscending(indexes, b, firstOf[nextA], end)
    i = end - 1
    lastB = b[i]
  }
}
