/**
 * What a flood from one address takes from an honest match: `npm run measure -- floods`.
 *
 * A machine that is flooded is busy whatever its server does, so a match under a flood is compared with the same match beside a
 * sink that the same attacker floods. Both take turns in one run. What is left of the difference is the server's.
 */

import type { ChildProcess } from 'node:child_process'
import { parseArgs } from 'node:util'
import { helloOf } from '@hurtbox/netcode'
import jetRaiders from '../../games/jet-raiders/index.ts'
import { askChild, messageOf, startChild } from '../child.ts'
import {
  type Attack,
  type AttackReport,
  FLOODS,
  type FloodKind,
  type PlayersReading,
  type ServerReading,
  type Target,
  TICK_RATE,
} from './kinds.ts'
import { isMaskable, maskPlayers, runInNamespace } from './masks.ts'
import type { PacketWork, SocketFrames, Work } from './work.ts'

const HELP = `Floods a server from one address beside an honest match, and a sink, by turns.

  npm run measure -- floods                          every kind
  npm run measure -- floods --only pings,requests --seconds 4 --rounds 5

On Linux, as root, it runs in a network namespace of its own, in which addresses can be forged.

Exit codes: 0 the match kept 95 % of the ticks and of the datagrams that it has beside the sink, and its players, and no seat took more than 5 % of a core;
1 it did not; 2 wrong arguments.`

export const WANTED = 0.95
/** Of a core, %: what one seat may take. */
export const SEAT_CPU = 5

export type FloodFigures = {
  readonly kind: FloodKind
  /** Shares of the ticks that were due: under the flood, and beside the sink. */
  readonly flooded: number
  readonly beside: number
  /** Of the ticks beside the sink, those under the flood. */
  readonly kept: number
  /** The same of datagrams of the players, both ways. */
  readonly datagramsKept: number
  /** What the server took for it, % of a core: its CPU time under the flood without that beside the sink. */
  readonly cpu: number
  readonly connections: number
  readonly sentMB: number
  /** Honest players who lost their connection. */
  readonly lost: number
}

/** What the server did under a flood. */
export type FloodWork = {
  /** Ticks that the match ran meanwhile. */
  readonly ticks: number
  /** Connections that the attacker opened. */
  readonly connections: number
  /** For the attacker's address. */
  readonly work: Work
  readonly sockets: readonly SocketFrames[]
  /** Data channels that it closed because their client sent too much. */
  readonly abused: number
  /** What packets made the UDP port do meanwhile, those of the players among them. */
  readonly packets: PacketWork
  readonly seconds: number
}

export type Floods = {
  /** Floods the server and the sink by turns, and compares the match's ticks. */
  measure(kind: FloodKind, plan: { readonly seconds: number; readonly rounds: number }): Promise<FloodFigures>
  /** Floods the server for so long, and returns what it did. */
  work(kind: FloodKind, seconds: number): Promise<FloodWork>
  /** How many honest players have no connection now. */
  lost(): Promise<number>
  stop(): void
}

export const PLAYERS = 4
/** Before the ticks are counted, so that the flood is in full swing. */
const SWING_MS = 300

/** Starts the server, its players, the sink and the attacker, each as a process. */
export async function startFloods(): Promise<Floods> {
  const children: ChildProcess[] = []
  const start = (file: string, ...args: readonly string[]) => {
    const child = startChild(new URL(file, import.meta.url), args)
    children.push(child)
    return child
  }
  const stop = () => {
    for (const child of children) child.kill('SIGKILL')
  }
  try {
    const server = start('server.ts')
    const { port } = (await messageOf(server)) as { port: number }
    const sink = (await messageOf(start('sink.ts'))) as Target
    const players = start('players.ts', String(port), String(PLAYERS))
    const { roomId } = (await messageOf(players)) as PlayersReading
    const attacker = start('attacker.ts')
    await messageOf(attacker)
    const seat = JSON.stringify({ hello: helloOf(jetRaiders.game), spectate: true })
    const masks = isMaskable() ? maskPlayers([port, sink.port]) : []
    const target = { port, roomId, seat, replay: 'large.hbr', masks }
    const readPlayers = async () => (await askChild(players, 'read')) as PlayersReading
    const lost = async () => (await readPlayers()).lost
    return { stop, lost, ...createMeasures({ server, attacker, readPlayers }, target, { ...sink, masks }) }
  } catch (error) {
    stop()
    throw error
  }
}

type Processes = {
  readonly server: ChildProcess
  readonly attacker: ChildProcess
  readonly readPlayers: () => Promise<PlayersReading>
}

function createMeasures(processes: Processes, target: Target, sink: Target): Pick<Floods, 'measure' | 'work'> {
  const { server, attacker, readPlayers } = processes
  let attacks = 0
  const attack = async (kind: FloodKind, at: Target, seconds: number) => {
    // One address each time, and each time another: what the one before has used up must not protect the server.
    const from = `127.1.${attacks >> 8}.${1 + (attacks++ % 254)}`
    const readFor = kind === 'ipv6' ? '::1' : from
    const read = async () => {
      const [ofServer, ofPlayers] = await Promise.all([askChild(server, readFor), readPlayers()])
      return { ...(ofServer as ServerReading), players: ofPlayers }
    }
    await askChild(attacker, { kind, from, target: at } satisfies Attack)
    await delay(SWING_MS)
    const before = await read()
    await delay(seconds * 1000)
    const after = await read()
    const report = (await askChild(attacker, 'stop')) as AttackReport
    return { before, after, report, seconds: (after.atMs - before.atMs) / 1000 }
  }
  return {
    async measure(kind, { seconds, rounds }) {
      const sums = { flooded: { ticks: 0, datagrams: 0, cpu: 0 }, beside: { ticks: 0, datagrams: 0, cpu: 0 } }
      let [connections, sentMB] = [0, 0]
      for (let round = 0; round < rounds; round++) {
        for (const at of round % 2 === 0 ? (['flooded', 'beside'] as const) : (['beside', 'flooded'] as const)) {
          const { before, after, report, seconds: took } = await attack(kind, at === 'flooded' ? target : sink, seconds)
          const arrived = ({ datagramsIn, players }: typeof after) => datagramsIn + players.datagrams
          sums[at].ticks += (after.ticks - before.ticks) / took / rounds
          sums[at].datagrams += (arrived(after) - arrived(before)) / took / rounds
          sums[at].cpu += (after.cpuMs - before.cpuMs) / took / 10 / rounds
          if (at === 'flooded') {
            connections += report.connections
            sentMB += report.sentMB
          }
        }
      }
      const { flooded, beside } = sums
      const { lost } = await readPlayers()
      return {
        kind,
        flooded: flooded.ticks / TICK_RATE,
        beside: beside.ticks / TICK_RATE,
        kept: flooded.ticks / beside.ticks,
        datagramsKept: flooded.datagrams / beside.datagrams,
        cpu: flooded.cpu - beside.cpu,
        connections,
        sentMB,
        lost,
      }
    },
    async work(kind, forSeconds) {
      const { before, after, report, seconds } = await attack(kind, target, forSeconds)
      const { work, sockets, abused } = after
      const packets = { ...after.packets }
      for (const what of Object.keys(packets) as (keyof PacketWork)[]) packets[what] -= before.packets[what]
      const ticks = after.ticks - before.ticks
      return { ticks, connections: report.connections, work, sockets, abused, packets, seconds }
    },
  }
}

function delay(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}

export function holds({ kind, kept, datagramsKept, cpu, lost }: FloodFigures): boolean {
  const isCheap = !FLOODS.some((flood) => flood.kind === kind && flood.isSeat) || cpu < SEAT_CPU
  return kept >= WANTED && datagramsKept >= WANTED && isCheap && lost === 0
}

export function floodRow(figures: FloodFigures): string {
  const label = FLOODS.find(({ kind }) => kind === figures.kind)!.label
  const percent = (share: number) => `${(100 * share).toFixed(1)} %`
  const { connections, sentMB, beside, flooded, kept, datagramsKept, cpu, lost } = figures
  const parts = [beside, flooded, kept, datagramsKept, cpu / 100].map(percent)
  const cells = [label, connections, sentMB.toFixed(0), ...parts, lost]
  return `| ${cells.join(' | ')} |`
}

const HEAD = `| flood from one address | connections | MB sent | ticks beside a sink | ticks under it | kept | datagrams kept | of a core | players lost |
|---|---:|---:|---:|---:|---:|---:|---:|---:|`

export async function main(args: readonly string[], print: (line: string) => void): Promise<number> {
  const options = {
    only: { type: 'string' },
    seconds: { type: 'string', default: '4' },
    rounds: { type: 'string', default: '4' },
    help: { type: 'boolean' },
  } as const
  const { values } = parseArgs({ args: [...args], options })
  const plan = { seconds: Number(values.seconds), rounds: Number(values.rounds) }
  const possible = FLOODS.filter(({ isMasked }) => !isMasked || isMaskable()).map(({ kind }) => kind)
  const asked = values.only?.split(',') ?? possible
  const kinds = possible.filter((kind) => asked.includes(kind))
  if (values.help || kinds.length !== asked.length || !(plan.seconds > 0) || !(plan.rounds >= 1)) {
    print(HELP)
    return values.help ? 0 : 2
  }
  const floods = await startFloods()
  try {
    print(HEAD)
    const all: FloodFigures[] = []
    for (const kind of kinds) {
      const figures = await floods.measure(kind, plan)
      all.push(figures)
      print(floodRow(figures))
    }
    const bad = all.filter((figures) => !holds(figures))
    print(bad.length === 0 ? 'held' : `did not hold: ${bad.map(({ kind }) => kind).join(', ')}`)
    return bad.length === 0 ? 0 : 1
  } finally {
    floods.stop()
  }
}

if (import.meta.main) {
  const args = process.argv.slice(2)
  const inside = runInNamespace(import.meta.filename, args)
  process.exitCode = inside ?? (await main(args, (line) => process.stdout.write(`${line}\n`)))
}
