/** Plays matches in worker threads of this process. */

import Tinypool from 'tinypool'
import { messageOf } from '../errors.ts'
import { matchAt, type Plan } from './plan.ts'
import type { MatchRecord, MatchTask } from './play.ts'

/** Matches to play, and what is told about each as it ends, in any order. */
export type Run = {
  readonly plan: Plan
  /** Places in the plan. They are taken from the front. */
  readonly missing: number[]
  onRecord(index: number, record: MatchRecord): void
  onFailure(index: number, message: string): void
}

export type MatchPool = { play(task: MatchTask): Promise<MatchRecord>; close(): Promise<void> }

export function createMatchPool(threads: number): MatchPool {
  const source = import.meta.url.endsWith('.ts') ? './play.ts' : './play.js'
  const pool = new Tinypool({
    filename: new URL(source, import.meta.url).href,
    minThreads: threads,
    maxThreads: threads,
  })
  return { play: (task) => pool.run(task), close: () => pool.destroy() }
}

/** What a match of the plan is for a worker. */
export function taskAt({ game, match, settings }: Plan, place: ReturnType<typeof matchAt>): MatchTask {
  return { game, match: { ...match, seed: place.seed }, tuning: settings[place.setting] }
}

export async function playInThreads({ plan, missing, onRecord, onFailure }: Run, threads: number): Promise<void> {
  const pool = createMatchPool(threads)
  // Each lane takes the next match when its last one ends, so that the queue never grows with the plan.
  const lane = async () => {
    for (let index = missing.shift(); index !== undefined; index = missing.shift()) {
      try {
        onRecord(index, await pool.play(taskAt(plan, matchAt(plan, index))))
      } catch (error) {
        onFailure(index, messageOf(error))
      }
    }
  }
  await Promise.all(Array.from({ length: threads }, lane))
  await pool.close()
}
