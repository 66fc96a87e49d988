/** The server as people start it: `npm start`, `hurtbox serve`, and `hurtbox load` against it. */

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  closeSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { COMMAND, hurtbox, jsonLines, REPOSITORY } from '../../packages/cli/test/command.ts'
import { until } from '../../packages/server/test/support.ts'
import { oldestNode } from './oldest-node.ts'

const folder = mkdtempSync(join(tmpdir(), 'hurtbox-serve-'))
const running: ChildProcess[] = []
afterAll(() => {
  for (const child of running) child.kill('SIGKILL')
  rmSync(folder, { recursive: true })
})

type Started = { readonly child: ChildProcess; readonly url: string; log(): Record<string, unknown>[] }

/** Starts a script in the oldest Node there is, as a player would, and waits until it says where it listens. */
async function start(script: string, args: readonly string[], env: Record<string, string> = {}): Promise<Started> {
  const child = spawn(
    oldestNode(),
    [join(REPOSITORY, script), ...args, '--replays', folder, '--matches', join(folder, 'matches')],
    {
      cwd: REPOSITORY,
      env: { PATH: process.env.PATH, HOME: process.env.HOME, ...env },
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  )
  running.push(child)
  let text = ''
  const address = await new Promise<string>((resolve, reject) => {
    child.stdout.on('data', (chunk) => {
      text += chunk
      const listening = /"address":"(.*?)".*"msg":"listening"/.exec(text)
      if (listening) resolve(listening[1])
    })
    child.on('exit', (code) => reject(new Error(`ended with ${code}`)))
  })
  return {
    child,
    url: `http://${address}`,
    log: () =>
      text
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line)),
  }
}

async function stop({ child }: Started): Promise<number | null> {
  child.kill()
  const [code] = await once(child, 'close')
  return code
}

test('[CL16] [IS6] npm start serves every game, says where, and ends in order', async () => {
  const args = ['--port', '0', '--no-studio', '--udp', 'off']
  const server = await start('scripts/start.mjs', args, { HURTBOX_TOKEN: 'known' })
  expect(server.log()[0].games).toEqual(['jet-raiders', 'nightfall', 'siege', 'sumo', 'vinyl-frontier'])
  expect((await fetch(`${server.url}/health`)).status).toBe(200)
  const refused = await hurtbox(['load', '--url', server.url])
  expect(refused.code, '[CL22]').toBe(2)
  expect(refused.stderr).toMatch(/wants another token: set HURTBOX_TOKEN/)
  expect(await stop(server)).toBe(0)
  expect(server.log().at(-1)?.msg).toBe('closed')
  expect(
    server.log().filter(({ msg }) => `${msg}`.includes('datagrams')),
    '[SV69]',
  ).toEqual([])
})

/** Starts a command, waits until the server that it starts listens, and ends the command, not the server, with SIGTERM. */
async function endStarterOf(command: string, args: readonly string[], env: Record<string, string> = {}) {
  const log = join(folder, `${command}.log`)
  const cwd = join(folder, command)
  mkdirSync(join(cwd, 'node_modules/.bin'), { recursive: true })
  writeFileSync(join(cwd, 'package.json'), '{ "private": true }')
  symlinkSync(COMMAND, join(cwd, 'node_modules/.bin/hurtbox'))
  const path = `${dirname(process.execPath)}:${process.env.PATH}`
  const out = openSync(log, 'w')
  const child = spawn(command, args, {
    cwd,
    env: { PATH: path, HOME: process.env.HOME ?? '', ...env },
    stdio: ['ignore', out, 'ignore'],
    // A group of its own, so that nothing of it stays when the test fails.
    detached: true,
  })
  onTestFinished(() => endGroup(child.pid!))
  const lines = () => readFileSync(log, 'utf8')
  await until('the server listens', () => lines().includes('"msg":"listening"'), 60_000)
  const url = `http://${/"address":"(.*?)"/.exec(lines())![1]}`
  child.kill('SIGTERM')
  await once(child, 'exit')
  closeSync(out)
  return {
    lines,
    isUp: () =>
      fetch(`${url}/health`).then(
        ({ ok }) => ok,
        () => false,
      ),
  }
}
function endGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // Nothing of it is left.
  }
}

const GAME = join(REPOSITORY, 'games/sumo/index.ts')
const SERVE = ['serve', GAME, '--port', '0', '--no-studio', '--udp', 'off']

test('[CL33] SIGTERM to npx ends the server that it started, which hands its matches over', async () => {
  const { lines, isUp } = await endStarterOf('npx', ['hurtbox', ...SERVE])
  await until('the server has ended', async () => !(await isUp()), 20_000)
  await until('it says so', () => lines().includes('"msg":"closed"'))
  expect(lines().indexOf('"msg":"draining"')).toBeGreaterThan(0)
})

test('[CL33] a server that a shell has put into the background outlives the shell', async () => {
  const script = `"${process.execPath}" "${COMMAND}" "$@" & echo $! > pid; wait`
  const { lines, isUp } = await endStarterOf('sh', ['-c', script, 'sh', ...SERVE])
  const pid = Number(readFileSync(join(folder, 'sh/pid'), 'utf8'))
  try {
    // Four times as long as it takes to notice the end of a parent.
    await new Promise((resolve) => setTimeout(resolve, 1_000))
    expect(await isUp()).toBe(true)
  } finally {
    process.kill(pid, 'SIGTERM')
  }
  await until('it ends when it is told to', () => lines().includes('"msg":"closed"'))
})

test('[CL22] load plays real clients against a server of its own, says what it took, and leaves no files', async () => {
  const cwd = join(folder, 'load')
  mkdirSync(cwd)
  const game = join(REPOSITORY, 'games/jet-raiders/index.ts')
  const args = ['load', game, '--rooms', '2', '--clients', '2', '--seconds', '2', '--mode', 'mirror', '--json']
  const outcome = await hurtbox(args, { cwd })
  expect(readdirSync(cwd)).toEqual([])
  const [report] = jsonLines(outcome)
  expect(report).toMatchObject({ game: 'jet-raiders', mode: 'mirror', rooms: 2, clients: 4, lost: 0, desyncs: 0 })
  for (const name of ['ticksPerSecond', 'tickP50Ms', 'sentToClient', 'sentByClient', 'inputs', 'hashChecks']) {
    expect(report[name], name).toBeGreaterThan(0)
  }
  expect(report.tickP50Ms).toBeLessThanOrEqual(report.tickP99Ms as number)
  expect(outcome.code, String(report.failures)).toBe((report.failures as string[]).length > 0 ? 1 : 0)
})

test('[CL21] without the server installed, serve and load say how to get it', async () => {
  const elsewhere = join(folder, 'elsewhere')
  cpSync(join(REPOSITORY, 'packages/cli'), join(elsewhere, 'packages/cli'), { recursive: true })
  mkdirSync(join(elsewhere, 'node_modules'))
  for (const name of ['hurtbox', 'commander', 'acorn', 'tinypool'])
    symlinkSync(join(REPOSITORY, 'node_modules', name), join(elsewhere, 'node_modules', name))
  for (const command of ['serve', 'load', 'doctor']) {
    const outcome = await hurtbox([command], {
      command: join(elsewhere, 'packages/cli/bin/hurtbox.js'),
      cwd: elsewhere,
    })
    expect(outcome).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(`${command} needs the server: npm install @hurtbox/server`),
    })
  }
})
