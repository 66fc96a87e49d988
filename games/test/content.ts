/**
 * Tests the page CONTENT.md of a game: the numbers that its designers chose, as tables for players.
 *
 * No rule says that a whip must do 15 damage, so the page is the promise: a number that changes changes there, too. After a
 * deliberate change `HURTBOX_WRITE=1 npx vitest run games/<game>/test/content.test.ts` writes it.
 */

import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect } from 'vitest'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))

/** A table by heading: a row for each record, a column for each field that any of them has. */
export type ContentTables = Readonly<Record<string, readonly object[]>>

export function expectContentPage(game: string, title: string, tables: ContentTables): void {
  const path = `${ROOT}games/${game}/CONTENT.md`
  const page = pageOf(title, tables)
  if (process.env.HURTBOX_WRITE) writeFileSync(path, page)
  const written = existsSync(path) ? readFileSync(path, 'utf8') : ''
  expect(page.split('\n'), `HURTBOX_WRITE=1 writes games/${game}/CONTENT.md`).toEqual(written.split('\n'))
}

function pageOf(title: string, tables: ContentTables): string {
  const parts = Object.entries(tables).map(([heading, records]) => `## ${heading}\n\n${tableOf(records)}\n`)
  const note = 'Written from `rules/content`; a test compares the two. A field that a row does not have is left empty.'
  return `# ${title}\n\n${note}\n\n${parts.join('\n')}`
}

function tableOf(records: readonly object[]): string {
  const rows = records.map((record) => flatten(record))
  // The name first, wherever the records have it.
  const fields = [...new Set(['name', ...rows.flatMap((row) => Object.keys(row))])].filter((field) =>
    rows.some((row) => field in row),
  )
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  return [
    line(fields),
    line(fields.map(() => '---')),
    ...rows.map((row) => line(fields.map((f) => row[f] ?? ''))),
  ].join('\n')
}

/** `{ perLevel: { damage: 4 } }` becomes `perLevel damage`; lists of numbers are one cell. */
function flatten(record: object, prefix = ''): Record<string, string> {
  const cells: Record<string, string> = {}
  for (const [name, value] of Object.entries(record)) {
    const isRecord = typeof value === 'object' && value !== null && !Array.isArray(value)
    if (isRecord) Object.assign(cells, flatten(value, `${prefix}${name} `))
    else if (value !== undefined) cells[prefix + name] = cellOf(value)
  }
  return cells
}

function cellOf(value: unknown): string {
  if (Array.isArray(value)) return value.map(cellOf).join(', ')
  if (typeof value === 'object' && value !== null) return Object.values(value).map(cellOf).join(' ')
  return String(value)
}
