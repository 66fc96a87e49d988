/** The results that the pages are written from: docs/figures/<name>.json. */

import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { machineLine } from '../../bench/machine.ts'
import type { Figure, Saved } from './figure.ts'

export const root = fileURLToPath(new URL('../..', import.meta.url))

export function loadSaved<T>({ name }: Figure<T>): Saved<T> {
  const file = fileOf(name)
  if (existsSync(file)) return JSON.parse(readFileSync(file, 'utf8')) as Saved<T>
  throw new Error(`${file} is missing. \`npm run measure -- figures --only ${name}\` measures it.`)
}

/** An unchanged result stays as it was, its day included: only what was learnt is worth a change. */
export function save<T>(figure: Figure<T>, result: T): void {
  const file = fileOf(figure.name)
  if (existsSync(file) && JSON.stringify(loadSaved(figure).result) === JSON.stringify(result)) return
  const date = new Date().toISOString().slice(0, 10)
  const saved: Saved<T> = { command: figure.command, machine: machineLine(), date, result }
  writeFileSync(file, `${JSON.stringify(saved, null, 2)}\n`)
}

function fileOf(name: string): string {
  return `${root}docs/figures/${name}.json`
}
