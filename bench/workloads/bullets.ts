/** N bullets against N/5 enemies: owners are immune, the enemy of the lowest id consumes the bullet. */

import { lowestVictims } from '../oracles/bullets.ts'
import { addCouple, addUp, compare, createCouples, type Exactness } from '../oracles/compare.ts'
import { pairGapPx } from '../oracles/pairs.ts'
import { type BulletScene, bulletScene, fireAgain, type HitList, moveBullets } from '../scenes/bullets.ts'
import type { Workload } from './workload.ts'

const CHECKED_STEPS = 3

export const bullets: Workload = {
  name: 'bullets',
  title: 'move N bullets and N/5 enemies, name the victim of each bullet, fire spent bullets again',
  sizes: [1000, 10_000, 50_000],
  quickSizes: [1000, 10_000],
  label: (n) => `${n}/${n / 5}`,
  prepare: (contender, n) => {
    const scene = bulletScene(n, n / 5)
    const finder = contender.bullets?.(scene)
    if (!finder) return undefined
    return {
      check: () => {
        const checks: Exactness[] = []
        for (let i = 0; i < CHECKED_STEPS; i++) {
          moveBullets(scene)
          const hits = finder.find()
          checks.push(compareHits(scene, hits))
          fireAgain(scene, hits)
        }
        return addUp(checks)
      },
      step: () => {
        moveBullets(scene)
        fireAgain(scene, finder.find())
      },
    }
  },
}

function compareHits(scene: BulletScene, hits: HitList): Exactness {
  const actual = createCouples(scene.circles.count)
  for (let i = 0; i < hits.count; i++) addCouple(actual, hits.bullet[i], hits.victim[i])
  return compare(lowestVictims(scene), actual, (bullet, enemy) => pairGapPx(scene.circles, bullet, enemy))
}
