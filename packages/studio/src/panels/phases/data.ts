/** What became of a thing on its way through a tick: the value of each column after every phase, and the rules that set it. */

import type { TraceEntry } from 'hurtbox/tools'
import type { ChangesAnswer } from '../../sim/protocol.ts'

export type PhaseRow = {
  readonly phase: string
  readonly is: 'changed' | 'appeared' | 'gone'
  /** What it changed; none for a phase that only asked, or after which the thing is gone. */
  readonly changes: ChangesAnswer['phases'][number]['changes']
  readonly rules: readonly TraceEntry[]
}

/** Every phase that did something, in order, with the rules that were accepted in it. */
export function phaseRows({ phases, rules }: ChangesAnswer): PhaseRow[] {
  const rows: PhaseRow[] = phases.map(({ phase, changes }) => {
    const isGone = changes.every(({ after }) => after === undefined)
    const hasAppeared = changes.every(({ before }) => before === undefined)
    return {
      phase,
      is: isGone ? 'gone' : hasAppeared ? 'appeared' : 'changed',
      // Of a new thing only what is not as in every new thing.
      changes: isGone ? [] : hasAppeared ? changes.filter(({ after }) => after !== 0) : changes,
      rules: rules.filter((rule) => rule.phase === phase),
    }
  })
  // A rule may have been accepted and changed only the other one.
  const told = new Set(rows.map(({ phase }) => phase))
  for (const phase of new Set(rules.map((rule) => rule.phase))) {
    if (!told.has(phase))
      rows.push({ phase, is: 'changed', changes: [], rules: rules.filter((rule) => rule.phase === phase) })
  }
  return rows
}

export type ColumnPath = {
  readonly column: string
  /** When the tick began; undefined where the thing was not there. */
  readonly before: number | undefined
  /** After each of the phases of `phaseRows`. */
  readonly after: readonly (number | undefined)[]
}

/** The columns that changed, each with its value after every phase. */
export function columnPaths({ before, phases }: ChangesAnswer): ColumnPath[] {
  const changed = phases
    .flatMap(({ changes }) => changes)
    .filter(({ before: from, after }) => after !== undefined && (from ?? 0) !== after)
  const columns = [...new Set(changed.map(({ column }) => column))]
  return columns.map((column) => {
    let value: number | undefined = before[column]
    const after = phases.map(({ changes }) => {
      const change = changes.find((each) => each.column === column)
      if (change !== undefined) value = change.after
      return value
    })
    return { column, before: before[column], after }
  })
}
