/**
 * Many clients in one process: real ones, through the SDK, with the game's bots at the controls.
 *
 * One timer drives them all, at the frame rate of a screen. Clients come room by room, so that a server that refuses does
 * so before hundreds are on their way.
 */

import { type GameConnection, joinGame } from '@hurtbox/colyseus/client'
import type { LoadedModule } from 'hurtbox/module'
import { botInput } from 'hurtbox/tools'

export type SwarmOptions = {
  readonly url: string
  readonly module: LoadedModule
  readonly rooms: number
  readonly clients: number
  readonly mode: 'terminal' | 'mirror' | undefined
}

export type Swarm = {
  readonly connections: readonly GameConnection[]
  stop(): Promise<void>
}

const FRAME_MS = 1000 / 60
const ROOMS_AT_ONCE = 5

export async function startSwarm(options: SwarmOptions, say: (line: string) => void): Promise<Swarm> {
  const { module, rooms, clients } = options
  const connections: GameConnection[] = []
  const timer = setInterval(() => {
    const now = performance.now()
    for (const [i, connection] of connections.entries()) {
      const bot = module.botOf(connection.seat)
      connection.update(now, (_tick, world) => (bot === undefined ? {} : botInput(bot, world, connection.seat, i)))
    }
  }, FRAME_MS)
  const stop = async () => {
    clearInterval(timer)
    await Promise.allSettled(connections.map((connection) => connection.leave()))
  }
  try {
    for (let room = 0; room < rooms; room += ROOMS_AT_ONCE) {
      say(`joining: room ${room + 1} of ${rooms}`)
      await Promise.all(Array.from({ length: Math.min(ROOMS_AT_ONCE, rooms - room) }, openRoom))
    }
  } catch (error) {
    await stop()
    throw error
  }
  return { connections, stop }

  async function openRoom(): Promise<void> {
    const first = await join(options, { create: true })
    connections.push(first)
    const others = Array.from({ length: clients - 1 }, () => join(options, { roomId: first.room.roomId }))
    connections.push(...(await Promise.all(others)))
  }
}

async function join({ url, module, mode }: SwarmOptions, where: { create: true } | { roomId: string }) {
  const connection = await joinGame(url, module.game, { ...where, ...(mode && { mode }) })
  await connection.whenPlaying()
  return connection
}
