/** Siege as every host loads it. */

import { defineModule } from 'hurtbox/module'
import { bots } from './bots/index.ts'
import { meaning } from './meaning.ts'
import { SIDE } from './rules/content/map.ts'
import { siege } from './rules/index.ts'
import { scenarios } from './scenarios.ts'
import { scenes, shortScenes } from './scenes/index.ts'

export default defineModule({
  game: siege,
  title: 'Siege',
  about: 'Three lanes, twelve towers, two nexuses, and minions by the hundred that all take up room.',
  goal: 'Take down the towers of one lane in turn, then the nexus.',
  scenes,
  probes: shortScenes,
  scenarios,
  bots,
  // A lane first, then the jungle, then the towers; both sides alike.
  seating: {
    seats: 6,
    teamOf: (seat) => (seat % 2 === 0 ? SIDE.blue : SIDE.red),
    botOf: (seat) => ['laner', 'hunter', 'besieger'][Math.floor(seat / 2) % 3],
  },
  room: {
    fill: 2,
    // Where a unit wants to go can be where an enemy hides. Swings are numbered over all units: a gap tells of casts unseen.
    hide: ['things.goalX', 'things.goalY', 'things.swing'],
    show: ['globals.wave', 'globals.winner', 'globals.endedAt'],
    // Which part of the map a side sees follows from its units.
    derive: ['fog'],
    capacity: { things: 1024, hits: 512, events: 128 },
  },
  meaning,
  view: () => import('./view/index.ts'),
})
