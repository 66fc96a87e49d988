/**
 * The host's answer to a mirror that returns.
 *
 * One that was on another connection offers a hash, and the host compares it with its own: a mirror of the same history gets the ticks that
 * it missed, one of another history the whole state, as any newcomer does. One that was away on its own connection, and may not have noticed,
 * says with its inputs up to where it has the match; those ticks were sent to it from here, so nothing has to be compared.
 */

import { createByteReader, readByte } from 'hurtbox/wire'
import { MESSAGES } from '../protocol/messages.ts'
import type { Host, Peer } from './state.ts'
import { queueWelcome } from './updates.ts'

/**
 * If the message fits the host's history, the peer (just added, its welcome not sent yet) gets the ticks that it missed instead of the
 * whole state. Returns whether it does.
 */
export function acceptOffer(host: Host, peer: Peer, message: Uint8Array): boolean {
  const { recentFrom } = host.inside
  const from = peer.mode === 'mirror' ? firstMissing(host, message) : undefined
  if (from === undefined || from < recentFrom || from > host.world.tick) return false
  peer.outbox.length = 0
  // It goes on reporting what it shows, if it did.
  queueWelcome(host, peer, false, undefined)
  peer.nextTick = from
  return true
}

/** The first tick that the sender of the message does not have; undefined when it is not known to have the match of this host. */
function firstMissing({ nonce, game, inside }: Host, message: Uint8Array): number | undefined {
  const reader = createByteReader(message)
  const kind = readByte(reader)
  if (kind === MESSAGES.inputs.kind) {
    const packet = MESSAGES.inputs.read(reader, { layout: game.input, idle: inside.held.idle })
    return packet?.nonce === nonce ? packet.received : undefined
  }
  const offer = kind === MESSAGES.offer.kind ? MESSAGES.offer.read(reader) : undefined
  if (offer?.nonce !== nonce || offer.verifiedTick > offer.tick) return undefined
  const isSame = inside.hashes.some(({ tick, hash }) => tick === offer.verifiedTick && hash === offer.hash)
  return isSame ? offer.tick : undefined
}
