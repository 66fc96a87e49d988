/**
 * Our own engine, used as a game uses it: layers on, pairs in canonical order, buffers kept between steps; and for going back in time
 * a world with the columns of a combat game, whose ticks are real ticks.
 */

import {
  createEncodedInputs,
  createWorld,
  declareGame,
  defineGame,
  restore,
  type Snapshot,
  snapshot,
  spawn,
  stepEncoded,
} from 'hurtbox'
import { createPairFinder, createPairList, findPairs } from '../../packages/hurtbox/src/space/index.ts'
import type { Contender, PairFinder, PairHistory } from '../contender.ts'
import { type BulletScene, createHitList } from '../scenes/bullets.ts'
import type { Circles } from '../scenes/circles.ts'

export const hurtbox: Contender = {
  pairs: pairFinder,
  history: pairHistory,
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
  // `crowd` joins when the engine can separate, `queries` when it can be asked.
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

function pairHistory(given: Circles): PairHistory {
  const finder = createPairFinder()
  const pairs = createPairList()
  const declaration = declareGame({
    id: 'bench',
    rulesVersion: 1,
    tickRate: 60,
    seats: { min: 0, max: 4 },
    layers: { circle: ['circle'] },
    tables: {
      things: {
        capacity: given.count,
        // What a fighter has besides a body: about 96 bytes in all, as in the prototypes.
        columns: { hp: 'f64', invMass: 'f64', faceX: 'f64', faceY: 'f64', hittableFrom: 'timer', readyAt: 'timer' },
      },
    },
  })
  const game = defineGame(declaration, {
    phases: () => ({ detect: () => findPairs(finder, circles, circles.meets, pairs) }),
  })
  const world = createWorld(game)
  const { things } = world.tables
  for (let thing = 0; thing < given.count; thing++) {
    const { x, y, vx, vy, radius } = given
    spawn(things, {
      x: x[thing],
      y: y[thing],
      vx: vx[thing],
      vy: vy[thing],
      radius: radius[thing],
      hp: 100,
      invMass: 1,
    })
  }
  const { x, y, vx, vy, radius, layer } = things
  const circles: Circles = { ...given, x, y, vx, vy, radius, layer }
  const inputs = createEncodedInputs(world)
  return {
    circles,
    find() {
      stepEncoded(world, inputs)
      return pairs
    },
    save: (into) => snapshot(world, into as Snapshot | undefined),
    restore: (saved) => restore(world, saved as Snapshot),
    savedBytes: (saved) => (saved as Snapshot).byteLength,
  }
}
