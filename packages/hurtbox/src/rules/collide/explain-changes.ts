/** What a rule changed, in words, read from the journal that could undo it. */

import { NO_TABLE, type Region } from '../../state/layout.ts'
import { COUNTERS, NEXT_ID } from '../../state/table.ts'
import { byteOf, type Journal } from '../../world/handles/journal.ts'
import type { AnyWorld } from '../../world/world.ts'

/** What the last rule changed, in words: each value once, from what it was to what it is now, and every row it added. */
export function describeChanges(world: AnyWorld, journal: Journal, mark: number, moveMark: number): string[] {
  const lines: string[] = []
  const seen = new Set<number>()
  const added = new Set<string>()
  for (let i = mark; i < journal.count; i++) {
    const byte = byteOf(journal, i)
    const isCounter = byte < world.memory.layout.headerWords * 4
    // The counters are noted again for every row that is added.
    if (seen.has(byte) && !isCounter) continue
    seen.add(byte)
    const line = isCounter
      ? describeAdded(world, byte, journal.old[i], added)
      : describeValue(world, byte, journal.old[i], added)
    if (line !== '') lines.push(line)
  }
  const { moves } = journal
  const { id } = world.tables.things
  for (let i = moveMark; i < moves.count; i++) {
    const how = moves.isPlace[i] === 1 ? 'moves to' : 'is pushed by'
    lines.push(`${id[moves.row[i]]} ${how} (${format(moves.x[i])}, ${format(moves.y[i])})`)
  }
  return lines
}

/** A counter in the header: `things id 3 is added`. A row that did not fit leaves the counter as it was. */
function describeAdded({ memory }: AnyWorld, byte: number, old: number, added: Set<string>): string {
  const { layout, header } = memory
  const counter = byte / 4 - layout.countersAt
  if (counter < 0 || counter % COUNTERS !== NEXT_ID || header[byte / 4] <= old) return ''
  const row = `${layout.tableNames[Math.floor(counter / COUNTERS)]} id ${old + 1}`
  added.add(row)
  return `${row} is added`
}

/** One value of the block: `hp of things id 2: 30 → 18`. What a row was given after it was added is not listed. */
function describeValue({ memory }: AnyWorld, byte: number, old: number, added: ReadonlySet<string>): string {
  const { layout, tables, columns } = memory
  const place = layout.regions.filter(({ byteOffset }) => byteOffset <= byte).length - 1
  const region: Region = layout.regions[place]
  const { array, width } = columns[place]
  const index = (byte - region.byteOffset) / array.BYTES_PER_ELEMENT
  if (array[index] === old || index >= array.length) return ''
  const part = width > 1 ? `[${index % width}]` : ''
  const change = `${format(old)} → ${format(array[index])}`
  if (region.table === NO_TABLE) return `${region.column}${part}: ${change}`
  const row = `${layout.tableNames[region.table]} id ${tables[region.table].id[Math.floor(index / width)]}`
  return added.has(row) ? '' : `${region.column}${part} of ${row}: ${change}`
}

/** A number as a trace shows it. */
export function format(value: number): string {
  return value > 0 && value < 0.001 ? 'less than 0.001' : String(Math.round(value * 1000) / 1000)
}
