/** The scene `lanes` has the first blows of two bots; the README shows the same answers. */

import { playScene, startScene, why } from 'hurtbox'
import { expect, test } from 'vitest'
import { shortScenes } from '../scenes/index.ts'

const lanes = shortScenes.find(({ name }) => name === 'lanes')!
const session = startScene(lanes)
playScene(lanes, session, 400)

/** What `why` answers about two things in a tick, as lines. */
function answer(tick: number, a: number, b: number): string[] {
  return why(session, tick, a, b).flatMap(({ phase, text, changes }) => [`${phase}: ${text}`, ...changes])
}

test('[SG53] why explains a hit: which rule, and what it changed', () => {
  // Elara's arrow, 58, passes through minion 33 and ends in champion 19.
  expect(answer(272, 58, 33)).toEqual([
    'hits: blow-hits-unit: 58 against 33: hit',
    'hp of things id 33 becomes 407',
    'pierceLeft of things id 58 loses 1',
  ])
  const [hit, hp, gone] = answer(275, 58, 19)
  expect(hit).toBe('hits: blow-hits-unit: 58 against 19: hit')
  expect(hp).toMatch(/^hp of things id 19 becomes 490\.68/)
  expect(gone).toBe('leaving of things id 58 becomes 1')
})

test('[SG53] why explains a near miss by how much was missing', () => {
  // The warrior's charge, 93, is about to reach champion 20.
  expect(answer(384, 93, 20)[0]).toMatch(/^hits: apart: \d+\.\d+ were missing$/)
})

test('[SG53] why explains what a blow does not do: hit twice, or hit its own side', () => {
  expect(answer(382, 93, 39)).toEqual([
    'hits: blow-hits-unit: 93 against 39: no hit, this attack has already hit this victim',
  ])
  expect(answer(241, 56, 19)).toEqual(['hits: blow-hits-unit: 56 against 19: no hit, both are on team 1'])
})
