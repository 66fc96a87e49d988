/** What the port asks STUN servers, and whose answers count. */

import { expect, test, vi } from 'vitest'
import { gatherServerReflexive } from '../src/ice/server-reflexive.ts'
import type { Address } from '../src/ice/stun.ts'

const SERVER = { address: '198.51.100.1', port: 3_478 }

/** Says that the port is at 203.0.113.9, port 40,000 plus `plus`. */
function responseTo(request: Buffer, plus = 0): Buffer {
  const response = Buffer.alloc(32)
  response.writeUInt16BE(0x0101, 0)
  response.writeUInt16BE(12, 2)
  request.copy(response, 4, 4, 20)
  response.set([0, 0x20, 0, 8, 0, 1], 20)
  response.writeUInt16BE((40_000 + plus) ^ 0x2112, 26)
  response.writeUInt32BE((0xcb007109 ^ 0x2112a442) >>> 0, 28)
  return response
}

test('[DG72] each request to a STUN server has a new transaction id, and an answer counts once, for five seconds, and from that server', () => {
  let now = 0
  vi.spyOn(performance, 'now').mockImplementation(() => now)
  try {
    const sent: { message: Buffer; to: Address }[] = []
    const reflexive = gatherServerReflexive([SERVER], 4, (message, to) => void sent.push({ message, to }))
    for (let i = 0; i < 10; i++, now += 100) reflexive.gather()
    expect(new Set(sent.map(({ message }) => message.toString('hex', 8, 20))).size).toBe(10)
    const [first, second] = sent.map(({ message }) => message)
    for (const from of [
      { ...SERVER, port: 3_479 },
      { ...SERVER, address: '198.51.100.2' },
    ]) {
      expect(reflexive.receive(responseTo(first, 1), from)).toBe(false)
    }
    expect(reflexive.isComplete()).toBe(false)
    // An answer to a request before the last one is as good.
    expect(reflexive.receive(responseTo(first), { ...SERVER, address: '::ffff:198.51.100.1' })).toBe(true)
    expect(reflexive.receive(responseTo(first, 1), SERVER)).toBe(false)
    now += 5_000
    expect(reflexive.receive(responseTo(second, 1), SERVER)).toBe(false)
    expect(reflexive.mappedAddresses()).toEqual([{ address: '203.0.113.9', port: 40_000 }])
  } finally {
    vi.restoreAllMocks()
  }
})
