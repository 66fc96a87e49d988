/** What somebody who forges addresses can make the port send to others: by a real port, with a victim that never answers. By a clock of the test. */

import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Address } from '../src/ice/stun.ts'
import { bindingRequestOf, createDirect } from './client.ts'
import { createVisitor, openTestPort, type TestPort } from './ports.ts'

const VICTIM = { address: '127.7.7.7', port: 7_777 }
const cleanups: (() => void)[] = []
beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] }))
afterEach(() => {
  for (const clean of cleanups.splice(0).reverse()) clean()
  vi.restoreAllMocks()
  vi.useRealTimers()
})

/** Notes what the port sends to an address. Nothing leaves the machine. */
function countSent(port: TestPort, to: Address): () => { packets: number; bytes: number } {
  const send = vi.spyOn(port.socket, 'send').mockReturnValue(undefined)
  return () => {
    const calls = send.mock.calls.filter(
      ([, at, address]) => (at as unknown) === to.port && (address as unknown) === to.address,
    )
    return { packets: calls.length, bytes: calls.reduce((sum, [bytes]) => sum + (bytes as Buffer).length, 0) }
  }
}

/** The first packets of a handshake. */
function hellos(count: number): Buffer[] {
  return Array.from({ length: count }, () => {
    const packets: Buffer[] = []
    createDirect({ onPacket: (packet) => void packets.push(packet) }).client.start()
    return packets[0]
  })
}

test.each([1, 10])(
  '[DG60] an address that never answers gets less than three times what came in its name: %i hellos',
  async (count) => {
    const port = await openTestPort()
    cleanups.push(() => port.close())
    const visitor = await createVisitor(port)
    cleanups.push(() => visitor.close())
    const sentTo = countSent(port, VICTIM)
    let bytes = 0
    for (const packet of [bindingRequestOf(visitor.ufrag, visitor.pwd), ...hellos(count)]) {
      bytes += packet.length
      port.take(packet, VICTIM)
    }
    vi.advanceTimersByTime(60_000)
    const sent = sentTo()
    expect([sent.packets, sent.bytes < 1.5 * bytes]).toEqual([1 + count, true])
  },
)
