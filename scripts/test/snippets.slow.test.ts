/** Compiles and runs the code of the README and the guides, compares what it prints, and limits how long it may be. */

import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** Code blocks in order, with the output that follows each, if any. */
function snippetsOf(markdown: string): { code: string; prints: string | undefined }[] {
  const blocks = [...markdown.matchAll(/```(ts|text)\n([\s\S]*?)```/g)]
  return blocks.flatMap(([, language, code], i) => {
    if (language !== 'ts') return []
    const next = blocks[i + 1]
    return [{ code, prints: next?.[1] === 'text' ? next[2] : undefined }]
  })
}

const PAGES = [
  'README.md',
  'docs/guide/first-hit.md',
  'docs/guide/things-rules-phases.md',
  'docs/guide/layers-and-why.md',
  'docs/guide/walls-and-bounces.md',
  'docs/guide/swept-attacks.md',
  'docs/guide/static-maps.md',
  'docs/guide/side-view.md',
  'docs/guide/attach.md',
  'docs/guide/abilities.md',
  'docs/guide/match-flow.md',
  'docs/guide/status-effects.md',
  'docs/guide/zones.md',
  'docs/guide/queries.md',
  'docs/guide/coming-from.md',
  'docs/guide/rollback-and-replays.md',
]

test.each(PAGES)('the snippets of %s compile, run, and print what it says', (file) => {
  const snippets = snippetsOf(readFileSync(root + file, 'utf8'))
  expect(snippets.length).toBeGreaterThan(0)
  // One program per page: later snippets go on where earlier ones stopped. Imports stand at the top of a module.
  const folder = `${root}.cache/snippets`
  const program = `${folder}/${file.replaceAll('/', '-')}.ts`
  mkdirSync(folder, { recursive: true })
  writeFileSync(program, snippets.map(({ code }) => code).join('\n'))
  const tsconfig = `${folder}/tsconfig.json`
  writeFileSync(
    tsconfig,
    JSON.stringify({ extends: '../../tsconfig.base.json', compilerOptions: { types: ['node'] }, files: [program] }),
  )
  execFileSync('tsc', ['-p', tsconfig], { encoding: 'utf8' })
  const printed = execFileSync(process.execPath, [program], { encoding: 'utf8', cwd: root })
  expect(printed).toBe(snippets.map(({ prints }) => prints ?? '').join(''))
})

/** What runs in a page, for the game of the template. */
const PAGES_OF_A_BROWSER = ['effects', 'page-parts', 'smooth-pictures', 'phaser', 'pixi', 'three', 'studio', 'lab']

test('the snippets of the guides for the browser compile', () => {
  const folder = `${root}.cache/browser-snippets`
  for (const part of ['game', 'client']) {
    cpSync(`${root}packages/create-hurtbox/template/${part}`, `${folder}/${part}`, { recursive: true })
  }
  const files = PAGES_OF_A_BROWSER.map((name) => {
    const snippets = snippetsOf(readFileSync(`${root}docs/guide/${name}.md`, 'utf8'))
    expect(snippets.length, name).toBeGreaterThan(0)
    // A snippet that begins with the name of a file is that file; all others of a page are one program.
    const fileOf = (code: string) => /^\/\/ (client\/\S+\.ts)\n/.exec(code)?.[1]
    for (const { code } of snippets) if (fileOf(code) !== undefined) writeFileSync(`${folder}/${fileOf(code)}`, code)
    const program = snippets.filter(({ code }) => fileOf(code) === undefined)
    writeFileSync(`${folder}/client/${name}.ts`, program.map(({ code }) => code).join('\n'))
    return `client/${name}.ts`
  })
  // The studio's panel is written in JSX, and takes styles as Vite gives them.
  files.push(`${root}packages/studio/src/vite-env.d.ts`)
  const jsx = { jsx: 'react-jsx', jsxImportSource: 'preact' }
  const compilerOptions = { types: ['node'], lib: ['es2023', 'dom', 'dom.iterable'], ...jsx }
  writeFileSync(
    `${folder}/tsconfig.json`,
    JSON.stringify({ extends: '../../tsconfig.base.json', compilerOptions, files }),
  )
  execFileSync('tsc', ['-p', folder], { encoding: 'utf8' })
})

/** Lines of code as Biome formats them, without comments and blank lines. */
function linesOfCode(code: string): number {
  const bare = code.replace(/\/\*[\s\S]*?\*\//g, '').replace(/(^|\s)\/\/.*$/gm, '$1')
  const formatted = execFileSync('biome', ['format', '--stdin-file-path=snippet.ts'], {
    input: bare,
    encoding: 'utf8',
    cwd: root,
  })
  return formatted.split('\n').filter((line) => line.trim() !== '').length
}

const codeIn = (file: string) =>
  snippetsOf(readFileSync(root + file, 'utf8'))
    .map(({ code }) => code)
    .join('')

test('the first hit takes at most 12 lines, the Phaser comparison 15, the rules of the template 150', () => {
  expect(linesOfCode(codeIn('README.md'))).toBeLessThanOrEqual(12)
  expect(linesOfCode(codeIn('docs/guide/coming-from.md'))).toBeLessThanOrEqual(15)
  const rules = readFileSync(`${root}packages/create-hurtbox/template/game/rules.ts`, 'utf8')
  expect(linesOfCode(rules)).toBeLessThanOrEqual(150)
  // What is counted is code: comments and blank lines are not, and long lines are broken first.
  expect(linesOfCode('/* a\n b */\n\n// c\nlet a = 1; let b = 2 // d\n')).toBe(2)
})
