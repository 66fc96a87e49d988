/**
 * Every value that `hurtbox` exports has an `@example` in its TSDoc. This compiles and runs them all and compares what they
 * print with the comment behind each `console.log(…) // 18`.
 */

import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { beforeAll, describe, expect, test } from 'vitest'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const source = fileURLToPath(new URL('../src/', import.meta.url))
const folder = `${root}.cache/examples`

const EXPORTS = /export (type )?\{([^}]*)\} from '\.\/([^']+)'/g

/** The names that the index exports, with the file each is defined in. */
const exported = [...readFileSync(`${source}index.ts`, 'utf8').matchAll(EXPORTS)].flatMap(([, type, names, file]) =>
  names.split(',').flatMap((name) => {
    const [first, second] = name.trim().split(/\s+/)
    if (first === '') return []
    return [{ name: second ?? first, file, isType: type !== undefined || second !== undefined }]
  }),
)
const values = exported.filter(({ isType }) => !isType)

/** The code of the example in the TSDoc of a definition; '' when there is none. */
function exampleOf(name: string, text: string): string {
  const [before] = text.split(new RegExp(`^export (?:function|const|class) ${name}\\b`, 'm'))
  const doc = before === text ? '' : /\/\*\*(?:(?!\*\/)[\s\S])*\*\/\n$/.exec(before)?.[0]
  const [, code = ''] = /@example\n \* ```ts\n([\s\S]*?) \* ```/.exec(doc ?? '') ?? []
  return code.replace(/^ \* ?/gm, '')
}

/** What an example says that it prints, line by line. */
function promisesOf(code: string): string[] {
  return [...code.matchAll(/console\.log\(.*\) \/\/ (.*)$/gm)].map(([, promise]) => promise)
}

/** Runs all examples in one process and prints, as JSON, what each has printed or thrown. */
const RUNNER = `
import { format } from 'node:util'
const results = {}
const { log } = console
for (const name of process.argv.slice(2)) {
  const lines = []
  console.log = (...words) => lines.push(format(...words))
  try {
    await import(\`./\${name}.ts\`)
  } catch (error) {
    lines.push(String(error))
  }
  results[name] = lines
}
log(JSON.stringify(results))
`

describe('the root of the engine', () => {
  const examples = values.map(({ name, file }) => ({
    name,
    code: exampleOf(name, readFileSync(source + file, 'utf8')),
  }))
  let printed: Record<string, string[]> = {}

  beforeAll(() => {
    rmSync(folder, { recursive: true, force: true })
    mkdirSync(folder, { recursive: true })
    for (const { name, code } of examples) writeFileSync(`${folder}/${name}.ts`, code)
    writeFileSync(`${folder}/run.mjs`, RUNNER)
    const names = examples.filter(({ code }) => code !== '').map(({ name }) => name)
    const output = execFileSync(process.execPath, [`${folder}/run.mjs`, ...names], { encoding: 'utf8' })
    printed = JSON.parse(output)
  })

  test('has at most 60 values', async () => {
    expect(values.map(({ name }) => name).sort()).toEqual(Object.keys(await import('../src/index.ts')).sort())
    expect(values.length).toBeLessThanOrEqual(60)
  })

  test.each(examples)('$name has an example that prints what it says', ({ name, code }) => {
    expect(code, `${name} has no @example`).toMatch(new RegExp(`import \\{[^}]*\\b${name}\\b[^}]*\\} from 'hurtbox'`))
    const promises = promisesOf(code)
    expect(promises.length, `the example of ${name} checks nothing`).toBeGreaterThan(0)
    expect(printed[name]).toEqual(promises)
  })

  test('has examples that compile', () => {
    const compilerOptions = { types: ['node'], moduleDetection: 'force' }
    const tsconfig = { extends: '../../tsconfig.base.json', compilerOptions, include: ['*.ts'] }
    writeFileSync(`${folder}/tsconfig.json`, JSON.stringify(tsconfig))
    execFileSync('tsc', ['-p', folder], { encoding: 'utf8' })
  })
})
