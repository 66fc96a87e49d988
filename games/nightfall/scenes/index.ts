/** Scenes of Nightfall: shared by tests, benchmarks, the command line and the studio. */

import { type AnyWorld, playBots, type Scene, type TickInputs } from 'hurtbox'
import { survivor } from '../bots/survivor.ts'
import { nightfall } from '../rules/index.ts'

/** One who does nothing but be there. */
function stand(tick: number, _world: AnyWorld): TickInputs {
  return tick === 0 ? { controls: [{ control: 'join', seat: 0 }] } : {}
}

type Start = 'scenario-1' | 'scenario-2' | 'scenario-3'

/** A scenario of the seed document with a set-up that does what it says, and the document's own with its true result. */
function scenario(start: Start, about: string, ticks: number, original: { about: string; ticks: number }): Scene[] {
  const common = { game: nightfall, seed: 999_888, ...(start === 'scenario-2' && { inputs: stand }) }
  return [
    { ...common, name: start, about, ticks, options: { start } },
    {
      ...common,
      name: `${start}-original`,
      about: original.about,
      ticks: original.ticks,
      options: { start: `${start}-original`, knockbackMode: 'per-tick' },
    },
  ]
}

export const scenes: readonly Scene[] = [
  {
    name: 'dusk',
    about: 'the field before anybody has come; add players with --bots',
    game: nightfall,
    seed: 42,
    // The whole night, and the drafts during which it stands still.
    ticks: 100_000,
  },
  {
    name: 'night',
    about: 'a bot plays the first two minutes',
    game: nightfall,
    seed: 7,
    ticks: 7200,
    inputs: playBots(survivor, 1, 7),
  },
  {
    name: 'storm',
    about: 'a field full of enemies under thousands of projectiles',
    game: nightfall,
    seed: 3,
    options: { start: 'storm' },
    tuning: { survivorHp: 1e6, gemWorth: 0 },
    ticks: 300,
    inputs: stand,
  },
  ...scenario('scenario-1', 'a projectile hits an enemy: 10 damage, killed', 1, {
    about: 'the first hit is on the fourth tick, and the enemy survives with 10 hp',
    ticks: 5,
  }),
  ...scenario('scenario-2', 'an enemy touches the survivor: 15 damage; the next tick is blocked by i-frames', 2, {
    about: 'the same, knocked back by 1.67 px only, so that the same enemy still touches in the next tick',
    ticks: 2,
  }),
  ...scenario('scenario-3', 'three projectiles hit three enemies: three kills, three damage events', 5, {
    about: 'kills on ticks 1, 8 and 16',
    ticks: 16,
  }),
]
