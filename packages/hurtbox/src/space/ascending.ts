/**
 * Bringing a handful of distinct indexes into ascending order, without comparing them.
 *
 * Each index sets one bit in a set, and the set is then read from its lowest bit up. Two coarser levels, one bit per word
 * below, let the reader jump over what is empty. The work grows with the number of indexes alone: no bad order of
 * input, no recursion, no allocation. Below a dozen an insertion sort is quicker, and used.
 */

/** All words are zero between calls. Level `n` has a bit for each word of level `n - 1` that is not zero. */
export type IndexSet = {
  level0: Int32Array
  level1: Int32Array
  level2: Int32Array
}

const FEW = 12

export function createIndexSet(): IndexSet {
  return { level0: new Int32Array(0), level1: new Int32Array(0), level2: new Int32Array(0) }
}

/** Makes room for indexes below `limit`. */
export function reserveIndexes(set: IndexSet, limit: number): void {
  if (set.level0.length * 32 >= limit) return
  const words = 32 * (1 + Math.floor(limit / 512))
  set.level0 = new Int32Array(words)
  set.level1 = new Int32Array(Math.ceil(words / 32))
  set.level2 = new Int32Array(Math.ceil(words / 1024))
}

/** Sorts `list[from .. to - 1]`. The indexes are distinct and there is room for them in `set`. */
export function sortAscending(set: IndexSet, list: Uint32Array, from: number, to: number): void {
  if (to - from <= FEW) insertionSort(list, from, to)
  else sortBySet(set, list, from, to)
}

function insertionSort(list: Uint32Array, from: number, to: number): void {
  for (let next = from + 1; next < to; next++) {
    const index = list[next]
    let place = next
    while (place > from && list[place - 1] > index) {
      list[place] = list[place - 1]
      place--
    }
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
