/** Chance for tests, by a small generator of their own: they must not depend on what they test. */

/** Gives numbers from 0 up to but not 1. */
export type Random = () => number

/** Mulberry32. */
export function createRandom(seed: number): Random {
  let state = seed | 0
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}

/** The same, with seeds that are counted up thrown far apart first. */
export function randomOf(seed: number): Random {
  return createRandom(Math.imul(seed, 0x9e3779b9))
}
