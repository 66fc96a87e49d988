import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createLateLog } from './late-log.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }))
afterEach(() => void vi.useRealTimers())

test('[SV241] late ticks are one line in ten seconds, with all causes, the room or function, and the words of the first cause', () => {
  const lines: [level: string, fields: object, msg: string][] = []
  const write = (level: string) => (fields: object, msg: string) => void lines.push([level, fields, msg])
  const late = createLateLog({ info: write('info'), warn: write('warn') } as never)
  const note = (cause: 'gc' | 'room', room: string, by = '', skipped = 0) =>
    late.note({ room, ticks: 2, skipped, lateMs: 40.4, cause, by })
  note('gc', 'a')
  note('room', 'a', 'b')
  note('room', 'c', 'b')
  vi.advanceTimersByTime(500)
  const first = { late: 6, skipped: 0, rooms: 2, longestMs: 40, causes: { gc: 2, room: 4 }, by: 'b' }
  expect(lines).toEqual([['info', first, 'late ticks: a room whose tick takes long']])
  for (let second = 0; second < 25; second++) {
    note('gc', 'a', '', 1)
    vi.advanceTimersByTime(1_000)
  }
  expect(lines).toHaveLength(3)
  const second = { late: 20, skipped: 10, rooms: 1, longestMs: 40, causes: { gc: 20 } }
  expect(lines[1]).toEqual(['warn', second, 'late ticks: garbage collection'])
})
