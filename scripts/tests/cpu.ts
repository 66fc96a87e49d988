/**
 * Runs in the workers of a measured run: says what each test file cost the processors, with the processes that it started.
 *
 * A file that takes long and costs little waits; one that costs what it takes computes. Only the second gets faster with less work.
 */

import { readFileSync } from 'node:fs'
import { afterAll } from 'vitest'

declare module 'vitest' {
  interface TaskMeta {
    cpuMs?: number
  }
}

/** Linux counts processor time in hundredths of a second. */
const MS_PER_JIFFY = 10

/** Files of one worker follow each other in one process: each takes what came since the one before. */
const spent = globalThis as { hurtboxCpuMs?: number }

// Registered before the hooks of the test file, so it runs after them, when servers and browsers have ended.
// biome-ignore lint/correctness/noEmptyPattern: the file is the second argument, and the runner reads the first as a pattern.
afterAll(({}, file) => {
  const total = cpuMs()
  file.meta.cpuMs = total - (spent.hurtboxCpuMs ?? 0)
  spent.hurtboxCpuMs = total
})

/** Time of this process and of those it started that have ended, with theirs. */
function cpuMs(): number {
  try {
    const stat = readFileSync('/proc/self/stat', 'utf8')
    // The name of the program stands in parentheses and may contain anything; utime, stime, cutime and cstime are the 12th to 15th field after it.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return fields.slice(11, 15).reduce((sum, jiffies) => sum + Number(jiffies), 0) * MS_PER_JIFFY
  } catch {
    // Elsewhere: only this process.
    const { user, system } = process.cpuUsage()
    return (user + system) / 1000
  }
}
