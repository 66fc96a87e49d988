/** What a newcomer has to know: few words on the first two pages, and a unit wherever a number has one. */

import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const read = (file: string) => readFileSync(fileURLToPath(new URL(`../../${file}`, import.meta.url)), 'utf8')

/**
 * Words of the glossary that are ordinary English on these pages: the knight's swing, cut and attack, the press of a key, a window of the
 * desktop, and the variable HOST.
 */
const ORDINARY = ['swing', 'cut', 'attack', 'press', 'window', 'host']

test('[DC5] the first hit and the own game need at most 16 words of the glossary together', () => {
  const pages = ['docs/guide/first-hit.md', 'docs/guide/own-game.md'].map(read).join('\n')
  const words = [...read('docs/glossary.md').matchAll(/^\| \*\*(.+?)\*\* \|/gm)].flatMap(([, names]) =>
    names.split(', '),
  )
  expect(words.length).toBeGreaterThan(80)
  const met = words.filter((word) => !ORDINARY.includes(word) && new RegExp(`\\b${word}(s|es)?\\b`, 'i').test(pages))
  expect([...new Set(met)].length, met.join(', ')).toBeLessThanOrEqual(16)
})

test('[DC6] every public function and option that takes a speed, a strength or a time says per what, in its own words', () => {
  const files = globSync(
    ['packages/hurtbox/src/kits/{motion,combat}/**/*.ts', 'packages/hurtbox/src/rules/contacts/*.ts'],
    {
      cwd: fileURLToPath(new URL('../..', import.meta.url)),
    },
  ).filter((file) => !file.includes('.test.'))
  const UNITLESS = /\b(speed|strength|most|atMost|ticks|gravity|perTick)\b[?]?: (number|boolean|\()/
  const UNIT = /per second|per tick|`ticks`|this tick|in a tick|a tick|ticks/
  let found = 0
  for (const file of files) {
    const text = read(file)
    for (const [, comment, signature] of text.matchAll(
      /\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\n(export function [\s\S]*?\)(?=: | \{))/g,
    )) {
      if (!UNITLESS.test(signature)) continue
      found++
      expect(comment, `${file}: ${signature}`).toMatch(UNIT)
    }
    for (const [, comment, option] of text.matchAll(/\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\n {2}readonly (\w+\??: .*)/g)) {
      if (!UNITLESS.test(option)) continue
      found++
      expect(comment, `${file}: ${option}`).toMatch(UNIT)
    }
  }
  expect(found).toBeGreaterThanOrEqual(12)
})
