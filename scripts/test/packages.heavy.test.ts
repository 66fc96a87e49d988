/** The packed packages, installed into an empty project outside the workspace and used there. */

import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { type BuildOptions, build } from 'esbuild'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startBrowser } from '../../packages/studio/test/browser.ts'
import { unpackChromium } from '../engines/chromium.ts'
import { PINNED, repositoryRoot } from '../engines/install-npm.ts'
import { servePlainFiles } from './packages/plain-files.ts'
import { BARE, countWays, fight, MISTAKE, PRINT, type Report, ROOM, SAID, typedFight } from './packages/programs.ts'
import { INSTALLED, installedManifest, installProject, type Project } from './packages/project.ts'

const inRepository = (path: string) => join(repositoryRoot, path)

/** Every specifier that the packages' `exports` offer, `package.json` aside. */
const waysInto = (name: string) => {
  const { exports } = JSON.parse(readFileSync(inRepository(`packages/${INSTALLED[name]}/package.json`), 'utf8'))
  return Object.keys(exports)
    .filter((path) => !path.endsWith('.json'))
    .map((path) => path.replace('.', name))
}
const engineWays = waysInto('hurtbox')
const allWays = Object.keys(INSTALLED).flatMap(waysInto)

let project: Project

beforeAll(async () => {
  project = await installProject({
    'fight.js': fight(engineWays),
    'print.js': PRINT,
    'bare.js': BARE,
    'mistake.js': MISTAKE,
    'typed-fight.ts': typedFight(engineWays),
    'ways.ts': countWays(allWays),
    'room.ts': ROOM,
  })
}, 180_000)

afterAll(() => project?.remove(), 60_000)

describe('installed from tarballs into an empty project', () => {
  test('[PK3] every way in can be imported, and the engine brings nothing else along', () => {
    const names = JSON.parse(project.run(process.execPath, 'ways.ts')) as Record<string, number>
    expect(Object.keys(names)).toEqual(allWays)
    expect(Object.values(names).every((count) => count > 0)).toBe(true)
    const fields = Object.keys(installedManifest(project, 'hurtbox'))
    expect(fields).toContain('version')
    expect(fields.filter((field) => /dependencies$/i.test(field))).toEqual([])
  })

  describe.each([
    ['bundler', 'esnext'],
    ['nodenext', 'nodenext'],
  ])('compiled with moduleResolution %s, declarations checked too', (moduleResolution, module) => {
    const errorsOf = (files: string[], options: string[]) =>
      project.complaintsOf(
        inRepository('node_modules/.bin/tsc'),
        ...['--noEmit', '--strict', '--exactOptionalPropertyTypes', '--skipLibCheck', 'false', '--target', 'es2023'],
        ...['--module', module, '--moduleResolution', moduleResolution, ...options, ...files],
      )

    test('[PK4] the engine, where there are neither Node nor DOM', () => {
      const errors = errorsOf(['typed-fight.ts'], ['--types', '', '--lib', 'es2023'])
      expect(errors).toEqual([])
    })

    test('[PK4] the room, the client and the command', () => {
      const errors = errorsOf(['ways.ts', 'room.ts'], ['--allowImportingTsExtensions', '--types', 'node'])
      // What Colyseus' own declarations get wrong is not ours to mend; a line that is set in goes on with the one before.
      expect(errors.filter((line) => !/^(node_modules\/@colyseus\/| )/.test(line))).toEqual([])
    })
  })

  test('[PK5] maps point to sources that were shipped, and a stack names their lines', () => {
    for (const name of Object.keys(INSTALLED)) {
      const folder = join(project.folder, 'node_modules', name)
      const maps = globSync('dist/**/*.map', { cwd: folder })
      // One for the code and one for the types of each module.
      expect(maps.length).toBe(2 * globSync('dist/**/*.js', { cwd: folder }).length)
      const sources = maps.flatMap((map) => {
        const { sourceRoot, sources } = JSON.parse(readFileSync(join(folder, map), 'utf8'))
        return sources.map((source: string) => resolve(folder, dirname(map), sourceRoot ?? '', source))
      })
      expect(sources.filter((source) => !existsSync(source))).toEqual([])
    }
    const [failed] = project
      .complaintsOf(process.execPath, '--enable-source-maps', 'mistake.js')
      .filter((line) => /^ +at /.test(line))
    const [, file, line] = /at (?:.* \()?(.+[\\/]hurtbox[\\/]src[\\/].+\.ts):(\d+)/.exec(failed)!
    expect(readFileSync(file, 'utf8').split('\n')[Number(line) - 1]).toContain('new HurtboxError(')
  })

  test('[PK6] what a page does not use is not in its bundle', async () => {
    expect(await bundled(engineWays.map((way) => `import '${way}'`).join('\n'))).toEqual([])
    const used = await bundled(`import { length } from 'hurtbox/math'; console.log(length(3, 4))`)
    expect(used.length).toBeGreaterThan(0)
    expect(used.filter((file) => !file.startsWith('node_modules/hurtbox/dist/geometry/math/'))).toEqual([])
  })

  test('[PK8] the command plays a game, and verifies the match', () => {
    const hurtbox = (...args: string[]) => project.run('npx', '--no-install', 'hurtbox', ...args)
    expect(hurtbox('games', 'game/index.ts')).toMatch(/^slime-pit: 1 to 4 players/)
    const [, hash] = /hash +([0-9a-f]{16})/.exec(
      hurtbox('run', 'game/index.ts', '--ticks', '120', '--replay', 'match.replay'),
    )!
    expect(hurtbox('verify', 'match.replay', '--game', 'game/index.ts')).toContain(
      `120 of 120 ticks came out as recorded, hash ${hash}`,
    )
  })

  test('[CK12] the check passes the game and releases it, and finds what is planted in its rules', () => {
    const hurtbox = (command: string) =>
      project.complaintsOf(
        'npx',
        '--no-install',
        'hurtbox',
        command,
        'game/index.ts',
        '--ticks',
        '120',
        '--no-runtimes',
      )
    const file = join(project.folder, 'game/rules.ts')
    const rules = readFileSync(file, 'utf8')
    const plant = (...changes: readonly (readonly [from: string, to: string])[]) => {
      const planted = changes.reduce((text, [from, to]) => text.replace(from, to), rules)
      expect(planted).not.toBe(rules)
      writeFileSync(file, planted)
      return hurtbox('check').join('\n')
    }
    try {
      expect(hurtbox('release')).toEqual([])
      expect(plant(['knockback(knight, slime, 20)', 'knockback(knight, slime, 20 * Math.sin(1))'])).toMatch(
        /^game\/rules\.ts:\d+:\d+ {2}Math\.sin .*\(phase hits, /m,
      )
      expect(plant(['length(a.x - b.x, a.y - b.y)', '((a.x - b.x) ** 2 + (a.y - b.y) ** 2) ** 0.5'])).toMatch(
        /^game\/rules\.ts:\d+:\d+ {2}\*\* is not the same in every engine/m,
      )
      const closure = 'const count = (() => {\n  let n = 0\n  return () => ++n\n})()\nfunction steer('
      expect(
        plant(
          ['function steer(', closure],
          ['const { tuning, clock', 'world.globals.swings += count()\n  const { tuning, clock'],
        ),
      ).toMatch(
        /^game\/rules\.ts:\d+:\d+ {2}tick 0 comes out differently .*, first in phase steer: globals\.swings is/m,
      )
      expect(plant(['knockback(knight, slime, 20)', 'knockback(knight, slime, 21)'])).toContain(
        'Raise rulesVersion to 2',
      )
    } finally {
      writeFileSync(file, rules)
    }
  })

  test('[PK10] a room opens, and a client plays in it', () => {
    const played = JSON.parse(project.run(process.execPath, 'room.ts'))
    expect(played).toEqual({ isPlayer: true, walked: true, places: 10, desyncs: 0 })
  })
})

describe('the fight of the README ends in the same state', async () => {
  const printed = (program: string, ...args: string[]) => JSON.parse(project.run(program, ...args)) as Report
  let inNode: Report
  beforeAll(() => {
    inNode = printed(process.execPath, 'print.js')
  })
  const expectSame = (report: Report) => expect(report).toEqual(inNode)

  test('[PK7] in Node, which prints what the README says', () => {
    expect(inNode.said).toEqual(SAID)
    expect(inNode.hash).toMatch(/^[0-9a-f]{16}$/)
    expect(Object.keys(inNode.ways)).toEqual(engineWays)
  })

  const bun = inRepository('node_modules/bun/bin/bun.exe')
  testIn('Bun', { isHere: existsSync(bun), isLocked: true }, () => expectSame(printed(bun, 'print.js')))

  // `npm run engines` fetches it. It is given no permission at all.
  const deno = inRepository(`.engines/deno-${PINNED.deno}/node_modules/deno/bin.cjs`)
  testIn('Deno', { isHere: existsSync(deno), isLocked: false }, () => {
    expectSame(printed(process.execPath, deno, 'run', '--no-prompt', 'print.js'))
  })

  const hasBrowser = (await unpackChromium(() => {})) !== undefined
  const isBrowserLocked = process.platform === 'linux' && process.arch === 'x64'
  testIn('a worker of a browser, from plain files', { isHere: hasBrowser, isLocked: isBrowserLocked }, async () => {
    const served = await servePlainFiles(project)
    const browser = (await startBrowser())!
    try {
      const page = await browser.newPage()
      await page.goto(served.url)
      expectSame(await page.evaluate<Report>('reported'))
    } finally {
      await browser.close()
      served.close()
    }
  })

  test('[PK7] in a bare context, with every global frozen', () => {
    expectSame(printed(process.execPath, '--experimental-vm-modules', '--no-warnings', 'bare.js'))
  })
})

/** A runtime that is not here is skipped aloud; on CI one that the lock file brings must be here. */
function testIn(
  runtime: string,
  { isHere, isLocked }: { isHere: boolean; isLocked: boolean },
  run: () => unknown,
): void {
  const isMissed = !isHere && isLocked && process.env.CI !== undefined
  if (!isHere && !isMissed) console.warn(`SKIPPED: not on this machine: ${runtime}`)
  test.skipIf(!isHere && !isMissed)(`[PK7] in ${runtime}`, async () => {
    if (isMissed) throw new Error('missing, though the lock file brings it, and on CI it must run')
    await run()
  })
}

/** The files of which something is left in a bundle of `program`. */
async function bundled(program: string): Promise<string[]> {
  const options: BuildOptions = { bundle: true, format: 'esm', write: false, metafile: true, logLevel: 'silent' }
  const { metafile } = await build({
    ...options,
    stdin: { contents: program, resolveDir: project.folder },
    absWorkingDir: project.folder,
  })
  return Object.values(metafile!.outputs).flatMap(({ inputs }) =>
    Object.keys(inputs).filter((file) => file !== '<stdin>'),
  )
}
