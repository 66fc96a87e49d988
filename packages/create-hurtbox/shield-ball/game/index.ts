/** The game as every host loads it: `npx hurtbox run`, `npx hurtbox synctest`, … */

import { playBots, type Scene } from 'hurtbox'
import { defineModule } from 'hurtbox/module'
import { keeper, striker } from './bots.ts'
import { game } from './rules.ts'

const teamOf = (seat: number) => 1 + (seat % 2)

export const scenes: readonly Scene[] = [
  {
    name: 'four-strikers',
    about: 'two against two, half a minute',
    game,
    seed: 1,
    ticks: 1800,
    inputs: playBots(striker, 4, 1, teamOf),
  },
  {
    name: 'four-keepers',
    about: 'nobody attacks: long rallies',
    game,
    seed: 2,
    ticks: 1800,
    inputs: playBots(keeper, 4, 2, teamOf),
  },
]

export default defineModule({
  game,
  title: 'Shield Ball',
  about: 'Two against two, a ball that never stops, and shields that reflect it.',
  goal: 'Drive the ball into the other goal. Your shield follows your aim; a bash makes the ball faster.',
  scenes,
  bots: [striker, keeper],
  view: () => import('../client/view.ts'),
  seating: { seats: 4, teamOf, botOf: (seat) => (seat < 2 ? 'striker' : 'keeper') },
  meaning: {
    events: {
      bounce: { is: 'other', sound: 'hit' },
      block: { is: 'block', sound: 'block' },
      stun: { is: 'hit', sound: 'hit' },
      dash: { is: 'other' },
      bash: { is: 'other', sound: 'shot' },
      goal: { is: 'score', sound: 'win', sentence: ({ team }) => `goal for team ${team}` },
    },
  },
})
