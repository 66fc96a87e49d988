import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { runInThisContext } from 'node:vm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { compare, describeDifference, letters } from '../engines/compare.ts'
import { main } from '../engines/main.ts'
import { hashOfAll } from '../engines/print.ts'
import { capture } from '../engines/process.ts'
import type { ProbeReport, SceneResult } from '../engines/report.ts'
import { Absent, type Runtime } from '../engines/runtimes.ts'
import { table } from '../engines/table.ts'

// Rules [EM1]..[EM9] are in docs/spec.md, section "Engine matrix".

const mainFile = fileURLToPath(new URL('../engines/main.ts', import.meta.url))
/** npm carries a Chromium for Linux x64; elsewhere there is one only if somebody installed it. */
const hasChromium = process.platform === 'linux' && process.arch === 'x64'

let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hurtbox-engines-test-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

describe('engine matrix', () => {
  test('[EM1] Node, Bun and Chromium find one hash per scene', async () => {
    const expected = hasChromium ? ['node24', 'bun', 'chromium'] : ['node24', 'bun']
    const { code, stdout, stderr } = await runCommand(['--small', '--json', '--min', String(expected.length)])
    const lines = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    const summary = lines.pop()
    expect(code, stdout + stderr).toBe(0)
    expect(summary).toMatchObject({ runtimes: lines.length, engines: 2, equal: true, ok: true })
    expect(summary.scenes).toBeGreaterThanOrEqual(4)
    expect(lines.map((line) => line.runtime)).toEqual(expect.arrayContaining(expected))
    for (const line of lines) {
      expect(line).toMatchObject({ equal: true, all: lines[0].all, hashes: lines[0].hashes, cpu: process.arch })
      expect(line.version).toMatch(/^\d+\.\d+/)
    }
    expect(Object.keys(lines[0].hashes)).toHaveLength(summary.scenes)
    const [first] = Object.keys(lines[0].hashes)
    expect(hashOfAll(lines[0].hashes)).toBe(lines[0].all)
    expect(hashOfAll({ ...lines[0].hashes, [first]: '0'.repeat(16) })).not.toBe(lines[0].all)
  }, 120_000)

  test('[EM2] a different hash is reported with runtime, scene and tick, and fails the matrix', async () => {
    const { code, printed } = await runMatrix(['--min', '1'], [honest('a'), honest('b'), lying('c', 'sorting', 3)])
    expect(code).toBe(1)
    expect(printed).toMatch(/^differs {2}c: scene "sorting" differs, first seen at tick 40: /m)
    expect(printed).toMatch(/^c +1\.0 .* NO /m)
    expect(printed).toContain('NOT EQUAL')
  })

  test('[EM2] the same in JSON', async () => {
    const { code, printed } = await runMatrix(['--json'], [honest('a'), lying('b', 'sorting', 0), honest('c')])
    const lines = printed
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(code).toBe(1)
    expect(lines.map((line) => line.equal)).toEqual([true, false, true, false])
    expect(lines[1].differences).toMatchObject([{ runtime: 'b', scene: 'sorting', byTick: 10 }])
  })

  test('[EM3] the odd one out is named, also when it is listed first', () => {
    const { differences } = compare([run('a', '00'), run('b', 'ff'), run('c', 'ff')])
    expect(differences.map(describeDifference)).toEqual(['a: scene "duel" differs: 00, the others have ff.'])
  })

  test('[EM3] a scene that one runtime does not report is a difference', () => {
    const { differences } = compare([run('a', 'ff'), { runtime: 'b', scenes: [] }])
    expect(differences.map(describeDifference)).toEqual(['b: scene "duel" was not reported.'])
  })

  test('[EM3] an equal end after a different way, or after fewer ticks, is a difference', () => {
    const way = (runtime: string, hashes: string[]) => run(runtime, 'ff', { hashEvery: 5, hashes })
    const { differences } = compare([way('a', ['1', '2']), way('b', ['1', '3']), way('c', ['1', '2'])])
    expect(differences).toMatchObject([{ runtime: 'b', byTick: 10 }])
    expect(compare([run('a', 'ff'), run('b', 'ff', { ticks: 9 })]).differences).toMatchObject([{ runtime: 'b' }])
  })

  test('[EM4] fewer runtimes than --min fail the matrix, though all are equal', async () => {
    const { code, printed } = await runMatrix(['--min', '99'], [honest('a'), honest('b'), honest('c')])
    expect(code).toBe(1)
    expect(printed).toContain('Too few: 3 ran, at least 99 must.')
    expect((await runMatrix([], [honest('a'), honest('b')])).code, 'default is 3').toBe(1)
    expect((await runMatrix(['--only', 'b'], [honest('a'), honest('b')])).code, '--only asks for what it names').toBe(0)
  })

  test.each([
    [['--only', 'node24,chrmium'], 'there is no runtime "chrmium". Known: node24, node22,'],
    [['--min', 'many'], '--min must be a whole number from 1, got "many".'],
    [['--min', '0'], '--min must be a whole number from 1, got "0".'],
    [['--fast'], "Unknown option '--fast'"],
  ])('[EM5] %j is refused with exit code 2 and what to do', async (args, message) => {
    const { code, said } = await runMatrix(args)
    expect(code).toBe(2)
    expect(said).toContain(message)
  })

  test('[EM6] an absent runtime is skipped aloud; one that is there and fails, fails the matrix', async () => {
    const missing = runtime('m', () => Promise.reject(new Absent('not on this planet')))
    const skipped = await runMatrix(['--min', '1'], [honest('a'), missing])
    expect(skipped.code).toBe(0)
    expect(skipped.said).toContain('m: SKIPPED: not on this planet')
    expect(skipped.printed).toContain('skipped  m: not on this planet')

    const broken = runtime('x', async () => ({
      version: '1.0',
      run: () => Promise.reject(new Error('stack overflow')),
    }))
    const unstartable = runtime('y', () => Promise.reject(new Error('no such library')))
    const failed = await runMatrix(['--min', '1'], [honest('a'), broken, unstartable])
    expect(failed.code).toBe(1)
    expect(failed.printed).toContain('failed   x: stack overflow')
    expect(failed.printed).toContain('failed   y: no such library')
    expect((await runMatrix(['--min', '1'], [honest('a'), unstartable])).code).toBe(1)
  })

  test('[EM7] the control shows which runtimes agree and never changes the verdict', async () => {
    const otherSine = runtime('b', async () => ({
      version: '1.0',
      run: async (script) => {
        const report = evaluate(script)
        return {
          ...report,
          control: report.control!.map((entry) => (entry.scene === 'Math.sin' ? { ...entry, hash: '00' } : entry)),
        }
      },
    }))
    const { code, printed } = await runMatrix(['--min', '1', '--control'], [honest('a'), otherSine])
    expect(code).toBe(0)
    expect(printed).toMatch(/^Math\.sin +2 +A +B$/m)
    expect(printed).toMatch(/^Math\.cos +1 +A +A$/m)
    expect(letters(['x', 'y', undefined, 'x'])).toEqual(['A', 'B', '-', 'A'])
  })

  test('[EM8] a runtime that hangs is ended together with its children', async () => {
    const pids = join(folder, 'pids')
    const hang = join(folder, 'hang.mjs')
    await writeFile(
      hang,
      `import { spawn } from 'node:child_process'
       import { writeFileSync } from 'node:fs'
       process.on('SIGTERM', () => {})
       const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'])
       writeFileSync(${JSON.stringify(pids)}, process.pid + ' ' + child.pid)
       setInterval(() => {}, 1000)`,
    )
    await expect(capture(process.execPath, [hang], { timeoutMs: 1_500 })).rejects.toThrow('no result within 1.5 s')
    const started = (await readFile(pids, 'utf8')).split(' ').map(Number)
    expect(started).toHaveLength(2)
    await expect.poll(() => started.filter(isAlive)).toEqual([])
  })

  test.runIf(hasChromium)('[EM8] interrupted, it leaves neither a browser nor a folder behind', async () => {
    const temporary = await mkdtemp(join(folder, 'tmp-'))
    const child = spawn(process.execPath, [mainFile, '--only', 'chromium'], {
      env: { ...process.env, TMPDIR: temporary },
    })
    const ended = new Promise((resolve) => child.once('close', resolve))
    await expect.poll(() => readdir(temporary), { timeout: 20_000, interval: 5 }).not.toEqual([])
    await expect.poll(() => processesNaming(temporary), { timeout: 20_000, interval: 5 }).not.toEqual([])
    child.kill('SIGTERM')
    expect(await ended).toBe(143)
    await expect.poll(() => processesNaming(temporary), { timeout: 20_000 }).toEqual([])
    await expect.poll(() => readdir(temporary), { timeout: 20_000 }).toEqual([])
  })

  test('[EM9] columns that do not fit continue below, beside the first one', () => {
    const rows = [['node24', 'aaaa', 'bbbb', 'cccc']]
    expect(table(['runtime', 'one', 'two', 'three'], rows, 21)).toBe(
      'runtime  one   two\nnode24   aaaa  bbbb\n\nruntime  three\nnode24   cccc',
    )
  })
})

/** Runs the matrix in this process; `known` takes the place of the real runtimes. */
async function runMatrix(
  args: readonly string[],
  known?: readonly Runtime[],
): Promise<{ code: number; printed: string; said: string }> {
  let printed = ''
  let said = ''
  const output = {
    print: (line: string) => void (printed += `${line}\n`),
    log: (line: string) => void (said += `${line}\n`),
    width: 200,
  }
  return { code: await main(args, output, known), printed, said }
}

function runCommand(args: readonly string[]): Promise<{ code: number | null; stdout: string; stderr: string }> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [mainFile, ...args])
    let stdout = ''
    let stderr = ''
    child.stdout.on('data', (data) => (stdout += data))
    child.stderr.on('data', (data) => (stderr += data))
    child.once('close', (code) => resolve({ code, stdout, stderr }))
  })
}

function runtime(id: string, prepare: Runtime['prepare']): Runtime {
  return { id, engine: 'V8', prepare }
}

function honest(id: string): Runtime {
  return runtime(id, async () => ({ version: '1.0', run: async (script) => evaluate(script) }))
}

/** Reports another hash for one scene, from the intermediate hash `from` on. */
function lying(id: string, scene: string, from: number): Runtime {
  const doctor = (result: SceneResult): SceneResult => ({
    ...result,
    hash: 'deadbeefdeadbeef',
    hashes: result.hashes!.map((hash, i) => (i < from ? hash : 'deadbeefdeadbeef')),
  })
  return runtime(id, async () => ({
    version: '1.0',
    run: async (script) => {
      const report = evaluate(script)
      return { ...report, scenes: report.scenes.map((result) => (result.scene === scene ? doctor(result) : result)) }
    },
  }))
}

const evaluated = new Map<string, ProbeReport>()

/** What the real probe reports in this very process. */
function evaluate(script: string): ProbeReport {
  const report = evaluated.get(script) ?? (JSON.parse(runInThisContext(`${script}\nhurtboxReport`)) as ProbeReport)
  evaluated.set(script, report)
  return report
}

function run(runtime: string, hash: string, more: Partial<SceneResult> = {}) {
  return { runtime, scenes: [{ scene: 'duel', ticks: 10, hash, ...more }] }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

/** Linux: the processes whose command line or home names a folder. */
async function processesNaming(path: string): Promise<string[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  const named = pids.filter((pid) => existsSync(`/proc/${pid}/cmdline`))
  const lines = await Promise.all(named.map((pid) => readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')))
  return lines.filter((line) => line.includes(path))
}
