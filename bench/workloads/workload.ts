/** A workload puts a seeded scene before a contender, checks its answers, then lets the clock see nothing but `step`. */

import type { Contender } from '../contender.ts'
import type { Exactness } from '../oracles/compare.ts'

export type Workload = {
  readonly name: string
  /** What one step is, for the table. */
  readonly title: string
  readonly sizes: readonly number[]
  /** The sizes of a quick run; empty means the workload is left out of it. */
  readonly quickSizes: readonly number[]
  /** How a size is written, where the bare number would not say enough. */
  readonly label?: (n: number) => string
  /** Undefined where the contender has no such function. */
  readonly prepare: (contender: Contender, n: number) => Task | undefined
}

export type Task = {
  /** Runs a few steps against the oracle. */
  check(): Exactness
  /** What is timed. */
  step(): void
  /** Called before each turn of the clock, outside the timing. */
  beforeTurn?(): void
  /** Further figures, measured once after the check: bytes per thing, quality of a crowd. */
  facts?(): Facts
}

export type Facts = Readonly<Record<string, number>>
