/** Jet Raiders as every host loads it. */

import { defineModule } from 'hurtbox/module'
import { bots } from './bots/index.ts'
import { meaning } from './meaning.ts'
import { jetRaiders } from './rules/index.ts'
import { scenarios } from './scenarios.ts'
import { scenes, shortScenes } from './scenes/index.ts'

export default defineModule({
  game: jetRaiders,
  title: 'Jet Raiders',
  about: 'A dogfight on a small plane without edges: aim ahead, dodge, and mind who shot last.',
  goal: 'Shoot the others down; most kills after ten minutes win.',
  scenes,
  probes: shortScenes,
  scenarios,
  bots,
  seating: { seats: 6 },
  // The document's clients are terminals that show what they are sent; prediction is for clients that ask for it.
  // Sixteen ships with ten shots a second each are below two hundred things.
  room: { fill: 4, modes: ['terminal', 'mirror'], capacity: { things: 512, hits: 64, events: 128 } },
  meaning,
  view: () => import('./view/index.ts'),
})

export { hitLogLine } from './log.ts'
