/** What each phase of a tick did to a thing, column by column. */

import { requireInteger } from '../../base/errors.ts'
import { type AnyTable, findRow } from '../../state/table.ts'
import type { AnyWorld } from '../../world/world.ts'
import { inputsAt } from './log.ts'
import { retrace } from './phases.ts'
import { createTwin, replayTo, type Session } from './session.ts'

export type PhaseChanges = {
  /** A phase, or `inputs` and `end of tick` for what runs before and after them. */
  readonly phase: string
  readonly changes: readonly ColumnChange[]
}

/** Undefined where the thing is not there. Of wide columns each place is a column of its own: `readyAt[2]`. */
export type ColumnChange = {
  readonly column: string
  readonly before: number | undefined
  readonly after: number | undefined
}

/** Steps `tick` of a session once more and lists what became of thing `id` in each phase that changed it. */
export function changesByPhase(session: Session, tick: number, id: number): PhaseChanges[] {
  requireInteger(tick, 'tick', session.log.from, session.log.length - 1)
  requireInteger(id, 'id', 1, 0xffffffff)
  const world = createTwin(session)
  replayTo(session, world, tick)
  const found: PhaseChanges[] = []
  let before = columnsOf(world, id)
  retrace(
    world,
    tick + 1,
    (at, into) => inputsAt(session.log, at, into),
    ({ phase }) => {
      const after = columnsOf(world, id)
      const changes = changesBetween(before, after)
      if (changes.length > 0) found.push({ phase, changes })
      before = after
      return false
    },
  )
  return found
}

function columnsOf({ tables: { things } }: AnyWorld, id: number): ReadonlyMap<string, number> {
  const row = findRow(things as AnyTable, id)
  const values = new Map<string, number>()
  if (row < 0) return values
  for (const { name, array, width } of (things as AnyTable).columns) {
    for (let i = 0; i < width; i++) values.set(width === 1 ? name : `${name}[${i}]`, array[row * width + i])
  }
  return values
}

function changesBetween(before: ReadonlyMap<string, number>, after: ReadonlyMap<string, number>): ColumnChange[] {
  const columns = before.size >= after.size ? before : after
  const changes: ColumnChange[] = []
  for (const column of columns.keys()) {
    const change = { column, before: before.get(column), after: after.get(column) }
    if (!Object.is(change.before, change.after)) changes.push(change)
  }
  return changes
}
