import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'

describe('allocation', () => {
  // In a process of its own: the test runner's own garbage would drown what is measured.
  const probe = fileURLToPath(new URL('allocation-probe.ts', import.meta.url))
  const printed = execFileSync(process.execPath, ['--expose-gc', probe], { encoding: 'utf8' })
  const bytesPerCall = Object.entries(JSON.parse(printed) as Record<string, number>)

  // A list of 250 circles or of the pairs they make would be thousands of bytes. What remains are single numbers of code
  // that runs once per call, which the compiler puts on the heap until it thinks the code worth optimising.
  test.each(bytesPerCall)('[BP22] %s leaves next to nothing on the heap', (_, bytes) => {
    expect(bytes).toBeLessThan(512)
  })
})
