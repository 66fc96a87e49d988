import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import type { Melee } from './oracle-run.ts'

const PROGRAM = fileURLToPath(new URL('oracle-run.ts', import.meta.url))
const SEEDS = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]
const TICKS = process.env.HURTBOX_LONG ? 100_000 : 3_000

test('[JR1] random ticks of a melee go as in the loop of the seed, grid on and off', {
  timeout: 600_000,
}, () => {
  const printed = execFileSync(process.execPath, [PROGRAM, String(TICKS), ...SEEDS.map(String)], { encoding: 'utf8' })
  const melees = printed
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Melee)
  for (const { seed, difference } of melees) expect(difference, `seed ${seed}`).toBe('')
  expect(melees.map(({ seed, ticks }) => [seed, ticks])).toEqual(SEEDS.map((seed) => [seed, TICKS]))
  // A melee without hits would prove nothing.
  for (const { seed, hits, kills } of melees) {
    expect(hits, `hits of seed ${seed}`).toBeGreaterThan(TICKS / 40)
    expect(kills, `kills of seed ${seed}`).toBeGreaterThan(TICKS / 200)
  }
})
