/** What measures the tests: the order by a saved run, the report, and the static part that runs beside. */

import { type ChildProcess, spawn } from 'node:child_process'
import { expect, onTestFinished, test } from 'vitest'
import type { TestSpecification, Vitest } from 'vitest/node'
import { runBeside } from '../tests/all.ts'
import LongestFirst from '../tests/order.ts'
import { comparisonOf, reportOf } from '../tests/report.ts'
import { type FileTime, loadRun, type Run, SAVED_RUN } from '../tests/times.ts'

function took(file: string, worker: number, startMs: number, endMs: number, cpuMs: number): FileTime {
  const project = file.startsWith('games/') ? 'units' : 'whole'
  return { file, project, worker, startMs, endMs, testsMs: endMs - startMs - 100, importMs: 100, cpuMs }
}

const run: Run = {
  wallMs: 20_000,
  files: [
    took('games/a/test/long.test.ts', 1, 0, 4000, 4000),
    took('packages/b/test/server.test.ts', 2, 0, 20_000, 2000),
    took('packages/b/test/more.test.ts', 1, 4000, 15_000, 10_000),
  ],
}

test('the report has the slowest files first, says which of them wait, and adds up', () => {
  const report = reportOf(run, 2, 2)
  expect(report).toContain('3 files in 20.0 s: 16.0 s of processors, 40 % of 2; 35.0 s of workers, 0.3 s of them')
  expect(report).toContain('The last 5.0 s had fewer files left than workers.')
  expect(report.split('\n').slice(4, 6)).toEqual([
    '   20.0     0.1     2.0  0.10 waits     packages/b/test/server.test.ts',
    '   11.0     0.1    10.0  0.91 computes  packages/b/test/more.test.ts',
  ])
  expect(report).toContain('   31.0     0.2    12.0  packages/b, 2 files')
  expect(report).toContain('    4.0     0.1     4.0  units, 1 files')
})

test('the comparison names what was added, by file and in all; of a part of the tests only the part', () => {
  const after: Run = {
    wallMs: 30_000,
    files: [
      ...run.files.slice(0, 2),
      took('packages/b/test/more.test.ts', 1, 0, 1, 8500),
      took('new.test.ts', 1, 0, 1, 5000),
    ],
  }
  expect(comparisonOf(run, after).split('\n')).toEqual([
    'since the saved run: +3.5 s of processors, +10.0 s in all',
    '    +5.0 s  new.test.ts (new)',
    '    -1.5 s  packages/b/test/more.test.ts',
  ])
  expect(comparisonOf(run, { ...after, files: after.files.slice(0, 1) })).toBe(
    'since the saved run: +0.0 s of processors',
  )
})

test('the longest files come first, unknown ones before the short; files that share a process stay together at the end', async () => {
  const saved = [...loadRun(SAVED_RUN)!.files].sort((a, b) => b.endMs - b.startMs - (a.endMs - a.startMs))
  const [longest, shortest] = [saved[0]!.file, saved.at(-1)!.file]
  const project = (name: string, isolate: boolean) => ({
    name,
    config: { isolate },
    vitest: { config: { root: '/r' } },
  })
  const [whole, tools, units] = [project('whole', true), project('tools', false), project('units', false)]
  const specs = [
    { project: units, moduleId: '/r/new-unit' },
    { project: tools, moduleId: '/r/new-tool' },
    { project: units, moduleId: `/r/${longest}` },
    { project: whole, moduleId: `/r/${shortest}` },
    { project: whole, moduleId: '/r/new-whole' },
    { project: whole, moduleId: `/r/${longest}` },
  ] as unknown as TestSpecification[]
  const order = await new LongestFirst({} as Vitest).sort(specs)
  expect(order.map(({ project, moduleId }) => `${project.name} ${moduleId.slice(3)}`)).toEqual([
    `whole ${longest}`,
    'whole new-whole',
    `whole ${shortest}`,
    'tools new-tool',
    `units ${longest}`,
    'units new-unit',
  ])
})

/** A process that prints and ends with a code, or stays until it is told to end. */
const child = (code: string) => spawn(process.execPath, ['-e', code], { stdio: ['ignore', 'pipe', 'pipe'] })

test('the check beside the tests: its failure ends them and is told, its success is silent, and theirs is the exit code', async () => {
  let printed = ''
  const beside = (checking: ChildProcess, testing: ChildProcess) =>
    runBeside(
      checking,
      testing,
      () => testing.kill('SIGINT'),
      (text) => void (printed += text),
    )
  expect(await beside(child('console.log("fine")'), child('process.exit(3)'))).toBe(3)
  expect(await beside(child('0'), child('0'))).toBe(0)
  expect(printed).toBe('')
  const forever = child('setInterval(() => {}, 1000)')
  onTestFinished(() => void forever.kill('SIGKILL'))
  expect(await beside(child('console.log("a type is wrong"); process.exitCode = 2'), forever)).toBe(1)
  expect(printed).toContain('a type is wrong')
  expect(forever.signalCode).toBe('SIGINT')
})
