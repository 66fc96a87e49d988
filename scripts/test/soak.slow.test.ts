import { expect, test } from 'vitest'
import { MAX_GROWTH_BYTES, main, verdictOf } from '../soak/main.ts'
import { soakReal } from '../soak/real.ts'
import { createSamples } from '../soak/samples.ts'
import { soakVirtual } from '../soak/virtual.ts'

const PATIENCE_MS = 240_000
const silent = { say() {} }

test(
  '[SO1] a soak in virtual time compares hashes and writes replays, and no hash differs',
  () => {
    const said: string[] = []
    const report = soakVirtual(0.004, { say: (line) => said.push(line) }, 10)
    expect(report).toMatchObject({ mismatches: 0, lost: 0, handleGrowth: 0 })
    expect(report.ticks).toBe(900)
    expect(report.hashChecks).toBeGreaterThan(30)
    expect(report.fileBytes).toBeGreaterThan(1000)
    expect(said.filter((line) => /^(mirrors|terminals), \d+ of 10: [\d.]+ MB live/.test(line))).toHaveLength(20)
  },
  PATIENCE_MS,
)

test(
  '[SO2] memory that a tick keeps shows as growth',
  () => {
    const kept: number[][] = []
    const keep = () => void kept.push(new Array(1500).fill(kept.length))
    const report = soakVirtual(0.004, { ...silent, eachTick: keep }, 10)
    expect(report.growthBytes).toBeGreaterThan(MAX_GROWTH_BYTES)
    expect(verdictOf(report)).toEqual([expect.stringMatching(/^live memory grew by \d/)])
    expect(kept.length).toBe(report.ticks)
  },
  PATIENCE_MS,
)

test('[SO2] what is compared is the time after the warm-up, and every complaint has its words', () => {
  const samples = createSamples()
  for (let i = 0; i < 100; i++) samples.take({ liveBytes: i < 30 ? i * 1e6 : 30e6 + i * 1000, handles: i < 90 ? 4 : 5 })
  expect(samples.growth()).toEqual({ growthBytes: 60_000, handleGrowth: 1 })
  const passing = createSamples()
  for (let i = 0; i < 100; i++) passing.take({ liveBytes: 1, handles: i % 3 === 0 || i > 97 ? 5 : 4 })
  expect(passing.growth().handleGrowth, 'what comes and goes').toBe(0)
  const good = { growthBytes: 0, handleGrowth: 0, ticks: 1, hashChecks: 1, mismatches: 0, fileBytes: 1, lost: 0 }
  expect(verdictOf(good)).toEqual([])
  expect(verdictOf({ ...good, handleGrowth: 2, mismatches: 3, lost: 1 })).toEqual([
    '2 more handles',
    '3 hashes differed',
    '1 clients were lost',
  ])
})

test('[SO2] without a length it says what it takes, exit code 2', async () => {
  const said: string[] = []
  expect(await main([], (line) => said.push(line))).toBe(2)
  expect(said.join('\n')).toMatch(/--hours 10/)
})

test(
  '[SO3] a soak in real time has a server process and clients that come and go',
  async () => {
    const said: string[] = []
    const report = await soakReal(0.05, { say: (line) => said.push(line) })
    expect(report).toMatchObject({ mismatches: 0, lost: 0 })
    expect(report.ticks).toBeGreaterThan(20)
    expect(said.length).toBeGreaterThan(1)
  },
  PATIENCE_MS,
)
