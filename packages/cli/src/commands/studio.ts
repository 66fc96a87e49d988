/** `hurtbox studio`: one's own game in the studio, reloading on every edit, until Ctrl+C. */

import { existsSync } from 'node:fs'
import { findProject, isPath, loadModule, moduleFile } from 'hurtbox/module/node'
import { asUsage, findCompanion } from '../companions.ts'
import { orUsageError, UsageError } from '../errors.ts'
import { printError } from '../output.ts'

export type StudioCommandOptions = {
  readonly port?: number
  readonly host?: string
  readonly server?: string
  readonly config?: string
}

export async function studio(names: readonly string[], options: StudioCommandOptions): Promise<number> {
  const companion = await findCompanion<typeof import('@hurtbox/studio/node')>('@hurtbox/studio/node')
  if (companion === undefined) throw new UsageError('studio needs the studio: npm install --save-dev @hurtbox/studio')
  const files = await orUsageError(() => filesOf(names))
  const root = findProject().folder ?? process.cwd()
  const { url } = await asUsage(companion.startStudio({ ...options, files, root }))
  printError(`The studio is at ${url}`)
  // A signal ends the process.
  return new Promise(() => {})
}

/** The files of the games that are named, else all of the project. A file is not loaded here: the page says what is wrong with it. */
async function filesOf(names: readonly string[]): Promise<string[]> {
  const { files } = findProject()
  if (names.length === 0 && files.length === 0) await loadModule()
  if (names.length === 0) return [...files]
  return Promise.all(names.map(async (name) => (isPath(name) ? existing(name) : (await loadModule(name)).file)))
}

function existing(name: string): string {
  const file = moduleFile(name)
  if (existsSync(file)) return file
  throw new UsageError(`there is no file ${name}.`)
}
