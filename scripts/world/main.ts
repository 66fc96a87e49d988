/**
 * `npm run measure -- world`: plays every scenario of the world in a box, and says what was seen.
 *
 *   --only <name>  this one only; may be given several times, and a name that ends in * means all that begin so
 *   --list         what there is
 *   --ci           those that `npm test` plays too
 *   --jobs <n>     how many at once (default 2)
 */

import { parseArgs } from 'node:util'
import { missingFor } from './needs.ts'
import { scenarios } from './scenarios/index.ts'
import { play, type Scenario } from './world.ts'

const { values } = parseArgs({
  options: {
    only: { type: 'string', multiple: true, default: [] },
    list: { type: 'boolean', default: false },
    ci: { type: 'boolean', default: false },
    jobs: { type: 'string', default: '2' },
  },
})

const unknown = values.only.filter((name) => !scenarios.some((scenario) => isMeant(name, scenario)))
if (unknown.length > 0) {
  console.error(`There is no scenario ${unknown.join(', ')}. --list shows all.`)
  process.exitCode = 2
} else if (values.list) {
  for (const { name, says, ci } of scenarios) console.log(`${name.padEnd(28)} ${ci ? 'ci ' : '   '} ${says}`)
} else {
  const chosen = scenarios.filter(
    (scenario) =>
      (!values.ci || scenario.ci) && (values.only.length === 0 || values.only.some((name) => isMeant(name, scenario))),
  )
  const results = await playAll(chosen, Number(values.jobs))
  const count = (result: Result) => results.filter((each) => each === result).length
  console.log(`${count('passed')} passed, ${count('failed')} failed, ${count('skipped')} skipped`)
  process.exitCode = count('failed') > 0 || (process.env.CI && count('skipped') > 0) ? 1 : 0
}

function isMeant(name: string, scenario: Scenario): boolean {
  return name.endsWith('*') ? scenario.name.startsWith(name.slice(0, -1)) : scenario.name === name
}

type Result = 'passed' | 'failed' | 'skipped'

/** Most scenarios wait most of the time, so several run side by side. */
async function playAll(chosen: readonly Scenario[], jobs: number): Promise<Result[]> {
  const results: Result[] = []
  const waiting = [...chosen]
  const work = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) results.push(await playOne(next))
  }
  await Promise.all(Array.from({ length: jobs }, work))
  return results
}

async function playOne(scenario: Scenario): Promise<Result> {
  const missing = missingFor(scenario)
  if (missing !== '') {
    console.log(`SKIPPED  ${scenario.name}: needs ${missing}`)
    return 'skipped'
  }
  const { seconds, seen, failure } = await play(scenario)
  const start = `${failure === undefined ? 'passed' : 'FAILED'} ${seconds.toFixed(1).padStart(6)} s  ${scenario.name}: `
  console.log(`${start}${failure === undefined ? seen.join(', ') : scenario.says}`)
  if (failure === undefined) return 'passed'
  if (seen.length > 0) console.log(`    seen before: ${seen.join(', ')}`)
  console.log(failure.replace(/^/gm, '    '))
  return 'failed'
}
