/** The host's half of finding the phase that made a state differ: it compares a mirror's trail with its own. */

import { snapshot } from 'hurtbox'
import { createTwin, type EncodedInputs, inputsAt, replayTo, retrace } from 'hurtbox/tools'
import type { BlamedState, Trail } from '../protocol/blame.ts'
import { shortHash } from '../protocol/short-hash.ts'
import type { Host } from './state.ts'

/** Seconds between two trails that a host looks at: it steps some hundred ticks for one. */
const EVERY_SECONDS = 30

/** Whether the host looks at a trail now. */
export function mayBlame({ inside, world, game }: Host): boolean {
  return world.tick - inside.blamedAt >= EVERY_SECONDS * game.declaration.tickRate
}

/** The host's state at the first place where its own trail is another; undefined when there is none, or it lies too far back. */
export function findBlamed(host: Host, { from, hashes }: Trail): BlamedState | undefined {
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
