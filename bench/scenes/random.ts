/**
 * The benchmark's own random numbers, so that its inputs never change when the engine's generator does:
 * a figure from last year stays comparable with one from today. Golden checksums in the tests hold that.
 */

export type Random = () => number

/** Uniform in [0, 1), 32 bits of resolution. The generator is "mulberry32". */
export function createRandom(seed: number): Random {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}

/** A hash of two integers, uniform over 32 bits: chance that must not depend on the order of the questions. */
export function hash2(a: number, b: number): number {
  let mixed = Math.imul(a ^ 0x9e3779b9, 0x85ebca6b) ^ Math.imul(b ^ 0x7f4a7c15, 0xc2b2ae35)
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x2c1b3c6d)
  mixed = Math.imul(mixed ^ (mixed >>> 12), 0x297a2d39)
  return (mixed ^ (mixed >>> 15)) >>> 0
}

/**
 * Rounds to 1/64 px. Every position and velocity of the scenes lies on this lattice: sums of such numbers are exact in
 * single precision up to 262,144 px, so a peer that computes in f32 integrates without drift and is judged by
 * its overlap test alone.
 */
export function onLattice(value: number): number {
  return Math.round(value * 64) / 64
}

/**
 * A radius half way between two lattice points. The sum of two such radii is an odd multiple of 1/128 px and no distance on
 * the lattice has an odd square there, so no two things of a scene ever touch exactly: whether a peer counts touching as
 * overlap cannot matter.
 */
export function offLattice(value: number): number {
  return Math.floor(value * 64) / 64 + 1 / 256
}
