/**
 * Tests the README of a game: its commands print what it shows, its tables are those of the declaration, its keys those of
 * the view. All five have the same headings, so readers of one find their way in the others.
 *
 * After a deliberate change, `npm run measure -- figures --only examples` writes what the commands print.
 */

import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { InputBinding, View } from '@hurtbox/view'
import type { Declaration } from 'hurtbox/tools'
import { expect } from 'vitest'
import { rerunExamples, staleExamples } from '../../scripts/figures/examples.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))

/** Runs the commands of the page; they print what it shows. Returns what was printed, in order. */
export async function expectExamplesToHold(game: string): Promise<string[]> {
  const page = `games/${game}/README.md`
  const examples = await rerunExamples(page)
  expect(staleExamples(page, examples)).toEqual([])
  return examples.map(({ printed }) => printed)
}

const HEADINGS = [
  'How to play',
  'Commands',
  'What it shows of the engine',
  'Rules',
  'Options',
  'Tuning',
  'From the document to the code',
  'Where the document and its original contradict',
  'How to change it',
  'Files',
]

/**
 * The page has the headings of all games. It lists every key, every option, and every tuning value with its default and unit,
 * in the order of the view and of the declaration.
 */
export function expectTablesToHold<D extends Declaration>(game: string, declaration: D, { controls }: View<D>): void {
  const page = readFileSync(`${ROOT}games/${game}/README.md`, 'utf8')
  const { options = {}, tuning = {} } = declaration
  const code = (name: string) => `\`${name}\``
  expect([...page.matchAll(/^## (.*)$/gm)].map(([, heading]) => heading)).toEqual(HEADINGS)
  expect(rowsOf(page, 'How to play')).toEqual(keyRows(Object.values(controls.fields)))
  expect(
    rowsOf(page, 'Options')
      .map(([cell]) => cell)
      .join(', '),
  ).toBe(Object.keys(options).map(code).join(', '))
  expect(rowsOf(page, 'Tuning')).toEqual(
    Object.entries(tuning).map(([name, { value, unit }]) => [code(name), String(value), unit]),
  )
}

/** Each action with its keys and mouse buttons; fields with the same label share a row. */
function keyRows(bindings: readonly InputBinding[]): string[][] {
  const rows = new Map<string, string[]>()
  for (const binding of bindings) rows.set(binding.label, [...(rows.get(binding.label) ?? []), ...keysOf(binding)])
  return [...rows].map(([label, keys]) => [label, [...new Set(keys)].join(' · ')])
}

function keysOf(binding: InputBinding): string[] {
  if (binding.kind === 'choice') {
    return Object.entries(binding.keys ?? {}).map(([name, codes]) =>
      [...new Set([...codes.map(nameKey), name])].join(' '),
    )
  }
  const mouse = binding.pointer === undefined ? [] : [MOUSE[binding.pointer]]
  if (binding.kind === 'axis') return [...[...(binding.less ?? []), ...(binding.more ?? [])].map(nameKey), ...mouse]
  return binding.kind === 'button' || binding.kind === 'press'
    ? [...(binding.keys ?? []).map(nameKey), ...mouse]
    : mouse
}

const MOUSE = { primary: 'click', secondary: 'right click', hover: 'mouse', aimX: 'mouse', aimY: 'mouse' }
const ARROWS: Readonly<Record<string, string>> = { ArrowUp: '↑', ArrowDown: '↓', ArrowLeft: '←', ArrowRight: '→' }

function nameKey(code: string): string {
  return ARROWS[code] ?? code.replace(/^(Key|Digit)|Left$/, '')
}

/** The cells of the table in a section, without its head. */
function rowsOf(page: string, section: string): string[][] {
  const [, after] = page.split(`\n## ${section}\n`)
  const lines = after
    .split('\n## ')[0]
    .split('\n')
    .filter((line) => line.startsWith('|'))
  return lines.slice(2).map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  )
}
