/** Servers behind a NAT: which addresses a client is told, and who is asked for them. */

import { createHmac } from 'node:crypto'
import { createSocket, type Socket } from 'node:dgram'
import { type Address, type DatagramOptions, startDatagrams } from '@hurtbox/datagrams'
import { afterEach, expect, test, vi } from 'vitest'
import { freeUdpPort, RTCPeerConnection } from '../../datagrams/test/channels.ts'
import { joinDatagrams } from '../src/client/datagrams.ts'
import { createLane, inviteTo } from '../src/datagrams/lanes.ts'
import { INVITATION } from '../src/datagrams/names.ts'
import { until } from './server.ts'

vi.setConfig({ testTimeout: 60_000 })

const MAGIC = 0x2112a442
const BINDING = { request: 0x0001, success: 0x0101 }
const XOR_MAPPED_ADDRESS = 0x0020
const ALLOCATE = 0x0003
const SEEN_AS = { address: '203.0.113.9', port: 40_000 }
const cleanups: (() => void)[] = []
afterEach(() => {
  for (const clean of cleanups.splice(0)) clean()
})

/** Answers every question for an address with the same one, and notes what it was asked. */
async function startStun(): Promise<{ port: number; asked: number[] }> {
  const socket: Socket = createSocket('udp4')
  const asked: number[] = []
  socket.on('message', (question, from) => {
    const kind = question.readUInt16BE(0)
    asked.push(kind)
    if (kind !== BINDING.request) return
    const answer = Buffer.alloc(32)
    answer.writeUInt16BE(BINDING.success, 0)
    answer.writeUInt16BE(12, 2)
    question.copy(answer, 4, 4, 20)
    answer.writeUInt16BE(XOR_MAPPED_ADDRESS, 20)
    answer.writeUInt16BE(8, 22)
    answer.writeUInt8(1, 25)
    answer.writeUInt16BE(SEEN_AS.port ^ (MAGIC >>> 16), 26)
    const address = SEEN_AS.address.split('.').reduce((sum, part) => sum * 256 + Number(part), 0)
    answer.writeUInt32BE((address ^ MAGIC) >>> 0, 28)
    socket.send(answer, from.port, from.address)
  })
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve))
  cleanups.push(() => socket.close())
  return { port: socket.address().port, asked }
}

/** The candidates in what a server with these settings answers to an offer. */
async function candidatesOf(options: Partial<DatagramOptions>): Promise<{ port: number; candidates: string[] }> {
  const port = await freeUdpPort()
  const service = (await startDatagrams({ port, ...options }))!
  const connection = new RTCPeerConnection({ iceServers: [] })
  cleanups.push(
    () => service.close(),
    () => connection.close(),
  )
  connection.createDataChannel('hurtbox', { ordered: false, maxRetransmits: 0 })
  await connection.setLocalDescription(await connection.createOffer())
  const { answer } = service.open(connection.localDescription!.sdp, { onMessage() {}, onClosed() {} })!
  return { port, candidates: answer.split(/\r?\n/).filter((line) => line.startsWith('a=candidate')) }
}

test('[DG15] clients are told what the server makes of the addresses that it has, asked anew for each, and the address that its ICE servers see', async () => {
  const { port: stunPort, asked } = await startStun()
  const iceServers = [`stun:127.0.0.1:${stunPort}`]
  const addresses = (own: readonly Address[]) => [{ address: '2001:db8::7', port: 45_181 }, ...own]
  const { port, candidates } = await candidatesOf({ addresses, iceServers })
  expect(candidates.slice(0, 2)).toEqual([
    expect.stringContaining(' 2001:db8::7 45181 typ host'),
    expect.stringContaining(` 127.0.0.1 ${port} typ host`),
  ])
  expect(asked).toContain(BINDING.request)
  expect(candidates.some((each) => each.includes(`${SEEN_AS.address} ${SEEN_AS.port} typ srflx`))).toBe(true)
})

test('[DG15] a TURN server is asked for a place by the client, which says name and password as browsers do; the server is found by the relay', async () => {
  const { port, asked } = await startStun()
  const iceServers = [`turn:someone:se%3Acret@127.0.0.1:${port}`]
  const { candidates } = await candidatesOf({ iceServers })
  expect(candidates.some((each) => each.includes('typ host'))).toBe(true)
  asked.length = 0
  const handlers = new Map<string, (message: unknown) => void>()
  const room = { onMessage: (name: string, handler: never) => void handlers.set(name, handler), send() {} }
  const configs: unknown[] = []
  class Noting extends RTCPeerConnection {
    constructor(config: never) {
      super(config)
      configs.push(config)
    }
  }
  const path = joinDatagrams(room as never, Noting as never, () => {})
  cleanups.push(() => path.close())
  handlers.get(INVITATION)!({ iceServers, key: 'AAAA' })
  await until('a question', () => asked.includes(ALLOCATE))
  const { urls, username, credential } = (configs[0] as { iceServers: Record<string, string>[] }).iceServers[0]
  expect([[urls].flat()[0], username, credential]).toEqual([`turn:127.0.0.1:${port}`, 'someone', 'se:cret'])
})

test('[DG106] each client gets credentials of its own for TURN servers, which expire; a server with a user keeps it, and others get none', async () => {
  const named = [
    'turn:a.example:3478?transport=tcp',
    'turns:[2001:db8::1]:443',
    'turn:ada:b%3Ac@b.example',
    'stun:a.example',
  ]
  const service = (await startDatagrams({ port: await freeUdpPort(), iceServers: named, iceSecret: 'north' }))!
  cleanups.push(() => service.close())
  const seen = new Set<string>()
  for (let i = 0; i < 20; i++) {
    const { iceServers } = inviteTo(createLane(10), service)!
    expect(iceServers.slice(2)).toEqual(named.slice(2))
    for (const [at, place] of [
      [0, 'a.example:3478?transport=tcp'],
      [1, '[2001:db8::1]:443'],
    ] as const) {
      const [, user, password, rest] = /^turns?:([^:@]+):([^:@]+)@(.*)$/.exec(iceServers[at])!
      const name = decodeURIComponent(user)
      // As a TURN server computes it, which has the secret and nothing else.
      expect(decodeURIComponent(password)).toBe(createHmac('sha1', 'north').update(name).digest('base64'))
      const seconds = Number(name.split(':')[0]) - Date.now() / 1_000
      expect(seconds).toBeGreaterThan(3 * 3_600)
      expect(seconds).toBeLessThan(5 * 3_600)
      expect(rest).toBe(place)
      seen.add(name)
    }
  }
  expect(seen.size).toBe(40)
  const without = (await startDatagrams({ port: await freeUdpPort(), iceServers: named }))!
  cleanups.push(() => without.close())
  expect(without.iceServers()).toEqual(named)
})

test('[DG15] by default nothing outside is asked, by neither end: there are addresses of the machine only', async () => {
  const { candidates } = await candidatesOf({})
  expect(candidates.length).toBeGreaterThan(0)
  for (const each of candidates) expect(each).toContain('typ host')
  const service = (await startDatagrams({ port: await freeUdpPort() }))!
  cleanups.push(() => service.close())
  expect(inviteTo(createLane(10), service)?.iceServers).toEqual([])
})
