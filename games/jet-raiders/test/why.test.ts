/** `why` about the scene `duel`; the README shows the same answers. */

import { why } from 'hurtbox'
import { playScene, startScene } from 'hurtbox/tools'
import { expect, test } from 'vitest'
import { shortScenes } from '../scenes/index.ts'

const duel = shortScenes.find(({ name }) => name === 'duel')!
const session = startScene(duel)
playScene(duel, session, 100)

/** What `why` answers about two things in a tick, as lines. */
function answer(tick: number, a: number, b: number): string[] {
  return why(session, tick, a, b).flatMap(({ phase, text, changes }) => [`${phase}: ${text}`, ...changes])
}

test('[JR35] why explains a hit: which rule, and what it changed', () => {
  expect(answer(48, 3, 2)).toEqual([
    'hits: shield stops bullet: 3 and 2: refused by the rule: "no shield"',
    'hits: bullet hits ship: 3 and 2: accepted',
    'hp of things id 2: 100 → 70',
    'leaving of things id 3: 0 → 1',
  ])
})

test('[JR35] why explains a near miss by how much was missing', () => {
  // Bullet 7 passes ship 2 and is never nearer than in tick 58.
  expect(answer(58, 7, 2)).toEqual(['hits: apart: 7.284 were missing'])
})

test('[JR35] why explains a bullet that a shield stopped', () => {
  expect(answer(60, 9, 1)).toEqual([
    'hits: shield stops bullet: 9 and 1: accepted',
    'leaving of things id 9: 0 → 1',
    'hits: bullet hits ship: 9 and 1: refused, one of them was leaving or was used up by an earlier contact of this tick',
  ])
})

test('[JR35] why explains a bullet that went through the dead', () => {
  expect(answer(69, 12, 2).at(-1)).toBe('hits: bullet hits ship: 12 and 2: refused, 2 had no health left')
})
