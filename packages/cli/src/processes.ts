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
const STOPS = ['SIGINT', 'SIGTERM'] as const

/** For commander: `auto` is one per core. */
export function processCount(text: string): number {
  const count = text === 'auto' ? availableParallelism() : Number(/^\d{1,3}$/.test(text) ? text : Number.NaN)
  if (count >= 1 && count <= MAX_PROCESSES) return count
  throw new InvalidArgumentError(`It must be auto, or a whole number from 1 to ${MAX_PROCESSES}.`)
}

/** Where clients find the first one; the others have the ports after its. */
export type FleetAddresses = {
  /** If that is not where it listens. */
  readonly publicAddress?: string | undefined
  readonly udpPort?: number | undefined
  /** Where its UDP port is found, if that is not where it listens. */
  readonly udpAddresses?: readonly string[] | undefined
}

export type Fleet = FleetAddresses & {
  /** How many there are in all. */
  readonly processes: number
  /** Where the first one listens, and its token. */
  readonly url: string
  readonly token: string
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

/** Before anything is started. */
export function requirePorts({ publicAddress, udpAddresses = [] }: FleetAddresses): void {
  for (const address of [...udpAddresses, ...(publicAddress === undefined ? [] : [publicAddress])])
    addressAfter(address, 0)
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
  // Said, not sent as a signal: on Windows a signal of another process ends this one at once, with its matches.
  for (const signal of STOPS) process.once(signal, () => child.connected && child.send(signal))
}

/** The ports after the first one's. One that could not start tries another, unless the world knows its port. */
export function argsOf(
  { url, publicAddress, udpPort, udpAddresses = [], args, processes }: Fleet,
  place: number,
  restarts: number,
): string[] {
  const { hostname, port } = new URL(url)
  const host = hostname.replace(/^\[|\]$/g, '')
  const others = publicAddress === undefined ? processes * restarts : 0
  const own = ['serve', ...args, '--host', host, '--port', String(Number(port) + place + others)]
  if (udpPort !== undefined) own.push('--udp-port', String(udpPort + place))
  for (const address of udpAddresses) own.push('--udp-address', addressAfter(address, place))
  if (publicAddress !== undefined) own.push('--public-address', addressAfter(publicAddress, place))
  // The page comes from the first one and talks to the sockets of all.
  return [...own, '--origin', url]
}

/** The address of the process that has a place after the first one: `host:2567/path` becomes `host:2568/path`. */
function addressAfter(address: string, place: number): string {
  const [, before, port, path] = /^((?:\w+:\/\/)?(?:\[[^\]]+\]|[^:/]+)):(\d+)(\/.*)?$/.exec(address) ?? []
  if (port !== undefined) return `${before}:${Number(port) + place}${path ?? ''}`
  throw new UsageError(
    `--processes needs the port in ${address}: the first process is found there, the others at the ports after it.`,
  )
}

/** Ends this process when the one that started it says so, or is gone. */
export function endWithParent(): void {
  if (!process.connected) return
  process.on('message', (message) => {
    const signal = STOPS.find((each) => each === message)
    if (signal !== undefined) stopAs(signal)
  })
  process.on('disconnect', () => stopAs('SIGTERM'))
}

/** As if that signal had come; there need not be such a signal here. */
function stopAs(signal: (typeof STOPS)[number]): void {
  if (!process.emit(signal, signal)) process.exit(1)
}
