/** Harbour Brawl in longer matches. */

import { expect, test } from 'vitest'
import { playMatch } from './match.ts'
import { playOnline } from './online.ts'

test('[EX2] in a long match there is everything: parries, poison, holds, throws, the flag brought home, a broken part, returns', () => {
  const { seen, count } = playMatch(5000)
  const wanted = ['parried', 'thrown', 'flagHome', 'zoneBroken', 'status 0', 'status 2', 'damage', 'kill']
  expect(wanted.filter((kind) => !seen.has(kind))).toEqual([])
  expect(Math.min(count.returned, count.carried, count.opened)).toBeGreaterThan(20)
})

test('[EX3] the same in longer matches, with three and six players', { timeout: 600_000 }, () => {
  for (const [clients, seed] of [
    [3, 11],
    [6, 12],
  ]) {
    const { lists, notFinite, mismatches } = playOnline(clients, 1000, seed)
    expect([notFinite, mismatches]).toEqual([0, 0])
    expect(lists.length).toBe(clients)
    for (const { heard, due } of lists) expect(heard).toEqual(due)
  }
})
