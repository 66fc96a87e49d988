/** `why` about the scenarios of the seed document; the README shows the same answers. */

import { why } from 'hurtbox'
import { playScene, startScene } from 'hurtbox/tools'
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
    'hits: projectile hits enemy: 2 and 1: accepted',
    'hp of things id 1: 10 → 0',
    'leaving of things id 2: 0 → 1',
    '1 is pushed by (50, 0)',
  ])
})

test('[NF46] why explains a near miss by how much was missing', () => {
  expect(answer('scenario-1-original', 2, 2, 1)).toEqual(['hits: apart: 4 were missing'])
})

test('[NF46] why explains a touch that i-frames stopped', () => {
  expect(answer('scenario-2', 1, 2, 3)).toEqual([
    'hits: enemy touches survivor: 2 and 3: refused, 3 was invulnerable at 1, until 60',
  ])
})
