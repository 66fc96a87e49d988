/** Shots of terminals: the verdict is what the shooter saw, and a liar gains little. */

import { expect, test, vi } from 'vitest'
import { playShots } from './shots.ts'

const isLong = process.env.HURTBOX_LONG !== undefined
const SHOTS = isLong ? 1_000_000 : 1_500
if (isLong) vi.setConfig({ testTimeout: 3_600_000 })

test('[JS8] the verdict on a shot is what its shooter saw in 99.9 % at round trips up to 400 ms; beyond the bound it is judged at the bound', () => {
  const roundTrips = isLong ? [0, 50, 100, 150, 200, 250, 300, 400] : [0, 200, 400]
  const far = playShots({ shots: SHOTS, roundTrips, seed: 3, ticks: 48 })
  console.log(`shots: ${far.judged} judged, ${far.judged - far.right} not as seen, ${far.beyond} beyond the bound`)
  // Of so few one may be wrong: the edge of a target is met to a 64th of a tick.
  expect(far.judged - far.right).toBeLessThanOrEqual(Math.max(1, far.judged / 1000))
  expect(far.judged).toBeGreaterThan(0.85 * SHOTS)
  const near = playShots({ shots: isLong ? 10_000 : 300, roundTrips: [400], seed: 4, ticks: 12 })
  expect(near.judged).toBe(0)
  expect(near.lookBackMs.get(400)).toBe(11 * 16)
})

test('[JS9] a client that claims to have seen the distant past gains less than 100 ms; one that also feigns a slow connection gets no more than is kept', () => {
  const shots = isLong ? 10_000 : 300
  const setup = { shots, roundTrips: [50], seed: 5, ticks: 40 }
  const honest = playShots(setup).lookBackMs.get(50)!
  const liar = playShots({ ...setup, lie: (packet) => ({ ...packet, seenAgo: 0xffff }) }).lookBackMs.get(50)!
  const slow = playShots({
    ...setup,
    ticks: 16,
    lie: (packet) => ({ ...packet, seenAgo: 0xffff, received: Math.max(packet.received - 60, 0) }),
  }).lookBackMs.get(50)!
  console.log(`look back: ${honest.toFixed(0)} ms honest, ${liar.toFixed(0)} claimed, ${slow.toFixed(0)} feigned`)
  expect(liar - honest).toBeGreaterThan(0)
  expect(liar - honest).toBeLessThan(100)
  expect(slow).toBeLessThanOrEqual(15 * 16)
})
