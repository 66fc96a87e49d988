/**
 * Whole matches over bad links in virtual time. Every failure repeats by its seed.
 *
 * The figures are printed: docs/server.md shows them.
 */

import { defineGame } from 'hurtbox'
import { loadReplay, verifyReplay } from 'hurtbox/replay'
import { expect, test } from 'vitest'
import { bots } from '../../../games/jet-raiders/bots/index.ts'
import { jetRaiders } from '../../../games/jet-raiders/rules/index.ts'
import { type LinkConditions, type SimulationReport, simulate } from '../src/links/index.ts'
import { declaration, tag, whimsical } from './support.ts'

const isLong = process.env.HURTBOX_LONG !== undefined
/** Eight clients check a hash each tick. */
const CHECKS = isLong ? 1_000_000 : 8_000
const CLIENTS = 8
const TICKS = Math.ceil(CHECKS / CLIENTS) + 100
const PATIENCE_MS = isLong ? 3_600_000 : 240_000

/** At 20 ticks a second a round trip is few of them, and so is what has to be stepped again: many checks in little time. */
const slowTag = defineGame({ ...declaration, tickRate: 20 }, tag.behaviour as never)

/** A round trip of 200 ms, a loss of 5 %. */
const rough = { latencyMs: 90, jitterMs: 20, loss: 0.05 } as const
const bursts = { burstsPerMinute: 0.6, burstMs: 150 } as const

function print(name: string, report: SimulationReport): void {
  const { inputs, lateInputs, depthMedian, depth99, depthMax, resimulatedPerTick, hashChecks, mismatches } = report
  const late = ((100 * lateInputs) / inputs).toFixed(2)
  console.log(
    `${name}: ${hashChecks} hash checks, ${mismatches} mismatches, late inputs ${late} %, ` +
      `rollback depth ${depthMedian} / ${depth99} / ${depthMax} (median, 99 %, most), ` +
      `${resimulatedPerTick.toFixed(1)} ticks stepped again per tick, ${(report.bytesPerSecond / 1000).toFixed(2)} kB/s down`,
  )
}

const links: readonly [name: string, link: LinkConditions, maxLate: number][] = [
  ['datagrams', { kind: 'datagram', ...rough, ...bursts }, 0.02],
  ['a stream', { kind: 'stream', ...rough, ...bursts }, 0.05],
]

test.each(links)(
  '[NC60] RTT 200 ms, 5 percent loss, bursts and reordering over %s: no hash ever differs',
  (name, link, maxLate) => {
    const seed = 42
    const report = simulate({
      game: slowTag,
      bots: [whimsical],
      clients: CLIENTS,
      ticks: TICKS,
      seed,
      link,
      host: { hashEvery: 1 },
    })
    print(`tag at 20 Hz over ${name}, seed ${seed}`, report)
    expect(report.host.failure).toBeUndefined()
    expect(report.mismatches).toBe(0)
    expect(report.hashChecks).toBeGreaterThanOrEqual(CHECKS)
    expect(report.lateInputs / report.inputs).toBeLessThan(maxLate)
    expect(report.rollbacks).toBeGreaterThan(report.host.totals.ticks)
    const replay = loadReplay(slowTag, report.replay)
    expect(replay.log.length).toBe(TICKS)
    if (!isLong) expect(verifyReplay(slowTag, replay).mismatch).toBeUndefined()
  },
  PATIENCE_MS,
)

test.each(links)(
  '[NC61] Jet Raiders with eight players over %s: no hash ever differs',
  (name, link) => {
    const seed = 43
    const ticks = isLong ? TICKS : 250
    const report = simulate({ game: jetRaiders, bots, clients: CLIENTS, ticks, seed, link, host: { hashEvery: 1 } })
    print(`jet-raiders over ${name}, seed ${seed}`, report)
    expect(report.mismatches).toBe(0)
    expect(report.hashChecks).toBeGreaterThanOrEqual(CLIENTS * (ticks - 100))
  },
  PATIENCE_MS,
)

test.each(['mirror', 'terminal'] as const)(
  '[NC62] Jet Raiders with eight players at 62.5 Hz costs a %s at most 4 kB/s',
  (mode) => {
    const ticks = 625
    const link: LinkConditions = { kind: 'stream', latencyMs: 30, jitterMs: 10 }
    // All fly as the best pilot does: it turns, and so changes its input, in nearly every tick.
    const report = simulate({ game: jetRaiders, bots: [bots[0]], clients: 8, ticks, seed: 5, link, mode })
    // Two bytes of Colyseus' own stand in front of each message.
    const perSecond = report.clients.map(({ down }) => ((down.bytes + 2 * down.sent) / ticks) * 62.5)
    const most = Math.max(...perSecond)
    console.log(
      `jet-raiders, 8 players, 62.5 Hz, ${mode}: ${(most / 1000).toFixed(2)} kB/s to the client that gets most`,
    )
    expect(report.host.world.tables.players.count).toBe(8)
    expect(most).toBeGreaterThan(500)
    expect(most).toBeLessThanOrEqual(4000)
  },
  PATIENCE_MS,
)

test('[NC63] the same seed gives the same match, message for message', () => {
  const once = () =>
    simulate({ game: tag, bots: [whimsical], clients: 3, ticks: 300, seed: 9, link: { kind: 'datagram', ...rough } })
  const [a, b] = [once(), once()]
  expect(a.replay).toEqual(b.replay)
  expect(a.clients.map(({ down }) => [down.sent, down.lost, down.bytes])).toEqual(
    b.clients.map(({ down }) => [down.sent, down.lost, down.bytes]),
  )
})
