/**
 * An empty project outside the workspace into which the packed packages were installed, as a stranger would: `npm install`.
 *
 * What our packages need of others comes from npm's cache, which the repository's own install has filled, or from the
 * registry.
 */

import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { repositoryRoot } from '../../engines/install-npm.ts'
import type { Manifest } from '../../pack.ts'
import { packedOnce } from './packed.ts'

export type Project = {
  readonly folder: string
  /** Runs a program in the project; returns what it printed, throws with it when it fails. */
  run(program: string, ...args: string[]): string
  /** The same for a program that is to fail, or may: the lines it wrote, none when all went well. */
  complaintsOf(program: string, ...args: string[]): string[]
  remove(): void
}

/** By name: the folder under packages/. */
export const INSTALLED: Readonly<Record<string, string>> = {
  hurtbox: 'hurtbox',
  '@hurtbox/datagrams': 'datagrams',
  '@hurtbox/netcode': 'netcode',
  '@hurtbox/colyseus': 'colyseus',
  '@hurtbox/cli': 'cli',
}

/** A project with a game in `game/` and the given files in it. */
export async function installProject(files: Readonly<Record<string, string>>): Promise<Project> {
  const scratch = mkdtempSync(join(tmpdir(), 'hurtbox-installed-'))
  const folder = join(scratch, 'project')
  const run = (program: string, ...args: string[]) =>
    execFileSync(program, args, {
      cwd: folder,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
      shell: process.platform === 'win32' && /^np[mx]$/.test(program),
    })
  const remove = () => rmSync(scratch, { recursive: true, force: true, maxRetries: 10 })

  try {
    const tarballs = await Promise.all(Object.values(INSTALLED).map((name) => packedOnce(name)))
    for (const part of ['game', 'client']) {
      cpSync(join(repositoryRoot, 'packages/create-hurtbox/template', part), join(folder, part), { recursive: true })
    }
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
    writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }\n')
    // A server needs a transport, and a program in TypeScript the types of Node; the versions are the repository's own.
    const others = [wanted('packages/colyseus', '@colyseus/ws-transport'), wanted('.', '@types/node')]
    const quietly = ['--prefer-offline', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']
    run('npm', 'install', ...quietly, ...tarballs, ...others)
  } catch (error) {
    remove()
    throw error
  }
  return {
    folder,
    run,
    complaintsOf(program, ...args) {
      const { status, stdout, stderr } = spawnSync(program, args, { cwd: folder, encoding: 'utf8' })
      return status === 0 ? [] : `${stdout}${stderr}`.trimEnd().split('\n')
    },
    remove,
  }
}

/** The manifest of an installed package. */
export function installedManifest(project: Project, name: string): Manifest {
  return JSON.parse(readFileSync(join(project.folder, 'node_modules', name, 'package.json'), 'utf8'))
}

function wanted(folder: string, name: string): string {
  const { devDependencies } = JSON.parse(readFileSync(join(repositoryRoot, folder, 'package.json'), 'utf8')) as {
    devDependencies: Record<string, string>
  }
  return `${name}@${devDependencies[name]}`
}
