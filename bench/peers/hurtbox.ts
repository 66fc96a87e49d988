/** Our own engine, used as a game uses it: layers on, pairs in canonical order, buffers kept between steps. */

import { createPairFinder, createPairList, findPairs } from '../../packages/hurtbox/src/space/index.ts'
import type { Contender, PairFinder } from '../contender.ts'
import { type BulletScene, createHitList } from '../scenes/bullets.ts'
import type { Circles } from '../scenes/circles.ts'

export const hurtbox: Contender = {
  pairs: pairFinder,
  bullets: ({ circles, enemies, owner }: BulletScene) => {
    const finder = createPairFinder()
    const pairs = createPairList()
    const isSpent = new Uint8Array(circles.count)
    const hits = createHitList(circles.count - enemies)
    return {
      find() {
        findPairs(finder, circles, circles.meets, pairs)
        isSpent.fill(0)
        hits.count = 0
        // Enemies have the lower ids, and pairs come in the order of the lower id: the first is the victim.
        const { a, b, count } = pairs
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
  },
}

function pairFinder(circles: Circles): PairFinder {
  const finder = createPairFinder()
  const pairs = createPairList()
  return {
    find() {
      findPairs(finder, circles, circles.meets, pairs)
      return pairs
    },
  }
}
