/**
 * The sort that the original was built with, for the order of equals.
 *
 * GNU's `std::sort` keeps equals in place up to sixteen elements (it inserts) and mixes them beyond (it first partitions
 * around the median of three). Frames with more commands are rare, but their order decides which velocity a ship keeps.
 */

const INSERT_UP_TO = 16

export function sortUnstable<T>(items: T[], isBefore: (a: T, b: T) => boolean): void {
  partitionRuns(items, 0, items.length, isBefore)
  const guarded = Math.min(items.length, INSERT_UP_TO)
  for (let i = 1; i < guarded; i++) insert(items, i, isBefore)
  for (let i = guarded; i < items.length; i++) insertUnguarded(items, i, isBefore)
}

/** Splits long runs until none is longer than sixteen. (The depth at which the library would give up is never reached.) */
function partitionRuns<T>(items: T[], first: number, end: number, isBefore: (a: T, b: T) => boolean): void {
  let last = end
  while (last - first > INSERT_UP_TO) {
    const middle = first + ((last - first) >> 1)
    medianToFirst(items, first, first + 1, middle, last - 1, isBefore)
    const cut = partition(items, first + 1, last, first, isBefore)
    partitionRuns(items, cut, last, isBefore)
    last = cut
  }
}

function medianToFirst<T>(
  items: T[],
  to: number,
  a: number,
  b: number,
  c: number,
  isBefore: (a: T, b: T) => boolean,
): void {
  const [x, y, z] = [items[a], items[b], items[c]]
  let median: number
  if (isBefore(x, y)) median = isBefore(y, z) ? b : isBefore(x, z) ? c : a
  else median = isBefore(x, z) ? a : isBefore(y, z) ? c : b
  swap(items, to, median)
}

function partition<T>(items: T[], from: number, end: number, pivot: number, isBefore: (a: T, b: T) => boolean): number {
  let low = from
  let high = end
  for (;;) {
    while (isBefore(items[low], items[pivot])) low++
    high--
    while (isBefore(items[pivot], items[high])) high--
    if (low >= high) return low
    swap(items, low, high)
    low++
  }
}

function insert<T>(items: T[], index: number, isBefore: (a: T, b: T) => boolean): void {
  const item = items[index]
  if (!isBefore(item, items[0])) {
    insertUnguarded(items, index, isBefore)
    return
  }
  items.copyWithin(1, 0, index)
  items[0] = item
}

function insertUnguarded<T>(items: T[], index: number, isBefore: (a: T, b: T) => boolean): void {
  const item = items[index]
  let at = index
  while (at > 0 && isBefore(item, items[at - 1])) {
    items[at] = items[at - 1]
    at--
  }
  items[at] = item
}

function swap<T>(items: T[], a: number, b: number): void {
  const item = items[a]
  items[a] = items[b]
  items[b] = item
}
