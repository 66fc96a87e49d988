/** What `npm start` and `npm test` install, and when. */

import { spawnSync } from 'node:child_process'
import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, test } from 'vitest'
import { oldestNode } from './oldest-node.ts'

type Entry = {
  version?: string
  resolved?: string
  link?: boolean
  dev?: boolean
  optional?: boolean
  hasInstallScript?: boolean
}

const root = fileURLToPath(new URL('../..', import.meta.url))
const json = (path: string) => JSON.parse(readFileSync(root + path, 'utf8'))
const node = oldestNode()
const locked = Object.entries(json('package-lock.json').packages as Record<string, Entry>)

describe('the lock file', () => {
  test('[IS1] leaves out of playing what only tests and tools need', () => {
    const played = locked
      .filter(([, { dev, link }]) => !dev && !link)
      .map(([path]) => path.split('node_modules/').at(-1)!)
    expect(played).toEqual(expect.arrayContaining(['node', 'vite', 'three', '@colyseus/core']))
    const heavy =
      /^(bun|@oven|@sparticuz|playwright|typescript$|@typescript|vitest|@dimforge|@biomejs|vitepress|knip|esbuild$)/
    expect(played.filter((name) => heavy.test(name))).toEqual([])
  })

  test('[IS2] records exact versions and no download addresses', () => {
    expect(locked.filter(([, { resolved, link }]) => resolved !== undefined && !link)).toEqual([])
    const { dependencies, devDependencies } = json('package.json')
    for (const version of Object.values({ ...dependencies, ...devDependencies }))
      expect(version).toMatch(/^\d+\.\d+\.\d+$/)
  })

  test('[IS3] every package with an install script is allowed to run it: npm 12 runs no other', () => {
    const names = locked
      .filter(([, entry]) => entry.hasInstallScript && !entry.optional)
      .map(([path]) => path.split('node_modules/').at(-1)!)
    expect(names).toContain('node')
    expect(Object.keys(json('package.json').allowScripts)).toEqual(expect.arrayContaining(names))
  })
})

describe.skipIf(process.platform === 'win32')('scripts/setup.mjs', () => {
  const scratch = mkdtempSync(join(tmpdir(), 'hurtbox-setup-'))
  afterAll(() => rmSync(scratch, { recursive: true }))
  let runs = 0

  const LOCK = {
    '': {},
    'node_modules/hurtbox': { resolved: 'packages/hurtbox', link: true },
    'node_modules/vite': { version: '8.0.0' },
    'node_modules/vite-for-macs': { version: '8.0.0', optional: true },
    'node_modules/vitest': { version: '5.0.0', dev: true },
  }
  const { 'node_modules/vitest': _dev, 'node_modules/vite-for-macs': _mac, ...PLAYED } = LOCK

  /** Runs it in a project of its own, with an npm that writes down how it was called and ends with the given code. */
  function setup(args: string[], installed?: object, { lock = LOCK as object | string, npmEndsWith = 0 } = {}) {
    const folder = join(scratch, String(runs++))
    mkdirSync(join(folder, 'node_modules'), { recursive: true })
    mkdirSync(join(folder, 'scripts'))
    mkdirSync(join(folder, 'bin'))
    cpSync(join(root, 'scripts/setup.mjs'), join(folder, 'scripts/setup.mjs'))
    writeFileSync(
      join(folder, 'package-lock.json'),
      typeof lock === 'string' ? lock : JSON.stringify({ packages: lock }),
    )
    if (installed !== undefined)
      writeFileSync(join(folder, 'node_modules/.package-lock.json'), JSON.stringify({ packages: installed }))
    const npm = join(folder, 'bin/npm')
    writeFileSync(npm, `#!/bin/sh\necho "$1 $2 $3" >> "${folder}/calls"\nexit ${npmEndsWith}\n`)
    chmodSync(npm, 0o755)
    const PATH = [dirname(npm), process.env.PATH].join(delimiter)
    const { status, stderr } = spawnSync(node, [join(folder, 'scripts/setup.mjs'), ...args], {
      env: { ...process.env, PATH },
      encoding: 'utf8',
    })
    const calls = existsSync(join(folder, 'calls'))
      ? readFileSync(join(folder, 'calls'), 'utf8').trim().split('\n')
      : []
    return { status, stderr, calls: calls.map((call) => call.replace(/ --no-audit.*/, '')) }
  }

  test('[IS4] [IS6] a fresh clone gets what it needs, and only that', () => {
    expect(setup([])).toEqual({
      status: 0,
      stderr: 'hurtbox: installing what playing needs (once) …\n',
      calls: ['ci --omit=dev'],
    })
    expect(setup(['--all']).calls).toEqual(['ci --include=dev'])
  })

  test('[IS4] what is installed is not installed again, and optional packages are not missed', () => {
    expect(setup([], PLAYED)).toEqual({ status: 0, stderr: '', calls: [] })
    expect(setup([], LOCK).calls).toEqual([])
    expect(setup(['--all'], { ...PLAYED, 'node_modules/vitest': { version: '5.0.0' } }).calls).toEqual([])
  })

  test('[IS4] tests add the rest to what plays, without deleting it', () => {
    expect(setup(['--all'], PLAYED).calls).toEqual(['install --no-save --include=dev'])
  })

  test.each<[string, object]>([
    ['another version', { ...PLAYED, 'node_modules/vite': { version: '7.9.0' } }],
    ['a workspace that has moved', { ...PLAYED, 'node_modules/hurtbox': { resolved: 'hurtbox', link: true } }],
    ['a package missing', { '': {}, 'node_modules/vite': { version: '8.0.0' } }],
  ])('[IS4] %s is put right, and the rest kept', (_, installed) => {
    expect(setup([], installed).calls).toEqual(['install --no-save --omit=dev'])
  })

  test('[IS4] playing with a new version does not remove what tests need', () => {
    const before = { ...LOCK, 'node_modules/vite': { version: '7.9.0' } }
    expect(setup([], before).calls).toEqual(['install --no-save --include=dev'])
  })

  test('[IS5] what goes wrong is said in a sentence', () => {
    const failed = setup([], undefined, { npmEndsWith: 1 })
    expect(failed).toMatchObject({ status: 1, calls: ['ci --omit=dev', 'install --no-save --omit=dev'] })
    expect(setup([], {}, { npmEndsWith: 1 }).calls).toEqual(['install --no-save --omit=dev', 'ci --omit=dev'])
    expect(failed.stderr).toContain('could not be installed; npm says why above')
    expect(setup([], undefined, { lock: '{"packages": {' })).toMatchObject({
      status: 1,
      calls: [],
      stderr: expect.stringContaining('package-lock.json is missing or damaged'),
    })
  })
})
