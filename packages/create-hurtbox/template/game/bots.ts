/** A knight made of code: a pure function of the world and his seat, so that it can play anywhere, also in a replay. */

import { type Bot, seatRow, thingOf } from 'hurtbox'
import { type declaration, isKnight, SWORD_REACH } from './rules.ts'

export const swordsman: Bot<typeof declaration> = {
  name: 'swordsman',
  about: 'walks to the nearest slime and swings when it is in reach',
  think(world, seat) {
    const { things } = world.tables
    const row = thingOf(world, seatRow(world, seat))
    if (row < 0) return {}
    let [nearest, best] = [-1, Number.POSITIVE_INFINITY]
    for (let other = 0; other < things.count; other++) {
      if (isKnight(world, other)) continue
      const [dx, dy] = [things.x[other] - things.x[row], things.y[other] - things.y[row]]
      const distance = Math.sqrt(dx * dx + dy * dy)
      if (distance < best) [nearest, best] = [other, distance]
    }
    if (nearest < 0 || best === 0) return {}
    return {
      moveX: (things.x[nearest] - things.x[row]) / best,
      moveY: (things.y[nearest] - things.y[row]) / best,
      attack: best < SWORD_REACH ? 1 : 0,
    }
  },
}
