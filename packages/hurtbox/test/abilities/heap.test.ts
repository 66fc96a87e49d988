import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

test('[AB39] a tick full of abilities allocates nothing', () => {
  const child = fileURLToPath(new URL('./heap-child.ts', import.meta.url))
  const measured = JSON.parse(execFileSync(process.execPath, ['--expose-gc', child], { encoding: 'utf8' }))
  expect(measured.strikesPerTick, 'the scene is busy').toBeGreaterThan(2)
  // What there is are doubles handed to calls that V8 did not inline, 16 bytes each; one object per box would be 2,000.
  expect(measured.bytesPerTick).toBeLessThan(900)
})
