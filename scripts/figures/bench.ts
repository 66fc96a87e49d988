/** The benchmark, as a reader can run it in two minutes. */

/// <reference path="../../bench/types/matter-js.d.ts" />

import { OURS } from '../../bench/registry.ts'
import { type Line, withRatios } from '../../bench/results.ts'
import { apart, type Figure } from './figure.ts'
import { parseLines, run } from './run.ts'

export type BenchResult = {
  readonly seconds: number
  /** The answer of one contender to one question. */
  readonly lines: readonly BenchLine[]
}

export type BenchLine = Pick<Line, 'workload' | 'n' | 'contender' | 'family' | 'ms' | 'verdict' | 'meanPenetration'>

const QUICK = 'npm run bench -- --quick'
/** A crowd has no right answer, so it is no part of a quick run; asked for by name it is. */
export const CROWD = `${QUICK} --only crowd`

export const bench: Figure<BenchResult> = {
  name: 'bench',
  command: QUICK,
  async measure(log) {
    const started = performance.now()
    const quick = parseLines<Line>(await run(asJson(QUICK), log))
    const seconds = Math.round((performance.now() - started) / 1000)
    const crowd = parseLines<Line>(await run(asJson(CROWD), log))
    return { seconds, lines: [...quick, ...crowd].map(shortLine) }
  },
  /** Milliseconds are the machine's; how many times faster than the best peer is what the pages claim. */
  differences(saved, now) {
    const ratios = ratiosOf(now)
    return Object.entries(ratiosOf(saved)).flatMap(([name, ratio]) =>
      ratios[name] === undefined ? [`${name}: not measured now`] : apart(`times faster, ${name}`, ratio, ratios[name]),
    )
  },
}

/** How many times as long the best peer takes, by workload and size. */
function ratiosOf({ lines }: BenchResult): Record<string, number> {
  const ours = casesOf(lines).map(({ ours }) => ours)
  return Object.fromEntries(ours.map(({ workload, n, bestPeerRatio }) => [`${workload} ${n}`, bestPeerRatio ?? 0]))
}

/** The lines by question, in the order asked; ours with the ratios to the best of the others. */
export function casesOf(lines: readonly BenchLine[]): { readonly ours: Line; readonly all: readonly Line[] }[] {
  const names = [...new Set(lines.map(({ workload, n }) => `${workload} ${n}`))]
  return names.map((name) => {
    const all = withRatios(lines.filter(({ workload, n }) => `${workload} ${n}` === name) as Line[])
    return { ours: all.find(({ contender }) => contender === OURS)!, all }
  })
}

function shortLine({ workload, n, contender, family, ms, verdict, meanPenetration }: Line): BenchLine {
  const line = { workload, n, contender, family, ms: shortNumber(ms), verdict }
  return meanPenetration === undefined ? line : { ...line, meanPenetration: shortNumber(meanPenetration) }
}

/** Four digits: more than a benchmark knows. */
function shortNumber(value: number): number {
  return Number(value.toPrecision(4))
}

function asJson(command: string): string {
  return `${command.replace('npm run', 'npm run --silent')} --json`
}
