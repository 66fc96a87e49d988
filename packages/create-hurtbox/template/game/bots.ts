/** A knight made of code: a pure function of the world and his seat, so that it can play anywhere, also in a replay. */

import { type Bot, seatRow, thingOf } from 'hurtbox'
import { type declaration, isKnight, nearest, SWORD_REACH } from './rules.ts'

export const swordsman: Bot<typeof declaration> = {
  name: 'swordsman',
  about: 'walks to the nearest slime and swings when it is in reach',
  think(world, seat) {
    const { things } = world.tables
    const row = thingOf(world, seatRow(world, seat))
    if (row < 0) return {}
    const slime = nearest(world, row, (other) => !isKnight(world, other))
    if (slime < 0) return {}
    const [dx, dy] = [things.x[slime] - things.x[row], things.y[slime] - things.y[row]]
    const distance = Math.sqrt(dx * dx + dy * dy)
    if (distance === 0) return {}
    return { moveX: dx / distance, moveY: dy / distance, attack: distance < SWORD_REACH ? 1 : 0 }
  },
}
