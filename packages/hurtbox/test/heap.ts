/**
 * What code leaves on the heap.
 *
 * It is measured in a process of its own: the test runner rewrites imports and allocates beside us, so in its process
 * there is nothing to measure. The child prints one JSON object.
 */

import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

/**
 * Compiling in the same thread makes what V8 inlines, and so what it allocates, depend on the program alone. In threads of its
 * own the compiler comes earlier or later as the machine is busy: one process in eight took ten times the memory.
 */
const FLAGS = ['--expose-gc', '--single-threaded']

/** Runs a child beside the test and returns what it printed. */
export function measuredBy(child: URL, ...words: string[]) {
  return JSON.parse(execFileSync(process.execPath, [...FLAGS, fileURLToPath(child), ...words], { encoding: 'utf8' }))
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
