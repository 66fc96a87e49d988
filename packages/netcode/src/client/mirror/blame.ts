/** A mirror's half of finding the phase that made its state differ: the trail it sends, and the comparison with the host's state. */

import { restore, snapshot } from 'hurtbox'
import {
  type AnyGame,
  type AnyWorld,
  createEmptyWorld,
  type Difference,
  diffWorlds,
  type EncodedInputs,
  type PhasePlace,
  retrace,
  type Snapshot,
  snapshotFromBytes,
} from 'hurtbox/tools'
import { type BlamedState, MAX_TRAIL, type Trail } from '../../protocol/blame.ts'
import { shortHash } from '../../protocol/short-hash.ts'

/** What came out differently first, and where. */
export type Blame = PhasePlace & { readonly differences: readonly Difference[] }

/** The last state that was right, and what came since. */
export type Verified = { readonly state: Snapshot; tick: number; readonly inputs: EncodedInputs[] }

/** No more ticks are kept than this: hashes come far more often. */
const MAX_TICKS = 128
export function createVerified(confirmed: AnyWorld): Verified {
  return { state: snapshot(confirmed), tick: confirmed.tick, inputs: [] }
}

/** The state of `confirmed` is right. */
export function noteVerified(verified: Verified, confirmed: AnyWorld): void {
  snapshot(confirmed, verified.state)
  verified.tick = confirmed.tick
  verified.inputs.length = 0
}

/** These inputs are confirmed next. */
export function noteInputs({ inputs: kept }: Verified, inputs: EncodedInputs): void {
  if (kept.length === MAX_TICKS) return
  const { controls, count, seats, codes } = inputs
  kept.push({ controls: [...controls], count, seats: seats.slice(), codes: codes.slice() })
}

/** The mirror's trail since the last state that was right. */
export function trailOf(game: AnyGame, options: object, verified: Verified): Trail {
  const hashes: number[] = []
  const note = (world: AnyWorld) => {
    hashes.push(shortHash(world))
    return hashes.length === MAX_TRAIL
  }
  walk(game, options, verified, note)
  return { from: verified.tick, hashes }
}

/** What differs between the mirror's state and the host's at a place; undefined when nothing does, or it is no state of this game. */
export function compareAt(game: AnyGame, options: object, verified: Verified, theirs: BlamedState): Blame | undefined {
  const { tick, phase } = theirs
  const host: AnyWorld = createEmptyWorld(game, { options } as never)
  try {
    restore(host, snapshotFromBytes(game.layout, theirs.snapshot))
  } catch {
    return undefined
  }
  let blame: Blame | undefined
  walk(game, options, verified, (world, place) => {
    if (place.tick !== tick || place.phase !== phase) return false
    const differences = diffWorlds(world, host, 16)
    if (differences.length > 0) blame = { tick, phase, differences }
    return true
  })
  return blame
}

/** Steps the ticks since the last state that was right. */
function walk(
  game: AnyGame,
  options: object,
  { state, tick, inputs }: Verified,
  note: (world: AnyWorld, place: PhasePlace) => boolean,
): void {
  const world: AnyWorld = createEmptyWorld(game, { options } as never)
  restore(world, state)
  const inputsOf = (at: number, into: EncodedInputs) => Object.assign(into, inputs[at - tick])
  try {
    retrace(world, tick + inputs.length, inputsOf, (place) => note(world, place))
  } catch {
    // Rules may throw in a world that has diverged; what was noted until then counts.
  }
}
