/**
 * The built page of a project, built again when something it was made of has changed.
 *
 * A server must show the page on a machine that has never built it, and after an edit it must not show yesterday's. The build
 * lists the files it read, so nothing else is looked at.
 */

import { execFile } from 'node:child_process'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { type BuildOptions, type BuildRecord, recordFile } from './build.ts'

export type PreparedOptions = Omit<BuildOptions, 'outDir'> & {
  /** Where the page goes. Default: `.cache/studio` of the project. */
  readonly outDir?: string
  /** Told what is being done, for people. */
  say(line: string): void
}

/** The folder with the built page; undefined when it could not be built and never was. */
export async function preparedStudio({ say, ...given }: PreparedOptions): Promise<string | undefined> {
  const options: BuildOptions = { ...given, outDir: given.outDir ?? join(given.root, '.cache/studio') }
  const { outDir } = options
  const isThere = existsSync(join(outDir, 'index.html'))
  if (!isThere || isStale(options)) {
    say(`building the studio (${isThere ? 'its games or sources have changed' : 'once'}) …`)
    const start = performance.now()
    try {
      await buildApart(options)
      say(`built in ${((performance.now() - start) / 1000).toFixed(1)} s`)
    } catch (error) {
      const { stderr, message } = error as Error & { stderr?: string }
      say(`the studio could not be built${isThere ? '; this is the last one that could' : ''}:\n${stderr || message}`)
    }
  }
  return existsSync(join(outDir, 'index.html')) ? outDir : undefined
}

/** Builds in a process of its own. Rejects with what it printed. */
export async function buildApart(options: BuildOptions): Promise<void> {
  const program = fileURLToPath(
    new URL(`./build-process.${import.meta.url.endsWith('.ts') ? 'ts' : 'js'}`, import.meta.url),
  )
  await promisify(execFile)(process.execPath, [program, JSON.stringify(options)], { cwd: options.root })
}

function isStale(options: BuildOptions): boolean {
  let record: BuildRecord
  try {
    record = JSON.parse(readFileSync(recordFile(options.outDir), 'utf8'))
  } catch {
    return true
  }
  if (JSON.stringify(record.files) !== JSON.stringify(options.files)) return true
  return record.sources.some((file) => !existsSync(file) || statSync(file).mtimeMs > record.builtAt)
}
