/** Clients: they play, and look for their room when they have lost it. */

import { type AnyWorld, botInput } from 'hurtbox/tools'
import { advanceMirror } from '../../src/client/mirror/mirror.ts'
import { askLater, isHopeless } from '../../src/client/return.ts'
import { advanceTerminal, showTerminal } from '../../src/client/terminal/terminal.ts'
import { receive } from '../../src/host/receive.ts'
import type { Mode } from '../../src/protocol/protocol.ts'
import { whimsical } from '../support.ts'
import { latency, lose, openLine, sendUp } from './lines.ts'
import { ID, type System, type SystemClient } from './parts.ts'
import { admit } from './rooms.ts'
import { ask } from './store.ts'
import { chance, later, oneOf } from './time.ts'

const FRAME_MS = 50
const LINE_SILENT_MS = 1_500

export function createClient(seed: number, number: number, mode: Mode): SystemClient {
  return {
    number,
    mode,
    seat: number,
    token: `first token ${seed} ${number}`,
    oldTokens: [],
    line: undefined,
    returning: undefined,
    isAsking: false,
    heardAt: 0,
    mirror: undefined,
    terminal: undefined,
    seenTick: 0,
    seen: new Map(),
    returns: 0,
    clockSkew: 0,
  }
}

/** One frame, and all those after it. */
export function frame(system: System, client: SystemClient): void {
  const { time, problems } = system
  later(system, FRAME_MS, undefined, () => frame(system, client))
  play(system, client)
  const { line } = client
  if (line !== undefined && time.now - client.heardAt > LINE_SILENT_MS) {
    line.isOpen = false
    lose(system, line)
  }
  if (
    client.returning === undefined ||
    client.isAsking ||
    client.line !== undefined ||
    time.now < client.returning.nextAt
  )
    return
  if (isHopeless(client.returning, time.now)) {
    problems.push(`client ${client.number} gave up at ${time.now.toFixed(0)} ms`)
    client.returning = undefined
    return
  }
  seekRoom(system, client, client.token)
}

function play(system: System, client: SystemClient): void {
  const { line, mirror, terminal } = client
  const clock = system.time.now + client.clockSkew
  const think = (_tick: number, world: AnyWorld) => botInput(whimsical, world, client.seat, system.time.seed)
  if (mirror !== undefined) advanceMirror(mirror, clock, think)
  else if (terminal !== undefined) {
    showTerminal(terminal, clock)
    advanceTerminal(terminal, clock, think)
  }
  for (const message of (mirror ?? terminal)?.outbox.splice(0) ?? []) {
    if (line === undefined) continue
    const arrive = () => {
      const seat = line.room.seats.find((each) => each.line === line)
      if (seat?.peer !== undefined && line.room.isOpen) receive(line.room.host, seat.peer, message)
    }
    sendUp(system, line, arrive)
    if (chance(system) < 0.02) sendUp(system, line, arrive)
  }
}

/** Through matchmaking, at any process. */
export function seekRoom(system: System, client: SystemClient, token: string): void {
  const { time, slots, store } = system
  client.isAsking = true
  const { returning } = client
  const through = oneOf(system, slots)
  const inVain = () => {
    if (client.returning !== returning || client.line !== undefined || !client.isAsking) return
    client.isAsking = false
    if (returning !== undefined) askLater(returning, time.now, chance(system))
  }
  // No answer at all: a process that is stopped, or dies meanwhile.
  later(system, 1_000, undefined, inVain)
  if (!through.isAlive) {
    later(system, 2, undefined, inVain)
    return
  }
  const readOwner = () => store.matches.get(ID)?.owner
  later(system, latency(system), through, () => {
    ask(system, through, readOwner, (error, owner) => {
      const process = slots.find(({ id }) => id === owner)
      const room = [...(process?.rooms ?? [])].find(({ isOpen }) => isOpen)
      if (error !== undefined || process === undefined || room === undefined) {
        later(system, latency(system), undefined, inVain)
        return
      }
      later(system, latency(system), process, () => {
        if (client.returning !== returning || client.line !== undefined) return
        const line = openLine(system, client, room)
        // An intruder has no place in which a line could stand.
        if (client.number >= 0) {
          client.line = line
          client.heardAt = time.now
        }
        admit(system, line, token)
      })
    })
  })
}
