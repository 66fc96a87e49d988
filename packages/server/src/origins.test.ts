/** Which pages are our own: by the name they were opened under, by what browsers say, behind proxies, and on a loopback address. */

import type { IncomingMessage } from 'node:http'
import { describe, expect, test } from 'vitest'
import { createOrigins, type OriginSettings } from './origins.ts'

type Headers = Readonly<Record<string, string>>

const asked = (origin: string, host: string, more: Headers = {}) =>
  ({ headers: { origin, host, ...more } }) as unknown as IncomingMessage
const told: string[] = []
function origins(settings: Partial<OriginSettings> = {}) {
  told.length = 0
  const warn = (sentence: string) => void told.push(sentence)
  return createOrigins({ listed: [], proxies: 0, localPages: false, isExposed: () => true, warn, ...settings })
}
const onLoopback = { isExposed: () => false }
const SAME = { 'sec-fetch-site': 'same-origin' }

describe('[SV82] a page that came from where it asks is our own', () => {
  test.each([
    ['a name', 'http://play.example.org:2567', 'play.example.org:2567'],
    ['a name behind https, with Host passed on', 'https://play.example.org', 'play.example.org'],
    ['the same with the port in Host', 'https://play.example.org', 'play.example.org:443'],
    ['an address', 'http://203.0.113.7:2567', '203.0.113.7:2567'],
    ['an IPv6 address', 'http://[2001:db8::7]:2567', '[2001:db8::7]:2567'],
    ['a name in other letters', 'http://play.example.org:2567', 'Play.Example.ORG:2567'],
  ])('%s', (_, origin, host) => {
    expect(origins().isAllowed(asked(origin, host))).toBe(true)
  })

  test.each([
    ['another name', 'http://evil.example', 'play.example.org'],
    ['a name that begins with ours', 'http://play.example.org.evil.example', 'play.example.org'],
    ['another port', 'http://play.example.org:8080', 'play.example.org:2567'],
    ['another port, and none in Host', 'http://play.example.org:8080', 'play.example.org'],
    ['none', 'null', 'play.example.org'],
    ['a file', 'file://', 'play.example.org'],
    ['an extension of the browser', 'chrome-extension://abc', 'abc'],
    ['rubbish', 'play.example.org', 'play.example.org'],
  ])('not so: %s', (_, origin, host) => {
    expect(origins().isAllowed(asked(origin, host))).toBe(false)
  })
})

describe('[SV83] a server on a loopback address takes no name that anybody could point at it', () => {
  test.each([
    ['a name', 'http://evil.example:2567', 'evil.example:2567', {}, false],
    // Browsers say nothing to addresses that are not trustworthy; one that did must not be believed.
    ['a name, said to be the same', 'http://evil.example:2567', 'evil.example:2567', SAME, false],
    ['a forwarded name, which nobody vouches for', 'http://e.example', 'x', { 'x-forwarded-host': 'e.example' }, false],
    ['localhost', 'http://localhost:2567', 'localhost:2567', {}, true],
    ['a name that browsers keep for this machine', 'http://game.localhost:2567', 'game.localhost:2567', {}, true],
    ['an address', 'http://127.0.0.1:2567', '127.0.0.1:2567', {}, true],
  ])('%s', (_, origin, host, headers: Headers, isAllowed) => {
    expect(origins(onLoopback).isAllowed(asked(origin, host, headers))).toBe(isAllowed)
  })

  test('a listed name, and any when a proxy of ours stands in front', () => {
    const page = asked('https://play.example.org', 'play.example.org')
    expect(origins({ ...onLoopback, listed: ['https://play.example.org/'] }).isAllowed(page)).toBe(true)
    expect(origins({ ...onLoopback, proxies: 1 }).isAllowed(page)).toBe(true)
  })
})

describe('[SV84] behind a proxy that does not pass Host on', () => {
  const UPSTREAM = '127.0.0.1:2567'
  test('an https page is our own when the browser says so', () => {
    for (const { isAllowed } of [origins(), origins(onLoopback), origins({ proxies: 1 })]) {
      expect(isAllowed(asked('https://play.example.org', UPSTREAM, SAME))).toBe(true)
      for (const site of ['cross-site', 'same-site', 'none'])
        expect(isAllowed(asked('https://evil.example', UPSTREAM, { 'sec-fetch-site': site })), site).toBe(false)
      expect(isAllowed(asked('http://evil.example', UPSTREAM, SAME))).toBe(false)
    }
  })

  test('what a trusted proxy forwards as Host counts, without a port for all ports; of others it does not', () => {
    const page = (forwarded: string) =>
      asked('https://play.example.org:8443', UPSTREAM, { 'x-forwarded-host': forwarded })
    for (const forwarded of ['play.example.org:8443', 'play.example.org', 'play.example.org:8443, inner'])
      expect(origins({ proxies: 1 }).isAllowed(page(forwarded)), forwarded).toBe(true)
    expect(origins({ proxies: 1 }).isAllowed(page('play.example.org:443'))).toBe(false)
    expect(origins({ proxies: 1 }).isAllowed(page('evil.example'))).toBe(false)
    expect(origins().isAllowed(page('play.example.org:8443'))).toBe(false)
    expect(origins({ proxies: 1 }).isAllowed(asked('https://play.example.org:8443', 'play.example.org'))).toBe(true)
  })

  test('a socket is let in for the page that reserved its seat, and for no other', () => {
    const socket = asked('https://play.example.org', UPSTREAM)
    expect(origins().isAllowed(socket, 'https://play.example.org')).toBe(true)
    expect(origins().isAllowed(socket, 'https://evil.example')).toBe(false)
    expect(origins().isAllowed(socket, undefined)).toBe(false)
  })
})

test('[SV85] pages of the public address are our own, whatever their port, and may connect to all its ports', () => {
  for (const publicAddress of ['play.example.org:2567', 'play.example.org']) {
    const { isAllowed, sources } = origins({ publicAddress, ...onLoopback })
    for (const page of ['http://play.example.org:2567', 'https://play.example.org', 'https://play.example.org:8443'])
      expect(isAllowed(asked(page, '10.0.0.5:2568')), page).toBe(true)
    expect(isAllowed(asked('https://evil.example', '10.0.0.5:2568'))).toBe(false)
    expect(sources).toEqual(['play.example.org:*'])
  }
  const six = origins({ publicAddress: '2001:db8::7' })
  expect(six.isAllowed(asked('http://[2001:db8::7]:80', 'x'))).toBe(true)
  expect(six.sources).toEqual([])
})

describe('[SV86] a page that is refused is told of once, with what cures it', () => {
  test('once for each page, and for so many pages', () => {
    const { refuse } = origins()
    const sentence =
      'a page at https://play.example.org was refused; if it is yours: --origin https://play.example.org (ORIGINS=https://play.example.org)'
    for (let i = 0; i < 3; i++) expect(refuse(asked('https://play.example.org', 'x'))).toBe(sentence)
    expect(told).toEqual([sentence])
    for (let i = 0; i < 1000; i++) refuse(asked(`https://p${i}.example`, 'x'))
    expect(told.length).toBe(64)
    expect(refuse(asked('https://late.example', 'x'))).toContain('--origin https://late.example')
  })

  test('the cure works', () => {
    const page = asked('https://play.example.org:8443', 'x')
    const [, listed] = /--origin (\S+)/.exec(origins().refuse(page))!
    expect(origins({ listed: [listed] }).isAllowed(page)).toBe(true)
  })

  test('behind a proxy that was not mentioned, that is said too', () => {
    const page = asked('https://play.example.org', 'x', { 'x-forwarded-for': '203.0.113.7' })
    expect(origins().refuse(page)).toMatch(/, or --proxies 1 \(PROXIES=1\) if a proxy of yours passes it on$/)
    expect(origins({ proxies: 1 }).refuse(page)).not.toContain('PROXIES')
  })

  test('where there is nothing to list, that is said, and nothing of what was sent', () => {
    for (const origin of ['null', 'file://', `https://${'x'.repeat(4000)}.example`])
      expect(origins().refuse(asked(origin, 'x')), origin).toMatch(/^a page that has no address of its own was refused/)
  })
})
