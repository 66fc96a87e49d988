/**
 * Where two worlds differ.
 *
 * It reads the layout, so a new column shows up here without a line of code.
 */

import { HurtboxError } from '../base/errors.ts'
import { STREAM_WORDS } from '../geometry/math/random.ts'
import { HEADER_NAMES, liveRows, NO_TABLE, STREAMS } from './layout.ts'
import type { StateWorld } from './memory.ts'
import { COUNTERS } from './table.ts'

export type Difference = {
  readonly tick: number
  /** Table, 'header', or '' for arrays, globals and tuning. */
  readonly table: string
  readonly row: number
  /** Id of the row in the first world; 0 where there is none. */
  readonly id: number
  readonly column: string
  readonly a: number
  readonly b: number
}

/** Where two worlds of one game differ, in block order; at most `limit` places. Empty when they are equal. */
export function diffWorlds(a: StateWorld, b: StateWorld, limit = 16): Difference[] {
  const { layout } = a.memory
  if (layout !== b.memory.layout) {
    throw new HurtboxError('bad-argument', 'the worlds to compare are of one game; the second is of another game.')
  }
  const differences: Difference[] = []
  const note = (table: string, row: number, id: number, column: string, valueA: number, valueB: number) => {
    differences.push({ tick: a.tick, table, row, id, column, a: valueA, b: valueB })
  }
  for (let word = 0; word < layout.headerWords && differences.length < limit; word++) {
    const [valueA, valueB] = [a.memory.header[word], b.memory.header[word]]
    if (valueA !== valueB) note('header', 0, 0, headerName(a, word), valueA, valueB)
  }
  for (let i = 0; i < layout.regions.length; i++) {
    const region = layout.regions[i]
    const { array: arrayA, width } = a.memory.columns[i]
    const { array: arrayB } = b.memory.columns[i]
    const rows = Math.min(liveRows(layout, a.memory.header, region), liveRows(layout, b.memory.header, region))
    for (let j = 0; j < rows * width; j++) {
      if (differences.length >= limit) return differences
      // Object.is distinguishes -0 from 0, as the hash does.
      if (Object.is(arrayA[j], arrayB[j])) continue
      const row = Math.floor(j / width)
      const column = width === 1 ? region.column : `${region.column}[${j % width}]`
      const isTable = region.table !== NO_TABLE
      note(
        isTable ? layout.tableNames[region.table] : '',
        row,
        isTable ? a.memory.tables[region.table].id[row] : 0,
        column,
        arrayA[j],
        arrayB[j],
      )
    }
  }
  return differences
}

/** A difference in words: `tick 12: things row 3 (id 7) x is 1.5 here and 1.25 there`. */
export function describeDifference(difference: Difference): string {
  return `tick ${difference.tick}: ${describeCell(difference)}`
}

/** The same without its tick, for sentences that name the tick that ran, which is the one before. */
export function describeCell({ table, row, id, column, a, b }: Difference): string {
  const where =
    table === 'header' ? column : `${table}${table && ` row ${row}`}${id > 0 ? ` (id ${id})` : ''} ${column}`
  return `${where.trim()} is ${show(a)} here and ${show(b)} there`
}

function headerName(world: StateWorld, word: number): string {
  if (word < STREAMS) return HEADER_NAMES[word]
  const { layout } = world.memory
  if (word >= layout.countersAt) {
    const counter = word - layout.countersAt
    const table = layout.tableNames[Math.floor(counter / COUNTERS)]
    return `${['count', 'next id', 'refused'][counter % COUNTERS]} of ${table}`
  }
  const stream = world.game.declaration.streams?.[Math.floor((word - STREAMS) / STREAM_WORDS)]
  return `random stream ${stream}`
}

function show(value: number): string {
  return Object.is(value, -0) ? '-0' : String(value)
}
