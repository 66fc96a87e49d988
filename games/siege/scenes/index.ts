/** Scenes of Siege: the whole match for the command line, and shorter ones that tests, benchmarks and engines share. */

import { playBots, type Scene } from 'hurtbox'
import { laner } from '../bots/laner.ts'
import { siege as game } from '../rules/index.ts'

/** The game's first scene, which the command line fills with as many bots as it is asked for. */
const match: Scene = {
  name: 'match',
  about: 'a whole match until a nexus falls, for whoever joins',
  game,
  seed: 7,
  // 40 minutes.
  ticks: 72_000,
}

/** Scenes with something to prove in a short time. */
export const shortScenes: readonly Scene[] = [
  {
    name: 'lanes',
    about: 'two bots and the first two waves of every lane',
    game,
    seed: 2,
    ticks: 1500,
    inputs: playBots(laner, 2, 2),
  },
]

/** As large as one likes: `--option crowd=5000`. */
const crowd: Scene = {
  name: 'crowd',
  about: 'two armies of minions that meet all over the map',
  game,
  seed: 5,
  options: { crowd: 1000 },
  ticks: 900,
}

export const scenes: readonly Scene[] = [match, ...shortScenes, crowd]
