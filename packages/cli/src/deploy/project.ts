/** What files that put a project online need to know of it, read from the project itself. */

import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { findProject } from 'hurtbox/module/node'
import { UsageError } from '../errors.ts'

export type DeployedProject = {
  readonly folder: string
  /** As names of services, users and hosts may be: small letters, digits and -. */
  readonly name: string
  /** Of sockets and datagrams, inside. */
  readonly port: number
  readonly hasDockerfile: boolean
}

export const PROGRAM = 'server/main.ts'
const DEFAULT_PORT = 2567
const MOST_LETTERS = 50

/** The project around a folder. */
export function readProject(from: string = process.cwd()): DeployedProject {
  const { folder } = findProject(from)
  if (folder === undefined || !existsSync(join(folder, PROGRAM))) {
    throw new UsageError(
      `deploy writes files for a project with a ${PROGRAM} and "hurtbox": { "games": […] } in package.json, as "npm create hurtbox" makes it. ${folder ?? from} has none.`,
    )
  }
  const dockerfile = join(folder, 'Dockerfile')
  const hasDockerfile = existsSync(dockerfile)
  const { name = '' } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { name?: string }
  return {
    folder,
    name: nameFor(name),
    port: hasDockerfile ? portIn(readFileSync(dockerfile, 'utf8')) : DEFAULT_PORT,
    hasDockerfile,
  }
}

/** Without the scope of a package, and without what hosts cannot be called. */
function nameFor(name: string): string {
  const plain = name
    .replace(/^@[^/]*\//, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, MOST_LETTERS)
    .replace(/^[^a-z]+|-+$/g, '')
  if (plain !== '') return plain
  throw new UsageError(
    `package.json gives no name that a service could have, but "${name}". Give it one, like slime-pit.`,
  )
}

/** `PORT` of the image, which its files agree on. */
function portIn(dockerfile: string): number {
  const [, port = DEFAULT_PORT] = /^ENV\s(?:.*\s)?PORT[= ](\d{1,5})\b/m.exec(dockerfile) ?? []
  return Number(port)
}
