/** Addresses as they are outside: read, refused, told. */

import { describe, expect, test } from 'vitest'
import {
  type Reach,
  readPublicAddress,
  readUdpAddress,
  requireReachable,
  writePublicAddress,
} from './public-address.ts'

describe('[SV200] the public address is a host, with a port and a path where it has them', () => {
  test.each([
    ['play.example.org', 'play.example.org', undefined, '', 'play.example.org'],
    ['play.example.org:2567', 'play.example.org', 2567, '', 'play.example.org:2567'],
    ['203.0.113.7:2567', '203.0.113.7', 2567, '', '203.0.113.7:2567'],
    ['2001:db8::7', '2001:db8::7', undefined, '', '[2001:db8::7]'],
    ['[2001:db8::7]:2567', '2001:db8::7', 2567, '', '[2001:db8::7]:2567'],
    ['https://example.org/game/', 'example.org', undefined, '/game', 'example.org/game'],
    ['https://example.org:8443/a/b', 'example.org', 8443, '/a/b', 'example.org:8443/a/b'],
    ['wss://[2001:db8::7]:1/', '2001:db8::7', 1, '', '[2001:db8::7]:1'],
    ['example.org/game/', 'example.org', undefined, '/game', 'example.org/game'],
    ['localhost:2567', 'localhost', 2567, '', 'localhost:2567'],
  ])('%s', (text, host, port, path, written) => {
    expect(readPublicAddress(text)).toEqual({ host, port, path })
    expect(writePublicAddress(readPublicAddress(text))).toBe(written)
  })

  test.each([
    ['', 'a b', 'ftp://example.org', 'example.org:0', 'example.org:70000', 'example.org:port', '300.1.1.1', '12'],
    [
      '[play.example.org]',
      '[203.0.113.7]:1',
      'example.org//x',
      'example.org/?a',
      'user@example.org',
      'example.org/a b',
    ],
  ])('what is none is refused with the form of one', (...texts) => {
    for (const text of texts) expect(() => readPublicAddress(text), text).toThrow(/^The public address is host:port, /)
  })
})

describe('[SV201] a UDP address is a host with a port, or with the number that is listened on', () => {
  test.each([
    ['203.0.113.7:45181', '203.0.113.7', 45_181],
    ['203.0.113.7', '203.0.113.7', 2567],
    ['2001:db8::7', '2001:db8::7', 2567],
    ['[2001:db8::7]:1', '2001:db8::7', 1],
    ['play.example.org', 'play.example.org', 2567],
    ['play.example.org:65535', 'play.example.org', 65_535],
  ])('%s', (text, host, port) => expect(readUdpAddress(text, 2567)).toEqual({ host, port }))

  test.each([
    '',
    ':45181',
    '203.0.113.7:0',
    '300.1.1.1:1',
    'play.example.org:65536',
    'udp://a.example:1',
    'a.example/b',
  ])('"%s" is refused with the form of one', (text) =>
    expect(() => readUdpAddress(text, 2567)).toThrow(/^A UDP address is host:port, /),
  )
})

describe('[SV202] an address that players cannot reach is refused, with the cure', () => {
  const behindProxy: Reach = { host: '127.0.0.1', proxies: 1 }
  const exposed: Reach = { host: '0.0.0.0' }
  const redisUrl = 'redis://127.0.0.1'
  test.each<[string, Reach, RegExp]>([
    [
      'loopback behind a proxy',
      { ...behindProxy, publicAddress: '127.0.0.1:2567' },
      /each player's own machine.*--public/,
    ],
    ['IPv6 loopback behind a proxy', { ...behindProxy, publicAddress: '[::1]:2567' }, /each player's own machine/],
    ['loopback of a server on the network', { ...exposed, publicAddress: '127.0.0.1:2567' }, /write localhost\.$/],
    [
      'everywhere',
      { ...behindProxy, publicAddress: '0.0.0.0:2567' },
      /no address that one can go to.*--public-address/,
    ],
    ['everywhere, on one machine', { host: '127.0.0.1', publicAddress: '[::]:2567' }, /no address that one can go to/],
    ['none, with Redis on all addresses', { ...exposed, redisUrl }, /With REDIS_URL and 0\.0\.0\.0, give .*host:port/],
    [
      'none, with Redis behind a proxy',
      { ...behindProxy, redisUrl },
      /REDIS_URL and 127\.0\.0\.1 behind a proxy, give/,
    ],
  ])('%s', (_, reach, words) => expect(() => requireReachable(reach)).toThrow(words))

  test.each<[string, Reach]>([
    ['without Redis nobody is sent anywhere', behindProxy],
    ['all on one machine', { host: '127.0.0.1', redisUrl }],
    ['loopback for players of this machine', { host: '127.0.0.1', redisUrl, publicAddress: '127.0.0.1:2567' }],
    ['localhost says what is meant', { ...behindProxy, redisUrl, publicAddress: 'https://localhost/game/' }],
    ['an address of the network', { host: '192.0.2.1', redisUrl }],
    ['a name', { ...exposed, redisUrl, publicAddress: 'https://example.org/game/' }],
  ])('%s is fine', (_, reach) => expect(() => requireReachable(reach)).not.toThrow())
})
