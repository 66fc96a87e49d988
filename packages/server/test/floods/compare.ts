/**
 * Does a match notice a flood? Two servers with the same match, and a sink. By turns the attacker floods the one server, and the sink
 * while the other server plays. The machine has the same work both times; what is left is what the flood does to the server.
 */

import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { networkInterfaces } from 'node:os'
import { fileURLToPath } from 'node:url'
import { metricOf, reserve, type ServerProcess, startServerProcess } from '../support.ts'
import type { Flood } from './attack.ts'

export type Comparison = {
  readonly flood: Flood
  /** Ticks of those that were due, 0 to 1: of the server that is flooded, and of the one beside the sink. */
  readonly flooded: number
  readonly beside: number
}

export type ComparePlan = { readonly rounds: number; readonly ms: number }

export const hasIPv6: boolean = Object.values(networkInterfaces()).some((addresses) =>
  addresses?.some(({ address }) => address === '::1'),
)

/** Seats and rooms without a limit would be another flood; those are as an operator has them. */
const LIMITS = { load: 10, loopDelayMs: 60_000 }

export async function compareFlood(flood: Flood, { rounds, ms }: ComparePlan): Promise<Comparison> {
  const host = flood === 'ipv6' ? '::1' : '127.0.0.1'
  const servers = await Promise.all(
    [0, 1].map(() => startServerProcess({ limits: LIMITS, ...(host === '::1' && { host }) })),
  )
  const sink = fork(fileURLToPath(new URL('sink.ts', import.meta.url)), [host])
  try {
    const [{ port }] = (await once(sink, 'message')) as [{ port: number }]
    for (const server of servers) await reserve(server, 'create', 'ticking')
    const [victim, other] = servers
    const sums = [0, 0]
    const dues = [0, 0]
    for (let round = 0; round < 2 * rounds; round++) {
      // A B B A: what slowly changes on the machine hits both alike.
      const which = [0, 1, 1, 0][round % 4]
      const attacker = startAttack(
        flood,
        which === 0 ? victim.port : port,
        host,
        which === 0 ? 'server' : 'sink',
        60_000,
      )
      const ended = once(attacker, 'exit')
      await Promise.race([once(attacker, 'message'), ended])
      const { ran, due } = await ticksWithin(which === 0 ? victim : other, ms)
      sums[which] += ran
      dues[which] += due
      attacker.kill('SIGKILL')
      await ended
    }
    return { flood, flooded: sums[0] / dues[0], beside: sums[1] / dues[1] }
  } finally {
    sink.kill('SIGKILL')
    await Promise.all(servers.map((server) => server.stop()))
  }
}

function startAttack(flood: Flood, port: number, host: string, what: string, ms: number): ChildProcess {
  const script = fileURLToPath(new URL('attack.ts', import.meta.url))
  return fork(script, [flood, String(port), host, what, String(ms)])
}

const TICKS_PER_SECOND = 60

async function ticksWithin(server: ServerProcess, ms: number): Promise<{ ran: number; due: number }> {
  const ticks = () => metricOf(server, 'hurtbox_tick_seconds_count', 'ticking')
  const before = await ticks()
  const start = performance.now()
  await new Promise((resolve) => setTimeout(resolve, ms))
  const due = ((performance.now() - start) / 1000) * TICKS_PER_SECOND
  return { ran: (await ticks()) - before, due }
}
