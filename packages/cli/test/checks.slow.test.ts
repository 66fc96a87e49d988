/** The commands that check: verify, synctest, why. */

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { advance, createSession, type Session } from 'hurtbox'
import { createReplayWriter, drainReplay, finishReplay, type ReplayOptions } from 'hurtbox/replay'
import { afterAll, expect, test } from 'vitest'
import { DUEL, hurtbox, jsonLines } from './command.ts'
import { game as duel } from './fixtures/duel.ts'

const folder = mkdtempSync(join(tmpdir(), 'hurtbox-checks-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** A replay of 19 ticks in which thing 3 was moved by hand after tick 9, as in a forged file. */
function writeForged(name: string, options: ReplayOptions): string {
  const session = createSession(duel, { seed: 5 }) as unknown as Session
  const writer = createReplayWriter(session, options)
  const parts = [drainReplay(writer)]
  for (let tick = 0; tick < 19; tick++) {
    advance(session)
    if (tick === 9) session.world.tables.things.x[2] += 0.25
    parts.push(drainReplay(writer))
  }
  return write(name, Buffer.concat([...parts, finishReplay(writer)]))
}

function write(name: string, bytes: Uint8Array): string {
  const file = join(folder, name)
  writeFileSync(file, bytes)
  return file
}

test('[CL11] verify plays a replay again: ok, and the hash is the one of the run', async () => {
  const file = join(folder, 'skirmish.hbr')
  const run = await hurtbox(['run', 'skirmish', '--ticks', '80', '--replay', file, '--json'])
  const verified = await hurtbox(['verify', file, '--json'])
  const { hash, replay } = jsonLines(run).at(-1)!
  expect(replay).toBe(file)
  expect(verified.code).toBe(0)
  expect(jsonLines(verified)).toEqual([
    {
      line: 'verdict',
      file,
      game: 'skirmish',
      seed: 7,
      ok: true,
      complete: true,
      ticks: 80,
      verifiedTicks: 80,
      hash,
      problems: [],
    },
  ])
})

test('[CL11] a doctored replay is exit code 1, with the tick, table, row and column', async () => {
  const exact = writeForged('exact.hbr', { hashEvery: 1, keyframeEvery: 1 })
  const coarse = writeForged('coarse.hbr', { hashEvery: 8 })
  const [asText, asJson] = await Promise.all([
    hurtbox(['verify', exact, '--game', DUEL]),
    hurtbox(['verify', coarse, '--game', DUEL, '--json']),
  ])
  expect(asText.code).toBe(1)
  expect(asText.stdout).toMatch(/^.*exact\.hbr: DIVERGED\n/)
  expect(asText.stdout).toMatch(/tick 9 came out differently .* things row 2 \(id 3\) x is 10 here and 10\.25 there/)
  expect(asText.stdout).toMatch(/ 9 of 19 ticks came out as recorded\n/)

  expect(asJson.code).toBe(1)
  expect(jsonLines(asJson)).toMatchObject([
    { ok: false, complete: true, verifiedTicks: 8, mismatch: { fromTick: 8, toTick: 15, tables: ['things'] } },
  ])
})

test('[CL12] a file that is cut or damaged: what is good of it, and exit code 1', async () => {
  const whole = join(folder, 'whole.hbr')
  await hurtbox(['run', DUEL, '--hash-every', '4', '--keyframe-every', '0', '--replay', whole])
  const bytes = readFileSync(whole)
  const flipped = Uint8Array.from(bytes)
  flipped[flipped.length - 40] ^= 1
  const [cut, damaged] = await Promise.all([
    hurtbox(['verify', write('cut.hbr', bytes.subarray(0, -40)), '--game', DUEL]),
    hurtbox(['verify', write('flipped.hbr', flipped), '--game', DUEL, '--json']),
  ])
  expect(cut.code).toBe(1)
  expect(cut.stdout).toMatch(/cut\.hbr: DAMAGED\n/)
  expect(cut.stdout).toMatch(/the file ends inside it\.\n/)
  expect(cut.stdout).toMatch(/the first 16 ticks are good/)
  expect(cut.stdout).toMatch(/ 16 of 16 ticks came out as recorded, hash [0-9a-f]{16}\n/)
  expect(damaged.code).toBe(1)
  expect(jsonLines(damaged)).toMatchObject([{ ok: false, complete: false, ticks: 16, verifiedTicks: 16 }])
  expect((jsonLines(damaged)[0].problems as string[]).join('\n')).toMatch(/it is damaged/)
})

test('[CL12] a file that is no replay, or of another game, is exit code 2', async () => {
  const random = Uint8Array.from({ length: 3000 }, (_, i) => Math.imul(i + 1, 0x9e3779b1) >>> 13)
  const duelReplay = writeForged('other.hbr', {})
  const cases: [args: string[], message: RegExp][] = [
    [[write('empty.hbr', new Uint8Array())], /empty\.hbr: this is not a Hurtbox replay/],
    [[write('random.hbr', random)], /random\.hbr: this is not a Hurtbox replay/],
    [[write('stub.hbr', readFileSync(duelReplay).subarray(0, 100))], /stub\.hbr: the file ends inside the header/],
    [[join(folder, 'nothing.hbr')], /nothing\.hbr: there is no such file/],
    [[folder], /this is a folder/],
    [[duelReplay], /is a replay of "duel", which is not here\. Give its module with --game/],
    [[duelReplay, '--game', 'skirmish'], /the replay is of the game "duel", not "skirmish"/],
  ]
  const outcomes = await Promise.all(cases.map(([args]) => hurtbox(['verify', ...args])))
  outcomes.forEach(({ code, stdout, stderr }, i) => {
    expect({ code, stdout }, stderr).toEqual({ code: 2, stdout: '' })
    expect(stderr).toMatch(cases[i][1])
    expect(stderr).not.toMatch(/\n +at /)
  })
})

test('[CL19] a match that fails leaves a replay of the ticks before', async () => {
  const file = join(folder, 'failed.hbr')
  const run = await hurtbox(['run', DUEL, '--option', 'fault=throw', '--replay', file])
  expect(run.code).toBe(1)
  const verified = await hurtbox(['verify', file, '--game', DUEL, '--json'])
  expect(verified.code).toBe(0)
  expect(jsonLines(verified)).toMatchObject([{ ok: true, complete: true, ticks: 5 }])
})

test('[CL13] synctest prints a line per depth; a state outside the world is exit code 1, with tick and column', async () => {
  const [fine, leaky, leakyJson, still] = await Promise.all([
    hurtbox(['synctest', 'skirmish', '--ticks', '40', '--depth', '1-3,16', '--fresh']),
    hurtbox(['synctest', DUEL, '--option', 'fault=leak', '--depth', '2']),
    hurtbox(['synctest', DUEL, '--option', 'fault=leak', '--depth', '1', '--json']),
    hurtbox(['synctest', DUEL, '--tune', 'speed=0', '--depth', '1']),
  ])
  expect(fine.code).toBe(0)
  expect(fine.stdout.trimEnd().split('\n')).toEqual([
    'depth  1  ok: 40 rollbacks, 40 ticks played again, 40 with changes',
    'depth  2  ok: 40 rollbacks, 79 ticks played again, 40 with changes',
    'depth  3  ok: 40 rollbacks, 117 ticks played again, 40 with changes',
    'depth 16  ok: 40 rollbacks, 520 ticks played again, 40 with changes',
  ])
  expect(leaky.code).toBe(1)
  expect(leaky.stdout).toMatch(/^depth {2}2 {2}MISMATCH: tick 0 came out differently .* things row 2 \(id 3\) y is /)
  expect(leaky.stderr).toMatch(/outside the world/)

  expect(leakyJson.code).toBe(1)
  const [first] = jsonLines(leakyJson)
  expect(first).toMatchObject({ line: 'depth', game: 'duel', depth: 1, ok: false })
  expect(first).toMatchObject({
    mismatch: { tick: 0, differences: [{ table: 'things', row: 2, id: 3, column: 'y' }] },
  })

  // A world that stands still proves nothing.
  expect(still.code).toBe(1)
  expect(still.stdout).toMatch(/the state never changed/)
})

test('[CL10] a check whose reader has gone away still ends with its verdict', async () => {
  const args = ['synctest', DUEL, '--option', 'fault=leak', '--depth', '1-256']
  const { code, stdout } = await hurtbox(args, { closeAfterBytes: 1 })
  expect(code).toBe(1)
  expect(stdout).not.toMatch(/depth 256/)
})

test('[CL32] why about one thing tells what each phase did to it, also when it appears or is not there', async () => {
  const ask = (a: number, tick = 8, ...more: string[]) =>
    hurtbox(['why', DUEL, '--tick', `${tick}`, '--a', `${a}`, ...more])
  const [dummy, blade, nobody, asJson] = await Promise.all([ask(1), ask(2), ask(77), ask(1, 8, '--json')])
  expect(dummy).toEqual({ code: 0, stdout: expect.any(String), stderr: '' })
  expect(dummy.stdout.trim().split('\n').slice(1)).toEqual([
    '  1: dummy at 10, 0, radius 1',
    'hits:',
    '  hp 3 → 2',
    '  invulnerableUntil 0 → 13',
  ])
  expect(blade.stdout).toMatch(/\n {2}x 8 → 9\n/)
  expect(nobody.stdout.trim().split('\n').slice(1)).toEqual([
    '  77: not there before this tick',
    'No phase changed it.',
  ])
  expect(jsonLines(asJson)).toMatchObject([
    { line: 'phase', phase: 'hits', changes: [{ column: 'hp', before: 3, after: 2 }, { column: 'invulnerableUntil' }] },
    { line: 'answer', game: 'duel', tick: 8, a: 1, phases: 1 },
  ])
})

test('[CL14] why says in words which gate or rule decided: a hit, a refusal and a miss; from a scene or a replay', async () => {
  const file = join(folder, 'why.hbr')
  await hurtbox(['run', DUEL, '--replay', file])
  const ask = (of: string, tick: number, a: number, b: number, ...more: string[]) =>
    hurtbox(['why', of, '--tick', `${tick}`, '--a', `${a}`, '--b', `${b}`, ...more])
  const [hit, refused, apart, gone, fromReplay, asJson] = await Promise.all([
    ask(DUEL, 8, 1, 2),
    ask(DUEL, 9, 2, 1),
    ask(DUEL, 8, 3, 2),
    ask(DUEL, 8, 1, 77),
    ask(file, 8, 1, 2, '--game', DUEL),
    ask(DUEL, 8, 1, 2, '--json'),
  ])
  expect(hit).toEqual({ code: 0, stdout: expect.any(String), stderr: '' })
  expect(hit.stdout.split('\n').slice(0, 6)).toEqual([
    'duel, scene slide, seed 5: tick 8',
    '  1: dummy at 10, 0, radius 1',
    '  2: blade at 8, 0, radius 1',
    'hits:',
    '  blade hurts dummy: 2 and 1: accepted',
    '    hp of things id 1: 3 → 2',
  ])
  expect(refused.stdout).toMatch(/\n {2}blade hurts dummy: 2 and 1: refused, 1 was invulnerable at 9, until 13\n/)
  expect(apart.stdout).toMatch(/\n {2}apart: 98\.005 were missing\n/)
  expect(gone.stdout).toMatch(/\n {2}77: not there before this tick\n/)
  expect(fromReplay.stdout.split('\n').slice(1)).toEqual(hit.stdout.split('\n').slice(1))
  expect(jsonLines(asJson)).toMatchObject([
    { line: 'entry', phase: 'hits', rule: 'blade hurts dummy', first: 2, second: 1, verdict: 'accepted' },
    { line: 'answer', game: 'duel', seed: 5, tick: 8, a: 1, b: 2, entries: 1, hits: 1 },
  ])
})
