/** What the command line takes: `npx hurtbox run game/index.ts`, `npx hurtbox synctest game/index.ts`, … */

import { playBots, type Scene } from 'hurtbox'
import { swordsman } from './bots.ts'
import { game } from './rules.ts'

export { game }
export const bots = [swordsman]
export const scenes: readonly Scene[] = [
  {
    name: 'two-bots',
    about: 'two swordsmen, half a minute',
    game,
    seed: 1,
    ticks: 1800,
    inputs: playBots(swordsman, 2, 1),
  },
]
