/**
 * The README of a game is run: its commands print what it shows, and its tables are those of the declaration.
 *
 * After a deliberate change, `HURTBOX_UPDATE_DOCS=1 npx vitest run games/<game>/test/readme.test.ts` writes it anew.
 */

import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Declaration } from 'hurtbox'
import { expect } from 'vitest'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const EXAMPLE = /```console\n\$ (npx hurtbox .*)\n([\s\S]*?)```/g

/**
 * Runs the commands of the page that `isAsked` does not leave out, and compares what they print, but for the speed. Gives
 * what was printed, in order.
 */
export function expectExamplesToHold(game: string, isAsked: (command: string) => boolean = () => true): string[] {
  const file = `${ROOT}games/${game}/README.md`
  const page = readFileSync(file, 'utf8')
  const examples = [...page.matchAll(EXAMPLE)]
    .filter(([, command]) => isAsked(command))
    .map(([, command, shown]) => ({ command, shown, printed: run(command) }))
  if (process.env.HURTBOX_UPDATE_DOCS) {
    const printed = new Map(examples.map((example) => [example.command, example.printed]))
    const update = (_: string, command: string, shown: string) =>
      `\`\`\`console\n$ ${command}\n${printed.get(command) ?? shown}\`\`\``
    writeFileSync(file, page.replace(EXAMPLE, update))
  } else {
    for (const { command, shown, printed } of examples) expect(withoutSpeed(printed), command).toBe(withoutSpeed(shown))
  }
  return examples.map(({ printed }) => printed)
}

/** The page lists every option, and every tuning value with its default and unit, in the order of the declaration. */
export function expectTablesToHold(game: string, { options = {}, tuning = {} }: Declaration): void {
  const page = readFileSync(`${ROOT}games/${game}/README.md`, 'utf8')
  expect(rowsOf(page, 'Tuning')).toEqual(
    Object.entries(tuning).map(([name, { value, unit }]) => [`\`${name}\``, String(value), unit]),
  )
  const names = rowsOf(page, 'Options').map(([cell]) => cell)
  expect(names.join(', ')).toBe(
    Object.keys(options)
      .map((name) => `\`${name}\``)
      .join(', '),
  )
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

/** Runs the repository's own command, as npx would. */
function run(command: string): string {
  const words = command.replace('npx hurtbox', 'packages/cli/bin/hurtbox.js').split(' ')
  return execFileSync(process.execPath, words, { cwd: ROOT, encoding: 'utf8' })
}

/** How fast it was is the one thing that differs from run to run. */
function withoutSpeed(text: string): string {
  return text.replace(/^ *speed.*\n/m, '')
}
