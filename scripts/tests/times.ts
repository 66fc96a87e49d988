/** What test files took: the form in which runs are saved, the last one and the one that is part of the repository. */

import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'

export type FileTime = {
  readonly file: string
  readonly project: string
  /** Files of one worker run one after the other. */
  readonly worker: number
  /** Since the start of the run. */
  readonly startMs: number
  readonly endMs: number
  /** Tests and hooks. */
  readonly testsMs: number
  /** Imports and what the runner sets up. */
  readonly importMs: number
  /** Of all processors, with the processes that the file started. */
  readonly cpuMs: number
}

export type Run = { readonly wallMs: number; readonly files: readonly FileTime[] }

export const LAST_RUN: string = fileURLToPath(new URL('../../.cache/tests.jsonl', import.meta.url))

/** The run that later ones are compared with, and that says which files take longest. */
export const SAVED_RUN: string = fileURLToPath(new URL('saved.jsonl', import.meta.url))

/** A line for the run and one for each file, so that changes are read line by line. */
export function saveRun(path: string, { wallMs, files }: Run): void {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, [{ wallMs }, ...files].map((line) => `${JSON.stringify(line)}\n`).join(''))
}

export function loadRun(path: string): Run | undefined {
  if (!existsSync(path)) return undefined
  const [about, ...files] = readFileSync(path, 'utf8').trimEnd().split('\n')
  return { ...(JSON.parse(about!) as Pick<Run, 'wallMs'>), files: files.map((line) => JSON.parse(line) as FileTime) }
}
