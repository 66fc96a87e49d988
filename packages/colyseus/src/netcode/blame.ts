/**
 * Which phase did it? What two ends of a match find out about a state that differs.
 *
 * A mirror knows the last state whose hash was right and the inputs since. It steps these ticks once more and sends a hash of
 * the state after every phase. The host does the same; where the two part, it sends its state at that place, and the mirror
 * says which row and column came out differently. What does not show again (one wrong bit in memory) has no phase.
 */

import { restore, snapshot } from 'hurtbox'
import {
  type AnyGame,
  type AnyWorld,
  createEmptyWorld,
  createTwin,
  type Difference,
  diffWorlds,
  type EncodedInputs,
  inputsAt,
  type PhasePlace,
  replayTo,
  retrace,
  type Snapshot,
  snapshotFromBytes,
} from 'hurtbox/tools'
import type { Host } from './host.ts'
import { shortHash } from './screens/short-hash.ts'

/** Hashes of the states on the way from tick `from` on: 32 bits each, before the first phase of a tick, after each, and at its end. */
export type Way = { readonly from: number; readonly hashes: readonly number[] }

/** A state of the host on the way through a tick. */
export type BlamedState = PhasePlace & { readonly snapshot: Uint8Array }

/** What came out differently first, and where. */
export type Blame = PhasePlace & { readonly differences: readonly Difference[] }

/** The last state that was right, and what came since. */
export type Verified = { readonly state: Snapshot; tick: number; readonly inputs: EncodedInputs[] }

export const NO_WAY: Way = { from: 0, hashes: [] }

/** Hashes in one way: what fits into a message of a client. */
export const MAX_WAY = 700
/** No more ticks are kept than this: hashes come far more often. */
const MAX_TICKS = 128
/** Seconds between two ways that a host looks at: it steps some hundred ticks for one. */
const EVERY_SECONDS = 30

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

/** The mirror's way since the last state that was right. */
export function wayOf(game: AnyGame, options: object, verified: Verified): Way {
  const hashes: number[] = []
  const note = (world: AnyWorld) => {
    hashes.push(shortHash(world))
    return hashes.length === MAX_WAY
  }
  walk(game, options, verified, note)
  return { from: verified.tick, hashes }
}

/** Whether the host looks at a way now. */
export function mayBlame({ inside, world, game }: Host): boolean {
  return world.tick - inside.blamedAt >= EVERY_SECONDS * game.declaration.tickRate
}

/** The host's state at the first place where its own way is another; undefined when there is none, or it lies too far back. */
export function findBlamed(host: Host, { from, hashes }: Way): BlamedState | undefined {
  const { session, world: present, inside } = host
  if (from < session.log.from || from >= present.tick) return undefined
  inside.blamedAt = present.tick
  const world = createTwin(session)
  replayTo(session, world, from)
  let at = 0
  let found: BlamedState | undefined
  const inputsOf = (tick: number, into: EncodedInputs) => inputsAt(session.log, tick, into)
  retrace(world, present.tick, inputsOf, (place) => {
    if (at === hashes.length) return true
    if (shortHash(world) === hashes[at++]) return false
    const { bytes, byteLength } = snapshot(world)
    found = { ...place, snapshot: bytes.slice(0, byteLength) }
    return true
  })
  return found
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
