/** A created project as it is put online, with our packages out of tarballs that lie in it, since they are not in the registry yet. */

import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { repositoryRoot } from '../engines/install-npm.ts'
import { publicPackages } from '../pack.ts'
import { packedOnce } from '../test/packages/packed.ts'

/** The line that a Dockerfile needs for them, and no other change. */
const LOCK_LINE = 'COPY package.json package-lock.json .npmrc ./\n'
const TARBALL_LINE = 'COPY packed packed\n'

/** Makes it in `folder`, with a lock file. */
export async function createProject(folder: string, name: string): Promise<void> {
  rmSync(folder, { recursive: true, force: true })
  const packed = join(folder, 'packed')
  mkdirSync(packed, { recursive: true })
  for (const each of publicPackages) {
    const tarball = await packedOnce(each)
    cpSync(tarball, join(packed, basename(tarball)))
  }
  const node = (...args: string[]) => execFileSync(process.execPath, args, { cwd: folder, stdio: 'pipe' })
  node(join(repositoryRoot, 'packages/create-hurtbox/bin/create-hurtbox.js'), folder, ...given(name, packed))
  execFileSync('npm', ['install', '--package-lock-only', '--prefer-offline', '--no-audit', '--no-fund'], {
    cwd: folder,
    stdio: 'pipe',
  })
  node(join(repositoryRoot, 'scripts/complete-lock.mjs'), join(folder, 'package-lock.json'))
}

const given = (name: string, packed: string) => ['--name', name, '--force', '--packages', packed]

/** Lets its Dockerfile take the tarballs along. */
export function copyTarballs(folder: string): void {
  const file = join(folder, 'Dockerfile')
  const text = readFileSync(file, 'utf8')
  if (!text.includes(LOCK_LINE)) throw new Error(`The Dockerfile has no: ${LOCK_LINE}`)
  writeFileSync(file, text.replaceAll(LOCK_LINE, LOCK_LINE + TARBALL_LINE))
}
