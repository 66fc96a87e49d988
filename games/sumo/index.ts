/** Sumo as every host loads it. */

import { defineModule } from 'hurtbox/module'
import { bots } from './bots/index.ts'
import { meaning } from './meaning.ts'
import { sumo } from './rules/index.ts'
import { scenarios } from './scenarios.ts'
import { scenes, shortScenes } from './scenes/index.ts'

export default defineModule({
  game: sumo,
  title: 'Sumo',
  about: 'Punch, throw and shoot each other off a square of clay: the last one standing wins the round.',
  goal: 'Push the others off the ring. The first to win three rounds, or the most of five, wins.',
  scenes,
  probes: shortScenes,
  scenarios,
  bots,
  seating: { seats: 4 },
  room: { fill: 2 },
  meaning,
  view: () => import('./view/index.ts'),
})
