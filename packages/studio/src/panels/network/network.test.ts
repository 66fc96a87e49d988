import { expect, test } from 'vitest'
import type { ShownMatch } from '../../model/attach-types.ts'
import { networkRows } from './data.ts'

test('[LB1] a client that is shown the match has its connection and traffic; one that predicts also what it corrected', () => {
  const shown = {
    status: 'playing',
    rttMs: 41.6,
    traffic: { bytesIn: 2500, messagesIn: 3, bytesOut: 40, messagesOut: 1 },
  }
  expect(networkRows(shown as unknown as ShownMatch)).toEqual([
    ['connection', 'playing'],
    ['round trip', '42 ms'],
    ['received', '2.5 kB in 3 messages'],
    ['sent', '0.0 kB in 1 messages'],
  ])
  const mirror = { world: { tick: 110 }, confirmed: { tick: 100 }, stats: { hashChecks: 7 } }
  const rows = networkRows({
    ...shown,
    mirror,
    corrections: { count: 2, largest: 1.26 },
    desyncs: [],
  } as unknown as ShownMatch)
  expect(rows).toContainEqual(['ahead of what is confirmed', '10 ticks'])
  expect(rows).toContainEqual(['corrections', '2, the largest by 1.3 units'])
  expect(rows).toContainEqual(['differed from the server', '0 times in 7 comparisons'])
})
