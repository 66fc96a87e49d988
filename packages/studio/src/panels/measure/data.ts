/** What is read off the figures of the last ticks: time by phase, memory, room. */

import type { AnyTable, AnyWorld } from 'hurtbox/tools'
import type { Figures } from '../../sim/protocol.ts'

export type FlameBar = {
  readonly name: string
  /** From where to where, in ms of the tick. */
  readonly from: number
  readonly to: number
  readonly depth: number
}

/**
 * The mean tick of some figures as a flame: the time there is, in it the tick, in it its phases one after another. The clock of a
 * browser is too coarse for a single tick.
 */
export function flameOf(figures: readonly Figures[], phases: readonly string[], budgetMs: number): FlameBar[] {
  const count = Math.max(1, figures.length)
  const mean = (read: (each: Figures) => number) => figures.reduce((sum, each) => sum + (read(each) || 0), 0) / count
  const bars: FlameBar[] = [{ name: 'time there is', from: 0, to: budgetMs, depth: 0 }]
  const means = phases.map((_, phase) => mean(({ phaseMs }) => phaseMs[phase]))
  const all = means.reduce((sum, each) => sum + each, 0)
  bars.push({
    name: 'tick',
    from: 0,
    to: Math.max(
      all,
      mean(({ tickMs }) => tickMs),
    ),
    depth: 1,
  })
  let at = 0
  phases.forEach((name, phase) => {
    bars.push({ name, from: at, to: at + means[phase], depth: 2 })
    at += means[phase]
  })
  return bars
}

/** Bytes a tick that were added to the heap; undefined where the browser does not tell, or rounds so much that nothing grew. */
export function allocationOf(ticks: readonly number[], figures: readonly Figures[]): number | undefined {
  let grown = 0
  for (let i = 1; i < figures.length; i++) {
    const [before, after] = [figures[i - 1].heapBytes, figures[i].heapBytes]
    // What shrank was collected.
    if (before > 0 && after > before) grown += after - before
  }
  const span = (ticks.at(-1) ?? 0) - (ticks[0] ?? 0)
  return grown === 0 || span <= 0 ? undefined : grown / span
}

export type Room = {
  readonly table: string
  readonly used: number
  readonly capacity: number
  readonly refused: number
}

/** How full the tables are: what is not there when it is needed is refused. */
export function roomOf(world: AnyWorld): Room[] {
  return Object.entries(world.tables as Readonly<Record<string, AnyTable>>).map(([table, rows]) => ({
    table,
    used: rows.count,
    capacity: rows.capacity,
    refused: rows.refused,
  }))
}
