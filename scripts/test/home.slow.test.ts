/** What strangers see of the packages on npm: manifests and READMEs. */

import { execFileSync, spawn } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { freePort } from '../../packages/server/test/free-port.ts'
import { publicPackages } from '../pack.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const HOME = 'https://github.com/hurtbox/hurtbox'
const read = (path: string) => readFileSync(root + path, 'utf8')
const manifestOf = (folder: string) => JSON.parse(read(`packages/${folder}/package.json`))
const codeOf = (folder: string) => read(`packages/${folder}/README.md`).match(/```ts\n([\s\S]*?)```/)![1]
const published = publicPackages.map((folder) => manifestOf(folder).name as string)

describe.each(publicPackages)('package %s', (folder) => {
  test('[PK11] the manifest says where it lives, what it is about and which Node it needs', () => {
    const manifest = manifestOf(folder)
    expect(manifest).toMatchObject({
      description: expect.stringMatching(/^.{30,140}\.$/),
      license: 'MIT',
      homepage: expect.stringContaining(HOME),
      repository: { type: 'git', url: `git+${HOME}.git`, directory: `packages/${folder}` },
      bugs: { url: `${HOME}/issues` },
      engines: { node: expect.stringMatching(/^>=\d+\.\d+$/) },
      publishConfig: { access: 'public' },
    })
    expect(manifest.keywords.length).toBeGreaterThanOrEqual(5)
    expect(new Set(manifest.keywords).size).toBe(manifest.keywords.length)
    for (const file of manifest.files) {
      // Built when it is packed.
      if (file !== 'dist') expect(existsSync(join(root, 'packages', folder, file)), file).toBe(true)
    }
  })

  test('[PK12] the README is its own, says how to get it, and its links work where npm shows it', () => {
    const { name, engines } = manifestOf(folder)
    const page = read(`packages/${folder}/README.md`)
    expect(page.split('\n')[0]).toBe(`# ${name}`)
    expect(page).toMatch(name === 'create-hurtbox' ? /npm create hurtbox/ : new RegExp(`npm install .*${name}`))
    expect(page).toContain(`Node ≥ ${engines.node.replace('>=', '')}`)
    const links = [...page.matchAll(/\]\(([^)]+)\)/g)].map(([, link]) => link)
    expect(links.length).toBeGreaterThan(0)
    for (const link of links) {
      const [, file] = link.match(new RegExp(`^${HOME}/(?:blob|tree)/main/([^#]+)`)) ?? []
      const [, other] = link.match(/^https:\/\/www\.npmjs\.com\/package\/(.+)$/) ?? []
      if (file !== undefined) expect(existsSync(root + file), link).toBe(true)
      else if (other !== undefined) expect(published, link).toContain(other)
      else expect(link).toMatch(/^https:\/\//)
    }
  })
})

describe('the code of the READMEs', () => {
  const folder = `${root}.cache/readmes`
  const file = (name: string) => {
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, `${name}.ts`), codeOf(name))
    const compilerOptions = { types: ['node'], lib: ['es2023', 'dom'] }
    const project = join(folder, `${name}.json`)
    writeFileSync(
      project,
      JSON.stringify({ extends: '../../tsconfig.base.json', compilerOptions, files: [`${name}.ts`] }),
    )
    execFileSync('tsc', ['-p', project], { encoding: 'utf8' })
    return join(folder, `${name}.ts`)
  }
  const node = (...args: string[]) => execFileSync(process.execPath, args, { encoding: 'utf8', cwd: folder })

  test('[PK12] hurtbox: prints what it says, and is that of the first page', () => {
    expect(node(file('hurtbox'))).toBe('hit: the slime has 18 hp left\n')
    expect(read('README.md')).toContain(codeOf('hurtbox'))
  })

  test.each([
    ['colyseus', 'Ada plays on seat 0\n'],
    ['server', '/rooms.json lists the rooms\n'],
    ['datagrams', 'the server sends back: hello\n'],
  ])('[PK12] @hurtbox/%s: it starts, and prints what it says', { timeout: 60_000 }, async (name, sign) => {
    const program = spawn(process.execPath, [file(name)], {
      cwd: folder,
      env: { ...process.env, PORT: String(await freePort()) },
    })
    try {
      let printed = ''
      await new Promise<void>((resolve, reject) => {
        program.stderr.on('data', (text) => (printed += text))
        program.stdout.on('data', (text) => {
          printed += text
          if (printed.includes(sign)) resolve()
        })
        program.on('exit', () => reject(new Error(printed)))
      })
    } finally {
      program.kill('SIGKILL')
    }
  })

  test('[PK12] @hurtbox/netcode: prints what it says', () => {
    expect(node(file('netcode'))).toBe('the host has seen inputs, 0 desyncs\n')
  })

  test('[PK12] @hurtbox/view: prints what it says', () => {
    expect(`\`\`\`text\n${node(file('view'))}\`\`\``).toBe(
      read('packages/view/README.md').match(/```text[\s\S]*?```/)![0],
    )
  })

  test('[PK12] @hurtbox/cli: its commands play, verify and roll back the game', () => {
    const game = file('cli')
    const hurtbox = (...args: string[]) => node(`${root}packages/cli/bin/hurtbox.js`, ...args)
    expect(hurtbox('run', game, '--ticks', '60', '--replay', 'match.hbr')).toMatch(/^arena, .*\n +ticks +60/)
    expect(hurtbox('verify', 'match.hbr', '--game', game)).toContain('60 of 60 ticks came out as recorded')
    expect(hurtbox('synctest', game, '--ticks', '60')).toContain('ok: 60 rollbacks')
  })
})
