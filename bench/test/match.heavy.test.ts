import { expect, test } from 'vitest'
import { MATCH_PLAN, type MatchPlan, matchTable, measureMatches } from '../match/main.ts'

test('[BE25] servers of every kind are measured over real sockets, a floor with the frames of what it is a floor of', async () => {
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
