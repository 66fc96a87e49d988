/** A disk that can be made slow for a process: real system calls that take longer (`slow-disk.c`). */

import { execFileSync } from 'node:child_process'
import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export type SlowDisk = {
  /** Variables for the process. */
  readonly env: Readonly<Record<string, string>>
  set(isSlow: boolean): void
  /** Whether the first thread of a process, which is that of the rooms, has waited for a write. */
  hasStopped(): boolean
}

export function hasCompiler(): boolean {
  try {
    execFileSync('cc', ['--version'], { stdio: 'ignore' })
    return process.platform === 'linux'
  } catch {
    return false
  }
}

/** Builds what delays writes, in a folder of the test. */
export function slowDisk(folder: string, ms: number): SlowDisk {
  const library = join(folder, 'slow-disk.so')
  const flag = join(folder, 'slow')
  const waited = join(folder, 'waited')
  const source = fileURLToPath(new URL('slow-disk.c', import.meta.url))
  execFileSync('cc', ['-shared', '-fPIC', '-O1', '-o', library, source, '-ldl'])
  return {
    env: { LD_PRELOAD: library, SLOW_WHILE: flag, SLOW_MS: String(ms), SLOW_WAITED: waited },
    set(isSlow) {
      if (isSlow) writeFileSync(flag, '')
      else rmSync(flag, { force: true })
    },
    hasStopped: () => existsSync(waited),
  }
}
