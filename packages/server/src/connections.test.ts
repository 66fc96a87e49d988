import { EventEmitter } from 'node:events'
import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { describe, expect, test } from 'vitest'
import { createConnections } from './connections.ts'

/** As much of a socket as the guard needs: addresses of a whole /64 cannot be had on every machine. */
class FakeSocket extends EventEmitter {
  destroyed = false
  readonly remoteAddress: string
  constructor(remoteAddress: string) {
    super()
    this.remoteAddress = remoteAddress
  }
  destroy(): void {
    this.destroyed = true
    this.emit('close')
  }
}

function setUp({ connections = 96, burst = 5, proxies = 0 } = {}) {
  let now = 0
  const refused: string[] = []
  const limits = {
    connectionsPerAddress: connections,
    requestsPerAddress: { burst, perSecond: 1 },
    requestPauseMs: 1_000,
  }
  const guard = createConnections(
    limits,
    proxies,
    (reason) => refused.push(reason),
    () => now,
  )
  const open = (address: string) => {
    const socket = new FakeSocket(address)
    guard.admit(socket as unknown as Socket)
    return socket
  }
  const ask = (socket: FakeSocket, forwarded?: string) =>
    guard.mayAsk({ socket, headers: { 'x-forwarded-for': forwarded } } as unknown as IncomingMessage)
  return { guard, refused, open, ask, pass: (ms: number) => (now += ms) }
}

describe('[SV37] connections are counted by the key that requests are counted by', () => {
  test('4,096 connections from addresses of one IPv6 /64: as many stay as one address may have', () => {
    const { open, refused } = setUp()
    const sockets = Array.from({ length: 4_096 }, (_, i) => open(`2001:db8:1:2::${(i + 1).toString(16)}`))
    expect(sockets.filter(({ destroyed }) => !destroyed)).toHaveLength(96)
    expect(refused).toHaveLength(4_000)
    expect(open('2001:db8:1:3::1').destroyed, 'the next /64').toBe(false)
    sockets[0].destroy()
    expect(open('2001:db8:1:2:ffff::1').destroyed, 'one was given back').toBe(false)
  })

  test('an IPv4 address counts the same when the server listens on IPv6', () => {
    const { open } = setUp({ connections: 2 })
    expect([open('10.0.0.7'), open('::ffff:10.0.0.7'), open('10.0.0.7')].map(({ destroyed }) => destroyed)).toEqual([
      false,
      false,
      true,
    ])
  })
})

describe('[SV35] an address that asks too often', () => {
  test('loses its HTTP connections, keeps its WebSockets, and is served again after a pause', () => {
    const { guard, open, ask, pass } = setUp()
    const [asking, other, upgraded, stranger] = ['10.0.0.1', '10.0.0.1', '10.0.0.1', '10.0.0.2'].map(open)
    guard.keep(upgraded as unknown as Socket)
    expect(Array.from({ length: 7 }, () => ask(asking))).toEqual([true, true, true, true, true, false, false])
    expect([other, upgraded, stranger].map(({ destroyed }) => destroyed)).toEqual([true, false, false])
    expect(open('10.0.0.1').destroyed, 'not served for a moment').toBe(true)
    expect(ask(stranger)).toBe(true)
    pass(1_001)
    const again = open('10.0.0.1')
    expect([again.destroyed, ask(again), ask(again)]).toEqual([false, true, false])
  })

  test('behind a proxy is refused by what the proxy saw, and the connection of the proxy stays', () => {
    const { open, ask } = setUp({ proxies: 1, connections: 1 })
    const [first, second] = [open('10.0.0.1'), open('10.0.0.1')]
    for (let i = 0; i < 5; i++) ask(first, '1.1.1.1')
    expect([ask(first, '1.1.1.1'), ask(first, '2.2.2.2'), ask(second, '2.2.2.2')]).toEqual([false, true, true])
    expect([first.destroyed, second.destroyed]).toEqual([false, false])
  })
})
