import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { DUEL, hurtbox, REPOSITORY } from './command.ts'

/** Makes a new Node behave like an old one. */
const NO_TYPESCRIPT = '--no-experimental-strip-types'

test('[CL15] help names every command and the exit codes', async () => {
  const { code, stdout, stderr } = await hurtbox(['--help'])
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  for (const command of [
    'run',
    'verify',
    'synctest',
    'check',
    'release',
    'why',
    'engines',
    'games',
    'map',
    'balance',
    'worker',
    'serve',
    'load',
    'doctor',
  ]) {
    expect(stdout).toMatch(new RegExp(`^ {2}${command} `, 'm'))
  }
  expect(stdout).toMatch(/Exit codes: 0 fine; 1 .*; 2 /)
})

describe('[CL5] [CL6] [CL7] used wrongly: exit code 2, what is wrong, what to do, and no stack', () => {
  const cases: readonly (readonly [string, RegExp])[] = [
    ['', /Usage: hurtbox/],
    ['rum skirmish', /unknown command 'rum'\n\(Did you mean run\?\)/],
    ['run', /Which game\? This project has skirmish, /],
    ['run skirmsh', /no game "skirmsh"\. Known: skirmish/],
    ['run ./nowhere.ts', /no file \.\/nowhere\.ts/],
    ['run package.json', /package\.json is no JavaScript or TypeScript module/],
    ['run packages/cli/test/command.ts', /is not the module of a game\. It must say: export default defineModule/],
    ['run skirmish --scene skirmish-buzy', /no scene of skirmish "skirmish-buzy"\. Did you mean skirmish-busy\?/],
    ['run skirmish --sceen x', /unknown option '--sceen'\n\(Did you mean --scene\?\)/],
    ['run skirmish --ticks -1', /'-1' is invalid\. It must be a whole number from 1/],
    ['run skirmish --seed 1e3', /'1e3' is invalid\. It must be a whole number from 0 to 9007199254740991/],
    ['run skirmish --tune knockback', /'knockback' is invalid\. It must be name=value/],
    ['run skirmish --tune knockbak=3', /no tuning value "knockbak"\. Known: knockback, /],
    ['run skirmish --tune knockback=1000', /knockback must lie between 0 and 200 px, got 1000/],
    ['run skirmish --option piercing=yes', /piercing must be one of true, false, got yes/],
    ['run skirmish --bots 1', /skirmish has no bots/],
    [`run ${DUEL} --bots 3`, /--bots 3 is too many: duel has 2 free seats/],
    ['synctest skirmish --depth 0', /'0' is invalid\. It must be a number of ticks from 1 to 256/],
    ['serve --policy everything', /A directive of --policy is a name and a value/],
    ['serve --port 70000', /'70000' is invalid\. It must be a whole number from 0 to 65535/],
    ['serve --no-studio --host 0.0.0.0 --load-test', /A load test .* only on a loopback, not 0\.0\.0\.0/],
    ['load --url example.org', /The address of a server is like http:\/\/127\.0\.0\.1:2567, got example\.org/],
    ['worker skirmish', /required option '--queue <redis>' not specified/],
    ['why skirmish --tick 1 --a 1 --b 2 --wall 0', /name one other: --b with the id of a thing, or --wall/],
    [`why ${DUEL} --tick 19 --a 1 --b 2`, /no tick 19: duel, scene slide, seed 5 has 19 ticks/],
  ]
  test.concurrent.for(cases)('hurtbox %s', async ([line, message], { expect }) => {
    const { code, stdout, stderr } = await hurtbox(line.split(' ').filter(Boolean))
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toMatch(message)
    expect(stderr).not.toMatch(/\n +at /)
  })
})

test('[CL9] progress is on stderr, and only when it is a terminal or asked for', async () => {
  const args = ['synctest', 'skirmish', '--ticks', '60', '--depth', '1', '--json']
  const [silent, asked] = await Promise.all([hurtbox(args), hurtbox([...args, '--progress'])])
  expect(silent.stderr).toBe('')
  expect(asked.stderr).toMatch(/^playing: tick 1 of 60\n/)
  expect(asked.stdout).toBe(silent.stdout)
})

test('[CL18] games lists scenes, options, tuning with unit and range, and the layers', async () => {
  const { code, stdout } = await hurtbox(['games', 'skirmish', '--layers'])
  expect(code).toBe(0)
  expect(stdout).toMatch(/^skirmish: 1 to 8 players, 60 ticks a second, rules version \d+\n/)
  expect(stdout).toMatch(/\n {4}skirmish-busy +eight gunners .* \(240 ticks, seed 3\)\n/)
  expect(stdout).toMatch(/\n {4}drones +whole number from 0 to 4000, default 40\n/)
  expect(stdout).toMatch(/\n {4}knockback +12 px +from 0 to 200\n/)
  expect(stdout).toMatch(/\n {4}bullet +· +× +· +×\n/)
})

test('[CL15] a Node that cannot load TypeScript hands over to the one that npm installed', async () => {
  const { code, stdout, stderr } = await hurtbox(['run', 'skirmish', '--ticks', '3'], { nodeFlags: [NO_TYPESCRIPT] })
  // How fast it was is no result.
  expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringMatching(/^ +speed .*\n$/) })
  expect(stdout).toMatch(/^skirmish, scene skirmish, seed 7: /)
  const failed = await hurtbox(['run', 'nothing'], { nodeFlags: [NO_TYPESCRIPT] })
  expect(failed.code).toBe(2)
})

test('[CL15] installed from npm, the command runs what was built', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'hurtbox-cli-'))
  try {
    const installed = join(folder, 'node_modules/@hurtbox/cli')
    cpSync(join(REPOSITORY, 'packages/cli/bin'), join(installed, 'bin'), { recursive: true })
    mkdirSync(join(installed, 'dist'))
    writeFileSync(join(installed, 'package.json'), '{ "type": "module" }')
    writeFileSync(join(installed, 'dist/main.js'), 'console.log("built:", ...process.argv.slice(2))')
    const outcome = await hurtbox(['run', 'x'], { command: join(installed, 'bin/hurtbox.js') })
    expect(outcome).toEqual({ code: 0, stdout: 'built: run x\n', stderr: '' })
  } finally {
    rmSync(folder, { recursive: true })
  }
})
