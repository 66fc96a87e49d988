/** Minutes of real time: a server process with log, replays and metrics, and clients through the SDK that come and go. */

import type { ChildProcess } from 'node:child_process'
import { type GameConnection, joinGame } from '@hurtbox/colyseus/client'
import { botInput } from 'hurtbox/tools'
import jetRaiders from '../../games/jet-raiders/index.ts'
import { askChild, messageOf, startChild } from '../child.ts'
import { createSamples, type SoakReport, type SoakWatch } from './samples.ts'

const CLIENTS = 4
const FRAME_MS = 1000 / 60

export type ServerState = {
  readonly liveBytes: number
  readonly handles: number
  readonly ticks: number
  readonly fileBytes: number
}

export async function soakReal(minutes: number, { say }: SoakWatch): Promise<SoakReport> {
  const child = startChild(new URL('./server.ts', import.meta.url))
  try {
    const { url } = (await messageOf(child)) as { url: string }
    return await play(url, child, minutes, say)
  } finally {
    child.kill('SIGKILL')
  }
}

async function play(
  url: string,
  child: ChildProcess,
  minutes: number,
  say: (line: string) => void,
): Promise<SoakReport> {
  const { game, bots = [] } = jetRaiders
  const samples = createSamples()
  const connections: GameConnection[] = []
  let [hashChecks, mismatches, lost, joined] = [0, 0, 0, 0]
  const enter = async () => {
    const mode = joined % 2 === 0 ? 'mirror' : 'terminal'
    const where = connections[0] && { roomId: connections[0].room.roomId }
    const connection = await joinGame(url, game, { name: `client ${joined++}`, mode, ...where })
    await connection.whenPlaying()
    connections.push(connection)
  }
  const note = ({ mirror, status }: GameConnection) => {
    hashChecks += mirror?.stats.hashChecks ?? 0
    mismatches += mirror?.stats.mismatches ?? 0
    if (status !== 'playing') lost++
  }
  for (let i = 0; i < CLIENTS; i++) await enter()
  const timer = setInterval(() => {
    const now = performance.now()
    for (const connection of connections) {
      const bot = bots[connection.seat % bots.length]
      connection.update(now, (_tick, world) => botInput(bot, world, connection.seat, 1))
    }
  }, FRAME_MS)
  const started = performance.now()
  const pauseMs = Math.min(10_000, (minutes * 60_000) / 20)
  let state: ServerState | undefined
  while (performance.now() - started < minutes * 60_000) {
    await new Promise((resolve) => setTimeout(resolve, pauseMs))
    // One goes, another comes: seats, sockets and worlds of clients are given back.
    const gone = connections.splice(1, 1)[0]
    note(gone)
    await gone.leave()
    await enter()
    state = (await askChild(child, 'read')) as ServerState
    samples.take(state)
    say(`${((performance.now() - started) / 60_000).toFixed(1)} of ${minutes} minutes: ${samples.describe()}`)
  }
  clearInterval(timer)
  for (const connection of connections) note(connection)
  await Promise.allSettled(connections.map((connection) => connection.leave()))
  const { ticks = 0, fileBytes = 0 } = state ?? {}
  return { ...samples.growth(), ticks, hashChecks, mismatches, fileBytes, lost }
}
