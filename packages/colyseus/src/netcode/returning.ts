/**
 * Returning to a match: after a lost connection, or to another process that has taken it over.
 *
 * A mirror has the match itself. It goes on with the world it shows and the inputs it has sent, offers what it has confirmed, and
 * gets the ticks that it missed. The host compares the offered hash with its own: a mirror of another history gets the whole
 * state, as any newcomer does.
 */

import { restore } from 'hurtbox'
import { snapshotFromBytes } from 'hurtbox/tools'
import { createByteReader, createByteWriter, readByte, takeBytes } from 'hurtbox/wire'
import { noteVerified } from './blame.ts'
import { noteTick } from './clock.ts'
import { feedGap } from './event-feed.ts'
import type { Host, Peer } from './host.ts'
import { MESSAGES, writeMessage } from './messages.ts'
import { type Mirror, worldOf } from './mirror.ts'
import { notePast } from './past.ts'
import { MAX_PACKET_INPUTS } from './protocol.ts'
import type { Welcome } from './welcome.ts'

/** The message with which a mirror offers what it has; undefined when it has compared nothing yet. */
export function offerOf({ confirmed, sender, inside }: Mirror): Uint8Array | undefined {
  const { verifiedTick, verifiedHash: hash, desyncedAt } = inside
  if (hash === undefined || desyncedAt !== undefined || confirmed.memory.status !== 'ready') return undefined
  const writer = createByteWriter(32)
  writeMessage(writer, MESSAGES.offer, { nonce: sender.nonce, tick: confirmed.tick, verifiedTick, hash })
  return takeBytes(writer)
}

/**
 * The host's side: if the offer fits its own history, the peer (just added, its welcome not sent yet) gets the ticks that it
 * missed instead of the whole state. Returns whether it does.
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

/**
 * Goes on with a mirror after a new welcome. Returns false when it cannot: the welcome is for another match, or the match has
 * gone back behind what was confirmed. Then a new mirror is needed.
 */
export function resumeMirror(mirror: Mirror, welcome: Welcome, now: number): boolean {
  const { sender, confirmed, inside, clock, game, events } = mirror
  if (welcome.mode !== 'mirror' || welcome.nonce !== sender.nonce || welcome.seat !== mirror.seat) return false
  const { state } = welcome
  if (state !== undefined) {
    const theirs = worldOf(game, state)
    if (theirs === undefined || theirs.tick < confirmed.tick) return false
    const gapFrom = inside.desyncedAt === undefined ? confirmed.tick : inside.verifiedTick
    if (theirs.tick > gapFrom) feedGap(events, { from: gapFrom, to: theirs.tick })
    restore(confirmed, snapshotFromBytes(game.layout, state.snapshot))
    notePast(mirror)
    inside.held.codes.set(state.held)
    inside.verifiedTick = confirmed.tick
    inside.verifiedHash = undefined
    inside.desyncedAt = undefined
    noteVerified(inside.verified, confirmed)
    inside.hasNews = true
  }
  // The match stood still while nobody ran it, and it may be a clock of another machine.
  clock.fastest = undefined
  clock.fastestBefore = undefined
  clock.windowEndsAt = 0
  noteTick(clock, confirmed.tick, now)
  sender.fresh = Math.min(sender.open.length, MAX_PACKET_INPUTS)
  return true
}
