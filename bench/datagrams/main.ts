/**
 * What datagrams cost a server: `npm run measure -- datagrams`.
 *
 * Rooms of Jet Raiders with clients on loopback. The clients of one and the same server change from the socket to datagrams and back, turn by turn,
 * so that both are measured within seconds of each other. Counted is the CPU time of the server's process, user and system: rooms, sockets
 * and the UDP port are all in it. The clients are in a process of their own, which is not counted.
 *
 *   --records      what one seat can make the UDP port do instead: µs a record and cipher, and its part of a core
 *   --worst        what one datagram can make the UDP port do at most, in µs, operations and objects
 *   --stacks       an echo in place of rooms: µs a message by our own stack, the native one, and a WebSocket
 *   --hashes n     that many hashes of mirrors whose connections and addresses change, at most for --minutes (7)
 *   --rooms n      how many rooms (2)
 *   --clients n    of each room (8)
 *   --mode m       mirror or terminal (both)
 *   --turns n      how often each path is measured (6)
 *   --seconds n    how long a turn is (5)
 */

import { parseArgs } from 'node:util'
import { askChild, messageOf, startChild } from '../../scripts/child.ts'
import { median } from '../statistics.ts'
import { measureStacks } from './stacks.ts'

export type Path = 'stream' | 'datagram'
export type ServerReading = { readonly cpuMs: number; readonly ticks: number }

const { values } = parseArgs({
  options: {
    records: { type: 'boolean' },
    stacks: { type: 'boolean' },
    hashes: { type: 'string' },
    minutes: { type: 'string', default: '7' },
    worst: { type: 'boolean' },
    rooms: { type: 'string', default: '2' },
    clients: { type: 'string', default: '8' },
    mode: { type: 'string' },
    turns: { type: 'string', default: '6' },
    seconds: { type: 'string', default: '5' },
  },
})
const FLAGS = ['--no-experimental-websocket']
const SETTLE_MS = 15_000
const CHANGE_MS = 1_500

if (values.records) await import('./records.ts')
else if (values.worst) await import('./worst.ts')
else if (values.hashes !== undefined) {
  const { compareHashes } = await import('./hashes.ts')
  process.exit(await compareHashes(Number(values.hashes), Number(values.minutes)))
} else if (values.stacks) await measureStacks(Number(values.turns), Number(values.seconds))
else for (const mode of values.mode === undefined ? ['mirror', 'terminal'] : [values.mode]) await measureMode(mode)

async function measureMode(mode: string): Promise<void> {
  const server = startChild(new URL('server.ts', import.meta.url), [], FLAGS)
  const { url } = (await messageOf(server)) as { url: string }
  const clients = startChild(new URL('clients.ts', import.meta.url), [url, mode, values.rooms, values.clients], FLAGS)
  try {
    await messageOf(clients)
    await sleep(SETTLE_MS)
    const runs: Record<Path, ServerReading[]> = { stream: [], datagram: [] }
    for (let turn = 0; turn < 2 * Number(values.turns); turn++) {
      const path: Path = turn % 2 === 0 ? 'stream' : 'datagram'
      await askChild(clients, path)
      await sleep(CHANGE_MS)
      const before = (await askChild(server, 'read')) as ServerReading
      await sleep(1000 * Number(values.seconds))
      const after = (await askChild(server, 'read')) as ServerReading
      runs[path].push({ cpuMs: after.cpuMs - before.cpuMs, ticks: after.ticks - before.ticks })
    }
    print(mode, runs)
  } finally {
    clients.kill()
    server.kill()
  }
}

function print(mode: string, runs: Readonly<Record<Path, readonly ServerReading[]>>): void {
  const perTick = ({ cpuMs, ticks }: ServerReading) => (1000 * cpuMs) / ticks
  for (const path of ['stream', 'datagram'] as const) {
    console.log(`${mode}s, ${path}: ${median(runs[path].map(perTick)).toFixed(0)} µs of CPU a room-tick`)
  }
  const ratio = median(runs.stream.map((run, i) => perTick(runs.datagram[i]) / perTick(run)))
  console.log(`${mode}s: datagrams cost ${ratio.toFixed(2)} times the socket's\n`)
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
