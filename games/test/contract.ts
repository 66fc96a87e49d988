/**
 * Turns the contract in a game's README into tests: the tables of order, timers, gates and edges.
 *
 * Every line of a table is a test, found by its first cell. It plays the rules and returns what it measured, which has to be what the
 * line says; a line of the order table returns nothing and expects by itself. A line without a test fails, and so does a test without a line.
 */

import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { defineGame, type Game, type World } from 'hurtbox'
import type { Declaration } from 'hurtbox/tools'
import { describe, expect, test } from 'vitest'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))

/** By the first cell of a line: what plays it. It returns the cells behind the first, as far as they can be measured. */
// biome-ignore lint/suspicious/noConfusingVoidType: a check that returns nothing expects by itself.
type Checks = Readonly<Record<string, () => readonly (string | number)[] | void>>

/** Makes a test of each line of the table under `### heading`; `rule` is its id in the specification. */
export function testTable(rule: string, game: string, heading: string, checks: Checks): void {
  const lines = linesOf(game, heading)
  describe(heading, () => {
    test.each(lines.map((cells) => [cells[0], cells]))(`[${rule}] ${heading}: %s`, (name, cells) => {
      const check = checks[name as string]
      if (check === undefined) throw new Error(`the line "${name}" under "${heading}" has no test`)
      const measured = check()
      if (measured !== undefined) expect(measured.map(String)).toEqual(cells.slice(1, 1 + measured.length))
    })

    test(`[${rule}] ${heading}: every test has its line, and the other way round`, () => {
      expect(Object.keys(checks)).toEqual(lines.map(([name]) => name))
    })
  })
}

/** The cells of the table under a heading of a game's README, without its head and without marks of code. */
export function linesOf(game: string, heading: string): string[][] {
  const page = readFileSync(`${ROOT}games/${game}/README.md`, 'utf8')
  const [, after = ''] = page.split(`\n### ${heading}\n`)
  const rows = after
    .split(/\n##+ /)[0]
    .split('\n')
    .filter((line) => line.startsWith('|'))
  return rows.slice(2).map((row) =>
    row
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim().replaceAll('`', '')),
  )
}

/** `a → b` for each two neighbouring phases of a world: what an order table has lines for. */
export function neighbours<D extends Declaration>({ game, options }: World<D>): string[] {
  const names = Object.keys(phasesOf(game, options))
  return names.slice(1).map((name, n) => `${names[n]} → ${name}`)
}

/** The same game with two neighbouring phases exchanged, to show that nobody would notice. */
export function exchanged<D extends Declaration>(game: Game<D>, pair: string): Game<D> {
  const [first, second] = pair.split(' → ')
  const phases = (options: World<D>['options']) => {
    const entries = Object.entries(phasesOf(game, options))
    const at = entries.findIndex(([name]) => name === first)
    if (entries[at + 1]?.[0] !== second) throw new Error(`${pair} are no neighbours`)
    entries.splice(at, 2, entries[at + 1], entries[at])
    return Object.fromEntries(entries)
  }
  return defineGame(game.declaration, { ...game.behaviour, phases } as Game<D>['behaviour']) as Game<D>
}

function phasesOf<D extends Declaration>({ behaviour }: Game<D>, options: World<D>['options']): Record<string, never> {
  const { phases } = behaviour
  return (typeof phases === 'function' ? phases(options as never) : phases) as Record<string, never>
}

/**
 * The first and the last tick in which something holds, where tick 0 is the one in which it begins; `holds` plays a fresh world to that
 * tick. It has to hold without a gap, and no longer in tick `end`.
 */
export function spanOf(end: number, holds: (tick: number) => boolean): readonly [first: number, last: number] {
  const first = [0, 1, 2].find(holds)
  if (first === undefined || holds(end)) throw new Error('it does not begin, or does not end')
  let [last, over] = [first, end]
  while (over - last > 1) {
    const middle = (last + over) >> 1
    if (holds(middle)) last = middle
    else over = middle
  }
  return [first, last]
}
