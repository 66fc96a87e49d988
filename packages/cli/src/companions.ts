/**
 * Packages that a command needs and that are not everybody's: the server brings Colyseus, the studio a whole page.
 *
 * They are optional peers, looked for beside the command and in the project, and loaded when asked for.
 */

import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { HurtboxError } from 'hurtbox'
import { UsageError } from './errors.ts'

/** A package of ours by its specifier; `undefined` when it is not installed. */
export async function findCompanion<T>(specifier: string): Promise<T | undefined> {
  for (const from of [pathToFileURL(join(process.cwd(), 'package.json')).href, import.meta.url]) {
    let found: string
    try {
      found = createRequire(from).resolve(specifier)
    } catch {
      continue
    }
    return (await import(pathToFileURL(found).href)) as T
  }
  return undefined
}

/** The server; says how to get it when it is not installed. */
export async function loadServer(command: string): Promise<typeof import('@hurtbox/server')> {
  const server = await findCompanion<typeof import('@hurtbox/server')>('@hurtbox/server')
  if (server !== undefined) return server
  throw new UsageError(`${command} needs the server: npm install @hurtbox/server`)
}

/** What a companion finds wrong with what it was asked is a mistake in using the command. */
export async function asUsage<T>(running: Promise<T>): Promise<T> {
  try {
    return await running
  } catch (error) {
    if (error instanceof Error && (error as Partial<HurtboxError>).code === 'bad-argument')
      throw new UsageError(error.message, { cause: error })
    throw error
  }
}
