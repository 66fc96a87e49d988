/**
 * A mirror that returns to its match, after a lost connection or to another process that has taken the match over.
 *
 * It has the match itself. It goes on with the world it shows and the inputs it has sent, offers what it has confirmed, and gets
 * the ticks that it missed.
 */

import { restore } from 'hurtbox'
import { snapshotFromBytes } from 'hurtbox/tools'
import { createByteWriter, takeBytes } from 'hurtbox/wire'
import { MESSAGES, writeMessage } from '../../protocol/messages.ts'
import { MAX_PACKET_INPUTS } from '../../protocol/protocol.ts'
import type { Welcome } from '../../protocol/welcome.ts'
import { noteTick } from '../clock.ts'
import { noteVerified } from './blame.ts'
import { hostWorld, skipMissed } from './confirm.ts'
import { feedGap } from './event-feed.ts'
import { notePast } from './past.ts'
import type { Mirror } from './state.ts'

/** The message with which a mirror offers what it has; undefined when it has compared nothing yet. */
export function offerOf({ confirmed, sender, inside }: Mirror): Uint8Array | undefined {
  const { verifiedTick, verifiedHash: hash, desyncedAt } = inside
  if (hash === undefined || desyncedAt !== undefined || confirmed.memory.status !== 'ready') return undefined
  const writer = createByteWriter(32)
  writeMessage(writer, MESSAGES.offer, { nonce: sender.nonce, tick: confirmed.tick, verifiedTick, hash })
  return takeBytes(writer)
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
    const theirs = hostWorld(game, state)
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
    skipMissed(mirror)
  }
  // The match stood still while nobody ran it, and it may be a clock of another machine.
  clock.fastest = undefined
  clock.fastestBefore = undefined
  clock.windowEndsAt = 0
  noteTick(clock, confirmed.tick, now)
  sender.fresh = Math.min(sender.open.length, MAX_PACKET_INPUTS)
  return true
}
