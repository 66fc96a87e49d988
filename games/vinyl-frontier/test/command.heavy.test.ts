import { expect, test } from 'vitest'
import { hurtbox } from '../../../packages/cli/test/command.ts'

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
