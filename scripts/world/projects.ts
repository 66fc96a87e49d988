/** What is served: the built studio with our games, or a created project with its own page. */

import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { repositoryRoot } from '../engines/install-npm.ts'
import { madeOnce } from '../test/once.ts'
import { buildPage, generateProject } from '../test/packages/generated.ts'

/** The Node that is pinned, as everything in the repository runs with it. */
export const NODE = 'node_modules/node/bin/node'
export const HURTBOX = join(repositoryRoot, 'packages/cli/bin/hurtbox.js')

/** A copy of the created project in `folder`, built, with the packages of the workspace. */
export async function linkedProject(folder: string): Promise<void> {
  const made = await madeOnce(
    { kind: 'world-projects', sources: ['packages', 'package-lock.json'], except: ['test'] },
    (target) => {
      const create = join(repositoryRoot, 'packages/create-hurtbox/bin/create-hurtbox.js')
      execFileSync(process.execPath, [create, target, '--name', GAME, '--force'], { stdio: 'pipe' })
      buildPage(target)
    },
  )
  mkdirSync(folder, { recursive: true })
  cpSync(made, folder, { recursive: true })
  symlinkSync(join(repositoryRoot, 'node_modules'), join(folder, 'node_modules'))
}

/** A created project with our packages out of their tarballs, built. */
export async function packedProject(folder: string): Promise<void> {
  const { project, remove } = await generateProject(GAME)
  try {
    buildPage(project)
    cpSync(project, folder, { recursive: true, verbatimSymlinks: true })
  } finally {
    remove()
  }
}

const GAME = 'goblin-hunt'
