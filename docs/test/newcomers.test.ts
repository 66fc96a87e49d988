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

/** What a speed, a strength or a time is called. */
const NAMED = 'speed|strength|most|atMost|gravity|impulse|launch|stop|startup|active|recovery|cooldown|life|perTick'
const UNIT = /per second|per tick|`ticks`|this tick|in a tick|a tick|ticks|seconds/i

const kits = globSync(['packages/hurtbox/src/kits/**/*.ts', 'packages/hurtbox/src/rules/contacts/*.ts'], {
  cwd: fileURLToPath(new URL('../..', import.meta.url)),
}).filter((file) => !/\.test\.|fixtures/.test(file))

test('[DC6] every public function that takes a speed, a strength or a time says per what, in its own words', () => {
  const takes = new RegExp(`\\b(${NAMED}|ticks)\\b[?]?: (number|boolean|\\()`)
  let found = 0
  for (const file of kits) {
    for (const [, comment, signature] of read(file).matchAll(
      /\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\n(export function [\s\S]*?\)(?=: | \{))/g,
    )) {
      if (!takes.test(signature)) continue
      found++
      expect(comment, `${file}: ${signature}`).toMatch(UNIT)
    }
  }
  expect(found).toBeGreaterThanOrEqual(12)
})

test('[DC6] so does every option and field of content: the comment above it, or that of the fields just above it', () => {
  const isNamed = new RegExp(`^ {2}readonly (${NAMED})\\??: (number|boolean|\\()`)
  let found = 0
  for (const file of kits) {
    for (const [, type, fields] of read(file).matchAll(
      /^(?:export )?type (\w+(?:Spec|Options))\b.*\{\n([\s\S]*?)^\}/gm,
    )) {
      let comment = ''
      let isOpen = false
      for (const line of fields.split('\n')) {
        if (line.startsWith('  /**')) comment = ''
        isOpen = line.startsWith('  /**') || isOpen
        if (isOpen) comment += line
        if (line.endsWith('*/')) isOpen = false
        if (!isNamed.test(line)) continue
        found++
        expect(comment, `${file}: ${type}: ${line.trim()}`).toMatch(UNIT)
      }
    }
  }
  expect(found).toBeGreaterThanOrEqual(16)
})
