/** Hours of one match in virtual time: host, mirrors and terminals over a link that loses packets. */

import type { Mode } from '@hurtbox/netcode'
import { takeNews } from '@hurtbox/netcode/client'
import { takeReplay } from '@hurtbox/netcode/host'
import { simulate } from '@hurtbox/netcode/links'
import jetRaiders from '../../games/jet-raiders/index.ts'
import { startChild } from '../child.ts'
import { createSamples, type SoakReport, type SoakWatch } from './samples.ts'

const LINK = { kind: 'stream', latencyMs: 15, jitterMs: 10, loss: 0.01 } as const

const MODES = ['mirror', 'terminal'] as const
const SAMPLES = 100

/** Plays half of the time with mirrors and half with terminals, and looks at the memory `wanted` times in each. */
export function soakVirtual(hours: number, watch: SoakWatch, wanted = SAMPLES): SoakReport {
  return together(MODES.map((mode) => playHalf(hours / 2, mode, watch, wanted)))
}

/** The same with a process for each half, both at once: each has a core and a heap to itself. */
export async function soakHalves(hours: number, { say }: SoakWatch): Promise<SoakReport> {
  return together(await Promise.all(MODES.map((mode) => halfElsewhere(mode, hours / 2, say))))
}

type HalfMessage = { readonly line: string } | { readonly report: SoakReport }

function halfElsewhere(mode: Mode, hours: number, say: (line: string) => void): Promise<SoakReport> {
  const child = startChild(new URL('./half.ts', import.meta.url), [mode, String(hours)])
  return new Promise((resolve, reject) => {
    child.on('message', (message: HalfMessage) => {
      if ('report' in message) resolve(message.report)
      else say(message.line)
    })
    // After its last message.
    child.once('disconnect', () =>
      reject(new Error(`the half with ${mode}s ended without a report; what it said is above.`)),
    )
  })
}

function together(halves: readonly SoakReport[]): SoakReport {
  const sum = (of: (half: SoakReport) => number) => halves.reduce((total, half) => total + of(half), 0)
  return {
    growthBytes: Math.max(...halves.map(({ growthBytes }) => growthBytes)),
    handleGrowth: Math.max(...halves.map(({ handleGrowth }) => handleGrowth)),
    ticks: sum(({ ticks }) => ticks),
    hashChecks: sum(({ hashChecks }) => hashChecks),
    mismatches: sum(({ mismatches }) => mismatches),
    fileBytes: sum(({ fileBytes }) => fileBytes),
    lost: 0,
  }
}

export function playHalf(
  hours: number,
  mode: Mode,
  { say, eachTick }: SoakWatch,
  wanted: number = SAMPLES,
): SoakReport {
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
      for (const { follower } of clients) if (follower.mirror !== undefined) takeNews(follower.mirror.events)
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
