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
export type LivePairs = {
  readonly things: number
  readonly list: PairList
  /** Where each pair is in the list. Made when it is first needed, so that going back in time need not copy it. */
  place: Map<number, number> | undefined
}

export function createLivePairs(things: number): LivePairs {
  return { things, list: createPairList(), place: undefined }
}

export function beginPair(live: LivePairs, a: number, b: number): void {
  const place = placesOf(live)
  const key = keyOf(live, a, b)
  if (place.has(key)) return
  place.set(key, live.list.count)
  addPair(live.list, a, b)
}

export function endPair(live: LivePairs, a: number, b: number): void {
  const place = placesOf(live)
  const key = keyOf(live, a, b)
  const hole = place.get(key)
  if (hole === undefined) return
  place.delete(key)
  const { list } = live
  const last = --list.count
  if (hole === last) return
  list.a[hole] = list.a[last]
  list.b[hole] = list.b[last]
  place.set(keyOf(live, list.a[last], list.b[last]), hole)
}

export function copyLivePairs({ list, things }: LivePairs): LivePairs {
  return { things, list: { count: list.count, a: list.a.slice(), b: list.b.slice() }, place: undefined }
}

function placesOf(live: LivePairs): Map<number, number> {
  if (live.place) return live.place
  live.place = new Map()
  for (let i = 0; i < live.list.count; i++) live.place.set(keyOf(live, live.list.a[i], live.list.b[i]), i)
  return live.place
}

function keyOf({ things }: LivePairs, a: number, b: number): number {
  return a < b ? a * things + b : b * things + a
}

function grow(list: PairList): void {
  const a = new Int32Array(list.a.length * 2)
  const b = new Int32Array(list.b.length * 2)
  a.set(list.a)
  b.set(list.b)
  list.a = a
  list.b = b
}
