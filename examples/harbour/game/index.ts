/** The game as every host loads it: `npx hurtbox run examples/harbour/game/index.ts`, a server, the studio. */

import { playBots, type Scene } from 'hurtbox'
import { combatMeaning, defineModule } from 'hurtbox/module'
import { brawler } from './bots.ts'
import { game } from './rules.ts'

const teamOf = (seat: number) => 1 + (seat % 2)

export const scenes: readonly Scene[] = [
  {
    name: 'six-brawlers',
    about: 'three against three, half a minute',
    game,
    seed: 1,
    ticks: 1800,
    inputs: playBots(brawler, 6, 1, teamOf),
  },
]

export default defineModule({
  game,
  title: 'Harbour Brawl',
  goal: 'Bring the flag home, and keep the others from it.',
  scenes,
  bots: [brawler],
  seating: { seats: 6, teamOf },
  room: { entropyEvery: 60 },
  meaning: {
    events: {
      ...combatMeaning,
      parried: { is: 'block', sound: 'block' },
      thrown: { is: 'other', sound: 'shot' },
      zoneBroken: { is: 'hit', sound: 'hit' },
      looted: { is: 'other', sound: 'win' },
      flagHome: { is: 'score', sound: 'win', sentence: ({ team }) => `the flag is home for team ${team}` },
    },
  },
})
