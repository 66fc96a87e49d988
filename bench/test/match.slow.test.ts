import { expect, test } from 'vitest'
import { MATCH_PLAN, type MatchFigures, type MatchPlan, matchTable, measureMatches, medianOf } from '../match/main.ts'

test('[BE22] servers of every kind are measured over real sockets, a floor with the frames of what it is a floor of', async () => {
  const plan: MatchPlan = {
    ...MATCH_PLAN,
    ...{ kinds: ['terminals', 'plain-b', 'floor-terminals'], rooms: 1, clientsPerRoom: 2, perProcess: 2 },
    ...{ firstSeconds: 1, settleSeconds: 1, seconds: 2, rounds: 1 },
  }
  const said: string[] = []
  const figures = await measureMatches(plan, (line) => said.push(line))
  expect(said).toHaveLength(3)
  for (const { cpuMsPerRoomTick, bytesDown, bytesUp, frames } of figures) {
    for (const figure of [cpuMsPerRoomTick, bytesDown, bytesUp, ...Object.values(frames)])
      expect(figure).toBeGreaterThan(0)
  }
  const [ours, plain, floor] = figures.map(({ frames }) => frames)
  for (const name of ['downBytes', 'upBytes'] as const)
    expect(Math.abs(floor[name] - ours[name])).toBeLessThanOrEqual(1)
  // A second of Colyseus' patches and broadcasts, and of one message per tick.
  expect(plain.upPerSecond).toBeGreaterThan(ours.upPerSecond)
  expect(matchTable(figures, plan).split('\n')).toHaveLength(5)
}, 240_000)

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
