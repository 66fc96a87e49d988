/**
 * Plays the recorded matches in every other JavaScript runtime that is here, and compares the hash of the state after each tick.
 */

import { execFile } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { createWorld, type hashWorld } from 'hurtbox'
import { createEncodedInputs, hashTables, inputsAt, stepEncoded } from 'hurtbox/tools'
import { messageOf } from '../errors.ts'
import type { Finding } from './finding.ts'
import { type Linked, link } from './link.ts'
import type { Match, MatchRecord } from './match.ts'
import { resolveImport } from './resolve.ts'

export type RuntimesReport = {
  /** `bun 1.4.4`. */
  readonly ran: readonly string[]
  /** What could not be asked, and why. */
  readonly skipped: readonly string[]
  readonly findings: readonly Finding[]
}

/** What the probe tells of one match: all hashes were those expected, or the first tick whose hash was not. */
type Outcome = {
  readonly tick?: number
  readonly hash?: string
  readonly tables?: Readonly<Record<string, string>>
  readonly error?: string
}

const TIMEOUT_MS = 120_000
const MARK = 'hurtbox-check:'
const exe = process.platform === 'win32' ? '.exe' : ''

export async function runInRuntimes(
  entry: string,
  matches: readonly Match[],
  records: readonly MatchRecord[],
): Promise<RuntimesReport> {
  const ran: string[] = []
  const skipped: string[] = []
  const findings: Finding[] = []
  const folder = mkdtempSync(join(tmpdir(), 'hurtbox-check-'))
  try {
    const probe = writeProbe(entry, records, folder)
    const shells = findShells(entry)
    for (const name of ['node', 'bun', 'deno'])
      if (!shells.some((shell) => shell.name === name))
        skipped.push(`no ${name}${name === 'node' ? ' but this one' : ''}`)
    const hear = async (name: string, run: () => Promise<readonly Outcome[]>) => {
      try {
        const outcomes = await run()
        ran.push(name)
        findings.push(...outcomes.flatMap((outcome, i) => tell(name, matches[i], outcome)))
      } catch (error) {
        if (error instanceof Absent) skipped.push(error.message)
        else findings.push(notRun(name, error))
      }
    }
    for (const { name, command, args } of shells) {
      const version = /\d+(?:\.\d+)+/.exec(await output(command, ['--version']).catch(() => ''))?.[0]
      if (version === undefined) skipped.push(`${name} does not start`)
      else
        await hear(`${name} ${version}`, async () => read(await output(command, [...args, join(folder, 'shell.mjs')])))
    }
    await hear('chromium', () => runInChromium(entry, folder, probe.nodeOnly))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
  return { ran, skipped, findings }
}

class Absent extends Error {}

/** Writes the game and a program that plays the matches; the program is a function, so that a page can call it too. */
function writeProbe(entry: string, records: readonly MatchRecord[], folder: string): Linked {
  const part = (specifier: string): string => {
    const target = resolveImport(specifier, entry)
    if (target.kind !== 'file') throw new Error(`${specifier} is not installed beside ${entry}.`)
    return target.file
  }
  const [engine, tools, modules] = ['hurtbox', 'hurtbox/tools', 'hurtbox/module'].map(part)
  const linked = link([entry, engine, tools, modules], folder)
  writeFileSync(join(folder, 'matches.mjs'), `export default ${JSON.stringify(records)}\n`)
  writeFileSync(
    join(folder, 'probe.mjs'),
    `import * as exported from './${linked.nameOf(entry)}'
import { createWorld, hashWorld } from './${linked.nameOf(engine)}'
import { hashTables, stepEncoded } from './${linked.nameOf(tools)}'
import { readModule } from './${linked.nameOf(modules)}'
import matches from './matches.mjs'
${probe.toString()}
export default () => JSON.stringify(probe(readModule(exported, 'game').game, matches, { createWorld, hashWorld, hashTables, stepEncoded }))
`,
  )
  writeFileSync(
    join(folder, 'shell.mjs'),
    `import run from './probe.mjs'\nconsole.log(${JSON.stringify(MARK)} + run())\n`,
  )
  return linked
}

/** Runs in the other runtime, from its own text: it may use nothing but what it is given. */
function probe(
  game: Match['session']['game'],
  matches: readonly MatchRecord[],
  engine: {
    readonly createWorld: typeof createWorld
    readonly hashWorld: typeof hashWorld
    readonly hashTables: typeof hashTables
    readonly stepEncoded: typeof stepEncoded
  },
): Outcome[] {
  return matches.map(({ setup, ticks, hashes }) => {
    let tick = 0
    try {
      const world = engine.createWorld(game, setup as never)
      for (; tick < ticks.length; tick++) {
        const [controls, seats, codes] = ticks[tick]
        engine.stepEncoded(world, {
          controls: controls as never,
          count: seats.length,
          seats: Uint8Array.from(seats),
          codes: Uint32Array.from(codes),
        })
        const hash = engine.hashWorld(world)
        if (hash !== hashes[tick]) return { tick, hash, tables: engine.hashTables(world) }
      }
      return {}
    } catch (error) {
      return { tick, error: String(error) }
    }
  })
}

function tell(runtime: string, { scene, session }: Match, { tick, error, tables }: Outcome): Finding[] {
  if (tick === undefined) return []
  const differing = tables === undefined ? [] : differingTables(session, tick, tables)
  const where = differing.length === 0 ? '' : ` in ${differing.join(', ')}`
  return [
    {
      check: 'runtimes',
      rule: 'other-hash',
      message:
        error === undefined
          ? `tick ${tick} comes out differently${where}: node ${process.versions.node} has another hash.`
          : `tick ${tick} fails: ${error}`,
      instead:
        'Look for maths that is not exact, or an order that the language leaves open; docs/determinism.md lists them.',
      runtime,
      scene: scene.name,
      tick,
    },
  ]
}

function differingTables(
  session: Match['session'],
  tick: number,
  there: Readonly<{ [table: string]: string }>,
): string[] {
  const world = createWorld(session.game, session.setup as never)
  const inputs = createEncodedInputs(world)
  for (let at = 0; at <= tick; at++) {
    inputsAt(session.log, at, inputs)
    stepEncoded(world, inputs)
  }
  return Object.entries(hashTables(world)).flatMap(([table, hash]) => (there[table] === hash ? [] : [table]))
}

function notRun(runtime: string, error: unknown): Finding {
  return {
    check: 'runtimes',
    rule: 'not-run',
    message: `the game does not run: ${messageOf(error)}`,
    instead: 'Rules may use the language only: no modules of one runtime.',
    runtime,
  }
}

type Shell = { readonly name: string; readonly command: string; readonly args: readonly string[] }

/** Runtimes on the PATH and in the projects around; each program once, and not the one that runs this. */
function findShells(entry: string): Shell[] {
  const folders = (process.env.PATH ?? '').split(delimiter)
  for (let folder = dirname(entry); ; folder = dirname(folder)) {
    folders.unshift(join(folder, 'node_modules', '.bin'))
    if (dirname(folder) === folder) break
  }
  const seen = new Set([realpathSync(process.execPath)])
  const args: { readonly [name: string]: readonly string[] } = {
    node: ['--no-warnings'],
    bun: [],
    deno: ['run', '--no-prompt', '--no-config', '--no-lock', '--allow-read', '--allow-env'],
  }
  return Object.keys(args).flatMap((name) =>
    folders.flatMap((folder): Shell[] => {
      const command = join(folder, name + exe)
      if (!existsSync(command) || seen.has(realpathSync(command))) return []
      seen.add(realpathSync(command))
      return [{ name, command, args: args[name] }]
    }),
  )
}

function output(command: string, args: readonly string[]): Promise<string> {
  // Options meant for the Node that runs this may be unknown to another.
  const env = { ...process.env, NODE_OPTIONS: '', DENO_NO_UPDATE_CHECK: '1' }
  return new Promise((resolve, reject) => {
    execFile(command, args, { env, timeout: TIMEOUT_MS, maxBuffer: 1 << 26 }, (error, stdout, stderr) => {
      if (error === null) resolve(stdout)
      else reject(new Error(stderr.trim().split('\n').slice(-6).join('\n') || error.message))
    })
  })
}

function read(printed: string): readonly Outcome[] {
  const line = printed.split('\n').find((text) => text.startsWith(MARK))
  if (line === undefined) throw new Error('it ended without a result')
  return JSON.parse(line.slice(MARK.length))
}

/** What this uses of playwright-core, which is the project's own if it has it. */
type Playwright = {
  readonly chromium: {
    launch(options: object): Promise<{
      version(): string
      newPage(): Promise<{ goto(url: string): Promise<unknown>; evaluate<T>(code: string): Promise<T> }>
      close(): Promise<void>
    }>
  }
}

async function runInChromium(entry: string, folder: string, nodeOnly: readonly string[]): Promise<readonly Outcome[]> {
  const playwright = await importPlaywright(entry)
  if (nodeOnly.length > 0) throw new Absent(`chromium cannot load ${[...new Set(nodeOnly)].join(', ')}`)
  const executablePath = process.env.HURTBOX_CHROMIUM
  const browser = await playwright.chromium
    .launch({ ...(executablePath && { executablePath }), args: ['--no-sandbox'] })
    .catch((error) => {
      const reason = /doesn't exist/.test(messageOf(error)) ? 'is not installed' : 'does not start'
      throw new Absent(`the chromium of playwright-core ${reason}; HURTBOX_CHROMIUM names another`)
    })
  // Not at the top: it loads Node's fetch too, and every command would start later.
  const { createServer } = await import('node:http')
  const server = createServer((request, response) => {
    const name = /^\/([\w-]+\.mjs)$/.exec(request.url ?? '')?.[1]
    if (name === undefined) response.setHeader('content-type', 'text/html').end('<!doctype html><title>check</title>')
    else response.setHeader('content-type', 'text/javascript').end(readFileSync(join(folder, name)))
  })
  try {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
    const page = await browser.newPage()
    await page.goto(url)
    return JSON.parse(await page.evaluate<string>(`import('/probe.mjs').then((probe) => probe.default())`))
  } finally {
    await browser.close()
    server.closeAllConnections()
    server.close()
  }
}

async function importPlaywright(entry: string): Promise<Playwright> {
  for (const from of [entry, import.meta.url]) {
    try {
      return await import(pathToFileURL(createRequire(from).resolve('playwright-core')).href).then(
        (found) => found.default ?? found,
      )
    } catch {
      // Not the project's; perhaps it is beside the command.
    }
  }
  throw new Absent('no chromium: playwright-core is not installed')
}
