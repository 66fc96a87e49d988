/** The scene `duel` is small enough to be explained in words; the README shows the same answers. */

import { why } from 'hurtbox'
import { playScene, startScene } from 'hurtbox/tools'
import { expect, test } from 'vitest'
import { shortScenes } from '../scenes/index.ts'

const duel = shortScenes.find(({ name }) => name === 'duel')!
const session = startScene(duel)
playScene(duel, session, duel.ticks)

/** What `why` answers about two things in a tick, as lines. */
function answer(tick: number, a: number, b: number): string[] {
  return why(session, tick, a, b).flatMap(({ phase, text, changes }) => [`${phase}: ${text}`, ...changes])
}

test('[SG53] why explains a hit: which rule, and what it changed', () => {
  // Elara's arrow, 22, finds the warrior, 21, and flies on.
  const [hit, hp, , pierced] = answer(187, 22, 21)
  expect(hit).toBe('hits: blow hits unit: 22 and 21: accepted')
  expect(hp).toBe('hp of things id 21: 580 → 526.154')
  expect(pierced).toBe('pierceLeft of things id 22: 3 → 2')
})

test('[SG53] why explains a near miss by how much was missing', () => {
  // A tower's shot, 23, is about to pass gorath, 20, on its way to the warrior, 21.
  expect(answer(214, 23, 20)).toEqual(['hits: apart: 2.986 were missing'])
  expect(answer(215, 23, 20)).toEqual(['hits: shot hits unit: 23 and 20: refused by the rule: "not its target"'])
})

test('[SG53] why explains what a blow does not do: hit its own side, hit twice, hit the dead', () => {
  const no = (tick: number, blow: number, victim: number) => answer(tick, blow, victim).join().split('refused, ')[1]
  expect(no(183, 22, 20)).toBe('both are on team 1')
  // The charge of the warrior, 21, goes along with him, so the blow is his.
  expect(no(205, 21, 20)).toContain('this attack has already hit this victim')
  expect(no(426, 26, 21)).toBe('21 had no health left')
})
