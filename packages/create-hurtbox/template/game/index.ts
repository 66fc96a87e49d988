/** The game as every host loads it: `npx hurtbox run`, `npx hurtbox synctest`, … package.json lists this file. */

import { playBots, type Scene } from 'hurtbox'
import { combatMeaning, defineModule } from 'hurtbox/module'
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

export default defineModule({
  game,
  title: 'Slime Pit',
  goal: 'Cut down as many slimes as you can.',
  scenes,
  bots,
  seating: { seats: 2 },
  view: () => import('../client/draw.ts'),
  meaning: { score: ({ score }) => score, returnsAt: ({ backAt }) => backAt, events: combatMeaning },
})
