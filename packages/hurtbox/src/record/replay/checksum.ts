/**
 * Checksums: what a state was, in a few bytes, to compare a replay with.
 *
 * The hash of the whole state shows whether a replay went the same way. If it did not, a piece of the hash of each part
 * (header, arrays, every table) shows where to look, so a divergence names the table even without a keyframe.
 */

import { HurtboxError } from '../../base/errors.ts'
import { hashTables, hashWorld } from '../../state/hash.ts'
import type { AnyGame } from '../../world/game.ts'
import type { AnyWorld } from '../../world/world.ts'

export type Checksum = {
  /** The state is the one before this tick runs. */
  readonly tick: number
  /** `hashWorld` of it: 16 hexadecimal digits. */
  readonly hash: string
  /** The first 8 digits of the hash of each part, in the order of `partNames`. */
  readonly parts: readonly string[]
}

export const PART_DIGITS = 8

/**
 * Stands for the hash of a state with a number that is not finite: such a state has no hash, because its bits differ between
 * engines. The match can be saved all the same: people want to report such a match.
 */
export const NOT_FINITE = 'f'.repeat(16)

/** The parts of the state that have a hash of their own. */
export function partNames(game: AnyGame): string[] {
  // No table can have one of the first two names: `declareGame` refuses them.
  return ['header', 'arrays', ...game.layout.tableNames]
}

export function checksumOf(world: AnyWorld): Checksum {
  const names = partNames(world.game)
  try {
    const hashes = hashTables(world)
    const parts = names.map((name) => hashes[name].slice(0, PART_DIGITS))
    return { tick: world.tick, hash: hashWorld(world), parts }
  } catch (error) {
    if (!(error instanceof HurtboxError && error.code === 'not-finite')) throw error
    return { tick: world.tick, hash: NOT_FINITE, parts: names.map(() => NOT_FINITE.slice(0, PART_DIGITS)) }
  }
}
