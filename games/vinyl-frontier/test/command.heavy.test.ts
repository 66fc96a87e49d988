import { expect, test } from 'vitest'
import { hurtbox, jsonLines } from '../../../packages/cli/test/command.ts'
import { LEGACY_OPTIONS, legacyOptionsOf } from './legacy-options.ts'

test('[VF32] the same seed twice is the same log, byte for byte, with momentum and fragments in it', async () => {
  const args = ['run', 'vinyl-frontier', '--seed', '42', '--verbose', '--option', 'maxTurns=40']
  const variants = [[], ['--preset', 'original'], ['--legacy-collision-handling'], ['--legacy-all'], ['--legacy-mode']]
  const logs = await Promise.all(variants.map(async (flags) => (await hurtbox([...args, ...flags])).stdout))
  for (const [i, flags] of variants.entries()) {
    expect((await hurtbox([...args, ...flags])).stdout, flags.join(' ')).toBe(logs[i])
    expect(logs[i], flags.join(' ')).toMatch(/^Fragment: /m)
  }
  expect(logs[0]).toMatch(/^MOMENTUM: /m)
  // As the document writes it: `run --seed 42 > run1.log`, twice, then diff.
  const [first, second] = await Promise.all([0, 1].map(() => hurtbox(args.filter((arg) => arg !== '--verbose'))))
  expect(first.stdout).toBe(second.stdout)
  expect(first.stdout).toMatch(/hash/)
  expect(new Set(logs).size).toBe(variants.length)
})

test('[VF30] compare takes the legacy flags one by one, and --legacy-all is the four of them', async () => {
  const counts = async (...flags: string[]) =>
    jsonLines(await hurtbox(['compare', '--json', '--turns', '20', ...flags])).map(({ legacy }) => legacy)
  const four = ['--legacy-collision-handling', '--legacy-physics', '--legacy-asteroid-eat-damage', '--legacy-docking']
  const [none, handling, physics, docking, all, together] = await Promise.all([
    counts(),
    counts(four[0]),
    counts(four[1]),
    counts(four[3]),
    counts('--legacy-all'),
    counts(...four),
  ])
  expect(none).toEqual(handling)
  expect(all).toEqual(together)
  // A ship that docks again at once meets nothing else.
  expect(docking.slice(1)).toEqual([0, 0, 0, 0])
  expect(new Set([handling, physics, docking, all].map(String)).size).toBe(4)
})

test('[VF51] each legacy flag sets its own option of the document and no other', async () => {
  for (const name of LEGACY_OPTIONS) {
    const flag = `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`
    expect(await legacyOptionsOf(flag)).toEqual([name])
  }
  expect(await legacyOptionsOf('--legacy-mode')).toEqual(['legacyMode'])
})
