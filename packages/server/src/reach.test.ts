import { afterEach, expect, test, vi } from 'vitest'
import { createReach } from './reach.ts'

afterEach(() => void vi.restoreAllMocks())

test('[DG104] five clients in a row that are not heard on their channels are one warning an hour, with what to do; one that is heard is none', () => {
  let now = 5_000
  vi.spyOn(performance, 'now').mockImplementation(() => now)
  const warned: unknown[][] = []
  const { note } = createReach({ warn: (...args: unknown[]) => void warned.push(args) })
  for (let i = 0; i < 100; i++) note(i % 5 === 4 ? 1 : 0, 1)
  expect(warned).toEqual([])
  for (let i = 0; i < 4; i++) note(0, 1)
  note(0, 0)
  expect(warned).toEqual([])
  note(0, 1)
  expect(warned).toEqual([[{ clients: 5 }, expect.stringContaining('npx hurtbox doctor')]])
  for (let i = 0; i < 50; i++) note(0, 1)
  now += 3_600_000
  note(1, 0)
  expect(warned.length).toBe(1)
  note(0, 5)
  expect(warned.length).toBe(2)
})
