/** Settings from the environment, as `serve` takes them: for generated servers and for `hurtbox serve` alike. */

import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { defineModule } from 'hurtbox/module'
import { afterAll, afterEach, describe, expect, test, vi } from 'vitest'
import { dots } from '../test/dots.ts'
import { ask } from '../test/support.ts'
import { readEnvironment } from './environment.ts'
import { type RunningServer, type ServeOptions, serve } from './serve.ts'

const folder = mkdtempSync(join(tmpdir(), 'hurtbox-environment-'))
const module = defineModule({ game: dots })
const said: string[] = []
let running: RunningServer | undefined
afterEach(async () => {
  await running?.close()
  running = undefined
  said.length = 0
  vi.unstubAllEnvs()
})
afterAll(() => rmSync(folder, { recursive: true }))

/** Starts with these variables; what they say is not among the options. */
async function start(variables: Record<string, string>, options: Partial<ServeOptions> = {}) {
  for (const name of [
    'HOST',
    'PORT',
    'ORIGINS',
    'PROXIES',
    'PUBLIC_ADDRESS',
    'DATA_DIR',
    'UDP',
    'HURTBOX_TOKEN',
    'ICE_SECRET',
    'REDIS_URL',
  ])
    vi.stubEnv(name, '')
  for (const name of ['UDP_PORT', 'UDP_HOST', 'UDP_ADDRESSES']) vi.stubEnv(name, '')
  for (const [name, value] of Object.entries({ PORT: '0', DATA_DIR: folder, ...variables })) vi.stubEnv(name, value)
  const quiet = { udp: 'off', logLevel: 'silent', signals: false, say: (line: string) => said.push(line) } as const
  running = await serve({ games: [module], ...quiet, ...options })
  return { url: running.url, port: Number(new URL(running.url).port) }
}

const statusFor = async (server: { url: string; port: number }, origin: string, host = 'x') =>
  (await ask(server, '/health', { headers: { origin, host } })).status

describe('[SV90] variables stand for the options of their names', () => {
  test('all of them are read; empty ones are not set', () => {
    const variables = {
      HOST: '0.0.0.0',
      PORT: '80',
      ORIGINS: 'https://a.example, https://b.example\nhttps://c.example',
      PROXIES: '2',
      PUBLIC_ADDRESS: 'play.example.org:443',
      UDP_PORT: '81',
      UDP_HOST: 'fly-global-services',
      UDP_ADDRESSES: 'play.example.org:45181, [2001:db8::7]:45181',
      DATA_DIR: '/data',
      UDP: 'native',
      HURTBOX_TOKEN: 'secret',
      ICE_SECRET: 'shared',
      REDIS_URL: 'redis://127.0.0.1:6379',
    }
    expect(readEnvironment(variables)).toEqual({
      host: '0.0.0.0',
      port: 80,
      origins: ['https://a.example', 'https://b.example', 'https://c.example'],
      proxies: 2,
      publicAddress: 'play.example.org:443',
      udpPort: 81,
      udpHost: 'fly-global-services',
      udpAddresses: ['play.example.org:45181', '[2001:db8::7]:45181'],
      dataDir: '/data',
      udp: 'native',
      token: 'secret',
      iceSecret: 'shared',
      redisUrl: 'redis://127.0.0.1:6379',
    })
    expect(readEnvironment(Object.fromEntries(Object.keys(variables).map((name) => [name, ''])))).toEqual({})
  })

  test.each([
    ['PORT', 'eighty', 'PORT must be a whole number from 0 to 65535, got eighty.'],
    ['PORT', '70000', 'PORT must be a whole number from 0 to 65535, got 70000.'],
    ['UDP_PORT', 'on', 'UDP_PORT must be a whole number from 0 to 65535, got on.'],
    ['PROXIES', 'yes', 'PROXIES must be a whole number from 0 to 16, got yes.'],
    ['PROXIES', '-1', 'PROXIES must be a whole number from 0 to 16, got -1.'],
    ['ORIGINS', 'play.example.org', 'An origin is like https://play.example.org, got play.example.org.'],
    ['PUBLIC_ADDRESS', 'a b', 'The public address is host:port'],
  ])('%s=%s is refused in words', async (name, value, words) => {
    await expect(start({ [name]: value })).rejects.toThrow(words)
  })

  test('ORIGINS lists pages, and an option goes before it', async () => {
    const server = await start({ ORIGINS: 'https://a.example,https://b.example' })
    expect(await statusFor(server, 'https://b.example')).toBe(200)
    expect(await statusFor(server, 'https://c.example')).toBe(403)
    await running?.close()
    const other = await start({ ORIGINS: 'https://a.example' }, { origins: ['https://c.example'] })
    expect(await statusFor(other, 'https://a.example')).toBe(403)
    expect(await statusFor(other, 'https://c.example')).toBe(200)
  })

  test('PROXIES trusts what a proxy forwards, and lets names in; pages of this machine are then strangers', async () => {
    const server = await start({ PROXIES: '1' })
    expect(await statusFor(server, 'https://play.example.org', 'play.example.org')).toBe(200)
    expect(await statusFor(server, 'http://localhost:5173')).toBe(403)
  })

  test('PUBLIC_ADDRESS makes pages of that host our own', async () => {
    const server = await start({ PUBLIC_ADDRESS: 'play.example.org:2567' })
    expect(await statusFor(server, 'https://play.example.org')).toBe(200)
  })

  test('HOST opens it to the network: its page is its own under every name [SV82]', async () => {
    const server = await start({ HOST: '0.0.0.0' })
    expect(await statusFor(server, 'http://play.example.org:2567', 'play.example.org:2567')).toBe(200)
    expect(await statusFor(server, 'http://evil.example', 'play.example.org:2567')).toBe(403)
  })

  test('DATA_DIR is where replays, matches and results are, unless an option says otherwise', async () => {
    const data = join(folder, 'data')
    await start({ DATA_DIR: data }, { results: { take() {} } })
    expect(readdirSync(data).sort()).toEqual(['matches', 'replays', 'results'])
    expect(said.at(-1)).toBe(`  replays  ${join(data, 'replays')}`)
    await running?.close()
    await start({ DATA_DIR: join(folder, 'unused') }, { dataDir: join(folder, 'used') })
    expect([existsSync(join(folder, 'unused')), existsSync(join(folder, 'used'))]).toEqual([false, true])
  })
})

describe('[SV91] a server that has no place to keep things starts without them, and says so', () => {
  const file = join(folder, 'file')
  writeFileSync(file, '')
  const locked = join(folder, 'locked')
  chmodSync(folder, 0o755)
  mkdirSync(locked)
  mkdirSync(join(locked, 'replays'))
  mkdirSync(join(locked, 'matches'))

  async function expectNothingKept(dataDir: string, reason: RegExp, act = (start: () => Promise<unknown>) => start()) {
    await act(() => start({ DATA_DIR: dataDir }))
    const kept = said.filter((line) => line.includes('not kept'))
    expect(kept).toEqual([
      expect.stringMatching(/^hurtbox: replays are not kept: .*Give a folder .*DATA_DIR\.$/),
      expect.stringMatching(/^hurtbox: matches are not kept: .*Give a folder .*DATA_DIR\.$/),
    ])
    for (const line of kept) expect(line).toMatch(reason)
    expect((await fetch(`${running!.url}/health`)).status).toBe(200)
  }

  test('a file where the folder should be', () => expectNothingKept(file, /EEXIST|ENOTDIR/))
  // A link that leads nowhere. Node says the same of a folder in a read-only file system.
  symlinkSync(join(folder, 'nowhere'), join(folder, 'link'))
  test('no such place', () => expectNothingKept(join(folder, 'link'), /ENOENT/))

  // Only root can become somebody who may not write; others are that somebody.
  const isRoot = process.getuid?.() === 0
  const asNobody = async (act: () => Promise<unknown>) => {
    if (isRoot) process.seteuid!(65_534)
    // Folders are opened before anything is waited for.
    const started = act()
    if (isRoot) process.seteuid!(0)
    await started
  }
  test.runIf(isRoot)('a folder of somebody else', () => expectNothingKept(locked, /EACCES/, asNobody))
  test.runIf(isRoot)('a folder in which nothing can be made', () =>
    expectNothingKept(join(locked, 'new'), /EACCES/, asNobody),
  )

  test('results must not be lost: without a place for them it does not start', async () => {
    const words = /^Results of matches have no place to wait: .*Give a folder .*DATA_DIR\.$/
    await expect(start({ DATA_DIR: file }, { results: { take() {} } })).rejects.toThrow(words)
  })
})
