import { expect, test } from 'vitest'
import { MATCH_PLAN, type MatchFigures, matchTable, medianOf } from '../match/main.ts'

test('[BE23] starved runs are marked, and count only where there is no other', () => {
  const frames = { downBytes: 1, downPerSecond: 1, upBytes: 1, upPerSecond: 1 }
  const run = (cpuMsPerRoomTick: number, isStarved: boolean): MatchFigures => ({
    ...{ kind: 'terminals', cpuMsPerRoomTick, bytesDown: 1, bytesUp: 1, rssMBPerRoom: 1, liveMBPerRoom: 1 },
    ...{ ticksKept: 1, frames, isStarved },
  })
  expect(medianOf([run(5, true), run(2, false), run(3, false), run(4, false), run(1, true)])).toMatchObject({
    cpuMsPerRoomTick: 3,
    isStarved: false,
  })
  const starved = medianOf([run(5, true), run(7, true), run(9, true)])
  expect(starved).toMatchObject({ cpuMsPerRoomTick: 7, isStarved: true })
  expect(matchTable([starved], MATCH_PLAN)).toContain('(starved)')
})
