/** Nightfall as every host loads it. */

import { defineModule } from 'hurtbox/module'
import { bots } from './bots/index.ts'
import { meaning } from './meaning.ts'
import { nightfall } from './rules/index.ts'
import { scenarios } from './scenarios.ts'
import { scenes, shortScenes } from './scenes/index.ts'

export default defineModule({
  game: nightfall,
  title: 'Nightfall',
  about: 'One field, one night, hundreds of them: survive until dawn.',
  goal: 'Stay alive for twenty minutes.',
  scenes,
  probes: shortScenes,
  scenarios,
  bots,
  seating: { seats: 1 },
  // Four players meet 1,500 at half time. The rest of what is declared is for storms, which no room has.
  // A run lasts for twenty minutes, and a call on the phone for two.
  room: { seatSeconds: 120, capacity: { things: 4096, hits: 1024, events: 256 } },
  meaning,
  view: () => import('./view/index.ts'),
})
