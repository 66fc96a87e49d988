/**
 * Going back in time: save the whole state, restore it, and what rollback netcode does with both on every late input: restore, then
 * eight steps with a save after each.
 */

import type { Contender, PairFinder } from '../contender.ts'
import type { Exactness } from '../oracles/compare.ts'
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
    prepareHistory(contender, n, ({ finder }) => () => {
      finder.save?.()
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
          finder.restore?.(saved),
    ),
}

export const rollback: Workload = {
  name: 'rollback',
  title: `restore, then ${ROLLBACK_TICKS} times: move N circles, name all pairs, save`,
  sizes: [1000],
  quickSizes: [],
  prepare: (contender, n) =>
    prepareHistory(contender, n, (history) => () => {
      goBack(history)
      for (let tick = 0; tick < ROLLBACK_TICKS; tick++) {
        moveBouncing(history.circles)
        history.finder.find()
        history.finder.save?.()
      }
    }),
}

type History = {
  readonly finder: PairFinder
  readonly circles: Circles
  readonly saved: unknown
  readonly savedCircles: Circles
}

function prepareHistory(contender: Contender, n: number, stepOf: (history: History) => () => void): Task | undefined {
  const scene = spreadScene(n)
  const finder = contender.pairs?.(scene.circles)
  if (!finder?.save || !finder.restore) return undefined
  const circles = finder.circles ?? scene.circles
  for (let i = 0; i < 3; i++) {
    moveBouncing(circles)
    finder.find()
  }
  const history = { finder, circles, saved: finder.save(), savedCircles: copyCircles(circles) }
  return {
    // The future after a restore is the future that was, step by step.
    check: () => {
      const run = () => {
        const seen: Exactness[] = []
        for (let tick = 0; tick < ROLLBACK_TICKS; tick++) {
          moveBouncing(circles)
          seen.push(comparePairs(circles, finder.find()))
        }
        return seen[ROLLBACK_TICKS - 1]
      }
      run()
      goBack(history)
      const again = run()
      goBack(history)
      return again
    },
    step: stepOf(history),
    facts: () => ({ bytes: finder.savedBytes?.(history.saved) ?? 0 }),
  }
}

function goBack({ finder, circles, saved, savedCircles }: History): void {
  if (!finder.circles) restoreCircles(circles, savedCircles)
  finder.restore?.(saved)
}
