/** The scenarios of the seed document are small enough to be told in words; the README shows the same answers. */

import { playScene, startScene, why } from 'hurtbox'
import { expect, test } from 'vitest'
import { shortScenes } from '../scenes/index.ts'

/** What `why` answers about two things of a scene in a tick, as lines. */
function answer(scene: string, tick: number, a: number, b: number): string[] {
  const asked = shortScenes.find(({ name }) => name === scene)!
  const session = startScene(asked)
  playScene(asked, session, Math.min(asked.ticks, tick + 1))
  return why(session, tick, a, b).flatMap(({ phase, text, changes }) => [`${phase}: ${text}`, ...changes])
}

test('[NF46] why explains a hit: which rule, and what it changed', () => {
  expect(answer('scenario-1', 0, 2, 1)).toEqual([
    'hits: projectile-enemy: 2 against 1: hit',
    'hp of things id 1 becomes 0',
    'x of things id 1 gains 50',
    'y of things id 1 gains 0',
    'leaving of things id 2 becomes 1',
  ])
})

test('[NF46] why explains a near miss by how much was missing', () => {
  expect(answer('scenario-1-original', 2, 2, 1)).toEqual(['hits: apart: 4 were missing'])
})

test('[NF46] why explains a touch that i-frames stopped', () => {
  expect(answer('scenario-2', 1, 2, 3)).toEqual(['hits: enemy-player: 2 against 3: no hit, 3 was invulnerable at 1'])
})
