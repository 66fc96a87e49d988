/**
 * The host's answer to a mirror that returns.
 *
 * It compares the offered hash with its own: a mirror of the same history gets the ticks that it missed, one of another history the
 * whole state, as any newcomer does.
 */

import { createByteReader, readByte, takeBytes } from 'hurtbox/wire'
import { MESSAGES, writeMessage } from '../protocol/messages.ts'
import type { Host, Peer } from './state.ts'

/**
 * If the offer fits the host's history, the peer (just added, its welcome not sent yet) gets the ticks that it missed instead of the
 * whole state. Returns whether it does.
 */
export function acceptOffer(host: Host, peer: Peer, message: Uint8Array): boolean {
  const reader = createByteReader(message)
  const offer = readByte(reader) === MESSAGES.offer.kind ? MESSAGES.offer.read(reader) : undefined
  const { recentFrom, hashes, bytes } = host.inside
  if (offer === undefined || offer.nonce !== host.nonce || peer.mode !== 'mirror') return false
  if (offer.tick < recentFrom || offer.tick > host.world.tick || offer.verifiedTick > offer.tick) return false
  const isSame = hashes.some(({ tick, hash }) => tick === offer.verifiedTick && hash === offer.hash)
  if (!isSame) return false
  const { nonce, session, game } = host
  const terminal = { every: host.terminal.scheme.every }
  const about = { nonce, mode: peer.mode, seat: peer.seat, game, setup: session.setup, terminal }
  // It goes on reporting what it shows, if it did.
  const welcome = { ...about, tracked: false, state: undefined }
  writeMessage(bytes, MESSAGES.welcome, welcome, game)
  peer.outbox.splice(0, peer.outbox.length, takeBytes(bytes))
  peer.nextTick = offer.tick
  return true
}
