/** Hours of one match in virtual time: host, mirrors and terminals over a link that loses packets. */

import { type Mode, simulate, takeNews, takeReplay } from '@hurtbox/colyseus/netcode'
import jetRaiders from '../../games/jet-raiders/index.ts'
import { createSamples, type SoakReport, type SoakWatch } from './samples.ts'

const LINK = { kind: 'stream', latencyMs: 15, jitterMs: 10, loss: 0.01 } as const

/** Plays half of the time with mirrors and half with terminals, and looks at the memory `wanted` times in each. */
export function soakVirtual(hours: number, watch: SoakWatch, wanted = 100): SoakReport {
  const halves = (['mirror', 'terminal'] as const).map((mode) => playHalf(hours / 2, mode, watch, wanted))
  return {
    growthBytes: Math.max(...halves.map(({ growthBytes }) => growthBytes)),
    handleGrowth: Math.max(...halves.map(({ handleGrowth }) => handleGrowth)),
    ticks: halves.reduce((sum, { ticks }) => sum + ticks, 0),
    hashChecks: halves.reduce((sum, { hashChecks }) => sum + hashChecks, 0),
    mismatches: halves.reduce((sum, { mismatches }) => sum + mismatches, 0),
    fileBytes: halves.reduce((sum, { fileBytes }) => sum + fileBytes, 0),
    lost: 0,
  }
}

function playHalf(hours: number, mode: Mode, { say, eachTick }: SoakWatch, wanted: number): SoakReport {
  const { game, bots = [] } = jetRaiders
  const ticks = Math.ceil(hours * 3600 * game.declaration.tickRate)
  const every = Math.ceil(ticks / wanted)
  const samples = createSamples()
  let fileBytes = 0
  const report = simulate({
    game,
    bots,
    clients: 2,
    ticks,
    seed: 7,
    mode,
    link: LINK,
    // A match without an end, with bots on two more seats.
    host: { options: { matchSeconds: 0 }, fill: 4 },
    afterTick(host, clients) {
      eachTick?.()
      for (const bytes of takeReplay(host)) fileBytes += bytes.length
      for (const { client } of clients) if ('mirror' in client) takeNews(client.mirror.events)
      if (host.totals.ticks % every !== 0) return
      samples.take()
      if (samples.count() % Math.ceil(wanted / 10) === 0) {
        say(`${mode}s, ${samples.count()} of ${wanted}: ${samples.describe()}`)
      }
    },
  })
  const { hashChecks, mismatches, host } = report
  return { ...samples.growth(), ticks: host.totals.ticks, hashChecks, mismatches, fileBytes, lost: 0 }
}
