/**
 * Several server processes on one machine, as Colyseus scales: each has its own port and owns its rooms, Redis tells all of them
 * about all rooms, and clients ask the first one. It sends each of them to the process that owns the room, and opens new rooms
 * where there is least to do. No load balancer and no sticky sessions are needed, but the ports must be reachable.
 */

import { type ChildProcess, spawn } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { InvalidArgumentError } from 'commander'
import { UsageError } from './errors.ts'

const MAX_PROCESSES = 64
/** A process that ends is started again, but not in a loop that never ends. */
const RESTART_MS = 1000
const MAX_RESTARTS = 5

/** For commander: `auto` is one per core. */
export function processCount(text: string): number {
  const count = text === 'auto' ? availableParallelism() : Number(/^\d{1,3}$/.test(text) ? text : Number.NaN)
  if (count >= 1 && count <= MAX_PROCESSES) return count
  throw new InvalidArgumentError(`It must be auto, or a whole number from 1 to ${MAX_PROCESSES}.`)
}

export type Fleet = {
  /** How many there are in all. */
  readonly processes: number
  /** Where the first one listens, and its token. */
  readonly url: string
  readonly token: string
  /** `host:port` where clients reach the first one, if that is not where it listens. */
  readonly publicAddress?: string
  /** The UDP port of the first one's datagrams; the others have those after it. */
  readonly udpPort?: number
  /** What the others are started with, besides port and address. */
  readonly args: readonly string[]
  say(line: string): void
}

export function requireRedis(): void {
  if (process.env.REDIS_URL) return
  throw new UsageError(
    '--processes needs a Redis through which they share their rooms: set REDIS_URL=redis://host:port.',
  )
}

/** Starts the other processes. They end with this one. */
export function startFleet(fleet: Fleet): void {
  for (let place = 1; place < fleet.processes; place++) startProcess(fleet, place, 0)
}

function startProcess(fleet: Fleet, place: number, restarts: number): void {
  const child: ChildProcess = spawn(
    process.execPath,
    [...process.execArgv, process.argv[1], ...argsOf(fleet, place, restarts)],
    {
      env: { ...process.env, HURTBOX_TOKEN: fleet.token },
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    },
  )
  child.once('exit', (code) => {
    if (code === 0 || restarts === MAX_RESTARTS) return
    fleet.say(`process ${place + 1} ended with ${code}; starting it again`)
    setTimeout(() => startProcess(fleet, place, restarts + 1), RESTART_MS).unref()
  })
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => child.kill(signal))
}

/** The ports after the first one's. One that could not start tries another, unless the world knows its port. */
export function argsOf(
  { url, publicAddress, udpPort, args, processes }: Fleet,
  place: number,
  restarts: number,
): string[] {
  const { hostname, port } = new URL(url)
  const host = hostname.replace(/^\[|\]$/g, '')
  const others = publicAddress === undefined ? processes * restarts : 0
  const own = ['serve', ...args, '--host', host, '--port', String(Number(port) + place + others)]
  if (udpPort !== undefined) own.push('--udp-port', String(udpPort + place))
  if (publicAddress !== undefined) {
    const at = publicAddress.lastIndexOf(':')
    const [name, publicPort] = [publicAddress.slice(0, at), Number(publicAddress.slice(at + 1))]
    own.push('--public-address', `${name}:${publicPort + place}`)
  }
  // The page comes from the first one and talks to the sockets of all.
  return [...own, '--origin', url]
}

/** Ends this process when the one that started it is gone. */
export function endWithParent(): void {
  if (process.connected) process.on('disconnect', () => process.kill(process.pid, 'SIGTERM'))
}
