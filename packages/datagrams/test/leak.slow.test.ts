/**
 * Many channels on one port, opened and closed in every way: nothing of them is left.
 *
 * `HURTBOX_LONG=1 npx vitest run packages/datagrams/test/leak.slow.test.ts` opens 2,000.
 */

import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, test, vi } from 'vitest'
import { CONTENT_TYPE } from '../src/dtls/records.ts'
import { bindingRequestOf, CHUNK } from './client.ts'
import { createVisitor, openTestPort, type TestPort, type Visitor } from './ports.ts'

const isLong = process.env.HURTBOX_LONG !== undefined
const CHANNELS = isLong ? 2_000 : 200
const AT_ONCE = 20
const within = { timeout: 60_000, interval: 5 }
vi.setConfig({ testTimeout: isLong ? 1_200_000 : 120_000 })

setFlagsFromString('--expose-gc')
const collect: () => void = runInNewContext('gc')

const ENDS: readonly ((visitor: Visitor) => void)[] = [
  ({ channel }) => channel.close(),
  ({ client }) => client.sendChunks({ type: CHUNK.abort, flags: 0, body: Buffer.alloc(0) }),
  ({ client }) => client.sendChunks({ type: CHUNK.shutdown, flags: 0, body: Buffer.alloc(4) }),
  ({ client, send }) => send(client.protect(CONTENT_TYPE.alert, Buffer.of(1, 0))),
]

type Left = { readonly place: { address: string; port: number }; readonly ufrag: string; readonly pwd: string }

/** Opens a channel, talks, and ends it in one of the ways; returns what it was known by. */
async function visit(port: TestPort, number: number, seen: WeakRef<object>[]): Promise<Left> {
  const visitor = await createVisitor(port)
  seen.push(new WeakRef(visitor))
  const { socket, client, ufrag, pwd } = visitor
  const place = { address: '127.0.0.1', port: socket.address().port }
  // One in ten never comes.
  if (number % 10 === 0) visitor.channel.close()
  else {
    visitor.check()
    await vi.waitUntil(() => client.isOpen, within)
    client.sendMessage(Buffer.alloc(500))
    await vi.waitUntil(() => visitor.delivered.length === 1, within)
    ENDS[number % ENDS.length](visitor)
  }
  await vi.waitUntil(() => visitor.isClosed, within)
  socket.close()
  return { place, ufrag, pwd }
}

test('[DG28] of channels that were opened and closed nothing is left on the port: no ufrag, no address, no memory, no socket', async () => {
  // What else a process of tests has open comes and goes.
  const resources = () => process.getActiveResourcesInfo().filter((name) => name.startsWith('UDP'))
  const before = resources()
  const port = await openTestPort()
  const seen: WeakRef<object>[] = []
  const left: Left[] = []
  let early = 0
  for (let i = 0; i < CHANNELS; i += AT_ONCE) {
    left.push(...(await Promise.all(Array.from({ length: AT_ONCE }, (_, n) => visit(port, i + n, seen)))))
    // The first ones compile the code.
    if (i !== CHANNELS / 2) continue
    collect()
    early = process.memoryUsage().heapUsed
  }
  const send = vi.spyOn(port.socket, 'send')
  const { strange } = port.refused
  for (const { place, ufrag, pwd } of left) {
    port.take(Buffer.alloc(100, 22), place)
    port.take(bindingRequestOf(ufrag, pwd), place)
  }
  expect([port.refused.strange - strange, send.mock.calls.length]).toEqual([2 * left.length, 0])
  send.mockRestore()
  // What was awaited a moment ago may still be held.
  const isGone = () => {
    collect()
    return seen.filter((each) => each.deref() !== undefined).length <= AT_ONCE
  }
  await vi.waitUntil(isGone, within)
  const grownMB = (process.memoryUsage().heapUsed - early) / 1e6
  // Some 60 kB each, if they were kept.
  expect(grownMB).toBeLessThan(2 + 0.002 * CHANNELS)
  expect(resources().length).toBeGreaterThan(before.length)
  port.close()
  await vi.waitUntil(() => resources().length === before.length, within)
  console.log(`${CHANNELS} channels: the heap grew by ${grownMB.toFixed(1)} MB in the second half`)
})
