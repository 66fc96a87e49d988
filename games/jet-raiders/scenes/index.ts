/** Scenes of Jet Raiders: the whole match for the command line, and shorter ones that tests, benchmarks and engines share. */

import { type AnyBot, type AnyWorld, botInputs, type Control, type Scene, type TickInputs } from 'hurtbox'
import { ace, hunter, rookie } from '../bots/index.ts'
import { jetRaiders as game } from '../rules/index.ts'

const NO_CONTROLS: readonly Control[] = []

/** A bot for every seat. They join in tick 0; `also` brings whatever else enters by other hands. */
function crew(
  bots: readonly AnyBot[],
  seed: number,
  also: (tick: number) => readonly Control[] = () => NO_CONTROLS,
): (tick: number, world: AnyWorld) => TickInputs {
  const sorts = [...new Set(bots)]
  return (tick, world) => {
    if (tick === 0) return { controls: bots.map((_, seat): Control => ({ control: 'join', seat })) }
    const controls = also(tick)
    const leaves = (seat: number) => controls.some((each) => each.control === 'leave' && each.seat === seat)
    const players = sorts.flatMap((bot) => botInputs(bot, world, seed, (seat) => bots[seat] === bot && !leaves(seat)))
    return { controls, players }
  }
}

function comingsAndGoings(tick: number): readonly Control[] {
  if (tick === 60) return [{ control: 'leave', seat: 3 }]
  if (tick === 90) return [{ control: 'join', seat: 3 }]
  if (tick === 120) return [{ control: 'tune', name: 'bulletSpeed', value: 2500 }]
  if (tick === 150) return [{ control: 'pause', paused: true }]
  if (tick === 160) return [{ control: 'pause', paused: false }]
  return NO_CONTROLS
}

/** The game's first scene, which the command line fills with as many bots as it is asked for. */
const match: Scene = {
  name: 'match',
  about: 'a whole match of ten minutes, for whoever joins',
  game,
  seed: 1,
  ticks: 37_500,
}

/** Scenes with something to prove in a short time. */
export const shortScenes: readonly Scene[] = [
  {
    name: 'duel',
    about: 'an ace against a rookie',
    game,
    seed: 5,
    ticks: 300,
    inputs: crew([ace, rookie], 5),
  },
  {
    name: 'dogfight',
    about: 'eight pilots of all sorts, by the rules of the seed',
    game,
    seed: 8,
    ticks: 400,
    inputs: crew([ace, hunter, rookie, ace, hunter, rookie, ace, hunter], 8),
  },
  {
    name: 'melee',
    about: 'twelve pilots between four walls who ram each other',
    game,
    seed: 12,
    options: { edges: 'wall', ramming: true },
    ticks: 300,
    inputs: crew([...Array(6).fill(hunter), ...Array(6).fill(rookie)], 12),
  },
  {
    name: 'storm',
    about: 'sixteen pilots, every option on, faster bullets, comings and goings',
    game,
    seed: 16,
    options: { edges: 'torus', ramming: true, bulletClash: true, swept: true, iceBullets: true },
    ticks: 300,
    inputs: crew([...Array(8).fill(ace), ...Array(8).fill(hunter)], 16, comingsAndGoings),
  },
]

export const scenes: readonly Scene[] = [match, ...shortScenes]
