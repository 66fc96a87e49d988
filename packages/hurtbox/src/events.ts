/**
 * Events: what a step tells the outside, in typed columns that are read after the step.
 *
 * There are no callbacks into user code inside a step: it could change the world half way, its order would become part
 * of the outcome, and a recording could not contain it. An event is known by (tick, kind, n), so that a view that saw
 * a predicted one does not show it again when it is confirmed.
 */

import { addRow, type RowsBase, type RowValues } from './table.ts'
import type { AnyWorld } from './world.ts'

/** Adds an event. When its kind is full for this tick it is counted as refused instead. */
export function emit<T extends RowsBase>(list: T, values: Required<RowValues<T>>): void {
  const row = addRow(list)
  if (row < 0) return
  for (let c = 0; c < list.columns.length; c++) {
    const { name, array, width } = list.columns[c]
    const value = (values as Record<string, number | readonly number[]>)[name]
    if (typeof value === 'number') array[row * width] = value
    else for (let i = 0; i < value.length; i++) array[row * width + i] = value[i]
  }
}

/** An event as a plain object, for logs and views. */
export type EventRecord = { readonly tick: number; readonly kind: string; readonly n: number } & Readonly<
  Record<string, number | string | readonly number[]>
>

/** All events of the last step as plain objects, kind by kind in the order of declaration. Allocates; not for a tick. */
export function listEvents(world: AnyWorld): EventRecord[] {
  const records: EventRecord[] = []
  for (const list of world.memory.events) {
    for (let n = 0; n < list.count; n++) {
      const record: Record<string, number | string | readonly number[]> = { tick: world.tick - 1, kind: list.name, n }
      for (const { name, array, width } of list.columns) {
        record[name] = width === 1 ? array[n] : [...array.subarray(n * width, (n + 1) * width)]
      }
      records.push(record as EventRecord)
    }
  }
  return records
}

export function clearEvents(world: AnyWorld): void {
  for (const list of world.memory.events) list.counters.fill(0)
}
