import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { DUEL, hurtbox, jsonLines } from '../../test/command.ts'
import { groupFailures } from '../balance/failures.ts'
import { countMatches, matchAt, readVariable, settingsOf } from '../balance/plan.ts'
import { renderReport } from '../balance/report.ts'
import { meanOf, shareOf, studentQuantile } from '../balance/statistics.ts'
import { tableOf } from '../balance/table.ts'

const scratch = mkdtempSync(join(tmpdir(), 'hurtbox-balance-'))
afterAll(() => rmSync(scratch, { recursive: true }))

let folders = 0
const folder = () => join(scratch, String(folders++))
const run = (out: string, ...args: string[]) =>
  hurtbox(['balance', DUEL, '--matches', '12', '--vary', 'tuning.speed=0.5..2/3', '--out', out, '--json', ...args])
const ledgerOf = (out: string) => join(out, 'matches.jsonl')
const reportOf = (out: string) => readFileSync(join(out, 'report.html'), 'utf8')

describe('hurtbox balance', () => {
  test('[BL1] the same report and the same figures, whatever the number of workers', async () => {
    const [one, three] = [folder(), folder()]
    const alone = await run(one, '--workers', '1')
    const together = await run(three, '--workers', '3')
    expect(alone.stderr).toBe('')
    expect(together.stdout).toBe(alone.stdout)
    expect(reportOf(three)).toBe(reportOf(one))
    const settings = jsonLines(alone)
    expect(settings.map(({ setting, matches }) => [setting, matches])).toEqual([
      [{ speed: 0.5 }, 4],
      [{ speed: 1.25 }, 4],
      [{ speed: 2 }, 4],
    ])
    // A faster blade arrives sooner, so the settings did reach the matches.
    const seconds = settings.map((line) => (line.seconds as { mean: number }).mean)
    expect(seconds[0]).toBeGreaterThan(seconds[1])
    expect(seconds[1]).toBeGreaterThan(seconds[2])
  })

  test('[BL2] a run that was stopped goes on: finished matches stay, a line cut short is played again', async () => {
    const [whole, cut] = [folder(), folder()]
    await run(whole)
    await run(cut)
    const lines = readFileSync(ledgerOf(cut), 'utf8').trimEnd().split('\n')
    const kept = lines.slice(0, 6)
    // A figure no match has: if it is still there afterwards, the match was kept and not played again.
    kept[1] = kept[1].replace(/"ticks":\d+/, '"ticks":3000')
    writeFileSync(ledgerOf(cut), `${kept.join('\n')}\n${lines[6].slice(0, 20)}`)
    const resumed = await run(cut)
    expect(resumed.code).toBe(0)
    const after = readFileSync(ledgerOf(cut), 'utf8').trimEnd().split('\n')
    expect(after.length).toBe(13)
    expect(after[1]).toContain('"ticks":3000')
    expect(new Set(after.slice(1).map((line) => JSON.parse(line).match)).size).toBe(12)
    expect(after.filter((line) => lines.includes(line)).length).toBe(12)
  })

  test('[BL3] matches of another plan are refused, and replaced when asked for', async () => {
    const out = folder()
    await run(out)
    const other = await run(out, '--seed', '99')
    expect(other.code).toBe(2)
    expect(other.stderr).toMatch(/another plan.*--fresh/)
    const fresh = await run(out, '--seed', '99', '--fresh')
    expect(fresh.code).toBe(0)
    expect(readFileSync(ledgerOf(out), 'utf8').trimEnd().split('\n').length).toBe(13)
  })

  test('[BL4] matches that fail for one reason are told once, with their number, their first seeds and the command', async () => {
    const args = [
      'balance',
      DUEL,
      '--matches',
      '14',
      '--bots',
      '2',
      '--vary',
      'speed=1..2/2',
      '--option',
      'fault=throw',
    ]
    const { code, stdout } = await hurtbox([...args, '--out', folder()])
    expect(code).toBe(1)
    expect(stdout.replace(/\(\S*duel\.ts:\d+:\d+\)/, '(the line)')).toMatch(
      `14 matches failed (seed 1, 2, 3, 4, 5, …): phase slide failed in tick 5: the blade broke (the line)
    npx hurtbox run ${DUEL} --seed 1 --bots 2 --tune speed=1 --option fault=throw`,
    )
    expect(stdout.match(/the blade broke/g)).toHaveLength(1)
    const [, , command] = /(npx hurtbox )(run .*)/.exec(stdout)!
    const again = await hurtbox(command.split(' '))
    expect([again.code, again.stderr]).toEqual([
      1,
      expect.stringContaining('phase slide failed in tick 5: the blade broke ('),
    ])
  })

  test('[BL5] tuning that does not exist or lies out of range is refused before the first match', async () => {
    const unknown = await hurtbox(['balance', DUEL, '--vary', 'sped=1..2', '--out', folder()])
    expect([unknown.code, unknown.stderr]).toEqual([2, expect.stringMatching(/sped/)])
    const wide = await hurtbox(['balance', DUEL, '--vary', 'speed=1..20', '--out', folder()])
    expect([wide.code, wide.stderr]).toEqual([2, expect.stringMatching(/speed.*20/)])
    const still = await hurtbox(['balance', DUEL, '--vary', 'speed=1..1/3'])
    expect([still.code, still.stderr]).toEqual([2, expect.stringMatching(/nothing to vary/)])
    const file = await hurtbox(['balance', DUEL, '--out', DUEL])
    expect([file.code, file.stderr]).toEqual([2, expect.stringMatching(/is a file/)])
    for (const bad of ['speed', 'speed=1', 'speed=1..x', 'speed=1..2/1', 'speed=1..2/500']) {
      const { code, stderr } = await hurtbox(['balance', DUEL, '--vary', bad])
      expect([code, stderr], bad).toEqual([2, expect.stringMatching(/name=from\.\.to/)])
    }
  })

  test('[BL9] more matches of the same plan are added to those that are there; of fewer, the first count', async () => {
    const [grown, whole] = [folder(), folder()]
    await run(grown)
    const twice = ['--matches', '24']
    const more = await run(grown, ...twice)
    expect([more.code, jsonLines(more).map(({ matches }) => matches)]).toEqual([0, [8, 8, 8]])
    expect(more.stdout).toBe((await run(whole, ...twice)).stdout)
    expect((await run(grown)).stdout).toBe((await run(folder())).stdout)
  })

  test('[BL10] a scene without players gets bots, unless their number is given', async () => {
    const presses = async (...args: string[]) => {
      const outcome = await hurtbox([
        'balance',
        DUEL,
        '--scene',
        'open',
        '--matches',
        '2',
        '--json',
        '--out',
        folder(),
        ...args,
      ])
      return (jsonLines(outcome)[0].figures as Record<string, { mean: number }>).presses.mean
    }
    const [unsaid, one, none] = [await presses(), await presses('--bots', '1'), await presses('--bots', '0')]
    expect(one).toBeGreaterThan(0)
    expect([unsaid, none]).toEqual([2 * one, 0])
  })
})

test('[BL12] without a winner, the terminal shows what was counted: what changes first, five at most', () => {
  const estimates = (...means: number[]) => means.map((mean) => meanOf([mean, mean + 1]))
  const figures = { same: estimates(3, 3), never: estimates(-0.5, -0.5), changed: estimates(1, 90) }
  const summaries = (winner: string, names: readonly string[]) =>
    [0, 1].map((i) => ({
      setting: { speed: i },
      matches: 2,
      wins: { [winner]: shareOf(2, 2) },
      seconds: meanOf([30, 30]),
      figures: Object.fromEntries(names.map((name) => [name, figures[name.split(' ')[0] as keyof typeof figures][i]])),
      hash: '0',
    }))
  const headOf = (winner: string, names: readonly string[]) => tableOf(summaries(winner, names))[0].slice(2, -2)
  expect(headOf('seat 0', ['same', 'changed'])).toEqual(['wins: seat 0'])
  expect(headOf('nobody', ['same', 'never', 'changed'])).toEqual(['changed', 'same'])
  expect(tableOf(summaries('nobody', ['changed']))[2]).toEqual(['speed 1', '2', '90.5 ± 6.353', '30 ± 0', '0'])
  expect(headOf('nobody', ['same 1', 'same 2', 'same 3', 'same 4', 'same 5', 'changed'])).toHaveLength(5)
})

test('[BL4] failures that differ only in numbers are one; the command has all that makes the match', () => {
  const plan = {
    game: 'duel',
    match: { scene: 'a b', bots: 2, ticks: 9, tune: { reach: '3' }, option: { map: "o'er" } },
    firstSeed: 7,
    matchesPerSetting: 4,
    settings: [{ speed: 0.5 }, { speed: 2 }],
  }
  const groups = groupFailures(plan, 'my games/duel.ts', [
    { index: 6, message: 'tick 31: row 2 broke' },
    { index: 1, message: 'tick 4: row 12 broke' },
    { index: 3, message: 'the blade is blunt' },
    { index: 5, message: 'tick 5: row 1 broke' },
  ])
  const flags = (seed: number) =>
    `--scene 'a b' --seed ${seed} --bots 2 --ticks 9 --tune reach=3 --tune speed=2 --option 'map=o'\\''er'`
  const command = (seed: number) => `npx hurtbox run 'my games/duel.ts' ${flags(seed)}`
  expect(groups).toEqual([
    { message: 'tick 4: row 12 broke', matches: 3, seeds: [7, 9, 10], command: command(7) },
    { message: 'the blade is blunt', matches: 1, seeds: [8], command: command(8) },
  ])
})

describe('the plan', () => {
  test('[BL6] every setting is played with the same seeds, all combinations in order', () => {
    const variables = readVariable('b=0..1/2', readVariable('tuning.a=1..3/3'))
    const settings = settingsOf(variables)
    expect(settings).toEqual([
      { a: 1, b: 0 },
      { a: 1, b: 1 },
      { a: 2, b: 0 },
      { a: 2, b: 1 },
      { a: 3, b: 0 },
      { a: 3, b: 1 },
    ])
    const plan = { game: 'duel', match: {}, firstSeed: 7, matchesPerSetting: 2, settings }
    const seeds: number[][] = settings.map(() => [])
    for (let i = 0; i < countMatches(plan); i++) seeds[matchAt(plan, i).setting].push(matchAt(plan, i).seed)
    expect(seeds).toEqual(settings.map(() => [7, 8]))
    expect(() => readVariable('a=1..2', variables)).toThrow(/varied twice/)
  })
})

describe('the statistics', () => {
  test('[BL7] intervals agree with published values', () => {
    const table: [number, number][] = [
      [1, 12.706],
      [2, 4.303],
      [3, 3.182],
      [5, 2.571],
      [10, 2.228],
      [30, 2.042],
      [1000, 1.962],
    ]
    for (const [freedom, quantile] of table) expect(Math.abs(studentQuantile(freedom) - quantile)).toBeLessThan(0.005)
    const { mean, low, high } = meanOf([2, 4, 4, 4, 5, 5, 7, 9])
    expect([mean, Number(low.toFixed(2)), Number(high.toFixed(2))]).toEqual([5, 3.21, 6.79])
    const wilson = shareOf(1, 10)
    expect([wilson.low.toFixed(3), wilson.high.toFixed(3)]).toEqual(['0.018', '0.404'])
    expect([shareOf(0, 20).low, shareOf(20, 20).high]).toEqual([0, 1])
    expect(meanOf([3]).high).toBe(Number.POSITIVE_INFINITY)
  })
})

test('[BL11] significant changes are shown first; without winners there is no plot of them', () => {
  const clear = [
    [1, 1.1, 0.9],
    [5, 5.1, 4.9],
  ].map(meanOf)
  const same = [
    [1, 2, 3],
    [1, 2, 4],
  ].map(meanOf)
  const summaries = [0, 1].map((i) => ({
    setting: { speed: i },
    matches: 3,
    wins: { nobody: shareOf(3, 3) },
    seconds: same[i],
    figures: { dull: same[i], telling: clear[i] },
    hash: '0',
  }))
  const html = renderReport('duel', 'scene slide', [{ name: 'speed', values: [0, 1] }], summaries)
  const captions = [...html.matchAll(/<h2>(.*?)<\/h2>|<figcaption>(\w+)/g)].map(([, heading, name]) => heading ?? name)
  expect(captions).toEqual(['What changes', 'telling', 'No clear difference', 'how', 'dull', 'All figures'])
})

test('[BL8] names in a report are text, never markup', () => {
  const estimate = meanOf([1, 2])
  const name = '<img src=x onerror=alert(1)>"'
  const summary = {
    setting: {},
    matches: 2,
    wins: { [name]: estimate },
    seconds: estimate,
    figures: { [name]: estimate },
    hash: '0',
  }
  const html = renderReport(name, name, [], [summary])
  expect(html).not.toContain('<img')
  expect(html).toContain('&#60;img')
  expect(html).not.toMatch(/<script|NaN|Infinity|undefined/)
})
