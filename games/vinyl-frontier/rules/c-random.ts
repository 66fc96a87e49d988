/**
 * The random numbers of the original's C library, so that a seed gives the asteroids it gave there.
 *
 * The usual additive generator: 31 words started by a multiplicative one, then each the sum of two earlier ones.
 * It is only needed while a world is set up, so it is no state.
 */

const WORDS = 34
const DISCARDED = 310
const MODULUS = 2147483647

/** Numbers from 0 to 1, both included, in steps of 1 / (2³¹ − 1). */
export function cRandom(seed: number): () => number {
  const words = [seed >>> 0]
  let previous = seed | 0
  for (let i = 1; i < 31; i++) {
    // 16807 · previous modulo 2³¹ − 1 without leaving 32 bits (Schrage).
    const high = Math.trunc(previous / 127773)
    previous = 16807 * (previous - high * 127773) - 2836 * high
    if (previous < 0) previous += MODULUS
    words.push(previous >>> 0)
  }
  for (let i = 31; i < WORDS; i++) words.push(words[i - 31])
  let at = WORDS
  const next = (): number => {
    const word = (words[at - 3] + words[at - 31]) >>> 0
    words.push(word)
    at++
    return word >>> 1
  }
  for (let i = 0; i < DISCARDED; i++) next()
  return () => next() / MODULUS
}
