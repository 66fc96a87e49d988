import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { hurtbox, jsonLines } from '../../../packages/cli/test/command.ts'
import { LEGACY_OPTIONS, legacyOptionsOf } from './legacy-options.ts'

const folder = mkdtempSync(join(tmpdir(), 'hurtbox-teams-'))
afterAll(() => rmSync(folder, { recursive: true }))

function fileWith(name: string, text: string): string {
  const file = join(folder, name)
  writeFileSync(file, text)
  return file
}

test('[VF30] compare prints the table of the document, and as JSON one object per line in order', async () => {
  const [table, json] = await Promise.all([hurtbox(['compare']), hurtbox(['compare', '--json'])])
  expect(table.code).toBe(0)
  const counts = table.stdout
    .trimEnd()
    .split('\n')
    .slice(1)
    .map((line) => line.trim().split(/\s+/).slice(-3).join('/'))
  expect([counts[0], counts[1], counts[2], counts[4]]).toEqual(['1/4/1', '1/1/1', '3/20/3', '4/4/4'])
  expect(jsonLines(json).map((line) => [line.new, line.legacy, line.commands].join('/'))).toEqual(counts)
  expect(jsonLines(json).map(({ scenario }) => String(scenario).slice(0, 5))).toEqual([
    'test1',
    'test2',
    'test3',
    'test4',
    'test5',
  ])
})

test('[VF51] --legacy-all sets the four options of the document and no other', async () => {
  expect(await legacyOptionsOf('--legacy-all')).toEqual(LEGACY_OPTIONS)
})

test('[VF31] compare plays the user’s files; bad lines are reported by number and skipped', async () => {
  const file = fileWith('orders.txt', '# mine\n0,1,THRUST,20\nnonsense\n0,2,O_TURN,abc\n9,1,THRUST,1\n0,3,FLY,1\n')
  const outcome = await hurtbox(['compare', '--scenario', file, '--json', '--turns', '5'])
  expect(outcome.code).toBe(0)
  expect(jsonLines(outcome)).toEqual([
    { scenario: file, new: expect.any(Number), legacy: expect.any(Number), commands: expect.any(Number) },
  ])
  expect([...new Set(outcome.stderr.match(/line \d+/g))]).toEqual(['line 3', 'line 4', 'line 5', 'line 6'])
  expect(outcome.stderr).toMatch(/there is no order "FLY"/)
})

test('[VF31] a file that cannot be read, or has no order, is exit code 2', async () => {
  const empty = fileWith('empty.txt', '')
  for (const file of [empty, join(folder, 'missing.txt')]) {
    const outcome = await hurtbox(['compare', '--scenario', file])
    expect(outcome).toMatchObject({ code: 2, stdout: '' })
    expect(outcome.stderr).toContain(file)
  }
})

test('[VF33] a trace file is played and printed as one JSON document', async () => {
  const golden = new URL('golden/launch.jsonl', import.meta.url)
  const [line] = readFileSync(golden, 'utf8').split('\n')
  const trace = JSON.parse(line)
  const file = fileWith('trace.json', line)
  const args = ['run', 'vinyl-frontier', '--trace', file]
  const [played, other, bad] = await Promise.all([
    hurtbox(args),
    hurtbox([...args, '--preset', 'document', '--mode', 'new']),
    hurtbox([...args, '--mode', 'odd']),
  ])
  const own = JSON.parse(played.stdout)
  expect(played).toMatchObject({ code: 0, stderr: '' })
  expect(own.frames.length).toBe(trace.frames.length)
  expect(own.frames[0].changed).toEqual(trace.frames[0].changed)
  expect(JSON.parse(other.stdout)).toMatchObject({ preset: 'document', mode: 'new' })
  expect(bad).toMatchObject({ code: 2, stdout: '' })
})

test('[VF34] teams come from files and modules; flags of one game are refused for another', async () => {
  const module = fileWith('team.mjs', 'export const team = { turn: () => [{ ship: 0, kind: 2, value: 20 }] }')
  const script = fileWith('script.txt', '0,1,THRUST,20\n')
  const args = ['run', 'vinyl-frontier', '--json', '--option', 'maxTurns=3']
  const [teams, wrong, foreign] = await Promise.all([
    hurtbox([...args, '--team1', `module:${module}`, '--team2', `script:${script}`, '--team3', 'idle', '--verbose']),
    hurtbox([...args, '--team1', 'robot']),
    hurtbox(['run', 'skirmish', '--team1', 'idle']),
  ])
  const lines = jsonLines(teams)
  const launches = lines.filter(({ line, text }) => line === 'log' && String(text).startsWith('[UNDOCK]'))
  expect(launches.map(({ text }) => /Drift-1|Test-1/.exec(String(text))?.[0])).toEqual(['Drift-1', 'Test-1'])
  expect(lines.at(-1)).toMatchObject({ line: 'summary', ticks: 15, options: { teams: 3 } })
  expect(wrong).toMatchObject({ code: 2, stdout: '' })
  expect(foreign.stderr).toMatch(/unknown option '--team1'/)
})
