/** Two states of one game side by side: of two ticks, of two futures, of a client and its server. */

import type { AnyTable, AnyWorld } from 'hurtbox/tools'

export type Compared = {
  /** Things that differ, those of players first. */
  readonly things: readonly ComparedThing[]
  /** Cells of other tables, arrays and globals that differ. */
  readonly others: readonly ComparedCell[]
  /** How many more things differ than are listed. */
  readonly left: number
}

type ComparedThing = {
  readonly id: number
  readonly is: 'changed' | 'only here' | 'only there'
  readonly columns: readonly ComparedColumn[]
}

type ComparedColumn = { readonly column: string; readonly here: number; readonly there: number }
type ComparedCell = ComparedColumn & { readonly table: string; readonly row: number }

const MOST_THINGS = 40
const MOST_CELLS = 40

/** `only` compares one thing and nothing else. */
export function compareWorlds(here: AnyWorld, there: AnyWorld, only?: number): Compared {
  const [a, b] = [rowsById(here), rowsById(there)]
  const owned = new Set<number>(thingsOfPlayers(here))
  const ids = only === undefined ? [...new Set([...a.keys(), ...b.keys()])] : [only]
  ids.sort((first, second) => Number(owned.has(second)) - Number(owned.has(first)) || first - second)
  const things: ComparedThing[] = []
  let left = 0
  for (const id of ids) {
    const [rowA, rowB] = [a.get(id), b.get(id)]
    if (rowA === undefined && rowB === undefined) continue
    const is = rowA === undefined ? 'only there' : rowB === undefined ? 'only here' : 'changed'
    const columns =
      rowA === undefined || rowB === undefined
        ? []
        : compareRows(here.tables.things as AnyTable, rowA, there.tables.things as AnyTable, rowB)
    if (is === 'changed' && columns.length === 0) continue
    if (things.length < MOST_THINGS) things.push({ id, is, columns })
    else left++
  }
  return { things, others: only === undefined ? compareOthers(here, there) : [], left }
}

function rowsById({ tables: { things } }: AnyWorld): Map<number, number> {
  const rows = new Map<number, number>()
  for (let row = 0; row < things.count; row++) rows.set(things.id[row], row)
  return rows
}

function thingsOfPlayers({ tables: { players } }: AnyWorld): number[] {
  return [...players.thing.subarray(0, players.count)]
}

function compareRows(tableA: AnyTable, rowA: number, tableB: AnyTable, rowB: number): ComparedColumn[] {
  const found: ComparedColumn[] = []
  tableA.columns.forEach(({ name, array, width }, i) => {
    for (let place = 0; place < width; place++) {
      const [here, there] = [array[rowA * width + place], tableB.columns[i].array[rowB * width + place]]
      if (!Object.is(here, there)) found.push({ column: width === 1 ? name : `${name}[${place}]`, here, there })
    }
  })
  return found
}

/** Everything but things: tables by row, arrays and globals by place. What the match was tuned to is known anyway. */
function compareOthers(a: AnyWorld, b: AnyWorld): ComparedCell[] {
  const found: ComparedCell[] = []
  for (const [name, table] of Object.entries(a.tables as Readonly<Record<string, AnyTable>>)) {
    if (name === 'things' || name === 'hits') continue
    const other = (b.tables as Readonly<Record<string, AnyTable>>)[name]
    for (let row = 0; row < Math.max(table.count, other.count) && found.length < MOST_CELLS; row++) {
      if (row >= table.count || row >= other.count) {
        found.push({
          table: name,
          row,
          column: 'row',
          here: Number(row < table.count),
          there: Number(row < other.count),
        })
      } else for (const cell of compareRows(table, row, other, row)) found.push({ table: name, row, ...cell })
    }
  }
  for (const [name, value] of Object.entries(a.globals as Readonly<Record<string, number>>)) {
    const there = (b.globals as Readonly<Record<string, number>>)[name]
    if (!Object.is(value, there)) found.push({ table: 'globals', row: 0, column: name, here: value, there })
  }
  return found.slice(0, MOST_CELLS)
}
