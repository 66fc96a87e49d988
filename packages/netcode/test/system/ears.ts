/** What clients make of what they are told. */

import { receiveAtMirror } from '../../src/client/mirror/confirm.ts'
import { offerOf, resumeMirror } from '../../src/client/mirror/returning.ts'
import { createMirror } from '../../src/client/mirror/state.ts'
import { askLater } from '../../src/client/return.ts'
import { createTerminal, receiveAtTerminal } from '../../src/client/terminal/terminal.ts'
import { MESSAGES, readMessage } from '../../src/protocol/messages.ts'
import { tag } from '../support.ts'
import { sendUp } from './lines.ts'
import type { Line, System, SystemClient } from './parts.ts'
import { settleSeat } from './seats.ts'
import { chance } from './time.ts'

/** The room did not let the client in, or is closed. */
export function refused(system: System, line: Line): void {
  const { client, room } = line
  line.isOpen = false
  if (client.returning !== undefined && room.isOpen) client.returning.refused++
  if (client.line === line) client.line = undefined
  client.isAsking = false
  if (client.returning !== undefined) askLater(client.returning, system.time.now, chance(system))
}

/** The client is let in, and gets a new token. */
export function joined(system: System, line: Line, token: string): void {
  const { client } = line
  if (client.number < 0) {
    system.problems.push('an intruder got a seat')
    return
  }
  client.oldTokens.push(client.token)
  client.token = token
  client.heardAt = system.time.now
  const offer = client.mirror && offerOf(client.mirror)
  sendUp(system, line, () => settleSeat(line, offer))
}

export function hear(system: System, client: SystemClient, message: Uint8Array): void {
  const { now } = system.time
  const clock = now + client.clockSkew
  client.heardAt = now
  if (message[0] === MESSAGES.welcome.kind) welcome(system, client, message)
  else if (client.mirror !== undefined) receiveAtMirror(client.mirror, message, clock)
  else if (client.terminal !== undefined) receiveAtTerminal(client.terminal, message, clock)
  noteSeen(client)
}

function welcome({ time, problems }: System, client: SystemClient, message: Uint8Array): void {
  const clock = time.now + client.clockSkew
  if (client.returning !== undefined) client.returns++
  client.returning = undefined
  client.isAsking = false
  if (client.mode === 'terminal') client.terminal = createTerminal(tag, message)
  else if (client.mirror === undefined) client.mirror = createMirror(tag, message, clock)
  else if (!resumeMirror(client.mirror, readMessage(message, MESSAGES.welcome, tag)!, clock)) {
    problems.push(`client ${client.number} could not go on with its mirror`)
    client.mirror = createMirror(tag, message, clock)
  }
}

function noteSeen(client: SystemClient): void {
  const { mirror, terminal } = client
  const tick = mirror?.confirmed.tick ?? terminal?.frames.at(-1)?.tick ?? 0
  client.seenTick = Math.max(client.seenTick, tick)
  const { verifiedTick = 0, verifiedHash } = mirror?.inside ?? {}
  if (verifiedHash !== undefined) client.seen.set(verifiedTick, verifiedHash)
}
