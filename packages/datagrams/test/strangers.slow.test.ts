/** Who gets an answer from the port of data channels, and from where a client may come: by the real socket, with addresses that are forged. */

import { createSocket } from 'node:dgram'
import { afterEach, expect, test, vi } from 'vitest'
import { runTimers } from '../src/connection.ts'
import { bindingRequestOf, connectDirectly, createDirect } from './client.ts'
import { createVisitor, openForeign, openTestPort, startProxy, type TestPort, type Visitor } from './ports.ts'

vi.setConfig({ testTimeout: 120_000 })

const within = { timeout: 60_000, interval: 20 }
const STRANGER = { address: '192.0.2.66', port: 6_666 }
const cleanups: (() => void)[] = []
afterEach(() => {
  for (const clean of cleanups.splice(0).reverse()) clean()
})

async function openPort(): Promise<TestPort> {
  const port = await openTestPort()
  cleanups.push(() => port.close())
  return port
}

/** Somebody whose channel is open. */
async function openVisitor(port: TestPort): Promise<Visitor> {
  const visitor = await createVisitor(port)
  cleanups.push(() => visitor.close())
  visitor.check()
  await vi.waitUntil(() => visitor.client.isOpen, within)
  return visitor
}

const whereIs = ({ socket }: Visitor) => ({ address: '127.0.0.1', port: socket.address().port })

test('[DG108] the port has a receive buffer of a megabyte, or the largest that the system gives', async () => {
  const port = await openPort()
  const other = createSocket('udp4')
  await new Promise<void>((resolve) => other.bind(0, '127.0.0.1', resolve))
  cleanups.push(() => other.close())
  const usual = other.getRecvBufferSize()
  other.setRecvBufferSize(1 << 20)
  expect(port.socket.getRecvBufferSize()).toBe(other.getRecvBufferSize())
  expect(port.socket.getRecvBufferSize()).toBeGreaterThan(usual)
})

test('[DG25] strangers get no answer at all, and are counted: without MESSAGE-INTEGRITY, a known ufrag, a check before, or with lengths that lie', async () => {
  const port = await openPort()
  const visitor = await createVisitor(port)
  cleanups.push(() => visitor.close())
  const { ufrag, pwd } = visitor
  const good = bindingRequestOf(ufrag, pwd)
  const changed = (change: (bytes: Buffer) => void) => {
    const bytes = Buffer.from(good)
    change(bytes)
    return bytes
  }
  const unsigned = Buffer.from(good.subarray(0, -24))
  unsigned.writeUInt16BE(unsigned.length - 20, 2)
  // After MESSAGE-INTEGRITY, where nothing is protected.
  const lyingEnd = Buffer.concat([good, Buffer.of(0x80, 0x28, 0xff, 0xff)])
  lyingEnd.writeUInt16BE(lyingEnd.length - 20, 2)
  const packets = [
    unsigned,
    lyingEnd,
    bindingRequestOf(ufrag, 'another pwd'),
    bindingRequestOf('another', pwd),
    bindingRequestOf('', pwd),
    bindingRequestOf('__proto__', pwd),
    Buffer.alloc(20),
    good.subarray(0, -1),
    Buffer.concat([good, Buffer.alloc(4)]),
    changed((bytes) => bytes.writeUInt16BE(0, 2)),
    changed((bytes) => bytes.writeUInt16BE(0xffff, 2)),
    changed((bytes) => bytes.writeUInt16BE(0xffff, 22)),
    changed((bytes) => bytes.writeUInt16BE(0, 22)),
    changed((bytes) => bytes.writeUInt16BE(0x0101, 0)),
    changed((bytes) => bytes.writeUInt32BE(0, 4)),
    // A ClientHello, records, noise.
    ...[0, 3, 20, 22, 23, 64, 128, 255].flatMap((first) => {
      return [1, 2, 19, 20, 200, 1_500].map((length) => Buffer.alloc(length, first))
    }),
  ]
  const handshake: Buffer[] = []
  const direct = createDirect({ onPacket: (packet) => void handshake.push(packet) })
  direct.client.start()
  packets.push(...handshake)
  const send = vi.spyOn(port.socket, 'send')
  for (const packet of packets) port.take(packet, STRANGER)
  expect(send).not.toHaveBeenCalled()
  expect(port.refused).toEqual({
    strange: packets.length,
    tooLong: 0,
    beyondBudget: 0,
    crowded: 0,
    forged: 0,
    replayed: 0,
    unfit: 0,
    threw: 0,
  })
  port.take(Buffer.alloc(1_501), STRANGER)
  port.take(Buffer.alloc(0), STRANGER)
  expect([port.refused.tooLong, port.refused.strange, send.mock.calls.length]).toEqual([1, packets.length + 1, 0])
  // And the answer to who has the right to one is not larger by more than an address.
  port.take(good, STRANGER)
  expect(
    send.mock.calls.map(([bytes, to, address]) => [(bytes as Buffer).length <= good.length + 24, to, address]),
  ).toEqual([[true, STRANGER.port, STRANGER.address]])
})

test('[DG109] a check names its receiver before a colon, and behind it anybody: both are signed', async () => {
  const port = await openPort()
  const visitor = await createVisitor(port)
  cleanups.push(() => visitor.close())
  const { ufrag, pwd } = visitor
  const send = vi.spyOn(port.socket, 'send')
  const answersTo = (username: string) => {
    send.mockClear()
    port.take(bindingRequestOf(ufrag, pwd, true, username), STRANGER)
    return send.mock.calls.length
  }
  expect([`${ufrag}:client`, `${ufrag}:another`, `${ufrag}:`].map(answersTo)).toEqual([1, 1, 1])
  expect([ufrag, `client:${ufrag}`, `:${ufrag}`].map(answersTo)).toEqual([0, 0, 0])
  expect(port.refused.strange).toBe(3)
})

test('[DG25] a check from an address where nobody can be answered throws nothing', async () => {
  const port = await openPort()
  const visitor = await createVisitor(port)
  cleanups.push(() => visitor.close())
  const { ufrag, pwd } = visitor
  const nowhere = { address: '192.0.2.66', port: 0 }
  const send = vi.spyOn(port.socket, 'send')
  port.take(bindingRequestOf(ufrag, pwd), nowhere)
  port.take(Buffer.alloc(100, 22), nowhere)
  expect([send.mock.calls.length, port.refused.strange]).toEqual([0, 2])
})

test('[DG25] who checks from the address of another does not take it over', async () => {
  const port = await openPort()
  const [honest, thief] = [await openVisitor(port), await createVisitor(port)]
  cleanups.push(() => thief.close())
  const before = port.refused.strange
  const send = vi.spyOn(port.socket, 'send')
  port.take(bindingRequestOf(thief.ufrag, thief.pwd), whereIs(honest))
  expect([send.mock.calls.length, port.refused.strange]).toEqual([0, before + 1])
  honest.client.sendMessage(Buffer.from('mine'))
  await vi.waitUntil(() => honest.delivered.length === 1, within)
  thief.channel.send(Buffer.from('to the thief'))
  honest.channel.send(Buffer.from('yours'))
  await vi.waitUntil(() => honest.client.messages.length === 1, within)
  expect(honest.client.messages.map(String)).toEqual(['yours'])
})

test('[DG25] packets of a client beyond its budget are counted and not decrypted, [DG53] it is closed, and no other client suffers', async () => {
  const port = await openPort()
  const [greedy, honest] = [await openVisitor(port), await openVisitor(port)]
  const place = whereIs(greedy)
  const packet = () => greedy.client.protect(23, Buffer.alloc(100))
  vi.spyOn(port.socket, 'send').mockReturnValue(undefined)
  for (let handed = 0; handed < 10_000 && !greedy.isClosed; handed++) port.take(packet(), place)
  expect([greedy.isClosed, port.abusers]).toEqual([true, { records: 1, crowded: 0, bytes: 0 }])
  // What it may exceed its budget by, and what more while this lasted.
  expect(port.refused.beyondBudget).toBeGreaterThan(800)
  // From now on it is a stranger.
  const before = port.refused.strange
  port.take(packet(), place)
  port.take(bindingRequestOf(greedy.ufrag, greedy.pwd), place)
  expect(port.refused.strange).toBe(before + 2)
  vi.restoreAllMocks()
  honest.client.sendMessage(Buffer.from('hello'))
  await vi.waitUntil(() => honest.delivered.length === 1, within)
})

test('[DG70] checks with a known name and a wrong signature cost 50 HMACs at once, and checks of the client are answered beside them', async () => {
  const port = await openPort()
  const visitor = await openVisitor(port)
  const before = { ...port.refused }
  for (let i = 0; i < 2_000; i++) port.take(bindingRequestOf(visitor.ufrag, 'another pwd'), STRANGER)
  const [computed, dropped] = [port.refused.strange - before.strange, port.refused.beyondBudget - before.beyondBudget]
  expect(computed + dropped).toBe(2_000)
  expect(computed).toBeLessThan(150)
  const { responses } = visitor
  visitor.check()
  await vi.waitUntil(() => visitor.responses > responses, within)
})

test('[DG76] a message as long as the answer allows arrives whole', async () => {
  const port = await openPort()
  const visitor = await openVisitor(port)
  const bytes = Number(/a=max-message-size:(\d+)/.exec(visitor.channel.answer)![1])
  expect(bytes).toBe(1_100)
  visitor.client.sendMessage(Buffer.alloc(bytes, 7))
  await vi.waitUntil(() => visitor.delivered.length === 1, within)
  expect(visitor.delivered[0]).toEqual(Buffer.alloc(bytes, 7))
})

test('[DG71] an error in what a packet leads to closes one client, is reported, and no other notices', async () => {
  const port = await openPort()
  const [wrong, honest] = [await openVisitor(port), await openVisitor(port)]
  wrong.delivered.push = () => {
    throw new Error('a room that is wrong')
  }
  wrong.client.sendMessage(Buffer.from('hello'))
  await vi.waitUntil(() => wrong.isClosed, within)
  expect([port.errors.map(String), port.refused.threw]).toEqual([['Error: a room that is wrong'], 1])
  honest.client.sendMessage(Buffer.from('hello'))
  await vi.waitUntil(() => honest.delivered.length === 1, within)
  honest.channel.send(Buffer.from('yours'))
  await vi.waitUntil(() => honest.client.messages.length === 1, within)
  expect(honest.isClosed).toBe(false)
})

test('[DG71] an error before it is known whose a packet is ends nothing, and is reported', async () => {
  const port = await openPort()
  const honest = await openVisitor(port)
  // None of ours is known to throw there.
  const wrong = new Proxy(Buffer.alloc(20, 22), {
    get() {
      throw new Error('a packet that cannot be read')
    },
  })
  port.socket.emit('message', wrong, STRANGER)
  expect([port.errors.map(String), port.refused.threw]).toEqual([['Error: a packet that cannot be read'], 1])
  honest.client.sendMessage(Buffer.from('hello'))
  await vi.waitUntil(() => honest.delivered.length === 1, within)
})

test('[DG27] a client that a NAT has moved to another port in the middle of a match goes on with its next check from there', async () => {
  const port = await openPort()
  let isMoved = false
  let deliveredBefore: readonly string[] | undefined
  const proxy = await startProxy(
    port.number,
    (packet, pass) => {
      if (isMoved && packet[0] < 4) deliveredBefore ??= [...foreign.delivered]
      pass(packet)
    },
    (packet, pass) => pass(packet),
  )
  const foreign = await openForeign(port, { through: proxy.number })
  cleanups.push(proxy.close, foreign.close)
  await vi.waitUntil(() => foreign.isOpen, within)
  const talk = async (what: string) => {
    const [up, down] = [foreign.delivered.length, foreign.got.length]
    let sent = 0
    await vi.waitUntil(() => {
      foreign.sendToServer(`${what} ${sent}`)
      foreign.sendToClient(`${what} ${sent++}`)
      return foreign.delivered.length >= up + 5 && foreign.got.length >= down + 5
    }, within)
  }
  await talk('before')
  await proxy.move()
  isMoved = true
  await talk('after')
  // Nothing counts from the new address before its first check.
  expect(deliveredBefore?.filter((text) => text.startsWith('after'))).toEqual([])
  expect(foreign.isClosed).toBe(false)
  expect(new Set(foreign.delivered).size).toBe(foreign.delivered.length)
  expect(new Set(foreign.got).size).toBe(foreign.got.length)
})

test('[DG68] libdatachannel answers when it is asked whether it still receives: a minute goes by, and its channel is open', async () => {
  const clock = performance.now.bind(performance)
  const start = clock()
  vi.spyOn(performance, 'now').mockImplementation(() => start + 20 * (clock() - start))
  cleanups.push(() => vi.restoreAllMocks())
  const port = await openPort()
  const foreign = await openForeign(port)
  cleanups.push(foreign.close)
  await vi.waitUntil(() => foreign.isOpen, within)
  const openedAt = performance.now()
  await vi.waitUntil(() => foreign.isClosed || performance.now() > openedAt + 60_000, within)
  expect(foreign.isClosed).toBe(false)
  foreign.sendToServer('still here')
  await vi.waitUntil(() => foreign.delivered.includes('still here'), within)
})

test('[DG27] who has not answered for 30 seconds is closed, whatever else it sends, and who has is not', () => {
  const direct = connectDirectly()
  const { connection, client } = direct
  // In whole milliseconds, so that sums are exact.
  const answeredAt = Math.round(connection.path.answeredAt)
  connection.path.answeredAt = answeredAt
  // Every question is lost.
  client.take = () => {}
  runTimers(connection, answeredAt + 30_000)
  client.sendMessage(Buffer.from('here'))
  direct.pump()
  expect(direct.isClosed).toBe(false)
  connection.path.answeredAt += 20_000
  runTimers(connection, answeredAt + 50_000)
  expect(direct.isClosed).toBe(false)
  direct.sent.length = 0
  runTimers(connection, answeredAt + 50_000.5)
  expect(direct.isClosed).toBe(true)
  // ABORT and close_notify.
  expect(direct.sent.map(([type]) => type)).toEqual([23, 21])
  // And it is deaf from now on.
  client.sendMessage(Buffer.from('again'))
  direct.pump()
  expect(direct.delivered.map(String)).toEqual(['here'])
})
