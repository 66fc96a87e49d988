import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, test, vi } from 'vitest'
import { startTestServer } from '../test/support.ts'
import * as youngHeap from './young-heap.ts'

vi.mock('./young-heap.ts', () => ({ limitYoungHeap: vi.fn() }))

const script = fileURLToPath(new URL('../test/young-heap-process.ts', import.meta.url))
const youngBytes = (how: 'limited' | 'free') =>
  Number(execFileSync(process.execPath, [script, how], { encoding: 'utf8' }))

test('[SV65] the heap for new objects of a server does not grow beyond 8 MB, where V8 would let it', () => {
  const limit = 8 * 1024 * 1024
  expect(youngBytes('free')).toBeGreaterThan(limit)
  const limited = youngBytes('limited')
  expect(limited).toBeLessThanOrEqual(limit)
  expect(limited, 'it may grow up to there').toBeGreaterThan(limit / 4)
})

test('[SV65] a server that listens sees to it', async () => {
  const server = await startTestServer()
  await vi.waitFor(() => expect(youngHeap.limitYoungHeap).toHaveBeenCalled(), { timeout: 30_000 })
  await server.close()
})
