/** `hurtbox check` and `release`, on a game in a folder of its own, with mistakes planted in it one at a time. */

import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { parse } from 'acorn'
import { determinism, findTraps, type SyntaxNode } from 'hurtbox/lint'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { REPOSITORY } from '../../test/command.ts'

// Rules [CK1].. are in docs/spec.md, section "Check".

const RULES = `import { addCircle, axis, collide, declareGame, defineGame, each, players, spawn, type World } from 'hurtbox'
import { int } from 'hurtbox/math'

export const declaration = declareGame({
  id: 'ponds',
  rulesVersion: 1,
  tickRate: 30,
  seats: { min: 1, max: 2 },
  layers: { frog: ['fly'], fly: [] },
  capacity: 32,
  things: { eaten: 'u32', mood: 'f64' },
  streams: ['flies'],
  input: { moveX: axis() },
})

export interface PondWorld extends World<typeof declaration> {}

const eating = collide(
  declaration,
  {
    'frog eats fly': {
      between: ['frog', 'fly'],
      touching: true,
      decide(frog) {
        frog.eaten += 1
        frog.mood = frog.eaten * 0.1 // in a rule
      },
    },
  },
  { pose: { frog: (frog, boxes) => addCircle(boxes, frog), fly: (fly, boxes) => addCircle(boxes, fly) } },
)

// of the module
function hop(world: PondWorld): void {
  // in a function
  for (const player of players(world)) {
    const frog = player.thing
    if (frog !== undefined) frog.x += player.moveX
  }
}

export const game = defineGame(declaration, {
  setup: (world) => {
    for (let i = 0; i < 4; i++) spawn(world, 'fly', { x: i * 4, radius: 1 })
  },
  onJoin: (world, player) => {
    player.thing = spawn(world, 'frog', { radius: 3 })
  },
  phases: {
    hop,
    buzz(world) {
      for (const fly of each(world, 'fly')) {
        fly.y += int(world.random.flies, -1, 1)
        fly.mood = fly.y * 0.5 // in a phase
      }
    },
    eating,
  },
  stats: (world) => ({ mood: [...each(world)].reduce((sum, { mood }) => sum + mood, 0) }),
})
`

/** Bots are outside the step and may use what they like. */
const INDEX = `import { defineModule } from 'hurtbox/module'
import { game } from './rules.ts'

const jumper = { name: 'jumper', about: 'jumps about', think: () => ({ moveX: Math.sin(3) * Math.random() ** 2 }) }

export default defineModule({ game, bots: [jumper], seating: { seats: 2 } })
`

type Line = Record<string, unknown> & {
  readonly line: string
  readonly at?: { readonly file: string; readonly line: number; readonly text: string }
}

let folder = ''
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'hurtbox-check-test-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

let projects = 0

/** A project with a game whose rules are `RULES` with some texts replaced. */
function project(...changes: readonly (readonly [from: string, to: string])[]): string {
  const root = join(folder, `project${projects++}`)
  mkdirSync(join(root, 'game'), { recursive: true })
  mkdirSync(join(root, 'node_modules/tiny-clock'), { recursive: true })
  symlinkSync(join(REPOSITORY, 'packages/hurtbox'), join(root, 'node_modules/hurtbox'), 'junction')
  writeFileSync(
    join(root, 'node_modules/tiny-clock/package.json'),
    '{ "name": "tiny-clock", "type": "module", "exports": "./index.js" }',
  )
  writeFileSync(join(root, 'node_modules/tiny-clock/index.js'), 'export const now = () => Date.now() * 0\n')
  writeFileSync(join(root, 'package.json'), '{ "name": "ponds", "private": true, "type": "module" }')
  writeFileSync(join(root, 'game/index.ts'), INDEX)
  writeRules(root, ...changes)
  return root
}

function writeRules(root: string, ...changes: readonly (readonly [from: string, to: string])[]): void {
  let rules = RULES
  for (const [from, to] of changes) {
    expect(rules).toContain(from)
    rules = rules.replace(from, to)
  }
  writeFileSync(join(root, 'game/rules.ts'), rules)
}

type Outcome = { readonly code: number | null; readonly stdout: string; readonly stderr: string }

const check = (root: string, ...args: readonly string[]) => hurtbox(root, 'check', 'game/index.ts', ...args)
const release = (root: string) => hurtbox(root, 'release', '--no-runtimes', '--ticks', '90', 'game/index.ts')

function hurtbox(root: string, ...args: readonly string[]): Promise<Outcome> {
  const path = [join(REPOSITORY, 'node_modules/.bin'), process.env.PATH].join(delimiter)
  return new Promise((resolve, reject) => {
    const command = join(REPOSITORY, 'packages/cli/bin/hurtbox.js')
    const child = spawn(process.execPath, [command, ...args], {
      cwd: root,
      env: { PATH: path, HOME: process.env.HOME },
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: 50_000,
    })
    let [stdout, stderr] = ['', '']
    child.stdout.on('data', (data) => (stdout += data))
    child.stderr.on('data', (data) => (stderr += data))
    child.on('error', reject)
    child.on('close', (code) => resolve({ code, stdout, stderr }))
  })
}

async function findingsOf(root: string, ...args: readonly string[]): Promise<Line[]> {
  const { stdout, stderr, code } = await check(root, '--json', '--ticks', '90', ...args)
  expect(stderr).toBe('')
  const lines = stdout
    .trimEnd()
    .split('\n')
    .map((line): Line => JSON.parse(line))
  const findings = lines.filter(({ line }) => line === 'finding')
  const warnings = lines.filter(({ line }) => line === 'warning')
  expect(lines.length).toBe(findings.length + warnings.length + 1)
  const counts = { findings: findings.length, warnings: warnings.length }
  expect(lines.at(-1)).toMatchObject({ line: 'summary', game: 'ponds', ok: code === 0, ...counts })
  expect(code).toBe(findings.length === 0 ? 0 : 1)
  return [...findings, ...warnings]
}

/** Findings of the sources alone, and of what runs in this process. */
const quickly = ['--no-runtimes', '--no-lock']

const lineOf = (root: string, text: string) =>
  readFileSync(join(root, 'game/rules.ts'), 'utf8')
    .split('\n')
    .findIndex((line) => line.includes(text)) + 1

describe('hurtbox check', { timeout: 60_000 }, () => {
  test('[CK1] a sound game passes, with what was checked and how long it took', async () => {
    const root = project()
    const { code, stdout, stderr } = await check(root)
    expect([code, stderr]).toEqual([0, ''])
    expect(stdout).toMatch(/^ponds is fit to be played everywhere\.$/m)
    expect(stdout).toMatch(/sources +1 file with rules, \d+ lines$/m)
    expect(stdout).toMatch(/sync +1 scene, 300 ticks, rolled back by 1 and 8 on every tick$/m)
    expect(stdout).toMatch(/runtimes .*bun \d/)
    expect(stdout).toMatch(/rules +fingerprint [0-9a-f]{16}, version 1, not released: edits need no new version$/m)
    expect(stdout).toMatch(/time +[\d.]+ s$/m)
    expect(stdout).not.toContain('not tried')
  })

  test('[CK13] rules that no scene has reached are named', async () => {
    const meets = "layers: { frog: ['fly'], fly: [] }"
    const rule = "    'frog eats fly': {"
    const root = project(
      [meets, "layers: { frog: ['fly', 'stork'], fly: [], stork: [] }"],
      ['setup: (world) => {', "setup: (world) => {\n    spawn(world, 'stork', { x: 1e4, radius: 9 })"],
      [rule, `    'frog meets stork': { between: ['frog', 'stork'], decide: () => null!.boom },\n${rule}`],
    )
    const { code, stdout } = await check(root, '--no-runtimes')
    expect(code).toBe(0)
    expect(stdout).toMatch(/not tried +no scene reaches frog meets stork$/m)
    const { stdout: json } = await check(root, '--no-runtimes', '--json')
    const summary = JSON.parse(json.trim().split('\n').at(-1)!)
    // The fingerprint brings frog and stork together.
    expect([summary.unreached, summary.unprobed]).toEqual([['frog meets stork'], []])
    const cut = await check(root, '--no-runtimes', '--ticks', '20')
    expect(cut.stdout).toMatch(/no scene reaches frog meets stork in its first 20 ticks \(--ticks plays more\)$/m)
  })

  test('[CK13] rules that the fingerprint does not see are named', async () => {
    const rule = "    'frog eats fly': {"
    const never = "gates: [{ name: 'never', refuses: () => true }]"
    const root = project([rule, `    'frog fears fly': { between: ['frog', 'fly'], ${never}, decide() {} },\n${rule}`])
    const { stdout } = await check(root, '--no-runtimes')
    expect(stdout).toMatch(
      /not seen +the fingerprint does not see frog fears fly: raise rulesVersion with each change of it$/m,
    )
  })

  test.each([
    ['frog.eaten * 0.1 // in a rule', 'Math.sin(frog.eaten)', 'Math.sin', 'sin of hurtbox/math', 'eating'],
    ['fly.y * 0.5 // in a phase', 'fly.y ** 2', '**', 'x * x', 'buzz'],
    ['fly.y * 0.5 // in a phase', 'Math.random()', 'Math.random', 'random stream', 'buzz'],
    ['fly.y * 0.5 // in a phase', 'Date.now() % 2', 'Date.now', 'world.tick', 'buzz'],
    ['fly.y * 0.5 // in a phase', "'a'.localeCompare('b')", 'localeCompare', 'code unit', 'buzz'],
  ])(
    '[CK2] in place of %s: %s is found, with file, line, phase and what to use',
    async (from, to, name, use, phase) => {
      const root = project([from, to])
      const [first] = await findingsOf(root, ...quickly)
      expect(first).toMatchObject({
        check: 'sources',
        name,
        phase,
        at: { file: 'game/rules.ts', line: lineOf(root, to) },
      })
      expect(first.at?.text).toContain(to)
      expect(first.instead).toContain(use)
    },
  )

  test('[CK30] an async phase is told by name: the step would not wait for it', async () => {
    const root = project(['    buzz(world) {', '    async buzz(world) {'])
    expect(await findingsOf(root, ...quickly)).toMatchObject([
      { check: 'poisoned', rule: 'async-phase', phase: 'buzz' },
    ])
  })

  test('[CK2] rules that import a module of Node are found: no browser can load them', async () => {
    const line = "import { basename } from 'node:path'"
    const root = project(['// of the module', line], ['// in a function', 'basename("x")'])
    expect(await findingsOf(root, ...quickly)).toMatchObject([
      { check: 'sources', rule: 'outside', name: 'node:path', at: { file: 'game/rules.ts', line: lineOf(root, line) } },
    ])
  })

  test('[CK2] state of the module is found where it is counted, and once more by the sync test', async () => {
    const root = project(
      ['// of the module', 'let hops = 0'],
      ['// in a function', 'hops++'],
      ['frog.x += player.moveX', 'frog.x += player.moveX + hops'],
    )
    const [written, differs, ...more] = await findingsOf(root, ...quickly)
    expect(more).toEqual([])
    expect(written).toMatchObject({
      rule: 'state-outside-the-world',
      name: 'hops',
      phase: 'hop',
      at: { file: 'game/rules.ts', line: lineOf(root, 'hops++') },
    })
    expect(differs).toMatchObject({
      check: 'sync',
      rule: 'desync',
      phase: 'hop',
      state: { table: 'things', column: 'x' },
      at: { file: 'game/rules.ts', line: lineOf(root, 'function hop') },
    })
  })

  test('[CK3] what is called through an alias or a package is found by running, with phase, tick and line', async () => {
    const alias = project(
      ['// of the module', "const name: string = ['c', 'os'].join('')"],
      ['fly.y * 0.5 // in a phase', 'wave(fly.y)'],
      ['export const game', 'const wave = (Reflect.get(Math, name) as (x: number) => number)\nexport const game'],
    )
    const [hidden, called] = await findingsOf(alias, ...quickly)
    expect(hidden).toMatchObject({ check: 'sources', rule: 'hidden-name' })
    expect(called).toMatchObject({ check: 'poisoned', name: 'Math.cos', phase: 'buzz', tick: 0 })
    expect(called.at).toMatchObject({ file: 'game/rules.ts', line: lineOf(alias, 'wave(fly.y)') })

    const through = project(
      ["import { int } from 'hurtbox/math'", "import { int } from 'hurtbox/math'\nimport { now } from 'tiny-clock'"],
      ['fly.y * 0.5 // in a phase', 'now()'],
    )
    const [clock] = await findingsOf(through, ...quickly)
    expect(clock).toMatchObject({
      check: 'poisoned',
      name: 'Date.now',
      phase: 'buzz',
      tick: 0,
      at: { file: 'game/rules.ts', line: lineOf(through, 'now()') },
    })
    expect(clock.message).toContain('through tiny-clock')
  })

  test('[CK4] state in a closure is found by rolling back, with tick, phase, table, row and column', async () => {
    const root = project(
      [
        'export const game',
        'function counter() {\n  let n = 0\n  return () => ++n\n}\nconst next = counter()\nexport const game',
      ],
      ['fly.y * 0.5 // in a phase', 'next() % 60 === 0 ? 1 : 0'],
    )
    const findings = await findingsOf(root, ...quickly)
    expect(findings).toMatchObject([
      {
        check: 'sync',
        phase: 'buzz',
        state: { table: 'things', column: 'mood' },
        at: { line: lineOf(root, 'buzz(world)') },
      },
    ])
    expect(findings[0].message).toMatch(
      /^tick \d+ comes out differently after a rollback of 1 tick, first in phase buzz/,
    )
  })

  test('[CK4] a game in whose scenes nothing happens is a finding: nothing is proven', async () => {
    const root = project(['fly.y += int(world.random.flies, -1, 1)', ''], ['fly.mood = fly.y * 0.5 // in a phase', ''])
    writeFileSync(join(root, 'game/index.ts'), INDEX.replace('bots: [jumper], ', ''))
    expect(await findingsOf(root, ...quickly)).toMatchObject([{ check: 'sync', rule: 'nothing-happens' }])
  })

  test('[CK5] another runtime that comes to another hash is named with scene, tick and table', async () => {
    const root = project(['fly.y * 0.5 // in a phase', 'Math.sin(fly.y * 1e5 + world.tick) // hurtbox-ignore: a test'])
    const findings = await findingsOf(root, '--no-lock')
    expect(findings.find(({ runtime }) => String(runtime).startsWith('bun'))).toMatchObject({
      check: 'runtimes',
      rule: 'other-hash',
      scene: 'bare',
      tick: expect.any(Number),
      message: expect.stringContaining('in things'),
    })
  })

  test('[LK1] until a version is released its rules may change: a line of information, and no file is written', async () => {
    const root = project()
    expect(await findingsOf(root, '--no-runtimes')).toEqual([])
    writeRules(root, ['fly.y * 0.5', 'fly.y * 0.25'])
    const { code, stdout } = await check(root, '--no-runtimes', '--ticks', '90')
    expect([code, existsSync(join(root, 'hurtbox.lock.json'))]).toEqual([0, false])
    expect(stdout).toMatch(/^ {2}rules +fingerprint [0-9a-f]{16}, version 1, not released: edits need no new version$/m)
  })

  test('[LK2] release checks first: with a finding nothing is written, without one the version is', async () => {
    const root = project(['fly.y * 0.5 // in a phase', 'Math.sin(fly.y)'])
    const lock = join(root, 'hurtbox.lock.json')
    const refused = await release(root)
    expect([refused.code, existsSync(lock)]).toEqual([1, false])
    expect(refused.stdout).toContain('Use sin of hurtbox/math')
    expect(refused.stdout).toMatch(/^ponds was not released: first see to what was found\.$/m)

    writeRules(root)
    const { code, stdout } = await release(root)
    expect(code).toBe(0)
    expect(stdout).toMatch(/^Version 1 of ponds is released: .* Commit hurtbox\.lock\.json\.$/m)
    expect(JSON.parse(readFileSync(lock, 'utf8'))).toMatchObject({
      games: { ponds: { rulesVersion: 1, fingerprint: expect.any(String) } },
    })
    expect((await check(root, '--no-runtimes', '--ticks', '90')).stdout).toMatch(/, version 1, as it was released$/m)
  })

  test('[LK3] other rules under a released version, or a lower one, are a finding with place and cure', async () => {
    const root = project(['rulesVersion: 1', 'rulesVersion: 2'])
    const lock = join(root, 'hurtbox.lock.json')
    expect((await release(root)).code).toBe(0)
    const recorded = readFileSync(lock, 'utf8')

    writeRules(root, ['fly.y * 0.5', 'fly.y * 0.25'], ['rulesVersion: 1', 'rulesVersion: 2'])
    const [finding, ...more] = await findingsOf(root, '--no-runtimes')
    expect(more).toEqual([])
    expect(finding).toMatchObject({ check: 'rules', rule: 'rules-version' })
    expect(finding.at).toMatchObject({ file: 'game/rules.ts', line: lineOf(root, 'rulesVersion') })
    expect(finding.message).toMatch(/^the rules are not those released as version 2: probe differs/)
    expect(finding.instead).toMatch(/^Raise rulesVersion to 3\. .*delete ponds from hurtbox\.lock\.json\.$/)
    expect((await release(root)).code).toBe(1)
    writeRules(root)
    const [lower] = await findingsOf(root, '--no-runtimes')
    expect(lower.message).toBe('rulesVersion is 1, but version 2 has been released.')
    expect(lower.instead).toMatch(/^Raise rulesVersion to 3:/)
    expect(readFileSync(lock, 'utf8')).toBe(recorded)
  })

  test('[LK4] a higher version is not released: what is new in it is told, and it can be released', async () => {
    const root = project()
    const lock = join(root, 'hurtbox.lock.json')
    expect((await release(root)).code).toBe(0)
    writeRules(root, ['fly.y * 0.5', 'fly.y * 0.25'], ['rulesVersion: 1', 'rulesVersion: 2'])
    const { code, stdout } = await check(root, '--no-runtimes', '--ticks', '90')
    expect(code).toBe(0)
    expect(stdout).toMatch(/, version 2, not released: edits need no new version\. New since version 1: probe differs/)
    expect((await release(root)).code).toBe(0)
    expect(JSON.parse(readFileSync(lock, 'utf8')).games.ponds.rulesVersion).toBe(2)
  })

  test('[LK5] a version that was released with another engine is not compared, and can be released again', async () => {
    const root = project()
    const lock = join(root, 'hurtbox.lock.json')
    expect((await release(root)).code).toBe(0)
    const recorded = readFileSync(lock, 'utf8')
    writeFileSync(lock, recorded.replace(/"engine": "[^\n]*"/, '"engine": "0.0.1"'))
    writeRules(root, ['fly.y * 0.5', 'fly.y * 0.25'])
    const { code, stdout } = await check(root, '--no-runtimes', '--ticks', '90')
    expect(code).toBe(0)
    expect(stdout).toMatch(/, version 1, released with another engine, so not compared: release it again$/m)
    expect((await release(root)).code).toBe(0)
    expect((await check(root, '--no-runtimes', '--ticks', '90')).stdout).toContain('as it was released')
  })

  test('[CK6] a changed rule that the probe does not reach is found by the scenes, bots may change', async () => {
    const late = ['fly.y * 0.5 // in a phase', 'world.tick === 80 ? 1 : 0'] as const
    const root = project(late)
    // No chance in the bots, so that their inputs are the same again.
    writeFileSync(join(root, 'game/index.ts'), INDEX.replace('Math.random() ** 2', '0.5'))
    expect((await release(root)).code).toBe(0)
    writeFileSync(join(root, 'game/index.ts'), INDEX.replace('Math.random() ** 2', '0.25'))
    expect(await findingsOf(root, '--no-runtimes')).toEqual([])
    // The bots of the release play again.
    writeFileSync(join(root, 'game/index.ts'), INDEX.replace('Math.random() ** 2', '0.5'))
    writeRules(root, [late[0], 'world.tick === 80 ? 2 : 0'])
    expect(await findingsOf(root, '--no-runtimes')).toMatchObject([{ rule: 'rules-version', scene: 'bare', tick: 80 }])
  })

  test('[CK6] a damaged lock file is told and left alone', async () => {
    const root = project()
    writeFileSync(join(root, 'hurtbox.lock.json'), '{ "games": ')
    const { code, stderr } = await check(root, '--no-runtimes')
    expect(code).toBe(2)
    expect(stderr).toContain('hurtbox.lock.json is damaged')
    expect(readFileSync(join(root, 'hurtbox.lock.json'), 'utf8')).toBe('{ "games": ')
  })

  test.each([
    ['Math.sin(0) // hurtbox-ignore: the sine of 0 is 0 everywhere'],
    ['0\n// hurtbox-ignore: the sine of 0 is 0 everywhere\nfly.mood = Math.sin(0)'],
    ['0\n// biome-ignore lint/plugin: the sine of 0 is 0 everywhere\nfly.mood = Math.sin(0)'],
    ['0\n// eslint-disable-next-line hurtbox/determinism\nfly.mood = Math.sin(0)'],
  ])('[CK7] a comment allows a line, to the scan and to the run: %s', async (code) => {
    const root = project(['fly.y * 0.5 // in a phase', code])
    expect(await findingsOf(root, ...quickly)).toEqual([])
  })

  test('[CK7] a comment without a reason allows nothing', async () => {
    const root = project(['fly.y * 0.5 // in a phase', 'Math.sin(0) // hurtbox-ignore:'])
    expect(await findingsOf(root, ...quickly)).toHaveLength(1)
  })

  test('[CK8] a game that throws, or has a number that is not finite, is told with tick and phase', async () => {
    const failing = project(['fly.y * 0.5 // in a phase', 'world.tick < 20 ? 1 : (undefined as never as number[])[0]'])
    expect((await findingsOf(failing, ...quickly))[0]).toMatchObject({ rule: 'failed', phase: 'buzz', tick: 20 })
    const endless = project(['fly.y * 0.5 // in a phase', '1 / 0'])
    expect((await findingsOf(endless, ...quickly))[0]).toMatchObject({
      rule: 'not-finite',
      message: expect.stringContaining('mood'),
    })
  })

  test('[CK14] a thing that would be drawn nowhere is told with the line that put it there, also if it is gone at the end', async () => {
    const root = project(
      ['fly.mood = fly.y * 0.5 // in a phase', 'if (world.tick === 30) fly.x = Math.sqrt(-1)\n        fly.mood = 0'],
      [
        '    buzz(world) {',
        '    swat(world) {\n      if (world.tick === 40) for (const fly of each(world)) despawn(fly)\n    },\n    buzz(world) {',
      ],
      ['defineGame, each,', 'defineGame, despawn, each,'],
    )
    const [found, ...more] = await findingsOf(root, ...quickly)
    expect(more).toEqual([])
    expect(found).toMatchObject({
      check: 'sense',
      rule: 'not-finite',
      phase: 'buzz',
      tick: 30,
      at: { file: 'game/rules.ts', line: lineOf(root, 'Math.sqrt(-1)') },
    })
    expect(found.message).toMatch(/^x of fly 1 becomes NaN: it would be drawn nowhere/)
  })

  test('[CK15] [CK16] [CK17] [CK18] [CK19] [CK20] what is written and has no effect is told with line and cure', async () => {
    const root = project(
      [
        "things: { eaten: 'u32', mood: 'f64' }",
        "things: {\n    eaten: 'u32', mood: 'f64', facingX: 'f64', facingY: 'f64',\n    hunger: 'f64',\n  }",
      ],
      ["layers: { frog: ['fly'], fly: [] }", "layers: { frog: ['fly', 'stork'], fly: [], stork: [] }"],
      [
        "    'frog eats fly': {",
        "    'frog flees stork': { between: ['frog', 'stork'], decide: (frog) => void (frog.x = 0) },\n    'frog eats fly': {",
      ],
      [
        '// of the module',
        'const wing = capsule([0, 0], [3, 0], 1)\nexport function starve(world: PondWorld): void {\n  for (const frog of each(world)) frog.hunger = world.entropy\n}',
      ],
      ['fly: (fly, boxes) => addCircle(boxes, fly)', 'fly: (fly, boxes) => addShape(boxes, wing, fly)'],
      [
        "import { int } from 'hurtbox/math'",
        "import { addShape } from 'hurtbox'\nimport { int } from 'hurtbox/math'\nimport { capsule } from 'hurtbox/shapes'",
      ],
    )
    const found = (await findingsOf(root, ...quickly)).map(({ line, rule, at }) => `${line} ${rule} ${at?.line}`)
    expect(found).toEqual([
      `finding unlisted-phase ${lineOf(root, 'function starve')}`,
      `finding unmet-rule ${lineOf(root, 'frog flees stork')}`,
      `finding frozen-write ${lineOf(root, 'frog flees stork')}`,
      `warning unset-facing ${lineOf(root, "facingX: 'f64'")}`,
      `warning never-read ${lineOf(root, "hunger: 'f64'")}`,
      `warning undrawn-entropy ${lineOf(root, 'world.entropy')}`,
    ])
  })

  test('[CK21] a warning is told, and the game passes', async () => {
    const root = project(["mood: 'f64' }", "mood: 'f64', hunger: 'f64' }"])
    const { code, stdout } = await check(root, ...quickly)
    expect(code).toBe(0)
    expect(stdout).toMatch(/^game\/rules\.ts:11:\d+ {2}warning: hunger of things is never read/m)
    expect(stdout).toMatch(/^ponds is fit to be played everywhere\.$/m)
    expect(stdout).toMatch(/sense +1 warning$/m)
  })

  test('[CK22] a game of which no world can be made is told with the rule that is wrong', async () => {
    const root = project(["layers: { frog: ['fly'], fly: [] }", 'layers: { frog: [], fly: [] }'])
    expect(await findingsOf(root, ...quickly)).toMatchObject([
      { check: 'sense', rule: 'no-world', at: { file: 'game/rules.ts', line: lineOf(root, "'frog eats fly'") } },
    ])
  })

  test('[CK8] a file that is not there is a mistake of the command line', async () => {
    const root = project()
    rmSync(join(root, 'game/index.ts'))
    expect((await check(root)).code).toBe(2)
  })
})

const parsed = (code: string) => parse(code, { ecmaVersion: 'latest', sourceType: 'module' }) as unknown as SyntaxNode
const namesIn = (code: string) => findTraps(parsed(code), code).map(({ name }) => name)

describe('the list of traps', () => {
  test.each([
    ['let n = 0\nexport function f() { n += 1 }', 'n'],
    ['let n = 0\nexport const f = () => { n = n + 1 }', 'n'],
    ['let on = false\nexport function f() { on = !on }', 'on'],
    ['let last = 0\nexport function f(x) { const d = x - last; last = x; return d }', 'last'],
    ['const state = { n: 0 }\nexport function f() { state.n++ }', 'state'],
    ['const counts = new Uint32Array(8)\nexport function f(i) { counts[i] += 1 }', 'counts'],
    ['const seen = new Set()\nexport function f(id) { if (seen.has(id)) return; seen.add(id) }', 'seen'],
    ['const hits = new Map()\nexport function f(id) { hits.set(id, (hits.get(id) ?? 0) + 1) }', 'hits'],
    ['const list = []\nexport function f(x) { list.push(x) }', 'list'],
  ])('[CK9] state of a module is told: %s', (code, name) => {
    expect(namesIn(code)).toEqual([name])
  })

  test('[CK9] a map with things as keys is told even if it is asked first', () => {
    const code = 'const known = new WeakMap<Thing, number>()'
    const rest = '\nexport function f(x) { let y = known.get(x); if (y === undefined) known.set(x, (y = 1)); return y }'
    const plain = `const known = new WeakMap               ()${rest}`
    expect(findTraps(parsed(plain), `${code}${rest}`).map(({ name }) => name)).toEqual(['known'])
  })

  test.each([
    ['let end = 0\nexport function f() { end = 0; for (const x of [1]) end += x; return end }'],
    ['let end = 0\nfunction add(x) { end += x }\nexport function f() { end = 0; add(1); return end }'],
    ['let table\nexport function f() { if (table === undefined) table = [1]; return table }'],
    ['let table\nexport function f() { table ??= [1]; return table }'],
    ['const scratch = { x: 0 }\nexport function f(x) { scratch.x = x; scratch.x += 1; return scratch }'],
    ['const sums = new Float64Array(8)\nexport function f(i) { sums.fill(0); sums[i] += 1 }'],
    ['const found = []\nexport function f(x) { found.length = 0; found.push(x) }'],
    [
      'const known = new Map()\nexport function f(x) { let y = known.get(x); if (!y) known.set(x, (y = x * 2)); return y }',
    ],
    ['const n = 0\nexport function f() { let n = 0; n++; return n }'],
    ['export function f(n) { n++; return n }'],
    ['let n = 0\nn++\nexport const m = n'],
  ])('[CK9] scratch and caches are not: %s', (code) => {
    expect(namesIn(code)).toEqual([])
  })

  test('[CK9] names that the program declares itself are its own', () => {
    expect(namesIn('export function f(performance, Date) { return performance.now() + Date }')).toEqual([])
    expect(namesIn("import { Math } from './maths.js'\nexport const a = Math.sin(1)")).toEqual([])
    expect(namesIn('export const o = { Date: 1 }\nexport const a = o.Date')).toEqual([])
    expect(namesIn('{ const Date = 1 }\nexport const a = Date')).toEqual(['Date'])
  })

  test('[CK9] orders that the language or the engine chooses are told where they are sure', () => {
    expect(namesIn('export const a = [3, 1].sort((a, b) => a > b)')).toEqual(['sort'])
    expect(namesIn('export const a = [3, 1].sort((a, b) => a - b)')).toEqual([])
    expect(namesIn('const o = { b: 1, 2: 1, 1: 1 }\nexport const a = Object.keys(o)')).toEqual(['Object.keys'])
    expect(namesIn('const o = { 1: 1, 2: 1, b: 1 }\nexport const a = Object.keys(o)')).toEqual([])
  })

  test('[CK10] the rule for ESLint reports the same, with what to use', () => {
    const code = 'export const a = Math.sin(1)\nexport const b = 2 ** 3'
    const problems: { node: SyntaxNode; message: string }[] = []
    const rule = determinism.plugins.hurtbox.rules.determinism
    rule
      .create({ sourceCode: { getText: () => code }, report: (problem) => void problems.push(problem) })
      ['Program:exit'](parsed(code))
    expect(problems.map(({ message }) => message)).toEqual([
      expect.stringMatching(/^Math\.sin is not the same .* Use sin of hurtbox\/math/),
      expect.stringMatching(/^\*\* is not the same .* Multiply/),
    ])
    expect(Object.keys(determinism.rules)).toEqual(['hurtbox/determinism'])
  })
})
