/** Where a client is, and who can change that: by a real port, with checks and records from addresses that others forge. By a clock of the test. */

import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Address } from '../src/ice/stun.ts'
import { bindingRequestOf, CHUNK, packetOf } from './client.ts'
import { createVisitor, openTestPort, type TestPort, type Visitor } from './ports.ts'

const DATA = 23
const ELSEWHERE = { address: '192.0.2.66', port: 6_666 }
const cleanups: (() => void)[] = []
beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] }))
afterEach(() => {
  for (const clean of cleanups.splice(0).reverse()) clean()
  vi.restoreAllMocks()
  vi.useRealTimers()
})

type Placed = Visitor & {
  /** Where it is now. Packets reach it only there. */
  at: Address
  /** Sends the packets that are under way, both ways. */
  settle(): void
  /** What it has sent to the port; each is also handed on. */
  readonly sniffed: Buffer[]
}

type World = {
  readonly port: TestPort
  /** Everything that the port has sent. */
  readonly sent: { readonly packet: Buffer; readonly to: Address }[]
  sentTo(address: Address): Buffer[]
  /** A client at an address, with an open channel. */
  join(at: Address): Promise<Placed>
  /** Lets time pass, in steps of 100 ms. */
  pass(ms: number): void
}

const nameOf = ({ address, port }: Address) => `${address} ${port}`

/** A port whose packets go to clients at made-up addresses, and to nobody else. */
async function openWorld(): Promise<World> {
  const port = await openTestPort()
  cleanups.push(() => port.close())
  const clients: Placed[] = []
  const sent: { packet: Buffer; to: Address }[] = []
  const toClients: (() => void)[] = []
  vi.spyOn(port.socket, 'send').mockImplementation(((packet: Buffer, at: number, address: string) => {
    const copy = Buffer.from(packet)
    const to = { address, port: at }
    sent.push({ packet: copy, to })
    const client = clients.find((each) => nameOf(each.at) === nameOf(to))
    if (client !== undefined) toClients.push(() => void client.socket.emit('message', copy, to))
  }) as never)
  const settle = () => {
    for (let next = toClients.shift(); next !== undefined; next = toClients.shift()) next()
  }
  return {
    port,
    sent,
    sentTo: (address) => sent.filter(({ to }) => nameOf(to) === nameOf(address)).map(({ packet }) => packet),
    async join(at) {
      const visitor = await createVisitor(port)
      cleanups.push(() => visitor.close())
      const placed: Placed = Object.assign(visitor, { at, settle, sniffed: [] as Buffer[] })
      vi.spyOn(visitor.socket, 'send').mockImplementation(((packet: Buffer) => {
        const copy = Buffer.from(packet)
        placed.sniffed.push(copy)
        port.take(copy, placed.at)
      }) as never)
      clients.push(placed)
      placed.check()
      settle()
      if (!visitor.client.isOpen) throw new Error('The channel did not open.')
      return placed
    },
    pass(ms) {
      for (let passed = 0; passed < ms; passed += 100) {
        vi.advanceTimersByTime(100)
        settle()
      }
    },
  }
}

test('[DG65] a connectivity check that was seen by others and is sent again from elsewhere moves nothing and gets no answer', async () => {
  const world = await openWorld()
  const victim = await world.join({ address: '198.51.100.1', port: 1_000 })
  const [check] = victim.sniffed.filter(([first]) => first < 4)
  const before = victim.client.messages.length
  for (let i = 0; i < 200; i++) {
    for (let times = 0; times < 5; times++) world.port.take(check, { ...ELSEWHERE, port: 6_666 + (i % 50) })
    victim.channel.send(Buffer.of(i))
    world.pass(100)
  }
  expect(victim.client.messages.length - before).toBe(200)
  expect(world.sent.filter(({ to }) => to.address === ELSEWHERE.address)).toEqual([])
})

test('[DG65] a check with a new transaction id from elsewhere is answered, and moves nothing', async () => {
  const world = await openWorld()
  const victim = await world.join({ address: '198.51.100.1', port: 1_000 })
  const before = victim.client.messages.length
  for (let i = 0; i < 10; i++) {
    world.port.take(bindingRequestOf(victim.ufrag, victim.pwd), ELSEWHERE)
    victim.channel.send(Buffer.of(i))
    world.pass(100)
  }
  expect(victim.client.messages.length - before).toBe(10)
  expect(world.sentTo(ELSEWHERE).every(([first]) => first < 4)).toBe(true)
})

test('[DG66] a client that goes elsewhere is sent everything there, once it has answered there', async () => {
  const world = await openWorld()
  const client = await world.join({ address: '198.51.100.1', port: 1_000 })
  client.at = { address: '198.51.100.2', port: 2_000 }
  client.check()
  client.client.sendMessage(Buffer.from('from there'))
  client.channel.send(Buffer.from('lost'))
  client.settle()
  client.channel.send(Buffer.from('found'))
  client.settle()
  expect(client.client.messages.map(String)).toEqual(['found'])
  expect(client.delivered.map(String)).toEqual(['from there'])
})

test('[DG66] records of a seat with a forged address send nothing there but a question, below three times of what came', async () => {
  const world = await openWorld()
  const attacker = await world.join({ address: '198.51.100.1', port: 1_000 })
  const { client } = attacker
  let bytes = 0
  const forge = (packet: Buffer) => {
    bytes += packet.length
    world.port.take(packet, ELSEWHERE)
  }
  forge(bindingRequestOf(attacker.ufrag, attacker.pwd))
  for (let i = 0; i < 600; i++) {
    forge(client.protect(DATA, packetOf(client.serverTag, { type: CHUNK.heartbeat, flags: 0, body: Buffer.alloc(0) })))
    attacker.channel.send(Buffer.alloc(300))
    world.pass(100)
  }
  const packets = world.sentTo(ELSEWHERE)
  expect(packets.every(({ length }) => length < 100)).toBe(true)
  // Five a second, and the answer to the check.
  expect(packets.length).toBeLessThanOrEqual(302)
  expect(packets.reduce((sum, { length }) => sum + length, 0)).toBeLessThan(3 * bytes)
  // Its own place hears all of it.
  expect(client.messages.length).toBe(600)
})

test('[DG67] a client may change its address as often as it wants: of the sixteen that it is known by the oldest is forgotten', async () => {
  const world = await openWorld()
  const client = await world.join({ address: '198.51.100.1', port: 1_000 })
  for (let i = 0; i < 40; i++) {
    client.at = { address: '198.51.100.2', port: 2_000 + i }
    client.check()
    client.client.sendMessage(Buffer.of(i))
    client.settle()
    client.channel.send(Buffer.of(i))
    client.settle()
    expect([client.delivered.length, client.client.messages.length], `move ${i}`).toEqual([i + 1, i + 1])
    world.pass(100)
  }
})

test('[DG67] an address that nobody was heard from for 30 seconds is forgotten', async () => {
  const world = await openWorld()
  const client = await world.join({ address: '198.51.100.1', port: 1_000 })
  world.port.take(bindingRequestOf(client.ufrag, client.pwd), ELSEWHERE)
  const { strange } = world.port.refused
  const forged = Buffer.alloc(60, 23)
  world.port.take(forged, ELSEWHERE)
  expect(world.port.refused.strange).toBe(strange)
  for (let i = 0; i < 350; i++) {
    world.pass(100)
    if (i % 20 === 0) client.check()
  }
  world.port.take(forged, ELSEWHERE)
  expect(world.port.refused.strange).toBe(strange + 1)
  client.channel.send(Buffer.from('still'))
  client.settle()
  expect(client.client.messages.map(String)).toEqual(['still'])
})

test('[DG67] who says that it is at an address and never answers there does not keep it from others', async () => {
  const world = await openWorld()
  const squatter = await createVisitor(world.port)
  cleanups.push(() => squatter.close())
  const place = { address: '198.51.100.1', port: 1_000 }
  world.port.take(bindingRequestOf(squatter.ufrag, squatter.pwd), place)
  const client = await world.join(place)
  // Nor does it get it back.
  world.port.take(bindingRequestOf(squatter.ufrag, squatter.pwd), place)
  client.client.sendMessage(Buffer.from('mine'))
  client.settle()
  expect(client.delivered.map(String)).toEqual(['mine'])
})

test('[DG68] who does not answer for 30 seconds is closed, whatever checks come in its name', async () => {
  const world = await openWorld()
  const client = await world.join({ address: '198.51.100.1', port: 1_000 })
  // Answers are asked for again until they come: the first four are lost.
  let lost = 0
  const take = client.client.take
  client.client.take = (packet) => (packet.length < 100 && lost < 4 && lost++ >= 0 ? undefined : take(packet))
  for (let i = 0; i < 1_000; i++) world.pass(100)
  expect([client.isClosed, lost]).toEqual([false, 4])
  const { at } = client
  client.at = ELSEWHERE
  let passed = 0
  for (; passed < 60_000 && !client.isClosed; passed += 100) {
    world.pass(100)
    if (passed % 2_000 === 0) world.port.take(bindingRequestOf(client.ufrag, client.pwd), at)
  }
  expect(passed).toBeGreaterThanOrEqual(20_000)
  expect(passed).toBeLessThanOrEqual(30_100)
})
