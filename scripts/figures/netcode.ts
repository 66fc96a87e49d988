/**
 * Whole matches over bad links, and what a match costs on the wire. Virtual time, so every figure is exact.
 *
 * The tests of `packages/colyseus` play the same matches, shorter, and demand that no hash ever differs.
 */

import { defineGame } from 'hurtbox'
import { loadModule, loadModules } from 'hurtbox/module/node'
import type { AnyBot, AnyGame } from 'hurtbox/tools'
import { type LinkConditions, simulate } from '../../packages/colyseus/src/netcode/index.ts'
import { declaration, tag, whimsical } from '../../packages/colyseus/test/support.ts'
import { type Figure, unequal } from './figure.ts'
import { root } from './saved.ts'

export type LinksResult = readonly LinkResult[]

export type LinkResult = {
  readonly match: string
  readonly ticks: number
  readonly hashChecks: number
  readonly mismatches: number
  readonly latePercent: number
  /** Late, and not what the player held anyway; results from before that was counted have none. */
  readonly lateInEffectPercent?: number
  /** Depth of the rollbacks, in ticks. */
  readonly depthMedian: number
  readonly depth99: number
  readonly steppedAgainPerTick: number
}

/** kB a second down to the client that gets most, by game and mode. */
export type TrafficResult = Readonly<Record<string, { readonly mirror?: number; readonly terminal: number }>>

export type NetcodeResult = { readonly links: LinksResult; readonly traffic: TrafficResult }

const CLIENTS = 8
/** A round trip of 200 ms, a loss of 5 %, and bursts in which everything is lost. */
const ROUGH = { latencyMs: 90, jitterMs: 20, loss: 0.05, burstMs: 150 } as const
/** One burst in so many ticks of the game, in each direction. */
export const TICKS_PER_BURST = 2_000
const LINKS = { datagrams: 'datagram', 'a stream': 'stream' } as const
/** At 20 ticks a second a round trip is few of them: many checks in little time. */
const slowTag = defineGame({ ...declaration, tickRate: 20 }, tag.behaviour as never) as AnyGame

const COMMAND = 'npm run measure -- figures --only netcode'

export const netcode: Figure<NetcodeResult> = {
  name: 'netcode',
  command: COMMAND,
  async measure(log) {
    const jetRaiders = await loadModule('jet-raiders', root)
    const links = [
      ...overLinks('a small game at 20 Hz', slowTag, [whimsical], 2_600, 42, log),
      ...overLinks('Jet Raiders at 62.5 Hz', jetRaiders.game, jetRaiders.bots, 2_600, 43, log),
    ]
    return { links, traffic: await measureTraffic(log) }
  },
  differences: (saved, now) => unequal('netcode', saved, now),
}

/** The same with a million hash checks over each kind of link. */
export const netcodeMillion: Figure<LinksResult> = {
  name: 'netcode-million',
  command: `${COMMAND}-million`,
  isLong: true,
  measure: async (log) => overLinks('a small game at 20 Hz', slowTag, [whimsical], 125_100, 42, log),
  differences: (saved, now) => unequal('netcode', saved, now),
}

function overLinks(
  match: string,
  game: AnyGame,
  bots: readonly AnyBot[],
  ticks: number,
  seed: number,
  log: (progress: string) => void,
): LinkResult[] {
  const burstsPerMinute = (60 * game.declaration.tickRate) / TICKS_PER_BURST
  return Object.entries(LINKS).map(([name, kind]) => {
    log(`${match} over ${name}`)
    const link: LinkConditions = { kind, ...ROUGH, burstsPerMinute }
    const report = simulate({ game, bots, clients: CLIENTS, ticks, seed, link, host: { hashEvery: 1 } })
    return {
      match: `${match}, ${name}`,
      ticks,
      hashChecks: report.hashChecks,
      mismatches: report.mismatches,
      latePercent: hundredths((100 * report.lateInputs) / report.inputs),
      lateInEffectPercent: hundredths((100 * (report.lateInputs - report.harmlessInputs)) / report.inputs),
      depthMedian: report.depthMedian,
      depth99: report.depth99,
      steppedAgainPerTick: rounded(report.resimulatedPerTick),
    }
  })
}

const TRAFFIC_SECONDS = 20

/** Of every game of the repository that is played in rooms, by its title. */
async function measureTraffic(say: (progress: string) => void): Promise<TrafficResult> {
  const { modules } = await loadModules(root)
  const served = modules.filter(({ room }) => room !== undefined)
  return Object.fromEntries(
    served.map(({ title: name, game, bots }) => {
      say(`bytes of ${name}`)
      const terminal = kilobytesPerSecond(game, bots, 'terminal')
      // A client that may not see everything cannot step everything: with fog every client is a terminal.
      const isFoggy = game.behaviour.visible !== undefined
      return [name, isFoggy ? { terminal } : { mirror: kilobytesPerSecond(game, bots, 'mirror'), terminal }]
    }),
  )
}

function kilobytesPerSecond(game: AnyGame, bots: readonly AnyBot[], mode: 'mirror' | 'terminal'): number {
  const ticks = Math.round(TRAFFIC_SECONDS * game.declaration.tickRate)
  const link: LinkConditions = { kind: 'stream', latencyMs: 30, jitterMs: 10 }
  const clients = Math.min(CLIENTS, game.declaration.seats.max)
  const report = simulate({ game, bots, clients, ticks, seed: 5, link, mode })
  // Two bytes of Colyseus' own stand in front of each message.
  const most = Math.max(...report.clients.map(({ down }) => down.bytes + 2 * down.sent))
  return rounded(most / TRAFFIC_SECONDS / 1000)
}

function hundredths(value: number): number {
  return Math.round(value * 100) / 100
}

/** One decimal: what the page shows. */
function rounded(value: number): number {
  return Math.round(value * 10) / 10
}
