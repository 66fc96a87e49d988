/** What a host does with a message of a peer. */

import { createByteReader, readByte } from 'hurtbox/wire'
import type { Trail } from '../protocol/blame.ts'
import { MESSAGES } from '../protocol/messages.ts'
import { MAX_CLIENT_MESSAGE, SPECTATOR } from '../protocol/protocol.ts'
import { takePacket } from './inputs.ts'
import type { Host, Peer } from './state.ts'

const MAX_DIFFERENCES = 8
const SCREENS_PER_SECOND = 4
const SCREEN_BURST = 16

/** A message of a peer. An invalid one is only counted as malformed. */
export function receive(host: Host, peer: Peer, message: Uint8Array): void {
  const reader = createByteReader(message)
  const kind = message.length <= MAX_CLIENT_MESSAGE ? readByte(reader) : 0
  const { inputs, desync, difference, screens } = MESSAGES
  switch (kind) {
    case inputs.kind: {
      const packet = inputs.read(reader, { layout: host.game.input, idle: host.inside.held.idle })
      if (packet?.nonce === host.nonce) takePacket(host, peer, packet)
      else if (packet === undefined || packet.nonce !== host.options.nonceBefore) peer.counts.malformed++
      return
    }
    case desync.kind: {
      const trail = desync.read(reader)
      if (trail === undefined) peer.counts.malformed++
      else askForState(host, peer, trail)
      return
    }
    case difference.kind: {
      const text = difference.read(reader)
      if (text === undefined || !peer.owesDifference) peer.counts.malformed++
      else noteDifference(peer, text)
      peer.owesDifference = false
      return
    }
    case screens.kind: {
      const report = screens.read(reader)
      const { onScreens } = host.options
      if (report === undefined || onScreens === undefined || peer.seat === SPECTATOR) peer.counts.malformed++
      else if (mayReport(host, peer)) {
        peer.screenReports++
        onScreens(peer, report)
      }
      return
    }
    default:
      peer.counts.malformed++
  }
}

/** Reports come twice a second. Many more would only fill the disk. */
function mayReport({ world, game }: Host, { cameAt, screenReports }: Peer): boolean {
  const seconds = (world.tick - cameAt) / game.declaration.tickRate
  return screenReports < SCREEN_BURST + SCREENS_PER_SECOND * seconds
}

function askForState(host: Host, peer: Peer, trail: Trail): void {
  host.totals.desyncs++
  peer.wantsState = true
  peer.trail = trail
}

function noteDifference({ differences }: Peer, text: string): void {
  if (differences.push(printable(text)) > MAX_DIFFERENCES) differences.shift()
}

/** Text from strangers goes into logs: plain characters only. */
function printable(text: string): string {
  return text.replace(/[^\x20-\x7e]/g, '?').slice(0, 256)
}
