/** What several test files need and takes long to make is made by the first of them, and again when its sources have changed. */

import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { repositoryRoot } from '../engines/install-npm.ts'

/** What is made, and of what. */
export type Made = {
  /** A folder in `.cache`. */
  readonly kind: string
  readonly name?: string
  /** Paths from the root of the repository. */
  readonly sources: readonly string[]
  /** Names of files and folders that are not among the sources, besides those of every tool. */
  readonly except?: readonly string[]
}

/**
 * The folder with what `make` makes, to be read only. Test files that run side by side wait for the one that makes it; when that
 * one has died, another takes over.
 */
export async function madeOnce(
  { kind, name = '', sources, except = [] }: Made,
  make: (folder: string) => Promise<void> | void,
): Promise<string> {
  const all = join(repositoryRoot, '.cache', kind)
  const folder = join(all, name + stampOf(sources, new Set([...NO_SOURCES, ...except])))
  mkdirSync(all, { recursive: true })
  while (!existsSync(folder)) {
    const lock = `${folder}.lock`
    if (mkdirSync(lock, { recursive: true }) === undefined && isYoung(lock, LONGEST_MS)) {
      await sleep(100)
      continue
    }
    const aside = `${folder}.${process.pid}`
    try {
      mkdirSync(aside)
      await make(aside)
      if (!existsSync(folder)) renameSync(aside, folder)
    } finally {
      for (const left of [aside, `${aside}.json`, lock]) rmSync(left, { recursive: true, force: true })
    }
    for (const old of readdirSync(all).filter((name) => !isYoung(join(all, name), DAY_MS))) {
      rmSync(join(all, old), { recursive: true, force: true })
    }
  }
  return folder
}

const NO_SOURCES = ['node_modules', 'dist']
const LONGEST_MS = 180_000
const DAY_MS = 24 * 3_600_000

const isYoung = (path: string, ms: number) =>
  Date.now() - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0) < ms

/** The same for as long as no file at or below these places changes. */
function stampOf(places: readonly string[], except: ReadonlySet<string>): string {
  const hash = createHash('sha256')
  const take = (path: string) => {
    const stat = statSync(path)
    if (!stat.isDirectory()) hash.update(`${path} ${stat.mtimeMs} ${stat.size}\n`)
    else
      for (const name of readdirSync(path).sort())
        if (!except.has(name) && !name.startsWith('.')) take(join(path, name))
  }
  for (const place of places) take(join(repositoryRoot, place))
  return hash.digest('hex').slice(0, 16)
}
