/** A game of one's own, from the packed packages alone: generated, checked, built, served and changed. */

import { execFileSync, spawnSync } from 'node:child_process'
import { readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, describe, expect, onTestFinished, test } from 'vitest'
import { freePort } from '../../packages/server/test/free-port.ts'
import { repositoryRoot as root } from '../engines/install-npm.ts'
import { expectFound } from './mistakes/commit.ts'
import { mistakes, WRITTEN } from './mistakes/table.ts'
import { TWO_CLIENTS } from './packages/clients.ts'
import { buildPage, unpackPackages } from './packages/generated.ts'

const { scratch, project, create, run, start, remove } = await unpackPackages('goblin-hunt')
afterAll(remove, 60_000)

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
    const { dependencies, devDependencies, overrides } = manifest
    const given: Record<string, string> = { ...dependencies, ...devDependencies, ...overrides }
    const ours = Object.entries(given).filter(([name]) => /^(@hurtbox\/|hurtbox$)/.test(name))
    expect(ours.length).toBeGreaterThan(5)
    for (const [name, from] of ours) {
      const packed = JSON.parse(
        execFileSync('tar', ['xzOf', from.replace('file:', ''), 'package/package.json'], { encoding: 'utf8' }),
      )
      expect(packed.name).toBe(name)
      // What it needs of ours comes out of a tarball too: npm would ask the registry for it.
      for (const needed of Object.keys(packed.dependencies ?? {}).filter((each) => each.includes('hurtbox'))) {
        expect(given[needed], `${needed}, which ${name} needs`).toMatch(/^file:/)
      }
    }
    expect(manifest.devDependencies.vite).toMatch(/^\d/)
  })

  test('[CR2] its types check, its own test passes, its page builds', { timeout: 120_000 }, () => {
    run(join(root, 'node_modules/.bin/tsc'))
    expect(run(process.execPath, '--test', 'test/game.test.ts')).toMatch(/pass 2/)
    buildPage(project)
    const page = readFileSync(join(project, 'dist/index.html'), 'utf8')
    expect(page).toMatch(/type="module"/)
    expect(readdirSync(join(project, 'dist/assets')).join(' '), '[CR12]').not.toMatch(/panel|studio/)
    const files = [...page.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, file]) => file)
    // Below any path: what it loads, the way back to a new match, and an icon that asks no server for anything.
    expect(files, '[CR11]').toEqual(
      files.filter((file) => file === './' || file === 'data:,' || file.startsWith('./assets/')),
    )
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
    const [taken] = second.stderr.split('\n')
    expect(second.status).toBe(1)
    expect(taken).toBe(`Port ${port} is taken. Take another: ${port + 1}, or 0 for any.`)
  })

  test('[CR14] git ignores what its commands and its server leave behind', { timeout: 60_000 }, () => {
    const command = join(project, 'node_modules/@hurtbox/cli/bin/hurtbox.js')
    run(process.execPath, command, 'run', '--ticks', '60', '--replay', 'played.hbr')
    run(process.execPath, command, 'balance', '--matches', '1', '--ticks', '60')
    run('git', 'init', '--quiet')
    const seen = run('git', 'status', '--porcelain', '--untracked-files=all').match(/(?<=^\?\? ).+/gm)!
    const template = ['shared', 'template', 'online'].flatMap((part) => {
      const folder = join(root, 'packages/create-hurtbox', part)
      return readdirSync(folder, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map(({ parentPath, name }) => relative(folder, join(parentPath, name)).replace(/^_/, '.'))
    })
    // The test's own program.
    expect(seen.filter((file) => file !== 'two.ts').sort()).toEqual(template.sort())
  })

  test('[TG5] check passes it, and an older Node is refused when installing', () => {
    const { engines } = JSON.parse(readFileSync(join(project, 'package.json'), 'utf8'))
    const command = join(project, 'node_modules/@hurtbox/cli/bin/hurtbox.js')
    expect(run(process.execPath, command, 'check', '--ticks', '60', '--no-runtimes')).toContain('is fit to be played')
    expect(readFileSync(join(project, '.npmrc'), 'utf8')).toContain('engine-strict=true')
    expect(engines.node).toMatch(/^>=\d+\.\d+$/)
  })

  test('[LK6] npm test runs all tests whatever check finds, and says both', { timeout: 60_000 }, () => {
    const { scripts } = JSON.parse(readFileSync(join(project, 'package.json'), 'utf8'))
    expect(scripts.test).toBe('node --test test/*.test.ts')
    const file = join(project, 'game/rules.ts')
    const rules = readFileSync(file, 'utf8')
    onTestFinished(() => writeFileSync(file, rules))
    writeFileSync(file, rules.replace('world.tuning.swordPush)', 'world.tuning.swordPush * Math.sin(1))'))
    const { status, stdout } = spawnSync(process.execPath, scripts.test.split(' ').slice(1), {
      cwd: project,
      encoding: 'utf8',
      // No other runtimes: they are slow, and asked elsewhere.
      env: { PATH: '', HURTBOX_CHROMIUM: join(project, 'no-chromium') },
    })
    expect(stdout).toMatch(/game\/rules\.ts:\d+:\d+ {2}Math\.sin/)
    expect(stdout).toMatch(/(✔|ok \d+ -) one swing hurts a slime once/)
    expect(stdout).toMatch(/pass 2\n.*fail 1\n/)
    expect(status).toBe(1)
  })

  const agents = readFileSync(join(root, 'packages/create-hurtbox/template/AGENTS.md'), 'utf8')
  const warnings = [...agents.matchAll(/^\| (.+?) \| `(np.+?)` \| /gm)].map(([, name, command]) => ({ name, command }))

  test('[CR15] AGENTS.md of every template warns of the same five mistakes', () => {
    const other = readFileSync(join(root, 'packages/create-hurtbox/shield-ball/AGENTS.md'), 'utf8')
    const section = /## Mistakes that are often made[\s\S]*?(?=\n## )/
    expect(warnings).toHaveLength(5)
    expect(section.exec(other)?.[0]).toBe(section.exec(agents)![0])
  })

  test.each(warnings)(
    '[CR15] $name is found by `$command`, with file, line and cure',
    { timeout: 60_000 },
    ({ name, command }) => {
      const mistake = mistakes.find((each) => each.name === name)
      expect(mistake, 'it is in the table of mistakes').toBeDefined()
      expect(WRITTEN[mistake!.command]).toBe(command)
      expectFound(project, mistake!)
    },
  )

  test('[TG8] a page that does not fit the rules is not built, and its lines are named', { timeout: 120_000 }, () => {
    const { scripts } = JSON.parse(readFileSync(join(project, 'package.json'), 'utf8'))
    expect(scripts.build).toBe('tsc && vite build client')
    expect(scripts.start).toMatch(/^npm run build && node .*server\/main\.ts$/)
    const file = join(project, 'game/rules.ts')
    const rules = readFileSync(file, 'utf8')
    onTestFinished(() => writeFileSync(file, rules))
    // Another game, in which things face nowhere.
    writeFileSync(file, rules.replaceAll('facingX', 'headingX').replaceAll('facingY', 'headingY'))
    const { status, stdout } = spawnSync(join(root, 'node_modules/.bin/tsc'), { cwd: project, encoding: 'utf8' })
    expect(status).not.toBe(0)
    expect(stdout).toMatch(/client\/draw\.ts.*facingX/s)
  })

  test('[CR9] however the rules are saved, the page under work gets them', { timeout: 60_000 }, async () => {
    const port = await freePort()
    const vite = join(root, 'node_modules/vite/bin/vite.js')
    const args = ['client', '--host', '127.0.0.1', '--port', String(port), '--strictPort']
    await start(`127.0.0.1:${port}`, { PORT: '4567' }, vite, ...args)
    const served = async (path: string) => (await fetch(`http://127.0.0.1:${port}${path}`)).text()
    const main = await served('/main.ts')
    expect(main).toContain('"ROOMS_PORT": "4567"')
    const module = /"(\/@fs[^"]*game\/index\.ts)"/.exec(main)![1]
    const rules = /"(\/@fs[^"]*game\/rules\.ts)"/.exec(await served(module))![1]
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
