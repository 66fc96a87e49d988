/** Scenes of Jet Raiders: the whole match for the command line, and shorter ones that tests, benchmarks and engines share. */

import type { Scene } from 'hurtbox'
import type { Control } from 'hurtbox/tools'
import { botPlayers } from '../../bot-players.ts'
import { ace, hunter, rookie } from '../bots/index.ts'
import { jetRaiders as game } from '../rules/index.ts'

const COMINGS_AND_GOINGS: Readonly<Record<number, Control>> = {
  60: { control: 'leave', seat: 3 },
  90: { control: 'join', seat: 3 },
  120: { control: 'tune', name: 'bulletSpeed', value: 2500 },
  150: { control: 'pause', paused: true },
  160: { control: 'pause', paused: false },
}

/** The game's first scene, which the command line fills with as many bots as it is asked for. */
const match: Scene = {
  name: 'match',
  about: 'a whole match of ten minutes, for any players',
  game,
  seed: 1,
  ticks: 37_500,
}

/** Ships appear as in the seed: anywhere, and open to fire at once. */
export const AS_IN_THE_SEED = { protection: 0, spawnChoices: 1 } as const

/** Scenes with something to prove in a short time. */
export const shortScenes: readonly Scene[] = [
  {
    name: 'duel',
    about: 'an ace against a rookie',
    game,
    seed: 5,
    tuning: AS_IN_THE_SEED,
    ticks: 300,
    inputs: botPlayers([ace, rookie], 5),
  },
  {
    name: 'dogfight',
    about: 'eight pilots of all sorts, by the rules of the seed',
    game,
    seed: 8,
    tuning: AS_IN_THE_SEED,
    ticks: 400,
    inputs: botPlayers([ace, hunter, rookie, ace, hunter, rookie, ace, hunter], 8),
  },
  {
    name: 'melee',
    about: 'twelve pilots that ram each other between four walls',
    game,
    seed: 12,
    tuning: AS_IN_THE_SEED,
    options: { edges: 'wall', ramming: true },
    ticks: 300,
    inputs: botPlayers([...Array(6).fill(hunter), ...Array(6).fill(rookie)], 12),
  },
  {
    name: 'storm',
    about: 'sixteen pilots, every option on, faster bullets, comings and goings',
    game,
    seed: 16,
    tuning: AS_IN_THE_SEED,
    options: { edges: 'torus', ramming: true, bulletClash: true, swept: true, iceBullets: true },
    ticks: 300,
    inputs: botPlayers([...Array(8).fill(ace), ...Array(8).fill(hunter)], 16, COMINGS_AND_GOINGS),
  },
]

export const scenes: readonly Scene[] = [match, ...shortScenes]
