/** Lines between clients and rooms. */

import { startReturn } from '../../src/client/return.ts'
import type { Line, OwnedRoom, System, SystemClient } from './parts.ts'
import { between, runAt } from './time.ts'

export function latency(system: System): number {
  return between(system, 3, 40)
}

export function openLine({ time: { now } }: System, client: SystemClient, room: OwnedRoom): Line {
  return { client, room, isOpen: true, downAt: now, upAt: now }
}

export function sendDown(system: System, line: Line, arrive: () => void): void {
  line.downAt = Math.max(line.downAt, system.time.now + latency(system))
  runAt(system, line.downAt, undefined, () => {
    if (line.isOpen) arrive()
  })
}

export function sendUp(system: System, line: Line, arrive: () => void): void {
  line.upAt = Math.max(line.upAt, system.time.now + latency(system))
  runAt(system, line.upAt, line.room.process, () => {
    if (line.isOpen) arrive()
  })
}

/** The room closes a line in good order: what was said before arrives. */
export function closeLine(system: System, line: Line): void {
  sendDown(system, line, () => {
    line.isOpen = false
    lose(system, line)
  })
}

/** The room is gone, or its process. What is on its way still arrives. */
export function closeLines(system: System, { seats }: OwnedRoom): void {
  for (const { line } of seats) if (line?.isOpen) closeLine(system, line)
}

/** The client has noticed that its line is gone, and looks for its room again. */
export function lose({ time }: System, line: Line): void {
  const { client } = line
  if (client.line !== line) return
  client.line = undefined
  client.returning ??= startReturn(time.now, 60)
  client.isAsking = false
}
