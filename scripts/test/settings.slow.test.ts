/** What users type is the same on every system: settings from a file, and an end without signals. */

import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { COMMAND, hurtbox } from '../../packages/cli/test/command.ts'
import { freePort } from '../../packages/server/test/free-port.ts'
import { repositoryRoot } from '../engines/install-npm.ts'

const scratch = mkdtempSync(join(tmpdir(), 'hurtbox-settings-'))
const project = join(scratch, 'goblin-hunt')
const started: ChildProcess[] = []
let port = 0

beforeAll(async () => {
  const create = join(repositoryRoot, 'packages/create-hurtbox/bin/create-hurtbox.js')
  execFileSync(process.execPath, [create, 'goblin-hunt'], { cwd: scratch, stdio: 'pipe' })
  symlinkSync(join(repositoryRoot, 'node_modules'), join(project, 'node_modules'))
  port = await freePort()
  writeFileSync(join(project, '.env'), `PORT=${port}\nHURTBOX_TOKEN=from-the-file\n`)
})
afterAll(() => {
  for (const child of started) child.kill('SIGKILL')
  rmSync(scratch, { recursive: true, maxRetries: 10 })
})

/** Starts a program of Node in the project; resolves when it listens. */
async function start(args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const child = spawn(process.execPath, args, {
    cwd: project,
    env: { PATH: process.env.PATH, HOME: process.env.HOME, ...env },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  started.push(child)
  let log = ''
  await new Promise<void>((resolve, reject) => {
    const take = (text: Buffer) => {
      log += text
      if (log.includes('"msg":"listening"')) resolve()
    }
    child.stdout?.on('data', take)
    child.stderr?.on('data', take)
    child.on('exit', (code) => reject(new Error(`it ended with ${code}: ${log}`)))
  })
  return { child, log: () => log }
}

/** What it answers to the operator with this token. */
async function statusFor(token: string): Promise<number> {
  const headers = { authorization: `Bearer ${token}` }
  return (await fetch(`http://127.0.0.1:${port}/metrics`, { headers })).status
}

async function stop(child: ChildProcess, message: string): Promise<number | null> {
  child.send(message)
  const [code] = await once(child, 'exit')
  return code
}

const { scripts } = JSON.parse(
  readFileSync(join(repositoryRoot, 'packages/create-hurtbox/shared/package.json'), 'utf8'),
)
const PROGRAM: string = scripts.start.split(' && node ')[1]
const WAYS = {
  'hurtbox serve': [COMMAND, 'serve', '--no-studio'],
  'npm start': PROGRAM.split(' '),
}

test.for(Object.entries(WAYS))('[DP8] %s reads .env, and variables go before it', async ([, args]) => {
  const first = await start(args)
  expect([await statusFor('from-the-file'), await statusFor('another')]).toEqual([200, 401])
  first.child.kill()
  await once(first.child, 'exit')
  const second = await start(args, { HURTBOX_TOKEN: 'another' })
  expect([await statusFor('from-the-file'), await statusFor('another')]).toEqual([401, 200])
  second.child.kill()
  await once(second.child, 'exit')
})

test('[DP8] hurtbox doctor looks with the settings of .env, and with the token in it', async () => {
  const { child } = await start(WAYS['hurtbox serve'])
  try {
    const inside = await hurtbox(['doctor'], { cwd: project })
    expect(inside.stdout).toContain(`a Hurtbox server runs on 127.0.0.1:${port}`)
    const outside = await hurtbox(['doctor', `http://127.0.0.1:${port}/`], { cwd: project })
    expect(outside.stdout).toMatch(/^proxies +ok /m)
  } finally {
    child.kill()
    await once(child, 'exit')
  }
})

test('[DP9] a process of several ends its matches, or hands them over, when it is told so by a message', async () => {
  const handing = await start(WAYS['hurtbox serve'])
  expect(await stop(handing.child, 'SIGTERM')).toBe(0)
  expect(handing.log()).toMatch(/"msg":"draining"[\s\S]*"msg":"closed"/)
  const ending = await start(WAYS['hurtbox serve'])
  expect(await stop(ending.child, 'SIGINT')).toBe(0)
  expect(ending.log()).toContain('"msg":"closed"')
  expect(ending.log()).not.toContain('"msg":"draining"')
})

test('[DP9] Ctrl+Break hands matches over', async () => {
  // Only Windows has it; what Node makes of it there is this event.
  const press = `data:text/javascript,process.on('message', (said) => said === 'break' && process.emit('SIGBREAK'))`
  const { child, log } = await start(['--import', press, ...WAYS['hurtbox serve']])
  expect(await stop(child, 'break')).toBe(0)
  expect(log()).toMatch(/"msg":"draining"[\s\S]*"msg":"closed"/)
})
