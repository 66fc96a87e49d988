/** Chance for decoration: a small generator, so that two runs look the same. Rules use the world's streams. */

export type Chance = { chance: number }

/** 0 up to but not 1. */
export function chance(from: Chance): number {
  from.chance = (Math.imul(from.chance, 1664525) + 1013904223) >>> 0
  return from.chance / 4294967296
}
