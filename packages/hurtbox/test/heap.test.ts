import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

test('[DT6] 10,000 busy ticks leave nothing on the heap, and a tick in steady state allocates nothing', () => {
  const child = fileURLToPath(new URL('./heap-child.ts', import.meta.url))
  const measured = JSON.parse(execFileSync(process.execPath, ['--expose-gc', child], { encoding: 'utf8' }))
  expect(measured.hitsPerTick, 'the scene is busy').toBeGreaterThan(20)
  // What is left is V8's own bookkeeping; a leak of one number per tick would be 160 kB.
  expect(measured.growthBytes).toBeLessThan(64_000)
  // One object per hit would be 3,000. What there is are doubles that a rule hands to a call that V8 did not inline (12 bytes each).
  expect(measured.steadyBytesPerTick).toBeLessThan(500)
})
