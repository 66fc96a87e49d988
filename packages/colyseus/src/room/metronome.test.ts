import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { startBeat } from './metronome.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }))
afterEach(() => void vi.useRealTimers())

test('[SV61] rooms of any rate tick as often as they should, on a handful of wake-ups', () => {
  const rates = [...new Array<number>(40).fill(62.5), 30, 60]
  const ticks = rates.map(() => 0)
  const setTimer = vi.spyOn(globalThis, 'setTimeout')
  const stops = rates.map((rate, i) => startBeat(rate, () => void ticks[i]++))
  vi.advanceTimersByTime(10_000)
  for (const [i, rate] of rates.entries()) expect(Math.abs(ticks[i] - rate * 10), `room ${i}`).toBeLessThanOrEqual(1)
  // Four phases of 62.5 ticks, one of 30 and of 60; a timer for each room would be 2,590 a second.
  expect(setTimer.mock.calls.length).toBeLessThan(10 * (4 * 62.5 + 30 + 60) + rates.length)
  for (const stop of stops) stop()
  const before = [...ticks]
  vi.advanceTimersByTime(1000)
  expect(ticks).toEqual(before)
  expect(vi.getTimerCount()).toBe(0)
})

test('[SV61] up to sixteen rooms of a rate run on one wake-up, and send when all of them have run', () => {
  const did: string[] = []
  const setTimer = vi.spyOn(globalThis, 'setTimeout')
  const stops = Array.from({ length: 16 }, () =>
    startBeat(
      50,
      () => void did.push('run'),
      () => void did.push('send'),
    ),
  )
  vi.advanceTimersByTime(20)
  expect(did.slice(0, 32)).toEqual([...new Array(16).fill('run'), ...new Array(16).fill('send')])
  setTimer.mockClear()
  vi.advanceTimersByTime(1000)
  expect(setTimer.mock.calls.length).toBeLessThanOrEqual(51)
  for (const stop of stops) stop()
})

test('[SV61] a room that ends while the others run sends nothing more', () => {
  const sent: string[] = []
  const stopFirst = startBeat(
    50,
    () => {},
    () => void sent.push('first'),
  )
  const stopSecond = startBeat(
    50,
    () => stopFirst(),
    () => void sent.push('second'),
  )
  vi.advanceTimersByTime(20)
  expect(sent).toContain('second')
  expect(sent).not.toContain('first')
  stopSecond()
})

test('[SV61] after a stall a room runs five ticks at once, leaves out the rest and keeps its rate', () => {
  let ticks = 0
  const stop = startBeat(50, () => void ticks++)
  vi.advanceTimersByTime(200)
  const before = ticks
  // The clock goes on for a second in which no timer fires.
  const { now } = performance
  const stalled = vi.spyOn(performance, 'now').mockImplementation(() => now.call(performance) + 1000)
  vi.advanceTimersByTime(20)
  expect(ticks - before).toBe(5)
  vi.advanceTimersByTime(1000)
  expect(Math.abs(ticks - before - 5 - 50)).toBeLessThanOrEqual(1)
  stalled.mockRestore()
  stop()
})

test('[SV61] a room that ends while it catches up does not run the rest', () => {
  let ticks = 0
  let isEnding = false
  const stop = startBeat(50, () => {
    ticks++
    if (isEnding) stop()
  })
  vi.advanceTimersByTime(200)
  const before = ticks
  isEnding = true
  const { now } = performance
  const stalled = vi.spyOn(performance, 'now').mockImplementation(() => now.call(performance) + 1000)
  vi.advanceTimersByTime(1000)
  expect(ticks - before).toBe(1)
  stalled.mockRestore()
})

test('[SV61] a room that ends in its own tick, or in that of another, does not tick again', () => {
  const ran: string[] = []
  const stopFirst = startBeat(50, () => {
    ran.push('first')
    stopSecond()
    stopFirst()
  })
  const stopSecond = startBeat(50, () => void ran.push('second'))
  vi.advanceTimersByTime(1000)
  expect(ran.filter((name) => name === 'first')).toHaveLength(1)
  expect(ran.filter((name) => name === 'second').length).toBeLessThanOrEqual(1)
})
