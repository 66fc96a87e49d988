/**
 * What a match costs: eight players, Jet Raiders at 62.5 ticks a second, over real sockets.
 *
 * Servers take turns, in an order that changes with every round; figures are medians over the rounds. A run counts only if the
 * server kept its rate and the clients had their turn in every tick: a starved client sends less, which makes a server cheap.
 */

import type { ChildProcess } from 'node:child_process'
import { askChild, messageOf, startChild } from '../../scripts/child.ts'
import { median } from '../statistics.ts'
import { type ClientReading, type Frames, KINDS, type Kind, type ServerReading, TICK_RATE } from './kinds.ts'

export type MatchPlan = {
  readonly kinds: readonly Kind[]
  readonly rooms: number
  readonly clientsPerRoom: number
  /** Of the first room alone. */
  readonly firstSeconds: number
  /** Before the clock runs: time to find the lead and to compile. With 4 s every server costs half as much again as after 25. */
  readonly settleSeconds: number
  readonly seconds: number
  readonly rounds: number
  /** Clients of one process. */
  readonly perProcess: number
}

export const MATCH_PLAN: MatchPlan = {
  kinds: KINDS.map(({ kind }) => kind),
  rooms: 10,
  clientsPerRoom: 8,
  firstSeconds: 4,
  settleSeconds: 16,
  seconds: 8,
  rounds: 5,
  perProcess: 40,
}

export type MatchFigures = {
  readonly kind: Kind
  readonly cpuMsPerRoomTick: number
  /** Bytes of the connection a second, from and to one client. */
  readonly bytesDown: number
  readonly bytesUp: number
  readonly rssMBPerRoom: number
  readonly liveMBPerRoom: number
  /** Ticks of the rooms, of those that should have been. */
  readonly ticksKept: number
  readonly frames: Frames
  readonly isStarved: boolean
}

/** The SDK takes the browser's WebSocket where there is one; `ws` costs a fraction of Node's. */
const FLAGS = ['--expose-gc', '--no-experimental-websocket']
const STARVED = 0.95

/** Plays all rounds. `say` gets a line per run. */
export async function measureMatches(plan: MatchPlan, say: (line: string) => void): Promise<readonly MatchFigures[]> {
  const runs: MatchFigures[] = []
  for (let round = 0; round < plan.rounds; round++) {
    // Floors need the frames of what they are a floor of, so they come after it; the rest changes places.
    const order = [...plan.kinds].sort((a, b) => Number(isFloor(a)) - Number(isFloor(b)))
    const firsts = order.filter((kind) => !isFloor(kind))
    const turned = [...firsts.slice(round % firsts.length), ...firsts.slice(0, round % firsts.length)]
    for (const kind of [...turned, ...order.filter(isFloor)]) {
      const run = await measureRun(kind, plan, framesFor(kind, runs))
      runs.push(run)
      say(
        `round ${round + 1}, ${kind}: ${run.cpuMsPerRoomTick.toFixed(3)} ms a room-tick, ` +
          `${(100 * run.ticksKept).toFixed(1)} % of the ticks${run.isStarved ? ', starved' : ''}`,
      )
    }
  }
  return plan.kinds.map((kind) => medianOf(runs.filter((run) => run.kind === kind)))
}

function isFloor(kind: Kind): boolean {
  return kind === 'floor-terminals' || kind === 'floor-mirrors'
}

function framesFor(kind: Kind, runs: readonly MatchFigures[]): Frames {
  const model = kind === 'floor-mirrors' ? 'mirrors' : 'terminals'
  const found = runs.findLast((run) => run.kind === model)
  return found?.frames ?? { downBytes: 60, downPerSecond: 20, upBytes: 20, upPerSecond: TICK_RATE }
}

/** Of the runs that were not starved, if there is one. */
export function medianOf(runs: readonly MatchFigures[]): MatchFigures {
  const good = runs.filter(({ isStarved }) => !isStarved)
  const counted = good.length > 0 ? good : runs
  const of = (figure: (run: MatchFigures) => number) => median(counted.map(figure))
  return {
    kind: runs[0].kind,
    cpuMsPerRoomTick: of((run) => run.cpuMsPerRoomTick),
    bytesDown: of((run) => run.bytesDown),
    bytesUp: of((run) => run.bytesUp),
    rssMBPerRoom: of((run) => run.rssMBPerRoom),
    liveMBPerRoom: of((run) => run.liveMBPerRoom),
    ticksKept: of((run) => run.ticksKept),
    frames: {
      downBytes: of(({ frames }) => frames.downBytes),
      downPerSecond: of(({ frames }) => frames.downPerSecond),
      upBytes: of(({ frames }) => frames.upBytes),
      upPerSecond: of(({ frames }) => frames.upPerSecond),
    },
    isStarved: good.length === 0,
  }
}

async function measureRun(kind: Kind, plan: MatchPlan, frames: Frames): Promise<MatchFigures> {
  const { rooms, clientsPerRoom, perProcess, seconds } = plan
  const children: ChildProcess[] = []
  const start = (file: string, ...args: readonly string[]) => {
    const child = startChild(new URL(file, import.meta.url), args, FLAGS)
    children.push(child)
    return child
  }
  try {
    const server = start('server.ts', kind, JSON.stringify(frames), String(clientsPerRoom))
    const { url } = (await messageOf(server)) as { url: string }
    const roomsPerProcess = Math.max(1, Math.floor(perProcess / clientsPerRoom))
    const clients: ChildProcess[] = []
    const join = async (count: number, perRoom = clientsPerRoom, where: readonly string[] = []) => {
      const numbers = [count, perRoom, clientsPerRoom].map(String)
      const child = start('clients.ts', kind, url, JSON.stringify(frames), ...numbers, ...where)
      clients.push(child)
      return (await messageOf(child)) as { roomId: string }
    }
    // What the first room takes is mostly code and caches, which the others share: it is there before memory is counted.
    const { roomId } = await join(1, Math.min(clientsPerRoom, perProcess))
    for (let left = clientsPerRoom - perProcess; left > 0; left -= perProcess) {
      await join(1, Math.min(left, perProcess), [roomId])
    }
    await sleep(plan.firstSeconds * 1000)
    const one = await readServer(server)
    for (let left = rooms - 1; left > 0; left -= roomsPerProcess) await join(Math.min(left, roomsPerProcess))
    await sleep(plan.settleSeconds * 1000)
    const [before, sentBefore] = [await readServer(server), await readClients(clients)]
    const startedAt = performance.now()
    await sleep(seconds * 1000)
    const [after, sentAfter] = [await readServer(server), await readClients(clients)]
    const elapsed = (performance.now() - startedAt) / 1000
    const all = rooms * clientsPerRoom
    const perClient = (of: keyof ClientReading) => (sentAfter[of] - sentBefore[of]) / elapsed / all
    const ticks = after.roomTicks - before.roomTicks
    const ticksKept = ticks / (rooms * TICK_RATE * elapsed)
    const measured = {
      downPerSecond: perClient('received'),
      downBytes: perClient('receivedBytes') / perClient('received'),
      upPerSecond: perClient('sent'),
      upBytes: perClient('sentBytes') / perClient('sent'),
    }
    const actedKept = perClient('acted') / TICK_RATE
    return {
      kind,
      cpuMsPerRoomTick: (after.cpuMs - before.cpuMs) / ticks,
      bytesDown: (after.bytesOut - before.bytesOut) / elapsed / all,
      bytesUp: (after.bytesIn - before.bytesIn) / elapsed / all,
      rssMBPerRoom: (after.rssBytes - one.rssBytes) / (rooms - 1) / 1e6,
      liveMBPerRoom: (after.liveBytes - one.liveBytes) / (rooms - 1) / 1e6,
      ticksKept,
      frames: measured,
      isStarved: Math.min(ticksKept, actedKept) < STARVED || sentAfter.connected < all,
    }
  } finally {
    for (const child of children) child.kill('SIGKILL')
  }
}

async function readServer(child: ChildProcess): Promise<ServerReading> {
  return (await askChild(child, 'read')) as ServerReading
}

async function readClients(children: readonly ChildProcess[]): Promise<ClientReading> {
  const sum = { acted: 0, sent: 0, sentBytes: 0, received: 0, receivedBytes: 0, connected: 0 }
  for (const child of children) {
    const reading = (await askChild(child, 'read')) as ClientReading
    for (const name of Object.keys(sum) as (keyof ClientReading)[]) sum[name] += reading[name]
  }
  return sum
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}

/** How many are in the one room of each row. */
export const CROWDS: readonly number[] = [8, 50, 100, 300]

/** What a tick of one room costs, by how many are in it, as Markdown. */
export function crowdTable(figures: readonly MatchFigures[], crowds: readonly number[]): string {
  const rows = figures.map((run, i) => {
    const cells = [
      `${crowds[i]}${run.isStarved ? ' (starved)' : ''}`,
      run.cpuMsPerRoomTick.toFixed(2),
      ((1000 * run.cpuMsPerRoomTick) / crowds[i]).toFixed(0),
      Math.round(run.bytesDown).toLocaleString('en'),
      Math.round(run.bytesUp).toLocaleString('en'),
      `${(100 * run.ticksKept).toFixed(0)} %`,
    ]
    return `| ${cells.join(' | ')} |`
  })
  return [
    '| terminals in one room | CPU ms a tick | µs for each | B/s down, each | B/s up, each | ticks kept |',
    '|---:|---:|---:|---:|---:|---:|',
    ...rows,
  ].join('\n')
}

/** The table, as Markdown. */
export function matchTable(figures: readonly MatchFigures[], { rooms, clientsPerRoom }: MatchPlan): string {
  const plain = figures.find(({ kind }) => kind === 'plain-b')
  const rows = figures.map((run) => {
    const label = KINDS.find(({ kind }) => kind === run.kind)?.label
    const ratio = plain === undefined ? '–' : (run.cpuMsPerRoomTick / plain.cpuMsPerRoomTick).toFixed(2)
    const bytes = (value: number) => Math.round(value).toLocaleString('en')
    const messages = `${run.frames.downPerSecond.toFixed(1)} / ${run.frames.upPerSecond.toFixed(1)}`
    return `| ${[
      `${label}${run.isStarved ? ' (starved)' : ''}`,
      run.cpuMsPerRoomTick.toFixed(3),
      ratio,
      bytes(run.bytesDown),
      bytes(run.bytesUp),
      messages,
      // A single room has nothing to be compared with.
      rooms > 1 ? run.liveMBPerRoom.toFixed(2) : '–',
      rooms > 1 ? run.rssMBPerRoom.toFixed(1) : '–',
    ].join(' | ')} |`
  })
  return [
    `| ${rooms} rooms of ${clientsPerRoom} | CPU ms per room-tick | of plain B | B/s down | B/s up | messages/s down / up | live MB per room | RSS MB per room |`,
    '|---|---:|---:|---:|---:|---:|---:|---:|',
    ...rows,
  ].join('\n')
}
