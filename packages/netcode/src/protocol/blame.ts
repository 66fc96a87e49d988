/**
 * What two ends of a match send each other about a state that differs.
 *
 * A mirror knows the last state whose hash was right and the inputs since. It steps these ticks once more and sends a hash of
 * the state after every phase: its trail. The host does the same; where the two part, it sends its state at that place, and the mirror
 * says which row and column came out differently. What does not show again (one wrong bit in memory) has no phase.
 */

import type { PhasePlace } from 'hurtbox/tools'

/** Hashes of the states from tick `from` on: 32 bits each, before the first phase of a tick, after each, and at its end. */
export type Trail = { readonly from: number; readonly hashes: readonly number[] }

/** A state of the host within a tick. */
export type BlamedState = PhasePlace & { readonly snapshot: Uint8Array }

export const NO_TRAIL: Trail = { from: 0, hashes: [] }

/** Hashes in one trail: what fits into a message of a client. */
export const MAX_TRAIL = 700
