/**
 * The README is run: its commands print what it shows, and its tables are those of the declaration.
 *
 * After a deliberate change, `HURTBOX_UPDATE_DOCS=1 npx vitest run games/jet-raiders/test/readme.test.ts` writes it anew.
 */

import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { declaration } from '../rules/index.ts'

const ROOT = fileURLToPath(new URL('../../../', import.meta.url))
const README = fileURLToPath(new URL('../README.md', import.meta.url))

const EXAMPLE = /```console\n\$ (npx hurtbox .*)\n([\s\S]*?)```/g

test('[JR38] the commands of the README print what it shows, the hash of a whole match included', () => {
  const page = readFileSync(README, 'utf8')
  const examples = [...page.matchAll(EXAMPLE)].map(([, command, shown]) => ({ command, shown, printed: run(command) }))
  expect(examples.length).toBeGreaterThan(3)
  if (process.env.HURTBOX_UPDATE_DOCS) {
    const printed = examples.values()
    const update = (_: string, command: string) => `\`\`\`console\n$ ${command}\n${printed.next().value!.printed}\`\`\``
    writeFileSync(README, page.replace(EXAMPLE, update))
    return
  }
  for (const { command, shown, printed } of examples) expect(withoutSpeed(printed), command).toBe(withoutSpeed(shown))
  const [match] = examples
  expect(match.printed).toMatch(/ticks +37,500, 600\.0 s of play/)
  expect(match.printed).toMatch(/result +over, seat \d+ wins \(kills \d+, deaths \d+\)/)
  expect(match.printed).toMatch(/stats .*hits [\d,]+, kills [\d,]+, damage bullet [\d,]+/)
})

test('[JR38] the README lists every option, and every tuning value with its default and unit', () => {
  const page = readFileSync(README, 'utf8')
  const firstCells = (section: string) => rowsOf(page, section).map(([cell]) => cell)
  expect(rowsOf(page, 'Tuning')).toEqual(
    Object.entries(declaration.tuning).map(([name, { value, unit }]) => [`\`${name}\``, String(value), unit]),
  )
  expect(firstCells('Options').join(', ')).toBe(
    Object.keys(declaration.options)
      .map((name) => `\`${name}\``)
      .join(', '),
  )
})

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
