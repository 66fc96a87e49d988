import { expect, test } from 'vitest'
import pit from '../../../../create-hurtbox/template/game/index.ts'
import { openStudio } from '../../../test/studio.ts'
import { worldOf } from '../../model/studio.ts'
import { costsBetween } from '../../sim/history.ts'
import type { Figures } from '../../sim/protocol.ts'
import { allocationOf, flameOf, roomOf } from './data.ts'

const figures = (phaseMs: readonly number[], heapBytes = 0): Figures => ({
  tickMs: phaseMs.reduce((sum, ms) => sum + ms, 0.5),
  phaseMs,
  checks: 0,
  contacts: 0,
  hits: 0,
  things: 0,
  heapBytes,
})

test('[LB7] the flame has the phases one after another inside the tick, by their mean', () => {
  const [budget, tick, steer, hits] = flameOf([figures([1, 3]), figures([2, 1])], ['steer', 'hits'], 16)
  expect(budget).toEqual({ name: 'time there is', from: 0, to: 16, depth: 0 })
  expect(tick).toEqual({ name: 'tick', from: 0, to: 4, depth: 1 })
  expect(steer).toEqual({ name: 'steer', from: 0, to: 1.5, depth: 2 })
  expect(hits).toEqual({ name: 'hits', from: 1.5, to: 3.5, depth: 2 })
})

test('[LB7] allocation counts what the heap grew by, not what was collected; what is not told is not made up', () => {
  const heap = [1000, 1600, 900, 1000].map((bytes) => figures([], bytes))
  expect(allocationOf([10, 11, 12, 14], heap)).toBe((600 + 100) / 4)
  expect(allocationOf([10, 11], [figures([]), figures([])])).toBeUndefined()
})

test('[LB7] the cost over time is the mean of each phase in each part of the ticks, up to the last one that was played', () => {
  // Two phases, five ticks; a sixth is not known yet.
  const costs = Float32Array.of(1, 10, 2, 20, 3, 30, 4, 40, 5, 50, 99, 99)
  const history = { costs, phaseCount: 2, indexed: 5 } as never
  expect([...costsBetween(history, 0, 6, 3)]).toEqual([1.5, 15, 3.5, 35, 5, 50])
  expect([...costsBetween(history, 1, 3, 2)]).toEqual([2, 20, 3, 30])
  // More parts than ticks: each shows the tick that it lies in.
  expect([...costsBetween(history, 2, 4, 4)]).toEqual([3, 30, 3, 30, 4, 40, 4, 40])
})

test('[LB7] the room of every table is shown, and the cost of every phase is kept by tick', async () => {
  const { studio, settled } = await openStudio(pit, 3, 300)
  const room = roomOf(worldOf(studio))
  expect(room.find(({ table }) => table === 'things')).toMatchObject({ capacity: 256, refused: 0 })
  expect(room.map(({ table }) => table)).toContain('players')
  const { show } = studio
  const phases = await settled(show.client.ask(show.sim, { ask: 'phases' }))
  const costs = await settled(show.client.ask(show.sim, { ask: 'costs', from: 0, to: 300, buckets: 3 }))
  expect(costs.length).toBe(3 * phases.length)
  expect(costs.every((ms) => ms >= 0)).toBe(true)
  // Each of the three buckets has ticks, and each tick cost something.
  const buckets = [0, 1, 2].map((bucket) => costs.slice(bucket * phases.length, (bucket + 1) * phases.length))
  for (const bucket of buckets) expect(Math.max(...bucket)).toBeGreaterThan(0)
})
