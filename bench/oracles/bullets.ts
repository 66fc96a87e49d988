/** The enemy of the lowest id that each bullet overlaps, its owner excepted, by testing every enemy. */

import type { BulletScene } from '../scenes/bullets.ts'
import { addCouple, type Couples, createCouples } from './compare.ts'

export function lowestVictims({ circles, enemies, owner }: BulletScene): Couples {
  const { count, x, y, radius } = circles
  const found = createCouples(count)
  for (let bullet = enemies; bullet < count; bullet++) {
    for (let enemy = 0; enemy < enemies; enemy++) {
      const dx = x[bullet] - x[enemy]
      const dy = y[bullet] - y[enemy]
      const reach = radius[bullet] + radius[enemy]
      if (dx * dx + dy * dy > reach * reach || owner[bullet] === enemy) continue
      addCouple(found, bullet, enemy)
      break
    }
  }
  return found
}
