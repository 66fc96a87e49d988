/** The scenarios of the seed document, each with a set-up that does what it says and with the document's own. */

import { each, eventsOf, playerAt } from 'hurtbox'
import type { Scenario } from 'hurtbox/module'
import { type AnyGame, playScene, startScene } from 'hurtbox/tools'
import { scenario } from '../scenario.ts'
import type { declaration, NightWorld } from './rules/declaration.ts'
import { shortScenes } from './scenes/index.ts'

/** Plays a scene and says, tick by tick from 1 on, which hits and kills there were, and what is left at the end. */
function outcomeOf(game: AnyGame, name: string): string {
  const scene = { ...shortScenes.find((each) => each.name === name)!, game }
  const session = startScene(scene)
  const world = session.world as unknown as NightWorld
  const parts: string[] = []
  for (let tick = 1; tick <= scene.ticks; tick++) {
    playScene(scene, session, 1)
    for (const { damage } of eventsOf(world, 'hit')) parts.push(`tick ${tick}: hit for ${damage}`)
    for (const _ of eventsOf(world, 'kill')) parts.push(`tick ${tick}: kill`)
  }
  const enemies = Array.from(each(world, 'enemy'), ({ hp, x }) => `${hp} hp at x ${short(x)}`)
  parts.push(enemies.length === 0 ? 'no enemy left' : `enemies left: ${enemies.join(', ')}`)
  const survivor = playerAt(world, 0)?.thing
  if (survivor !== undefined) {
    const { hp, x, invulnerableUntil } = survivor
    parts.push(`survivor: ${hp} hp at x ${short(x)}, invulnerable until ${invulnerableUntil}`)
  }
  return parts.join('; ')
}

function short(value: number): string {
  return String(Number(value.toFixed(6)))
}

function scene(name: string, section: string, expected: string): Scenario<typeof declaration> {
  return scenario(name, section, expected, (game) => outcomeOf(game, name))
}

export const scenarios: readonly Scenario<typeof declaration>[] = [
  scene('scenario-1', 'scenario 1', 'tick 1: hit for 10; tick 1: kill; no enemy left'),
  scene('scenario-1-original', 'scenario 1 as set up there', 'tick 4: hit for 10; enemies left: 10 hp at x 450.833333'),
  // Knocked back by 100 px, the survivor stands on the second enemy, and its i-frames block it.
  scene(
    'scenario-2',
    'scenario 2',
    'tick 1: hit for 15; enemies left: 50 hp at x 400, 50 hp at x 505; survivor: 85 hp at x 500, invulnerable until 60',
  ),
  // Knocked back by a tick's part of that, it is the same enemy that is blocked.
  scene(
    'scenario-2-original',
    'scenario 2 as set up there',
    'tick 1: hit for 15; enemies left: 50 hp at x 400; survivor: 85 hp at x 401.666667, invulnerable until 60',
  ),
  scene(
    'scenario-3',
    'scenario 3',
    'tick 1: hit for 10; tick 1: hit for 10; tick 1: hit for 10; tick 1: kill; tick 1: kill; tick 1: kill; no enemy left',
  ),
  scene(
    'scenario-3-original',
    'scenario 3 as set up there',
    'tick 1: hit for 10; tick 1: kill; tick 8: hit for 10; tick 8: kill; tick 16: hit for 10; tick 16: kill; no enemy left',
  ),
]
