/**
 * The game as players outside reach it: scenarios of the world in a box, those that are quick and matter most.
 *
 * They wait most of the time, so they run side by side. All of them: `npm run measure -- world`.
 */

import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { missingFor } from '../world/needs.ts'
import { scenarios } from '../world/scenarios/index.ts'
import { play } from '../world/world.ts'

/** Which rule each scenario proves. Those without one here are only measured. */
const RULES: Readonly<Record<string, string>> = {
  name: '[WB2] the page of a server on all addresses is drawn and played under a plain name',
  'tls-prefix-project': '[WB3] a created project is drawn and played behind nginx with TLS, below a path',
  'container-read-only':
    '[WB4] a created project starts and plays where nothing can be written, and drains on SIGTERM as process 1',
  npx: '[WB5] SIGTERM to `npx hurtbox serve` drains and ends the server',
  'doctor-untold': '[DR5] the doctor names datagrams that are told where players behind a router cannot come',
  'hidden-12': '[WB6] a player whose tab was hidden for 12 s goes on in the same seat of the same match',
  'frozen-12': '[WB6] a player whose page was frozen for 12 s goes on in the same seat of the same match',
}

/** Those of the long suite, where the machine has what they need. */
const LONG_RULES: Readonly<Record<string, string>> = {
  'udp-mapped': '[DG10] Chromium and Firefox play in one room over datagrams, through a router that maps other ports',
  'reach-mapped-chromium': '[DG110] 99 % of joins get datagrams: Chromium, through mapped ports',
  'reach-mapped-firefox': '[DG110] 99 % of joins get datagrams: Firefox, through mapped ports',
  'reach-tls-chromium': '[DG110] 99 % of joins get datagrams: Chromium, through a TLS proxy',
  'reach-tls-firefox': '[DG110] 99 % of joins get datagrams: Firefox, through a TLS proxy',
}
const isLong = process.env.HURTBOX_LONG !== undefined

const quick = scenarios.filter(({ ci }) => ci)
const lacking = new Map(quick.map((scenario) => [scenario, missingFor(scenario)]))
for (const [{ name }, missing] of lacking) {
  if (missing !== '' && process.env.CI) throw new Error(`The scenario ${name} must run on CI, and needs ${missing}.`)
  if (missing !== '') console.warn(`SKIPPED: the scenario ${name} needs ${missing}`)
}

test('each scenario of `npm test` proves a rule', () => {
  expect(quick.map(({ name }) => name).sort()).toEqual(Object.keys(RULES).sort())
})

describe.concurrent('the world in a box', () => {
  for (const scenario of quick) {
    test.skipIf(lacking.get(scenario) !== '')(RULES[scenario.name], { timeout: 180_000 }, async () => {
      const { failure } = await play(scenario)
      if (failure !== undefined) throw new Error(`${scenario.says}\n${failure}`)
    })
  }
})

describe.skipIf(!isLong)('the world in a box for long', () => {
  for (const [name, rule] of Object.entries(LONG_RULES)) {
    test(rule, { timeout: 3_600_000 }, async (context) => {
      const scenario = scenarios.find((each) => each.name === name)!
      const missing = missingFor(scenario)
      if (missing !== '') return context.skip(`needs ${missing}`)
      const { failure, seen } = await play(scenario)
      if (failure !== undefined) throw new Error(`${scenario.says}\n${failure}`)
      console.log(`${name}: ${seen.at(-2)}`)
    })
  }
})

describe.skipIf(missingFor({ needs: [] }) !== '')('what a world leaves', () => {
  const namesOf = (pid: number) =>
    [...execFileSync('ip', ['netns', 'list'], { encoding: 'utf8' }).split('\n'), ...readdirSync(tmpdir())].filter(
      (name) => name.startsWith(`hurtbox-world-${pid}.`),
    )

  test('[WB1] a scenario that fails leaves no namespace, process or file, and says what was wanted and seen', async () => {
    let processId = 0
    const { failure } = await play({
      name: 'fails',
      says: 'nothing',
      needs: [],
      async run({ net, see }) {
        processId = net().start('client', 'sleep', ['600'], { stdio: 'ignore' }).pid!
        expect(namesOf(process.pid)).not.toEqual([])
        await see(
          'a cow',
          () => 'a horse',
          (seen) => seen === 'a cow',
          0,
        )
      },
    })
    expect(failure).toContain('wanted within 0 s: a cow\nseen at last: "a horse"')
    expect([isRunning(processId), namesOf(process.pid)]).toEqual([false, []])
  })

  test('[WB1] what a killed run has left is removed by the next one', { timeout: 60_000 }, async () => {
    const net = new URL('../world/net.ts', import.meta.url)
    const program = `
      const { createNet } = await import(${JSON.stringify(net.href)})
      const sleeper = createNet().start('server', 'sleep', ['600'], { stdio: 'ignore' })
      console.log(sleeper.pid)
      setInterval(() => {}, 1000)`
    const run = spawn(process.execPath, ['--input-type=module', '-e', program], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const [sleeper] = await once(run.stdout, 'data')
    run.kill('SIGKILL')
    await once(run, 'exit')
    expect(namesOf(run.pid!)).toHaveLength(4)
    expect(isRunning(Number(sleeper))).toBe(true)
    spawnSync(process.execPath, [
      '--input-type=module',
      '-e',
      `(await import(${JSON.stringify(net.href)})).createNet()`,
    ])
    expect(namesOf(run.pid!)).toEqual([])
    expect(isRunning(Number(sleeper))).toBe(false)
  })
})

test('[WB7] a scenario is skipped by name with what is missing, which on CI is an error', () => {
  const main = fileURLToPath(new URL('../world/main.ts', import.meta.url))
  // A machine that has nothing but Node.
  const played = (CI: string) =>
    spawnSync(process.execPath, [main, '--only', 'name'], { env: { PATH: '/nowhere', CI }, encoding: 'utf8' })
  const here = played('')
  expect(here.stdout).toMatch(
    /^SKIPPED {2}name: needs .*apt-get install iproute2 .*chromium\n0 passed, 0 failed, 1 skipped\n$/,
  )
  expect([here.status, played('1').status]).toEqual([0, 1])
})

/** Also not one that has ended and whose parent does not want to know. */
function isRunning(pid: number): boolean {
  return existsSync(`/proc/${pid}/stat`) && !/^.*\) Z/s.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
}
