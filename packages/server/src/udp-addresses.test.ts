/** Where clients are told to find the UDP port, while names change, by a clock of the test. */

import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createLog } from './log.ts'
import { createUdpAddresses, type UdpAddresses, type UdpAddressOptions } from './udp-addresses.ts'

const OWN = [{ address: '10.0.0.2', port: 2567 }]
const NAME = 'play.example.org'
let addresses: UdpAddresses | undefined
let answers: Record<string, readonly string[] | Error> = {}
let asked = 0
const warned: string[] = []
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  warned.length = 0
  asked = 0
})
afterEach(() => {
  addresses?.stop()
  vi.useRealTimers()
})

async function open(given: UdpAddressOptions['given'], more: Partial<UdpAddressOptions> = {}): Promise<UdpAddresses> {
  const log = createLog('silent')
  vi.spyOn(log, 'warn').mockImplementation(((facts: { problem: string }) => warned.push(facts.problem)) as never)
  const resolve = async (name: string) => {
    asked++
    const answer = answers[name] ?? Object.assign(new Error(), { code: 'ENOTFOUND' })
    if (answer instanceof Error) throw answer
    return answer
  }
  addresses = await createUdpAddresses({ given, tellsOwn: false, isElsewhere: true, log, resolve, ...more })
  return addresses
}

const told = () => addresses!.tell(OWN).map(({ address, port }) => `${address} ${port}`)

test('[SV203] given addresses are told as they are given, and nothing else is', async () => {
  await open([
    { host: '203.0.113.7', port: 45_181 },
    { host: '2001:db8::7', port: 1 },
  ])
  expect(told()).toEqual(['203.0.113.7 45181', '2001:db8::7 1'])
  expect(addresses!.shown).toBe('203.0.113.7:45181, [2001:db8::7]:1')
  await vi.advanceTimersByTimeAsync(3_600_000)
  expect(asked).toBe(0)
})

test('[SV203] without given ones the own are told, after the host of the public address, none of them twice', async () => {
  answers = { [NAME]: ['203.0.113.7', '10.0.0.2'] }
  await open([{ host: NAME, port: 2567 }], { tellsOwn: true })
  expect(told()).toEqual(['203.0.113.7 2567', '10.0.0.2 2567'])
})

test('[SV204] a name is told by its addresses of both families, and by its new ones when it changes', async () => {
  answers = { [NAME]: ['203.0.113.7', '2001:db8::7'] }
  await open([{ host: NAME, port: 1 }])
  expect(told()).toEqual(['203.0.113.7 1', '2001:db8::7 1'])
  answers = { [NAME]: ['203.0.113.8'] }
  await vi.advanceTimersByTimeAsync(59_000)
  expect(told()).toEqual(['203.0.113.7 1', '2001:db8::7 1'])
  await vi.advanceTimersByTimeAsync(2_000)
  expect(told()).toEqual(['203.0.113.8 1'])
})

test('[SV204] while a name has no answer its last one counts, it is asked for sooner, and the log has one line', async () => {
  answers = { [NAME]: ['203.0.113.7'] }
  await open([{ host: NAME, port: 1 }])
  answers = {}
  await vi.advanceTimersByTimeAsync(300_000)
  expect(told()).toEqual(['203.0.113.7 1'])
  expect(warned).toEqual(['ENOTFOUND'])
  answers = { [NAME]: ['203.0.113.8'] }
  await vi.advanceTimersByTimeAsync(5_000)
  expect(told()).toEqual(['203.0.113.8 1'])
})

test('[SV204] a server starts with a name that has no answer yet, and says so', async () => {
  answers = {}
  await open([{ host: NAME, port: 1 }])
  expect(told()).toEqual([])
  expect(addresses!.shown).toBe(`${NAME}:1 (no address yet: ENOTFOUND)`)
  answers = { [NAME]: ['203.0.113.7'] }
  await vi.advanceTimersByTimeAsync(5_000)
  expect(told()).toEqual(['203.0.113.7 1'])
})

test('[SV204] a name that means this machine here is of no use to players elsewhere, and is on one machine, or as localhost', async () => {
  answers = { [NAME]: ['127.0.1.1'] }
  await open([{ host: NAME, port: 1 }])
  expect(told()).toEqual([])
  expect(warned).toEqual(['it means 127.0.1.1 on this machine; give its IP address'])
  addresses?.stop()
  await open([{ host: NAME, port: 1 }], { isElsewhere: false })
  expect(told()).toEqual(['127.0.1.1 1'])
  addresses?.stop()
  answers = { localhost: ['127.0.0.1'] }
  await open([{ host: 'localhost', port: 1 }])
  expect(told()).toEqual(['127.0.0.1 1'])
})

test('[SV204] names are asked for no more when the port is closed, and at most 16 addresses are told', async () => {
  answers = { [NAME]: Array.from({ length: 40 }, (_, i) => `203.0.113.${i}`) }
  await open([{ host: NAME, port: 1 }])
  expect(told()).toHaveLength(16)
  addresses?.stop()
  const before = asked
  await vi.advanceTimersByTimeAsync(300_000)
  expect(asked).toBe(before)
})
