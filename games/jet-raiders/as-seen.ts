/** Jet Raiders with bullets judged by what the shooter saw, for rooms whose players have slow connections. */

import { defineModule } from 'hurtbox/module'
import { judgeAsSeen } from 'hurtbox/rewind'
import jetRaiders from './index.ts'

export default defineModule({
  ...jetRaiders,
  // 15 ticks of 16 ms: 240 ms is the most that a ship is hit behind where it is.
  game: judgeAsSeen(jetRaiders.game, { ticks: 16, between: [['bullet', 'ship']] }),
  title: 'Jet Raiders, judged as seen',
})
