/**
 * Going back in time: save the whole state, restore it, and what rollback netcode does with both on every late input: restore, then
 * eight steps with a save after each.
 */

import type { Contender, PairHistory } from '../contender.ts'
import { type Circles, copyCircles, moveBouncing, restoreCircles, spreadScene } from '../scenes/circles.ts'
import { comparePairs } from './pairs.ts'
import type { Task, Workload } from './workload.ts'

const ROLLBACK_TICKS = 8

export const snapshot: Workload = {
  name: 'snapshot',
  title: 'save the state of N things',
  sizes: [10_000],
  quickSizes: [10_000],
  prepare: (contender, n) =>
    prepareHistory(contender, n, ({ finder, ring }) => () => {
      ring[0] = finder.save(ring[0])
    }),
}

export const restore: Workload = {
  name: 'restore',
  title: 'restore a saved state of N things',
  sizes: [10_000],
  quickSizes: [10_000],
  prepare: (contender, n) =>
    prepareHistory(
      contender,
      n,
      ({ finder, saved }) =>
        () =>
          finder.restore(saved),
    ),
}

export const rollback: Workload = {
  name: 'rollback',
  title: `restore, then ${ROLLBACK_TICKS} times: move N circles, name all pairs, save`,
  sizes: [1000],
  quickSizes: [],
  prepare: (contender, n) =>
    prepareHistory(contender, n, (match) => () => {
      const { finder, ring } = match
      goBack(match)
      for (let tick = 0; tick < ROLLBACK_TICKS; tick++) {
        moveBouncing(finder.circles)
        finder.find()
        ring[tick] = finder.save(ring[tick])
      }
    }),
}

/** A match that has been saved and can go back there. */
type Match = {
  readonly finder: PairHistory
  /** The scene's circles, and where they were; a contender may have its own instead. */
  readonly circles: Circles
  readonly savedCircles: Circles
  readonly saved: unknown
  /** Later states, kept as rollback keeps them. */
  readonly ring: unknown[]
}

function prepareHistory(contender: Contender, n: number, stepOf: (match: Match) => () => void): Task | undefined {
  const { circles } = spreadScene(n)
  const finder = contender.history?.(circles)
  if (!finder) return undefined
  const run = (ticks: number) => {
    for (let tick = 0; tick < ticks; tick++) {
      moveBouncing(finder.circles)
      finder.find()
    }
  }
  run(3)
  const match = { finder, circles, savedCircles: copyCircles(circles), saved: finder.save(), ring: [] }
  return {
    // The future after a restore is the future that was.
    check: () => {
      run(ROLLBACK_TICKS)
      goBack(match)
      run(ROLLBACK_TICKS - 1)
      moveBouncing(finder.circles)
      const again = comparePairs(finder.circles, finder.find())
      goBack(match)
      return again
    },
    step: stepOf(match),
    facts: () => ({ bytes: finder.savedBytes(match.saved) }),
  }
}

function goBack({ finder, circles, saved, savedCircles }: Match): void {
  if (finder.circles === circles) restoreCircles(circles, savedCircles)
  finder.restore(saved)
}
