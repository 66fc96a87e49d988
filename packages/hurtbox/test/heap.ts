/**
 * What code leaves on the heap.
 *
 * It is measured in a process of its own: the test runner rewrites imports and allocates beside us, so in its process
 * there is nothing to measure. The child prints one JSON object.
 */

import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

/** Runs a child beside the test and returns what it printed. */
export function measuredBy(child: URL, flags: readonly string[], ...words: string[]) {
  return JSON.parse(execFileSync(process.execPath, [...flags, fileURLToPath(child), ...words], { encoding: 'utf8' }))
}

/** For the child, started with `--expose-gc`: bytes in use once the rubbish is gone. */
export function heapUsed(): number {
  const { gc } = globalThis as { gc?: () => void }
  gc!()
  gc!()
  return process.memoryUsage().heapUsed
}

/** For the child: bytes that a tick allocates, whether they stay or not. */
export function bytesPerTick(run: (ticks: number) => void): number {
  // The compiler allocates now and then as well; the median of several stretches leaves it out.
  const stretches = Array.from({ length: 7 }, () => {
    const before = heapUsed()
    run(500)
    return (process.memoryUsage().heapUsed - before) / 500
  })
  return stretches.sort((a, b) => a - b)[3]
}
