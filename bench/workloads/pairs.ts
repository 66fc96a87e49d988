/** Move, then name every overlapping pair: spread evenly, of very different sizes, and crowded on few places. */

import type { Contender } from '../contender.ts'
import { addUnordered, addUp, compare, createCouples, type Exactness } from '../oracles/compare.ts'
import { overlappingPairs, pairGapPx } from '../oracles/pairs.ts'
import {
  type CircleScene,
  type Circles,
  clusteredScene,
  mixedScene,
  moveBouncing,
  spreadScene,
} from '../scenes/circles.ts'
import type { Pairs } from '../scenes/pair-list.ts'
import { resolveContacts, survivorsScene } from '../scenes/survivors.ts'
import type { Task, Workload } from './workload.ts'

/** One for the very large, whose oracle takes seconds. */
const checkedSteps = (things: number) => (things > 200_000 ? 1 : 3)

export const pairs: Workload = {
  name: 'pairs',
  title: 'move N circles (radius 4..12), name all overlapping pairs',
  sizes: [1000, 10_000, 100_000, 1_000_000],
  quickSizes: [10_000],
  prepare: (contender, n) => preparePairs(contender, spreadScene(n)),
}

export const mixed: Workload = {
  name: 'mixed',
  title: 'the same with radius 1..1000',
  sizes: [1000, 10_000],
  quickSizes: [],
  prepare: (contender, n) => preparePairs(contender, mixedScene(n)),
}

export const clustered: Workload = {
  name: 'clustered',
  title: 'the same with 100 circles on each place',
  sizes: [2000, 10_000],
  quickSizes: [],
  prepare: (contender, n) => preparePairs(contender, clusteredScene(n, n / 100)),
}

export const pile: Workload = {
  name: 'pile',
  title: 'the same with all circles on one place',
  sizes: [2000],
  quickSizes: [],
  prepare: (contender, n) => preparePairs(contender, clusteredScene(n, 1)),
}

export const survivors: Workload = {
  name: 'survivors',
  title: 'seed 001: a player, 20 enemies, 10 projectiles; contacts by layer, projectiles spent and fired again',
  sizes: [31],
  quickSizes: [],
  prepare: (contender) => {
    const scene = survivorsScene()
    const finder = contender.pairs?.(scene.circles)
    if (!finder) return undefined
    const { circles } = scene
    return {
      check: () => {
        const checks: Exactness[] = []
        // Long enough for every projectile to be spent and fired again several times.
        for (let i = 0; i < 600; i++) {
          moveBouncing(circles)
          const found = finder.find()
          checks.push(comparePairs(circles, found))
          resolveContacts(scene, found)
        }
        return addUp(checks)
      },
      step: () => {
        moveBouncing(circles)
        resolveContacts(scene, finder.find())
      },
    }
  },
}

function preparePairs(contender: Contender, { circles, move }: CircleScene): Task | undefined {
  const finder = contender.pairs?.(circles)
  if (!finder) return undefined
  return {
    check: () => {
      const checks: Exactness[] = []
      for (let i = 0; i < checkedSteps(circles.count); i++) {
        move(circles)
        checks.push(comparePairs(circles, finder.find()))
      }
      return addUp(checks)
    },
    step: () => {
      move(circles)
      finder.find()
    },
  }
}

export function comparePairs(circles: Circles, found: Pairs): Exactness {
  const actual = createCouples(circles.count)
  for (let i = 0; i < found.count; i++) addUnordered(actual, found.a[i], found.b[i])
  return compare(overlappingPairs(circles), actual, (a, b) => pairGapPx(circles, a, b))
}
