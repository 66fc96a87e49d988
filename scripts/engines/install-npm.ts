/**
 * Fetches the runtimes that npm carries but a plain `npm ci` does not bring.
 *
 * Each goes into a folder of its own, `.engines/<name>-<version>`, made under another name and renamed when it is
 * complete, so an interrupted download is never taken for an installed runtime. The packages used hold nothing but the
 * binary, so no install script runs.
 */

import { existsSync } from 'node:fs'
import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { capture, discardedAtExit } from './process.ts'

export const repositoryRoot: string = fileURLToPath(new URL('../..', import.meta.url))
const enginesFolder = join(repositoryRoot, '.engines')

/** What is fetched on demand, and exactly which. Node 24, Bun and Chromium are pinned by the root package.json. */
export const PINNED = {
  // The oldest that the README promises.
  node20: '20.19.0',
  node22: '22.23.3',
  deno: '2.9.6',
  'node22-arm64': '22.23.3',
  // The newest that npm has for 32-bit ARM.
  'node20-arm32': '20.11.0',
} as const

const NPM_TIMEOUT_MS = 300_000

/** Installs one npm package and returns the folder that holds its `node_modules`. */
export function installFromNpm(
  name: string,
  version: string,
  npmPackage: string,
  onStart: () => void,
): Promise<string> {
  return preparedFolder(name, version, async (folder) => {
    onStart()
    // Without a package.json of its own, npm would look for one further up and install there.
    await writeFile(join(folder, 'package.json'), '{ "private": true }\n')
    // --force: a runtime for another CPU is installed on purpose.
    const options = ['--ignore-scripts', '--force', '--no-audit', '--no-fund', '--no-package-lock', '--loglevel=error']
    await capture('npm', ['install', '--prefix', folder, ...options, `${npmPackage}@${version}`], {
      cwd: folder,
      timeoutMs: NPM_TIMEOUT_MS,
    })
  })
}

/** The folder `.engines/<name>-<version>`, filled by `fill` unless it is already there. */
export async function preparedFolder(
  name: string,
  version: string,
  fill: (folder: string) => Promise<void>,
): Promise<string> {
  const folder = join(enginesFolder, `${name}-${version}`)
  if (existsSync(folder)) return folder

  const unfinished = `${folder}.${process.pid}.unfinished`
  discardedAtExit.add(unfinished)
  try {
    await mkdir(unfinished, { recursive: true })
    await fill(unfinished)
    await rename(unfinished, folder)
  } catch (error) {
    // Two matrices may have filled it side by side. One wins the rename; both contents are the same.
    if (!existsSync(folder)) throw error
  } finally {
    await rm(unfinished, { recursive: true, force: true })
    discardedAtExit.delete(unfinished)
  }
  await removeOtherVersions(name, version)
  return folder
}

async function removeOtherVersions(name: string, version: string): Promise<void> {
  for (const entry of await readdir(enginesFolder)) {
    // Digits right after the name: `node22-22.23.3` is a version of node22, `node22-arm64-22.23.3` is not.
    const isVersion = entry.startsWith(`${name}-`) && /^[\d.]+$/.test(entry.slice(name.length + 1))
    if (isVersion && entry !== `${name}-${version}`)
      await rm(join(enginesFolder, entry), { recursive: true, force: true })
  }
}
