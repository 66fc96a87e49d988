/** A game of one's own, from the packed packages alone: generated, checked, built, tested and played online. */

import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, onTestFinished, test } from 'vitest'
import { unpackPackages } from './packages/generated.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const { scratch, project, remove } = unpackPackages('goblin-hunt')
const started: ChildProcess[] = []

/** Runs a command in the project; returns what it printed, throws with it when it fails. */
function run(command: string, ...args: string[]): string {
  return execFileSync(command, args, { cwd: project, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })
}

function create(...args: string[]): { code: number; printed: string } {
  const bin = join(scratch, 'create/bin/create-hurtbox.js')
  try {
    return {
      code: 0,
      printed: execFileSync(process.execPath, [bin, ...args], { cwd: scratch, encoding: 'utf8', stdio: 'pipe' }),
    }
  } catch (error) {
    const { status, stderr } = error as { status: number; stderr: string }
    return { code: status, printed: stderr }
  }
}

afterAll(() => {
  for (const process of started) process.kill('SIGKILL')
  remove()
}, 60_000)

describe('create-hurtbox', () => {
  test('[CR1] makes a game that bears its name, and leaves a folder alone that holds something', () => {
    const refused = create('goblin-hunt')
    expect([refused.code, refused.printed]).toEqual([2, expect.stringMatching(/goblin-hunt is not empty.*--force/)])
    expect(create('goblin-hunt', '--force').code).toBe(0)
    expect(JSON.parse(readFileSync(join(project, 'package.json'), 'utf8')).name).toBe('goblin-hunt')
    expect(readFileSync(join(project, 'game/rules.ts'), 'utf8')).toContain("id: 'goblin-hunt'")
    expect(readFileSync(join(project, '.gitignore'), 'utf8')).toContain('node_modules')
    expect(readFileSync(join(project, 'AGENTS.md'), 'utf8')).toContain('# Working on goblin-hunt')
    expect(create('Bad Name').printed).toMatch(/cannot be a name/)
    expect(create().printed).toMatch(/give one folder/)
    expect(create('--nonsense', 'x').code).toBe(2)
  })

  test('[CR5] it can be made from packages that were never published', () => {
    expect(create('from-tarballs', '--packages', scratch)).toEqual({
      code: 2,
      printed: expect.stringMatching(/there is no hurtbox-<version>\.tgz in .*npm run pack/),
    })
    expect(create('from-tarballs', '--packages', 'packed').code).toBe(0)
    const manifest = JSON.parse(readFileSync(join(scratch, 'from-tarballs/package.json'), 'utf8'))
    for (const [name, from] of [
      ['hurtbox', manifest.dependencies.hurtbox],
      ['@hurtbox/colyseus', manifest.dependencies['@hurtbox/colyseus']],
      ['@hurtbox/server', manifest.dependencies['@hurtbox/server']],
      ['@hurtbox/cli', manifest.devDependencies['@hurtbox/cli']],
      ['@hurtbox/studio', manifest.devDependencies['@hurtbox/studio']],
    ]) {
      const packed = execFileSync('tar', ['xzOf', from.replace('file:', ''), 'package/package.json'], {
        encoding: 'utf8',
      })
      expect(JSON.parse(packed).name).toBe(name)
    }
    expect(manifest.devDependencies.vite).toMatch(/^\d/)
  })

  test('[CR2] its types check, its own test passes, its page builds', { timeout: 120_000 }, () => {
    run(join(root, 'node_modules/.bin/tsc'))
    expect(run(process.execPath, '--test', 'test/game.test.ts')).toMatch(/pass 2/)
    run(join(root, 'node_modules/.bin/vite'), 'build', 'client', '--logLevel', 'error')
    expect(readFileSync(join(project, 'dist/index.html'), 'utf8')).toMatch(/type="module"/)
  })

  test('[CR3] the installed command plays it', () => {
    const command = join(project, 'node_modules/@hurtbox/cli/bin/hurtbox.js')
    expect(run(process.execPath, command, 'run', 'game/index.ts', '--ticks', '300')).toMatch(
      /goblin-hunt, scene two-bots/,
    )
    expect(run(process.execPath, command, 'synctest', 'game/index.ts', '--ticks', '120', '--depth', '8')).toMatch(
      /same|equal|in sync|ok/i,
    )
  })

  test('[CR4] its server plays a match of two clients', { timeout: 60_000 }, async () => {
    const port = await freePort()
    await start(`127.0.0.1:${port}`, { PORT: String(port) }, 'server/main.ts')
    writeFileSync(join(project, 'two.ts'), TWO_CLIENTS)
    const seen = JSON.parse(run(process.execPath, 'two.ts', `http://127.0.0.1:${port}`))
    expect(seen).toEqual({ seats: [0, 1], players: [2, 2], walked: true, desyncs: 0 })
    const page = await fetch(`http://127.0.0.1:${port}/`)
    expect(await page.text()).toContain('goblin-hunt')
    const second = spawnSync(process.execPath, ['server/main.ts'], {
      cwd: project,
      env: { ...process.env, PORT: String(port) },
      encoding: 'utf8',
      timeout: 20_000,
    })
    expect([second.status, second.stderr]).toEqual([
      1,
      `Port ${port} is taken. Take another: ${port + 1}, or 0 for any.\n`,
    ])
  })

  test('[CR9] however the rules are saved, the page under work gets them', { timeout: 60_000 }, async () => {
    const port = await freePort()
    const vite = join(root, 'node_modules/vite/bin/vite.js')
    const args = ['client', '--host', '127.0.0.1', '--port', String(port), '--strictPort']
    await start(`127.0.0.1:${port}`, { PORT: '4567' }, vite, ...args)
    const served = async (path: string) => (await fetch(`http://127.0.0.1:${port}${path}`)).text()
    const main = await served('/main.ts')
    expect(main).toContain('"ROOMS_PORT": "4567"')
    const rules = /"(\/@fs[^"]*game\/rules\.ts)"/.exec(main)![1]
    const file = join(project, 'game/rules.ts')
    const text = readFileSync(file, 'utf8')
    onTestFinished(() => writeFileSync(file, text))
    for (const version of ['101', '102', '103', '104']) {
      const changed = text.replace('rulesVersion: 1,', `rulesVersion: ${version},`)
      // Written in place and replaced soon after, as by an editor with a formatter: a watch of the file alone gets lost.
      for (let pauseMs = 0; pauseMs < 20; pauseMs++) {
        writeFileSync(file, changed)
        writeFileSync(`${file}.new`, changed)
        renameSync(`${file}.new`, file)
        await sleep(pauseMs)
      }
      const versionServed = async () => /rulesVersion: (\d+)/.exec(await served(rules))?.[1]
      await expect.poll(versionServed, { timeout: 5000 }).toBe(version)
    }
  })

  test('[CR6] what the guide changes in it fits, checks and can be rolled back', { timeout: 120_000 }, () => {
    const guide = readFileSync(join(root, 'docs/guide/own-game.md'), 'utf8')
    writeFileSync(join(project, 'server/guide.ts'), /```ts\n([\s\S]*?)```/.exec(guide)![1])
    const changes = changesIn(guide)
    expect(changes.length).toBeGreaterThan(6)
    for (const { file, before, after } of changes) {
      const text = readFileSync(join(project, file), 'utf8')
      expect(text.split(before).length - 1, `how often ${file} has\n${before}`).toBe(1)
      writeFileSync(
        join(project, file),
        text.replace(before, () => after),
      )
    }
    run(join(root, 'node_modules/.bin/tsc'))
    expect(run(process.execPath, '--test', 'test/game.test.ts')).toMatch(/pass 2/)
  })
})

/** Starts a program of Node in the project; resolves when it has printed `sign`. */
function start(sign: string, env: Readonly<Record<string, string>>, ...args: string[]): Promise<void> {
  const program = spawn(process.execPath, args, {
    cwd: project,
    env: { ...process.env, NO_COLOR: '1', ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  started.push(program)
  return new Promise((resolve, reject) => {
    program.stdout.on('data', (text) => String(text).includes(sign) && resolve())
    program.on('exit', (code) => reject(new Error(`${args[0]} ended with ${code}`)))
  })
}

/** The hunks of a page's diffs. A diff names its file in the first line; `@@` stands between two places. */
function changesIn(page: string): { file: string; before: string; after: string }[] {
  return [...page.matchAll(/```diff\n--- (\S+)\n([\s\S]*?)```/g)].flatMap(([, file, diff]) =>
    diff.split(/^@@.*\n/m).map((hunk) => {
      const side = (sign: string) =>
        (hunk.match(/.*\n/g) ?? []).filter((line) => line[0] === sign || line[0] === ' ').map((line) => line.slice(1))
      return { file, before: side('-').join(''), after: side('+').join('') }
    }),
  )
}

/** Two players join; the first walks to the right until the second sees it. */
const TWO_CLIENTS = `
import { joinGame } from '@hurtbox/colyseus/client'
import { game } from './game/rules.ts'

const [url] = process.argv.slice(2)
const clients = [await joinGame(url, game), await joinGame(url, game)]
await Promise.all(clients.map((client) => client.whenPlaying()))
let [first, last] = [Number.NaN, Number.NaN]
let players = [0, 0]
const end = performance.now() + 20_000
while (performance.now() < end && !(last > first + 30 && players.join() === '2,2')) {
  clients.forEach((client, i) => {
    const state = client.update(performance.now(), () => (i === 0 ? { moveX: 1 } : {}))
    if (state === undefined) return
    players[i] = state.after.tables.players.count
    if (i === 1) {
      last = state.after.tables.things.x[0]
      if (Number.isNaN(first)) first = last
    }
  })
  await new Promise((resolve) => setTimeout(resolve, 8))
}
const desyncs = clients.reduce((sum, client) => sum + client.desyncs.length, 0)
console.log(JSON.stringify({ seats: clients.map((client) => client.seat).sort(), players, walked: last > first + 30, desyncs }))
process.exit(0)
`

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as { port: number }
      probe.close(() => resolve(port))
    })
  })
}
