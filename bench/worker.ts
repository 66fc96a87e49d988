/**
 * The process of one contender: it loads one library, sets up one scene, checks its answers, then answers to "your turn". Own heap, own
 * JIT, own garbage collector; nothing that another library did can help or hurt it.
 */

import { measureLatency, takeTurn } from './measure.ts'
import type { Exactness } from './oracles/compare.ts'
import { contenders } from './registry.ts'
import { workloads } from './workloads/index.ts'
import type { Facts, Task } from './workloads/workload.ts'

export type Request =
  | { readonly kind: 'prepare'; readonly contender: string; readonly workload: string; readonly n: number }
  | { readonly kind: 'turn'; readonly minMs: number }
  | { readonly kind: 'latency'; readonly budgetMs: number }

export type Answer = {
  /** False where the contender has no such function. */
  readonly can?: boolean
  readonly exactness?: Exactness
  readonly facts?: Facts
  readonly ms?: number
  readonly latency?: import('./measure.ts').Latency
  readonly error?: string
}

let task: Task | undefined

process.on('message', async (request: Request) => {
  let answer: Answer
  try {
    answer = await handle(request)
  } catch (error) {
    answer = { error: error instanceof Error ? error.message : String(error) }
  }
  process.send?.(answer)
})

// The parent process has gone.
process.on('disconnect', () => process.exit())

async function handle(request: Request): Promise<Answer> {
  if (request.kind === 'prepare') {
    const entry = contenders.find(({ name }) => name === request.contender)
    const workload = workloads.find(({ name }) => name === request.workload)
    if (!entry || !workload)
      throw new Error(`Unknown contender or workload: ${request.contender}, ${request.workload}.`)
    task = workload.prepare(await entry.load(), request.n)
    if (!task) return { can: false }
    return { can: true, exactness: task.check(), facts: task.facts?.() ?? {} }
  }
  if (!task) throw new Error('Asked for a turn before being prepared.')
  if (request.kind === 'turn') return { ms: takeTurn(task, request.minMs) }
  return { latency: measureLatency(task, request.budgetMs) }
}
