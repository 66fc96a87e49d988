/** Scenes of Nightfall: the whole night for the command line, and shorter ones that tests, benchmarks and engines share. */

import { playBots, type Scene } from 'hurtbox'
import type { AnyWorld, Control, TickInputs } from 'hurtbox/tools'
import { botPlayers } from '../../bot-players.ts'
import { survivor } from '../bots/survivor.ts'
import { nightfall as game } from '../rules/index.ts'

/** No players: what the scene has set up plays by itself. */
function nobody(): TickInputs {
  return {}
}

/** One player that does nothing. */
function stand(tick: number, _world: AnyWorld): TickInputs {
  return tick === 0 ? { controls: [{ control: 'join', seat: 0 }] } : {}
}

/** A pause, a player who leaves and comes back, a tuned value. */
const COMINGS_AND_GOINGS: Readonly<Record<number, Control>> = {
  60: { control: 'pause', paused: true },
  70: { control: 'pause', paused: false },
  290: { control: 'leave', seat: 2 },
  310: { control: 'join', seat: 2 },
  330: { control: 'tune', name: 'enemyKnockback', value: 20 },
}

type Scenario = 'scenario-1' | 'scenario-2' | 'scenario-3'

/** A scenario of the seed document with a set-up that does what it says, and the document's own with its true result. */
function scenario(start: Scenario, about: string, ticks: number, original: { about: string; ticks: number }): Scene[] {
  const common = { game, seed: 999_888, inputs: start === 'scenario-2' ? stand : nobody }
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

/** The game's first scene, which the command line fills with bots. */
const match: Scene = {
  name: 'match',
  about: 'a whole night, for any players',
  game,
  seed: 42,
  // 72,000 ticks of night, and those of the pauses for drafts.
  ticks: 100_000,
}

/** Lets a short scene reach its drafts. */
const GEMS_FLY = { magnetReach: 1000, magnetSpeed: 1000 }

/** Scenes with something to prove in a short time. */
export const shortScenes: readonly Scene[] = [
  {
    name: 'night',
    about: 'a bot plays from the start, for ten seconds; gems come by themselves',
    game,
    seed: 7,
    tuning: { ...GEMS_FLY, gemWorth: 10 },
    ticks: 600,
    inputs: playBots(survivor, 1, 7),
  },
  {
    name: 'horde',
    about:
      'four bots late in the night; gems come by themselves, all elites leave something, somebody goes and comes back',
    game,
    seed: 5,
    options: { fromMinute: 6 },
    tuning: { ...GEMS_FLY, gemWorth: 30, powerUpChance: 1, hazardEvery: 1, spawnRate: 0.5 },
    ticks: 360,
    inputs: botPlayers(Array(4).fill(survivor), 5, COMINGS_AND_GOINGS),
  },
  {
    name: 'storm',
    about: 'a field full of enemies of all kinds under a thousand projectiles',
    game,
    seed: 3,
    options: { start: 'storm', stormShots: 1000, stormEnemies: 300 },
    tuning: { survivorHp: 1e6, gemWorth: 0 },
    ticks: 40,
    inputs: stand,
  },
  ...scenario('scenario-1', 'a projectile hits an enemy: 10 damage, killed', 1, {
    about: 'the first hit is on the fourth tick, and the enemy survives with 10 hp',
    ticks: 5,
  }),
  ...scenario('scenario-2', 'an enemy touches the survivor: 15 damage; the next tick is blocked by i-frames', 2, {
    about: 'the same, knocked back by 1.67 px only, so that the same enemy is blocked in the next tick',
    ticks: 2,
  }),
  ...scenario('scenario-3', 'three projectiles hit three enemies: three kills, three damage events', 5, {
    about: 'kills on ticks 1, 8 and 16',
    ticks: 16,
  }),
]

export const scenes: readonly Scene[] = [match, ...shortScenes]
