/** Ways to name the victims of bullets: from overlapping pairs, or by asking for one bullet after the other. */

import type { HitFinder } from '../contender.ts'
import { type BulletScene, createHitList } from '../scenes/bullets.ts'
import type { Pairs } from '../scenes/pair-list.ts'

/** For engines whose favourable way to find hits is the same as for pairs. `find` reports pairs of one bullet and one enemy only, which the layers of the scene ask for. */
export function hitsFromPairs({ circles, enemies, owner }: BulletScene, find: () => Pairs): HitFinder {
  const victimOf = new Int32Array(circles.count)
  const hits = createHitList(circles.count)
  return {
    find() {
      const { a, b, count } = find()
      victimOf.fill(-1)
      for (let i = 0; i < count; i++) {
        const enemy = Math.min(a[i], b[i])
        const bullet = Math.max(a[i], b[i])
        if (enemy !== owner[bullet] && (victimOf[bullet] === -1 || enemy < victimOf[bullet])) victimOf[bullet] = enemy
      }
      hits.count = 0
      for (let bullet = enemies; bullet < circles.count; bullet++) {
        if (victimOf[bullet] === -1) continue
        hits.bullet[hits.count] = bullet
        hits.victim[hits.count++] = victimOf[bullet]
      }
      return hits
    },
  }
}

/** The same for pairs that come in canonical order: enemies have the lower ids, so a bullet's first pair names its victim. */
export function hitsFromOrderedPairs({ circles, enemies, owner }: BulletScene, find: () => Pairs): HitFinder {
  const isSpent = new Uint8Array(circles.count)
  const hits = createHitList(circles.count - enemies)
  return {
    find() {
      const { a, b, count } = find()
      isSpent.fill(0)
      hits.count = 0
      for (let i = 0; i < count; i++) {
        const bullet = b[i]
        if (isSpent[bullet] === 1 || owner[bullet] === a[i]) continue
        isSpent[bullet] = 1
        hits.bullet[hits.count] = bullet
        hits.victim[hits.count++] = a[i]
      }
      return hits
    },
  }
}

/** For those that are asked: `victimOf` gives the lowest of the enemies that a bullet overlaps and may hit, or -1. */
export function hitsByAsking(
  { circles, enemies }: BulletScene,
  update: () => void,
  victimOf: (bullet: number) => number,
): HitFinder {
  const hits = createHitList(circles.count)
  return {
    find() {
      update()
      hits.count = 0
      for (let bullet = enemies; bullet < circles.count; bullet++) {
        const victim = victimOf(bullet)
        if (victim === -1) continue
        hits.bullet[hits.count] = bullet
        hits.victim[hits.count++] = victim
      }
      return hits
    },
  }
}
