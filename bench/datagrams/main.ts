/**
 * What datagrams cost a server: `npm run measure -- datagrams`.
 *
 * Rooms of Jet Raiders with clients on loopback. The clients of one and the same server change from the socket to datagrams and back, turn by turn,
 * so that both are measured within seconds of each other. Counted is the CPU time of the server's process, user and system: rooms, sockets
 * and the UDP port are all in it. The clients are in a process of their own, which is not counted. Each stack has a server of its own, one after the other.
 *
 *   --records      what one seat can make the UDP port do instead: µs a record and cipher, and its part of a core
 *   --worst        what one datagram can make the UDP port do at most, in µs, operations and objects
 *   --stacks       an echo in place of rooms: µs a message by our own stack, the native one, and a WebSocket
 *   --hashes n     that many hashes of mirrors on datagrams, whose connections and addresses change, at most for --minutes (20)
 *   --rooms n      how many rooms (2)
 *   --clients n    of each room (8)
 *   --mode m       mirror or terminal (both)
 *   --stack s      own or native (both)
 *   --turns n      how often each path is measured (6)
 *   --seconds n    how long a turn is (5)
 *
 * Exit code 1: datagrams of our own stack cost more than 1.2 times the socket's.
 */

import { parseArgs } from 'node:util'
import { askChild, messageOf, startChild } from '../../scripts/child.ts'
import { median } from '../statistics.ts'
import { measureStacks } from './stacks.ts'

export type Path = 'stream' | 'datagram'
export type ServerReading = { readonly cpuMs: number; readonly ticks: number }
type Runs = Record<Path, ServerReading[]>

const { values } = parseArgs({
  options: {
    records: { type: 'boolean' },
    stacks: { type: 'boolean' },
    hashes: { type: 'string' },
    minutes: { type: 'string', default: '20' },
    worst: { type: 'boolean' },
    rooms: { type: 'string', default: '2' },
    clients: { type: 'string', default: '8' },
    mode: { type: 'string' },
    stack: { type: 'string' },
    turns: { type: 'string', default: '6' },
    seconds: { type: 'string', default: '5' },
  },
})
const FLAGS = ['--no-experimental-websocket']
const SETTLE_MS = 15_000
const CHANGE_MS = 1_500
/** Times the socket's. */
const WANTED = 1.2

if (values.records) await import('./records.ts')
else if (values.worst) await import('./worst.ts')
else if (values.hashes !== undefined) {
  const { compareHashes } = await import('./hashes.ts')
  process.exit(await compareHashes(Number(values.hashes), Number(values.minutes)))
} else if (values.stacks) await measureStacks(Number(values.turns), Number(values.seconds))
else await measureRooms()

async function measureRooms(): Promise<void> {
  const modes = values.mode === undefined ? ['mirror', 'terminal'] : [values.mode]
  const stacks = values.stack === undefined ? ['own', 'native'] : [values.stack]
  console.log(
    '| clients | stack | µs of CPU a room-tick, by socket | by datagrams | times the socket’s | of the turns |',
  )
  console.log('|---|---|---:|---:|---:|---|')
  for (const mode of modes) {
    for (const stack of stacks) {
      const ratio = printRow(mode, stack, await measureRoom(mode, stack))
      if (stack === 'own' && ratio > WANTED) process.exitCode = 1
    }
  }
}

async function measureRoom(mode: string, stack: string): Promise<Runs> {
  const server = startChild(new URL('server.ts', import.meta.url), [stack], FLAGS)
  const { url } = (await messageOf(server)) as { url: string }
  const clients = startChild(new URL('clients.ts', import.meta.url), [url, mode, values.rooms, values.clients], FLAGS)
  try {
    await messageOf(clients)
    await sleep(SETTLE_MS)
    const runs: Runs = { stream: [], datagram: [] }
    for (let turn = 0; turn < 2 * Number(values.turns); turn++) {
      const path: Path = turn % 2 === 0 ? 'stream' : 'datagram'
      await askChild(clients, path)
      await sleep(CHANGE_MS)
      const before = (await askChild(server, 'read')) as ServerReading
      await sleep(1000 * Number(values.seconds))
      const after = (await askChild(server, 'read')) as ServerReading
      runs[path].push({ cpuMs: after.cpuMs - before.cpuMs, ticks: after.ticks - before.ticks })
    }
    return runs
  } finally {
    clients.kill()
    server.kill()
  }
}

/** Returns how many times the socket's datagrams cost. */
function printRow(mode: string, stack: string, runs: Runs): number {
  const perTick = ({ cpuMs, ticks }: ServerReading) => (1000 * cpuMs) / ticks
  const [socket, datagram] = [runs.stream, runs.datagram].map((all) => median(all.map(perTick)).toFixed(0))
  const ratios = runs.stream.map((run, i) => perTick(runs.datagram[i]) / perTick(run))
  const ratio = median(ratios)
  const turns = ratios.map((each) => each.toFixed(2)).join(' ')
  console.log(`| ${mode}s | ${stack} | ${socket} | ${datagram} | ${ratio.toFixed(2)} | ${turns} |`)
  return ratio
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
