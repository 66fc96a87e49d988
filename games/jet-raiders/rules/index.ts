/**
 * Jet Raiders, seed 000: a dogfight in which the server decides every hit.
 *
 * The tick is the seed's: ships steer (the dead wait), living ships fire, all bullets move and age, bullets meet ships,
 * what is spent or over leaves.
 */

import { defineGame, type Result } from 'hurtbox'
import { recordDamage } from 'hurtbox/combat'
import { fire, fly } from './bullets.ts'
import { declaration, type JetWorld } from './declaration.ts'
import { hits } from './hits.ts'
import { bury, join, leave, steer, useSlots } from './ships.ts'

export { declaration, HEIGHT, type JetWorld, KIND, WIDTH } from './declaration.ts'

export const jetRaiders = defineGame(declaration, {
  onJoin: join,
  onLeave: leave,
  phases: (options) => ({ useSlots, steer, fire, fly, hits: hits(options), bury, recordDamage }),
  result,
  stats(world) {
    const { players, things } = world.tables
    const sum = (column: Uint32Array) => column.subarray(0, players.count).reduce((total, value) => total + value, 0)
    return { kills: sum(players.score), deaths: sum(players.deaths), shots: sum(players.shots), hits: world.globals.recentCount, things: things.count }
  },
})

/** The match ends when its time is over; most kills win, the lower seat among equals. */
function result(world: JetWorld): Result {
  const { players } = world.tables
  const { matchSeconds } = world.options
  const over = matchSeconds > 0 && world.clock >= Math.ceil(matchSeconds * 62.5)
  let best = -1
  for (let row = 0; row < players.count; row++) {
    if (best < 0 || players.score[row] > players.score[best]) best = row
  }
  if (best < 0) return { over }
  return { over, winner: players.seat[best], summary: `seat ${players.seat[best]} leads with ${players.score[best]} kills` }
}
