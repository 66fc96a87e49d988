/** Scenes of Siege: the whole match for the command line, and shorter ones that tests, benchmarks and engines share. */

import { playBots, type Scene } from 'hurtbox'
import type { Control, TickInputs } from 'hurtbox/tools'
import { botPlayers } from '../../bot-players.ts'
import { laner } from '../bots/laner.ts'
import type { declaration } from '../rules/declaration.ts'
import { siege as game } from '../rules/index.ts'
import { checks } from './checks.ts'

/** One leaves and comes back, the match pauses, the numbers of the seed are turned. */
const COMINGS_AND_GOINGS: Readonly<Record<number, Control>> = {
  100: { control: 'leave', seat: 4 },
  130: { control: 'join', seat: 4 },
  200: { control: 'pause', paused: true },
  210: { control: 'pause', paused: false },
  240: { control: 'tune', name: 'separationStrength', value: 0.5 },
  280: { control: 'tune', name: 'passes', value: 4 },
  320: { control: 'tune', name: 'waveEvery', value: 5 },
}

/** Elara and gorath against the warrior, by hand: an arrow past an ally, a charge, an arrow through the dead. */
function duel(tick: number): TickInputs<typeof declaration> {
  const [elara, gorath, warrior] = [
    { x: -150, y: 150 },
    { x: -60, y: 60 },
    { x: 120, y: -120 },
  ]
  if (tick === 0) return { controls: [1, 1, 2].map((team, seat): Control => ({ control: 'join', seat, team })) }
  if (tick === 1) {
    return {
      players: [
        { seat: 0, pick: 'elara', order: 'move', go: elara },
        { seat: 1, pick: 'gorath', order: 'move', go: gorath },
        { seat: 2, pick: 'warrior', order: 'move', go: warrior },
      ],
    }
  }
  if (tick === 180) return { players: [{ seat: 0, order: 'move', go: elara, first: 1, aim: warrior }] }
  if (tick === 200) return { players: [{ seat: 2, order: 'hold', first: 1, aim: gorath }] }
  if (tick === 205) return { players: [{ seat: 1, order: 'hold', first: 1, aim: warrior }] }
  // By now the two have killed the warrior.
  if (tick === 425) return { players: [{ seat: 0, order: 'move', go: elara, first: 1, aim: gorath }] }
  return {}
}

/** Minions only. */
function nobody(): TickInputs {
  return {}
}

/** The game's first scene, which the command line fills with as many bots as it is asked for. */
const match: Scene = {
  name: 'match',
  about: 'a whole match until a nexus falls, with as many players as join',
  game,
  seed: 7,
  // 40 minutes.
  ticks: 72_000,
}

/** Scenes with something to prove in a short time. */
export const shortScenes: readonly Scene[] = [
  {
    name: 'duel',
    about: 'three champions and one blow after another, for those who ask why',
    game,
    seed: 1,
    tuning: { firstWave: 600 },
    ticks: 450,
    inputs: duel as Scene['inputs'] & {},
  },
  {
    name: 'lanes',
    about: 'two bots and the first waves of every lane',
    game,
    seed: 2,
    tuning: { firstWave: 1 },
    ticks: 450,
    inputs: playBots(laner, 2, 2),
  },
  {
    name: 'skirmish',
    about: 'ten bots of all sorts from the fountain on, comings and goings, numbers turned',
    game,
    seed: 10,
    tuning: { firstWave: 1 },
    ticks: 360,
    inputs: botPlayers(Array(10).fill(laner), 10, COMINGS_AND_GOINGS),
  },
  {
    name: 'siege',
    about: 'strong waves at short intervals, towers fall',
    game,
    seed: 3,
    tuning: { firstWave: 1, waveEvery: 4, waveGrowth: 0.5 },
    ticks: 300,
    inputs: playBots(laner, 4, 3),
  },
  {
    name: 'crush',
    about: 'two small armies of minions that meet all over the map',
    game,
    seed: 5,
    options: { crowd: 300 },
    ticks: 60,
    inputs: nobody,
  },
]

/** As many as one likes: `--option crowd=5000`. */
const crowd: Scene = {
  name: 'crowd',
  about: 'two armies of minions that meet all over the map',
  game,
  seed: 5,
  options: { crowd: 1000 },
  ticks: 900,
  inputs: nobody,
}

export const scenes: readonly Scene[] = [match, ...shortScenes, ...checks, crowd]
