/** Scenes of Sumo: the whole match for the command line, and shorter ones that tests, benchmarks and engines share. */

import { each, playBots, type Scene } from 'hurtbox'
import { length } from 'hurtbox/math'
import type { AnyWorld, TickInputs } from 'hurtbox/tools'
import { botPlayers } from '../../bot-players.ts'
import { rikishi, yokozuna } from '../bots/index.ts'
import { sumo as game } from '../rules/index.ts'

/** A player that waits for the dummy to land, walks up to it, tries a combo, steps back and shoots. */
function trial(tick: number, world: AnyWorld): TickInputs<typeof game.declaration> {
  if (tick === 0) return { controls: [{ control: 'join', seat: 4 }] }
  const [dummy, fighter] = each(world, 'character')
  const [dx, dy] = [dummy.x - fighter.x, dummy.y - fighter.y]
  const distance = length(dx, dy)
  const towards = { moveX: dx / distance, moveY: dy / distance }
  const away = { moveX: -towards.moveX, moveY: -towards.moveY }
  const isFighting = tick > 170 && tick < 330
  const punch = distance < 2.6 ? 1 : 0
  if (isFighting) return { players: [{ seat: 4, ...towards, punch }] }
  if (tick >= 360 && tick < 400) return { players: [{ seat: 4, ...away }] }
  if (tick === 430) return { players: [{ seat: 4, ...towards, fireball: 1 }] }
  return { players: [{ seat: 4 }] }
}

/** The game's first scene, which the command line fills with as many bots as it is asked for. */
const match: Scene = {
  name: 'match',
  about: 'the best of five rounds, for two to eight players',
  game,
  seed: 1,
  ticks: 64 * 60 * 20,
}

/** Scenes with something to prove in a short time. */
export const shortScenes: readonly Scene[] = [
  {
    name: 'dummy',
    about: 'a target that just stands there, and one player that attacks it',
    game,
    seed: 4,
    options: { mode: 'practice', dummy: true },
    ticks: 520,
    inputs: trial,
  },
  {
    name: 'bout',
    about: 'two wrestlers, by the rules of the document',
    game,
    seed: 2,
    ticks: 400,
    inputs: botPlayers([yokozuna, rikishi], 2),
  },
  {
    name: 'brawl',
    about: 'four wrestlers in practice: fallen fighters come back, all abilities all the time',
    game,
    seed: 4,
    options: { mode: 'practice' },
    ticks: 300,
    inputs: playBots(yokozuna, 4, 4),
  },
  {
    name: 'royal',
    about: 'eight wrestlers, knockback as speed, projectiles that meet the ring',
    game,
    seed: 8,
    options: { knockback: 'velocity', bulletsHitTerrain: true },
    ticks: 300,
    inputs: botPlayers([...Array(4).fill(yokozuna), ...Array(4).fill(rikishi)], 8),
  },
]

export const scenes: readonly Scene[] = [match, ...shortScenes]
