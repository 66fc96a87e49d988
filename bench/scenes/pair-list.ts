/** Overlapping pairs in two parallel arrays that only grow, and the bookkeeping of engines that report changes instead of pairs. */

export type PairList = { count: number; a: Int32Array; b: Int32Array }

/** What a reader needs; contenders may keep their pairs in other integer arrays. */
export type Pairs = { readonly count: number; readonly a: ArrayLike<number>; readonly b: ArrayLike<number> }

export function createPairList(capacity = 1024): PairList {
  return { count: 0, a: new Int32Array(capacity), b: new Int32Array(capacity) }
}

export function addPair(list: PairList, a: number, b: number): void {
  if (list.count === list.a.length) grow(list)
  list.a[list.count] = a
  list.b[list.count++] = b
}

/** The pairs that overlap now, kept up to date from begin and end events. Always dense, so reading it costs nothing extra. */
export type LivePairs = { readonly list: PairList; readonly place: Map<number, number>; readonly count: number }

export function createLivePairs(things: number): LivePairs {
  return { list: createPairList(), place: new Map(), count: things }
}

export function beginPair({ list, place, count }: LivePairs, a: number, b: number): void {
  const key = a < b ? a * count + b : b * count + a
  if (place.has(key)) return
  place.set(key, list.count)
  addPair(list, a, b)
}

export function endPair({ list, place, count }: LivePairs, a: number, b: number): void {
  const key = a < b ? a * count + b : b * count + a
  const hole = place.get(key)
  if (hole === undefined) return
  place.delete(key)
  const last = --list.count
  if (hole === last) return
  const lastA = list.a[last]
  const lastB = list.b[last]
  list.a[hole] = lastA
  list.b[hole] = lastB
  place.set(lastA < lastB ? lastA * count + lastB : lastB * count + lastA, hole)
}

export function copyLivePairs({ list, place, count }: LivePairs): LivePairs {
  return { list: { count: list.count, a: list.a.slice(), b: list.b.slice() }, place: new Map(place), count }
}

function grow(list: PairList): void {
  const a = new Int32Array(list.a.length * 2)
  const b = new Int32Array(list.b.length * 2)
  a.set(list.a)
  b.set(list.b)
  list.a = a
  list.b = b
}
