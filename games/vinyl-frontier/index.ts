/** Vinyl Frontier as every host loads it. */

import { defineModule } from 'hurtbox/module'
import { bots } from './bots/index.ts'
import { meaning } from './meaning.ts'
import { vinylFrontier } from './rules/index.ts'
import { scenarios } from './scenarios.ts'
import { scenes, shortScenes } from './scenes/index.ts'

export default defineModule({
  game: vinylFrontier,
  title: 'Vinyl Frontier',
  about: 'Mine records from the rocks of a world without edges, and bring them home before the others do.',
  goal: 'Bring more tons of vinyl to your station than the other team.',
  scenes,
  probes: shortScenes,
  scenarios,
  bots,
  // A team each. The idle team is for tests of one's own: as an opponent it would never leave its dock.
  seating: { seats: 2, teamOf: (seat) => seat, botOf: () => 'raider' },
  meaning,
  commands: () => import('./command.ts'),
  view: () => import('./view/index.ts'),
})
