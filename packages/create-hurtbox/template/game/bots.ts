/** A knight made of code: a pure function of the world and its player, so it plays the same on any machine. */

import type { Bot } from 'hurtbox'
import { nearest, type Pit, SWORD_REACH } from './rules.ts'

export const swordsman: Bot<Pit> = {
  name: 'swordsman',
  about: 'walks to the nearest slime and swings when it is in reach',
  think(world, { thing: knight }) {
    if (knight === undefined) return {}
    const slime = nearest(world, 'slime', knight)
    if (slime === undefined) return {}
    const [dx, dy] = [slime.x - knight.x, slime.y - knight.y]
    const distance = Math.sqrt(dx * dx + dy * dy)
    if (distance === 0) return {}
    return { moveX: dx / distance, moveY: dy / distance, attack: distance < SWORD_REACH ? 1 : 0 }
  },
}
