/** Prints the result of the matrix: tables for a person, one JSON object per line for a program. */

import { hashBytes } from 'hurtbox/tools'
import { type Comparison, describeDifference, letters } from './compare.ts'
import type { SceneResult } from './report.ts'
import type { EngineFamily } from './runtimes.ts'
import { table } from './table.ts'

export type Output = {
  /** The result: what a script reads. */
  print(line: string): void
  /** Progress: what a person watches. */
  log(line: string): void
  readonly width: number
}

/** One runtime that is here; `error` when it could not do its work. */
export type Row = {
  readonly runtime: string
  readonly version: string
  readonly engine: EngineFamily
  readonly cpu: string
  readonly ms: number
  readonly scenes: readonly SceneResult[]
  readonly control: readonly SceneResult[]
  readonly error?: string
}

export type Matrix = {
  readonly rows: readonly Row[]
  /** The reason, by runtime. */
  readonly skipped: Readonly<Record<string, string>>
  readonly comparison: Comparison
  /** All that ran agree, and none failed. */
  readonly equal: boolean
  readonly min: number
  /** Equal, and enough of them. */
  readonly ok: boolean
}

const HASH_DIGITS_SHOWN = 8

export function printJson(matrix: Matrix, output: Output): void {
  const { rows, skipped, comparison, equal, min, ok } = matrix
  for (const { runtime, version, engine, cpu, ms, scenes, control, error } of rows) {
    const differences = comparison.differences.filter((difference) => difference.runtime === runtime)
    output.print(
      JSON.stringify({
        runtime,
        version,
        engine,
        cpu,
        all: hashOfAll(hashesByScene(scenes)),
        hashes: hashesByScene(scenes),
        equal: error === undefined && differences.length === 0,
        ms,
        ...(control.length > 0 && { control: hashesByScene(control) }),
        ...(differences.length > 0 && { differences }),
        ...(error !== undefined && { error }),
      }),
    )
  }
  output.print(JSON.stringify({ ...totals(matrix), equal, min, ok, skipped }))
}

export function printTables(matrix: Matrix, output: Output): void {
  const { rows, skipped, comparison, equal, min } = matrix
  const { scenes, differences } = comparison

  output.print(
    table(['runtime', 'version', 'engine', 'cpu', 'equal', 'ms', 'all', ...scenes], rows.map(cells), output.width),
  )
  output.print('')
  if (rows.some((row) => row.control.length > 0)) printControl(rows, output)

  for (const reason of new Set(Object.values(skipped))) {
    const ids = Object.keys(skipped).filter((id) => skipped[id] === reason)
    output.print(`skipped  ${ids.join(', ')}: ${reason}`)
  }
  for (const row of rows) if (row.error !== undefined) output.print(`failed   ${row.runtime}: ${row.error}`)
  for (const difference of differences) output.print(`differs  ${describeDifference(difference)}`)

  const { runtimes, engines, cpus } = totals(matrix)
  const what = [count(runtimes, 'runtime'), count(engines, 'engine'), count(cpus, 'CPU')].join(', ')
  output.print(`${equal ? 'One hash per scene' : 'NOT EQUAL'}: ${count(scenes.length, 'scene')} in ${what}.`)
  if (runtimes < min) output.print(`Too few: ${runtimes} ran, at least ${min} must.`)

  function cells(row: Row): string[] {
    const differs = differences.some(({ runtime }) => runtime === row.runtime)
    const verdict = row.error !== undefined ? 'FAILED' : differs ? 'NO' : 'yes'
    const hashes = hashesByScene(row.scenes)
    return [
      ...[row.runtime, row.version, row.engine, row.cpu, verdict, String(row.ms)],
      hashOfAll(hashes).slice(0, HASH_DIGITS_SHOWN),
      ...scenes.map((scene) => hashes[scene]?.slice(0, HASH_DIGITS_SHOWN) ?? '-'),
    ]
  }
}

function printControl(rows: readonly Row[], output: Output): void {
  const names = rows.find((row) => row.control.length > 0)?.control.map(({ scene }) => scene) ?? []
  output.print('Control: native Math, no part of the verdict. Same letter, same bits.')
  const cells = names.map((name) => {
    const groups = letters(rows.map((row) => row.control.find(({ scene }) => scene === name)?.hash))
    return [name, String(new Set(groups.filter((letter) => letter !== '-')).size), ...groups]
  })
  output.print(table(['function', 'distinct', ...rows.map((row) => row.runtime)], cells, output.width))
  output.print('')
}

/** One hash for all scenes of a runtime. */
export function hashOfAll(hashes: Readonly<Record<string, string>>): string {
  const lines = Object.entries(hashes).map(([scene, hash]) => `${scene} ${hash}\n`)
  return hashBytes(new TextEncoder().encode(lines.join('')))
}

function hashesByScene(scenes: readonly SceneResult[]): Record<string, string> {
  return Object.fromEntries(scenes.map(({ scene, hash }) => [scene, hash]))
}

function totals({ rows, comparison }: Matrix) {
  const ran = rows.filter((row) => row.error === undefined)
  return {
    runtimes: ran.length,
    engines: new Set(ran.map((row) => row.engine)).size,
    cpus: new Set(ran.map((row) => row.cpu)).size,
    scenes: comparison.scenes.length,
  }
}

function count(n: number, noun: string): string {
  return `${n} ${noun}${n === 1 ? '' : 's'}`
}
