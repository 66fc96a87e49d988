/**
 * Bringing a list of distinct indexes into ascending order, as every answer and every list of partners must be.
 *
 * Comparing costs most here: in a list without order every comparison is mispredicted. So comparisons are avoided. A handful is
 * sorted by insertion. Some dozens are dropped into 64 buckets by their highest bits, after which few are out of place.
 * More than that set one bit each in a set, which is then read from its lowest bit up; two coarser levels, one bit per
 * word below, let the reader jump over what is empty. No bad order of input, no recursion, no allocation.
 */

/** Scratch. The levels and the counts of `inBucket` are zero between calls. */
export type IndexSet = {
  /** Indexes have no more bits than this. */
  bits: number
  level0: Int32Array
  level1: Int32Array
  level2: Int32Array
  readonly inBucket: Int32Array
  readonly nextIn: Int32Array
  readonly unsorted: Int32Array
}

const HANDFUL = 8
const DOZENS = 64
const BUCKET_BITS = 6

export function createIndexSet(): IndexSet {
  return {
    bits: 0,
    level0: new Int32Array(0),
    level1: new Int32Array(0),
    level2: new Int32Array(0),
    inBucket: new Int32Array(1 << BUCKET_BITS),
    nextIn: new Int32Array(1 << BUCKET_BITS),
    unsorted: new Int32Array(DOZENS),
  }
}

/** Makes room for indexes below `limit`. */
export function reserveIndexes(set: IndexSet, limit: number): void {
  set.bits = 32 - Math.clz32(limit)
  if (set.level0.length * 32 >= limit) return
  const words = 32 * (1 + Math.floor(limit / 512))
  set.level0 = new Int32Array(words)
  set.level1 = new Int32Array(Math.ceil(words / 32))
  set.level2 = new Int32Array(Math.ceil(words / 1024))
}

/** Sorts `list[from .. to - 1]`. The indexes are distinct and there is room for them in `set`. */
export function sortAscending(set: IndexSet, list: Uint32Array, from: number, to: number): void {
  const count = to - from
  if (count > DOZENS) sortBySet(set, list, from, to)
  else {
    if (count > HANDFUL) sortIntoBuckets(set, list, from, to)
    insertionSort(list, from, to)
  }
}

/** `| 0`: indexes fit signed words, and the compiler knows it. */
function insertionSort(list: Uint32Array, from: number, to: number): void {
  for (let next = (from + 1) | 0; next < to; next = (next + 1) | 0) {
    const index = list[next] | 0
    let place = next
    while (place > from && (list[(place - 1) | 0] | 0) > index) {
      list[place] = list[(place - 1) | 0]
      place = (place - 1) | 0
    }
    list[place] = index
  }
}

/** A counting sort by the highest bits. The counts are cleared while they are summed up. */
function sortIntoBuckets(set: IndexSet, list: Uint32Array, from: number, to: number): void {
  const { inBucket, nextIn, unsorted } = set
  const shift = set.bits > BUCKET_BITS ? set.bits - BUCKET_BITS : 0
  const count = (to - from) | 0
  for (let i = 0; i < count; i = (i + 1) | 0) {
    const index = list[(from + i) | 0] | 0
    unsorted[i] = index
    inBucket[index >>> shift]++
  }
  let next = from
  for (let bucket = 0; bucket < 64; bucket = (bucket + 1) | 0) {
    nextIn[bucket] = next
    next = (next + inBucket[bucket]) | 0
    inBucket[bucket] = 0
  }
  for (let i = 0; i < count; i = (i + 1) | 0) {
    const index = unsorted[i]
    const place = nextIn[index >>> shift]
    nextIn[index >>> shift] = (place + 1) | 0
    list[place] = index
  }
}

function sortBySet({ level0, level1, level2 }: IndexSet, list: Uint32Array, from: number, to: number): void {
  for (let i = from; i < to; i++) {
    const index = list[i] | 0
    level0[index >>> 5] |= 1 << index
    level1[index >>> 10] |= 1 << (index >>> 5)
    level2[index >>> 15] |= 1 << (index >>> 10)
  }
  // The bits still to be read at each level, and the word each of them stands for.
  let bits0 = 0
  let bits1 = 0
  let bits2 = 0
  let word0 = 0
  let word1 = 0
  let word2 = -1
  for (let i = from; i < to; i++) {
    if (bits0 === 0) {
      if (bits1 === 0) {
        while (bits2 === 0) {
          bits2 = level2[++word2]
          level2[word2] = 0
        }
        word1 = (word2 << 5) | lowestBit(bits2)
        bits2 &= bits2 - 1
        bits1 = level1[word1]
        level1[word1] = 0
      }
      word0 = (word1 << 5) | lowestBit(bits1)
      bits1 &= bits1 - 1
      bits0 = level0[word0]
      level0[word0] = 0
    }
    list[i] = (word0 << 5) | lowestBit(bits0)
    bits0 &= bits0 - 1
  }
}

function lowestBit(bits: number): number {
  return 31 - Math.clz32(bits & -bits)
}
