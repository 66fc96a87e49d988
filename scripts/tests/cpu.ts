/**
 * Runs in the workers of a measured run: says what each test file cost the processors, with the processes that it started.
 *
 * A file that takes long and costs little waits; one that costs what it takes computes. Only the second gets faster with less work.
 */

import { readdirSync, readFileSync } from 'node:fs'
import { afterAll } from 'vitest'

declare module 'vitest' {
  interface TaskMeta {
    cpuMs?: number
  }
}

/** Linux counts processor time in hundredths of a second. */
const MS_PER_JIFFY = 10
const SAMPLE_MS = 500

/** Files of one worker follow each other in one process: each takes what came since the one before. */
const spent = globalThis as { hurtboxCpuMs?: number }
let newest = 0
/** What processes took that ended with no parent to inherit it, as those of a browser do. */
let lost = 0

function sample(): number {
  const now = treeMs()
  // Time only grows; where the sum falls, it has left the tree.
  if (now < newest) lost += newest - now
  newest = now
  return now + lost
}

sample()
const sampling = setInterval(sample, SAMPLE_MS)
sampling.unref()

// Registered before the hooks of the test file, so it runs after them, when servers and browsers have ended.
// biome-ignore lint/correctness/noEmptyPattern: the file is the second argument, and the runner reads the first as a pattern.
afterAll(({}, file) => {
  clearInterval(sampling)
  const total = sample()
  file.meta.cpuMs = total - (spent.hurtboxCpuMs ?? 0)
  spent.hurtboxCpuMs = newest
})

/** Time of this process, of those below it, and of those that ended below them. */
function treeMs(): number {
  try {
    const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
    const found = new Map(pids.flatMap((pid) => statOf(pid) ?? []))
    const isOurs = (pid: string): boolean => {
      if (pid === String(process.pid)) return true
      const parent = found.get(pid)?.parent
      return parent !== undefined && parent !== pid && isOurs(parent)
    }
    return [...found].reduce((sum, [pid, { ms }]) => (isOurs(pid) ? sum + ms : sum), 0)
  } catch {
    // No Linux: only this process.
    const { user, system } = process.cpuUsage()
    return (user + system) / 1000
  }
}

function statOf(pid: string): [[pid: string, { parent: string; ms: number }]] | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The name of the program stands in parentheses and may contain anything. After it: state, parent, …, utime, stime, cutime, cstime.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    const jiffies = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0)
    return [[pid, { parent: fields[1]!, ms: jiffies * MS_PER_JIFFY }]]
  } catch {
    // It ended meanwhile.
    return undefined
  }
}
