/** The verification list and the manual tests of the seed document, in its own numbers (`knockback: 'document'`). */

import { createWorld, each, playerAt, step } from 'hurtbox'
import type { Scenario } from 'hurtbox/module'
import type { PlayerInput } from 'hurtbox/tools'
import { scenario } from '../scenario.ts'
import type { declaration, SumoThing, SumoWorld } from './rules/declaration.ts'
import { STANDING } from './rules/fighters.ts'
import type { sumo } from './rules/index.ts'

type Game = typeof sumo
type Input = Omit<PlayerInput<(typeof declaration)['input']>, 'seat'>

type Trial = { readonly world: SumoWorld; readonly fighter: SumoThing; readonly dummy: SumoThing }

/** A fighter at the origin that looks along +x, and the dummy at this distance in front of it, both at rest. */
function trial(game: Game, distance: number): Trial {
  const world = createWorld(game, { options: { mode: 'practice', dummy: true, knockback: 'document' } })
  step(world, { controls: [{ control: 'join', seat: 0 }] })
  const fighter = playerAt(world, 0)!.thing!
  const [dummy] = each(world, 'character')
  const atRest = { y: 0, z: STANDING, vx: 0, vy: 0, vz: 0, facingX: 1, facingY: 0, grounded: 1 }
  Object.assign(fighter, { x: 0, ...atRest })
  Object.assign(dummy, { x: distance, ...atRest })
  return { world, fighter, dummy }
}

/**
 * Plays, with the presses of each tick, and says in which ticks after the first press the dummy was struck, what each
 * strike added to its speed, and what is left.
 */
function strikes({ world, fighter, dummy }: Trial, presses: Readonly<Record<number, Input>>, ticks: number): string {
  const parts: string[] = []
  const place = dummy.x
  for (let tick = 0; tick < ticks; tick++) {
    step(world, { players: [{ seat: 0, ...presses[tick] }] })
    const { strike } = world.events
    for (let n = 0; n < strike.count; n++) {
      const who = strike.victim[n] === dummy.id ? 'dummy' : 'fighter'
      parts.push(`tick ${tick}: ${who} struck, speed ${[dummy.vx, dummy.vy, dummy.vz].map(short).join(' ')}`)
    }
    // Back where it was, at rest, so that the next step of a combo reaches it again.
    if (strike.count > 0) Object.assign(dummy, { x: place, y: 0, z: STANDING, vx: 0, vy: 0, vz: 0 })
  }
  if (parts.length === 0) parts.push('nobody struck')
  parts.push(`fighter at ${short(fighter.x)} ${short(fighter.y)}`)
  parts.push(`projectiles left: ${[...each(world, 'projectile')].length}`)
  return parts.join('; ')
}

function short(value: number): string {
  return String(Number(value.toFixed(3)))
}

export const scenarios: readonly Scenario<typeof declaration>[] = [
  // 15 / 7.33 kg along (1, 0.3 up), normalised.
  scenario(
    'punch',
    'verification 1, 3 and 5',
    'tick 4: dummy struck, speed 1.96 0 0.588; fighter at 0 0; projectiles left: 0',
    (game) => strikes(trial(game, 2.4), { 0: { punch: 1 } }, 40),
  ),
  scenario(
    'combo',
    'manual testing 2',
    'tick 4: dummy struck, speed 1.96 0 0.588; tick 17: dummy struck, speed 1.96 0 0.588; ' +
      'tick 30: dummy struck, speed 1.96 0 0.588; fighter at 0 0; projectiles left: 0',
    (game) => strikes(trial(game, 2.4), { 0: { punch: 1 }, 8: { punch: 1 }, 20: { punch: 1 } }, 60),
  ),
  scenario(
    'fireball',
    'verification 2 and 4, manual testing 3',
    'tick 15: dummy struck, speed 2.613 0 0.784; fighter at 0 0; projectiles left: 0',
    (game) => strikes(trial(game, 5.5), { 0: { fireball: 1 } }, 60),
  ),
  scenario(
    'fireball-at-nothing',
    'manual testing 4',
    'tick 197: projectiles 1; tick 198: projectiles 0; nobody struck',
    (game) => {
      const { world, dummy } = trial(game, 5)
      Object.assign(dummy, { x: -5 })
      let struck = 0
      const left = Array.from({ length: 199 }, (_, tick) => {
        step(world, { players: [{ seat: 0, fireball: tick === 0 ? 1 : 0 }] })
        struck += world.events.strike.count
        return [...each(world, 'projectile')].length
      })
      const last = left.lastIndexOf(1)
      const words = [last, last + 1].map((tick) => `tick ${tick}: projectiles ${left[tick]}`)
      return `${words.join('; ')}; ${struck === 0 ? 'nobody struck' : `${struck} struck`}`
    },
  ),
  scenario('no-self-hit', 'manual testing 5', 'nobody struck; fighter at 0 0; projectiles left: 1', (game) =>
    strikes(trial(game, -7), { 0: { punch: 1 }, 20: { fireball: 1 } }, 60),
  ),
]
