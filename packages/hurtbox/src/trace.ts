/**
 * A trace: what the phases of one step said about one pair of things.
 *
 * It is filled by the same code that decides, so it cannot tell another story. It is not state: a world with a trace
 * on steps to the same bits.
 */

import type { Id } from './table.ts'

export type TraceEntry = {
  readonly phase: string
  /** The rule that was asked; '' when the pair did not get as far as a rule. */
  readonly rule: string
  readonly attacker: Id
  readonly victim: Id
  /** `hit`, the gate that refused, the rule's own word, or `layers`, `apart`, `leaving`. */
  readonly verdict: string
  readonly text: string
  /** What an admitted hit changed, in words. */
  readonly changes: readonly string[]
}

export type Trace = {
  /** The pair to watch. */
  readonly a: Id
  readonly b: Id
  readonly entries: TraceEntry[]
  /** Name of the phase that runs now; set by `step`. */
  phase: string
}

export function createTrace(a: Id, b: Id): Trace {
  return { a, b, entries: [], phase: '' }
}

/** Whether the trace watches this pair, in either order. */
export function watches(trace: Trace, a: Id, b: Id): boolean {
  return (trace.a === a && trace.b === b) || (trace.a === b && trace.b === a)
}
