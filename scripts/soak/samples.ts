/** What is live in this process, measured again and again: does it grow after the warm-up? */

import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

export type SoakWatch = {
  say(line: string): void
  eachTick?(): void
}

export type SoakReport = {
  /** Live memory at the end, over that after the warm-up. */
  readonly growthBytes: number
  readonly handleGrowth: number
  readonly ticks: number
  readonly hashChecks: number
  readonly mismatches: number
  /** Written as replays. */
  readonly fileBytes: number
  /** Clients that lost their connection. */
  readonly lost: number
}

export type Sample = { readonly liveBytes: number; readonly handles: number }

/** The part of the samples that is warm-up: caches fill, code is compiled. */
const WARM_UP = 0.3

// As with `node --expose-gc`, without having to say so.
setFlagsFromString('--expose-gc')
const collect: () => void = runInNewContext('gc')

export function sampleHere(): Sample {
  collect()
  const { heapUsed, external } = process.memoryUsage()
  return { liveBytes: heapUsed + external, handles: process.getActiveResourcesInfo().length }
}

export type Samples = {
  take(sample?: Sample): void
  count(): number
  describe(): string
  growth(): { readonly growthBytes: number; readonly handleGrowth: number }
}

export function createSamples(): Samples {
  const taken: Sample[] = []
  return {
    take: (sample = sampleHere()) => void taken.push(sample),
    count: () => taken.length,
    describe() {
      const { liveBytes, handles } = taken[taken.length - 1]
      return `${(liveBytes / 1e6).toFixed(2)} MB live, ${handles} handles`
    },
    growth() {
      // Medians of the tenth after the warm-up and of the last tenth: a match in full swing holds more than a calm one.
      const tenth = Math.max(1, Math.floor(taken.length / 10))
      const from = Math.floor(taken.length * WARM_UP)
      const median = (part: readonly Sample[], of: (sample: Sample) => number) =>
        part.map(of).sort((a, b) => a - b)[part.length >> 1]
      const fewest = (part: readonly Sample[]) => Math.min(...part.map(({ handles }) => handles))
      const [first, last] = [taken.slice(from, from + tenth), taken.slice(-tenth)]
      return {
        growthBytes: median(last, ({ liveBytes }) => liveBytes) - median(first, ({ liveBytes }) => liveBytes),
        // Handles of a moment (a socket that closes, a file that is written) come and go; one that leaks is in every sample.
        handleGrowth: fewest(last) - fewest(first),
      }
    },
  }
}
