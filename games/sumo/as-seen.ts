/** Sumo with punches and fireballs judged by what the attacker saw, for rooms of terminals. */

import { defineModule } from 'hurtbox/module'
import { judgeAsSeen } from 'hurtbox/rewind'
import sumo from './index.ts'

const between = [
  ['hitbox', 'character'],
  ['projectile', 'character'],
] as const

export default defineModule({
  ...sumo,
  // 15 ticks of 1/64 s: 234 ms.
  game: judgeAsSeen(sumo.game, { ticks: 16, between }),
  title: 'Sumo, judged as seen',
  // A mirror shows the present, and is judged in the present.
  room: { ...sumo.room, modes: ['terminal', 'mirror'] },
})
