/**
 * What happens inside one contender's process during its turn.
 *
 * Turns are measured in CPU time of the main thread: what other programs on the machine do meanwhile is not in it, and neither is the work of
 * helper threads (collecting garbage, compiling), which is to the advantage of contenders that make garbage. Single steps are
 * measured on the wall clock, as a player would feel them.
 */

import { GCProfiler, getHeapStatistics } from 'node:v8'
import { quantile } from './statistics.ts'
import type { Task } from './workloads/workload.ts'

export type Latency = {
  readonly p50: number
  readonly p99: number
  readonly max: number
  readonly heapBytesPerStep: number
}

/** Runs steps for at least `minMs` of CPU time (and at least one) and returns the mean ms per step. */
export function takeTurn(task: Task, minMs: number): number {
  task.beforeTurn?.()
  let steps = 0
  // The clock is read in ever larger strides: read after each step of a few microseconds, it would be measured as well.
  let stride = 1
  let elapsedMs = 0
  const before = process.threadCpuUsage()
  while (elapsedMs < minMs) {
    for (let i = 0; i < stride; i++) task.step()
    steps += stride
    const { user, system } = process.threadCpuUsage(before)
    elapsedMs = (user + system) / 1000
    if (elapsedMs < minMs / 8) stride *= 2
  }
  return elapsedMs / steps
}

/** Single steps, timed one by one for at most `budgetMs`; then as many again unobserved, to see what they leave on the heap. */
export function measureLatency(task: Task, budgetMs: number): Latency {
  const samples: number[] = []
  const end = performance.now() + budgetMs
  while (samples.length < 1000 && (samples.length < 20 || performance.now() < end)) {
    const start = performance.now()
    task.step()
    samples.push(performance.now() - start)
  }
  return {
    p50: quantile(samples, 0.5),
    p99: quantile(samples, 0.99),
    max: Math.max(...samples),
    heapBytesPerStep: allocatedBytes(task, samples.length) / samples.length,
  }
}

/** Growth of the heap between collections, summed up. Typed arrays live outside of it and are not counted. */
function allocatedBytes(task: Task, steps: number): number {
  const profiler = new GCProfiler()
  profiler.start()
  let floor = getHeapStatistics().used_heap_size
  for (let i = 0; i < steps; i++) task.step()
  const ceiling = getHeapStatistics().used_heap_size
  let allocated = 0
  for (const { beforeGC, afterGC } of profiler.stop()?.statistics ?? []) {
    allocated += Math.max(0, beforeGC.heapStatistics.usedHeapSize - floor)
    floor = afterGC.heapStatistics.usedHeapSize
  }
  return allocated + Math.max(0, ceiling - floor)
}
