/** The frame data of Sumo as a table for people. `node games/sumo/frame-table.ts` writes it into the README. */

import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { type FrameData, frameData } from 'hurtbox/abilities'
import { abilities, declaration } from './rules/declaration.ts'

export const README = fileURLToPath(new URL('README.md', import.meta.url))

const COLUMNS: readonly (readonly [title: string, cell: (row: FrameData) => string])[] = [
  [
    'ability',
    ({ ability, step }) =>
      abilities.list[abilities.names.indexOf(ability as never)].steps > 1 ? `${ability} ${step}` : ability,
  ],
  ['startup', ({ startup }) => String(startup)],
  ['active', ({ active }) => String(active)],
  ['recovery', ({ recovery }) => String(recovery)],
  ['cooldown', ({ cooldown }) => String(cooldown)],
  ['on hit', ({ advantage }) => (advantage === undefined ? '–' : `${advantage < 0 ? '−' : '+'}${Math.abs(advantage)}`)],
  ['damage', ({ damage }) => (damage === 0 ? '–' : String(damage))],
  ['reach, m', ({ reach }) => (reach === undefined ? '–' : String(Math.round(reach * 100) / 100))],
]

/** The table, in Markdown. */
export function frameTable(): string {
  const rows = frameData(abilities, declaration.tickRate).map((row) => COLUMNS.map(([, cell]) => cell(row)))
  const titles = COLUMNS.map(([title]) => title)
  const widths = titles.map((title, i) => Math.max(title.length, ...rows.map((row) => row[i].length)))
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, i) => (i === 0 ? cell.padEnd(widths[i]) : cell.padStart(widths[i]))).join(' | ')} |`
  const rule = `| ${widths.map((width, i) => (i === 0 ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`)).join(' | ')} |`
  return [line(titles), rule, ...rows.map(line)].join('\n')
}

const START = '<!-- frame data: written by frame-table.ts -->\n'
const END = '\n<!-- end of frame data -->'

/** The README with the table of today. */
export function withFrameTable(readme: string): string {
  const [start, end] = [readme.indexOf(START), readme.indexOf(END)]
  if (start < 0 || end < start) throw new Error(`${README} has no place for the frame data.`)
  return readme.slice(0, start + START.length) + frameTable() + readme.slice(end)
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  writeFileSync(README, withFrameTable(readFileSync(README, 'utf8')))
}
