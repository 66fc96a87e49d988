/** What `npm run measure -- figures` does, in order: cheap and exact first, so that a mistake shows early. */

import { bench } from './bench.ts'
import { compare } from './compare.ts'
import { engines } from './engines.ts'
import { pagesWithExamples, rerunExamples, staleExamples, staleSpeeds, updateExamples } from './examples.ts'
import type { Figure } from './figure.ts'
import { games } from './games.ts'
import { linksReal } from './links-real.ts'
import { load } from './load.ts'
import { netcode, netcodeMillion } from './netcode.ts'
import { nights, storm } from './nightfall.ts'
import { run } from './run.ts'
import { loadSaved, save } from './saved.ts'
import { setup, tests } from './start.ts'

export type Step = {
  readonly name: string
  readonly isLong: boolean
  /** Runs it and writes down what came out; all then holds. */
  update(log: (progress: string) => void): Promise<[]>
  /** Runs it and returns what does not hold any more, one sentence each. */
  check(log: (progress: string) => void): Promise<string[]>
}

const examples: Step = {
  name: 'examples',
  isLong: false,
  async update(log) {
    for (const page of pagesWithExamples()) {
      log(page)
      updateExamples(page, await rerunExamples(page))
    }
    return []
  },
  async check(log) {
    const stale: string[] = []
    for (const page of pagesWithExamples()) {
      log(page)
      const found = await rerunExamples(page)
      stale.push(...staleExamples(page, found), ...staleSpeeds(page, found))
    }
    return stale
  },
}

/** The curves of the benchmark, every size up to a million: the benchmark keeps its own results, in bench/results. */
const plot: Step = {
  name: 'plot',
  isLong: true,
  async update(log) {
    await run('npm run --silent bench -- --only pairs', log)
    await run('npm run --silent bench -- --plot', log)
    return []
  },
  /** What the table claims is checked by `bench`; a test holds the picture to the results. */
  check: async () => [],
}

export const steps: readonly Step[] = [
  measured(compare),
  measured(games),
  examples,
  measured(netcode),
  measured(bench),
  measured(storm),
  measured(load),
  measured(engines),
  measured(setup),
  measured(tests),
  measured(nights),
  measured(netcodeMillion),
  measured(linksReal),
  plot,
]

function measured<T>(figure: Figure<T>): Step {
  return {
    name: figure.name,
    isLong: figure.isLong === true,
    async update(log) {
      save(figure, await figure.measure(log))
      return []
    },
    check: async (log) => figure.differences(loadSaved(figure).result, await figure.measure(log)),
  }
}
