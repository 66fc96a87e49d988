/** A measured run of the tests in words and tables, and what it added to an earlier one. */

import type { FileTime, Run } from './times.ts'

/** Below this share of a processor a file mostly waits. */
const WAITING_SHARE = 0.5
/** Two runs of one file differ by less than this without any cause. */
const NOISE_MS = 1000

type Sum = { files: number; wallMs: number; importMs: number; cpuMs: number }

const seconds = (ms: number) => (ms / 1000).toFixed(1).padStart(7)
const wallOf = ({ startMs, endMs }: FileTime) => endMs - startMs
const byWall = (a: FileTime, b: FileTime) => wallOf(b) - wallOf(a)

export function reportOf({ wallMs, files }: Run, cores: number, top: number): string {
  const total = sumOf(files)
  const share = Math.round((100 * total.cpuMs) / (wallMs * cores))
  const lines = [...files].sort(byWall).slice(0, top).map(lineOf)
  return [
    `${files.length} files in ${seconds(wallMs).trim()} s: ${seconds(total.cpuMs).trim()} s of processors, ${share} % of ${cores}; ` +
      `${seconds(total.wallMs).trim()} s of workers, ${seconds(total.importMs).trim()} s of them set-up and imports.`,
    `The last ${seconds(wallMs - firstIdleMs(files)).trim()} s had fewer files left than workers.`,
    '',
    '   wall  import     cpu  cpu/wall',
    ...lines,
    '',
    'by project',
    ...sumLines(files, ({ project }) => project),
    '',
    'by package',
    ...sumLines(files, ({ file }) =>
      file
        .split('/')
        .slice(0, /^(packages|games|scripts)\//.test(file) ? 2 : 1)
        .join('/'),
    ),
  ].join('\n')
}

function lineOf(file: FileTime): string {
  const share = file.cpuMs / Math.max(1, wallOf(file))
  const what = share < WAITING_SHARE ? 'waits' : 'computes'
  return `${seconds(wallOf(file))} ${seconds(file.importMs)} ${seconds(file.cpuMs)}  ${share.toFixed(2)} ${what.padEnd(8)}  ${file.file}`
}

/** When the first worker had nothing left to do. */
function firstIdleMs(files: readonly FileTime[]): number {
  const ends = groupBy(files, ({ worker }) => worker)
  return Math.min(...[...ends.values()].map((files) => Math.max(...files.map(({ endMs }) => endMs))))
}

function sumOf(files: readonly FileTime[]): Sum {
  const sum: Sum = { files: files.length, wallMs: 0, importMs: 0, cpuMs: 0 }
  for (const file of files) {
    sum.wallMs += wallOf(file)
    sum.importMs += file.importMs
    sum.cpuMs += file.cpuMs
  }
  return sum
}

function sumLines(files: readonly FileTime[], keyOf: (file: FileTime) => string): string[] {
  return [...groupBy(files, keyOf)]
    .map(([key, files]) => ({ key, ...sumOf(files) }))
    .sort((a, b) => b.cpuMs - a.cpuMs)
    .map(
      ({ key, files, wallMs, importMs, cpuMs }) =>
        `${seconds(wallMs)} ${seconds(importMs)} ${seconds(cpuMs)}  ${key}, ${files} files`,
    )
}

/** What `after` takes more than `before`, as a whole and by file. Only files that ran are compared. */
export function comparisonOf(before: Run, after: Run): string {
  const known = new Map(before.files.map((file) => [file.file, file]))
  const changes = after.files
    .map((file) => ({
      file: file.file,
      ms: file.cpuMs - (known.get(file.file)?.cpuMs ?? 0),
      isNew: !known.has(file.file),
    }))
    .filter(({ ms }) => Math.abs(ms) > NOISE_MS)
    .sort((a, b) => b.ms - a.ms)
  const ran = new Set(after.files.map(({ file }) => file))
  const cpuMs = sumOf(after.files).cpuMs - sumOf(before.files.filter(({ file }) => ran.has(file))).cpuMs
  const sign = (ms: number) => `${ms < 0 ? '' : '+'}${seconds(ms).trim()} s`
  const isWhole = before.files.every(({ file }) => ran.has(file))
  return [
    `since the saved run: ${sign(cpuMs)} of processors${isWhole ? `, ${sign(after.wallMs - before.wallMs)} in all` : ''}`,
    ...changes.map(({ file, ms, isNew }) => `${sign(ms).padStart(10)}  ${file}${isNew ? ' (new)' : ''}`),
  ].join('\n')
}

function groupBy<K>(files: readonly FileTime[], keyOf: (file: FileTime) => K): Map<K, FileTime[]> {
  const groups = new Map<K, FileTime[]>()
  for (const file of files) groups.set(keyOf(file), [...(groups.get(keyOf(file)) ?? []), file])
  return groups
}
