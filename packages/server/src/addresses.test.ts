import type { IncomingMessage } from 'node:http'
import { describe, expect, test } from 'vitest'
import { addressOf, isLoopback } from './addresses.ts'

describe('[SV17] whom a request counts for', () => {
  const from = (peer: string, forwarded?: string) =>
    ({
      socket: { remoteAddress: peer },
      headers: forwarded === undefined ? {} : { 'x-forwarded-for': forwarded },
    }) as unknown as IncomingMessage

  test.for([
    ['the peer', '10.0.0.7', undefined, 0, '10.0.0.7'],
    ['the peer, whatever it says of itself', '10.0.0.7', '1.2.3.4', 0, '10.0.0.7'],
    ['IPv4 in the clothes of IPv6', '::ffff:10.0.0.7', undefined, 0, '10.0.0.7'],
    ['the /64 of an IPv6 peer', '2001:db8:1:2:3:4:5:6', undefined, 0, '2001:db8:1:2::/64'],
    ['the /64 of a shortened one', '2001:db8::6', undefined, 0, '2001:db8:0:0::/64'],
    ['behind a proxy, whom it saw', '10.0.0.1', '6.6.6.6, 1.2.3.4', 1, '1.2.3.4'],
    ['behind two, whom the outer one saw', '10.0.0.1', '6.6.6.6, 1.2.3.4, 10.0.0.2', 2, '1.2.3.4'],
    ['behind a proxy that says nothing, the peer', '10.0.0.1', undefined, 1, '10.0.0.1'],
  ] as const)('%s', ([, peer, forwarded, proxies, expected]) => {
    expect(addressOf(from(peer, forwarded), proxies)).toBe(expected)
  })

  test('loopback is an address or localhost, not a name that begins like it', () => {
    expect(['127.0.0.1', '127.3.4.5', '::1', '[::1]', 'localhost'].every(isLoopback)).toBe(true)
    expect(['127.0.0.1.evil.example', 'localhost.evil.example', '0.0.0.0', '10.0.0.1', ''].some(isLoopback)).toBe(false)
  })
})
