/** Packets that come again: each is taken once. */

import { afterEach, expect, test, vi } from 'vitest'
import { createRandom } from '../../hurtbox/test/random.ts'
import type { Aead } from '../src/dtls/ciphers/suites.ts'
import { CONTENT_TYPE, createRecordLayer, eachRecord, writeRecord } from '../src/dtls/records.ts'
import { connectDirectly } from './client.ts'
import { type Line, openForeign, openTestPort, startProxy } from './ports.ts'

vi.setConfig({ testTimeout: 120_000 })

const within = { timeout: 60_000, interval: 20 }
const SEEDS = process.env.HURTBOX_LONG ? 2_000 : 30
const cleanups: (() => void)[] = []
afterEach(() => {
  for (const clean of cleanups.splice(0)) clean()
})

test('[DG22] a line that says each packet again, at once and later, delivers each message once', async () => {
  const port = await openTestPort()
  const again: Line = (packet, pass) => {
    for (const delay of [50, 700]) setTimeout(pass, delay, packet)
    pass(packet)
    pass(packet)
  }
  const proxy = await startProxy(port.number, again, again)
  const foreign = await openForeign(port, { through: proxy.number })
  cleanups.push(foreign.close, proxy.close, port.close)
  await vi.waitUntil(() => foreign.isOpen, within)
  const texts = Array.from({ length: 100 }, (_, i) => `message ${i}`)
  for (const text of texts) {
    foreign.sendToServer(text)
    foreign.sendToClient(text)
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
  await vi.waitUntil(() => foreign.delivered.length >= texts.length && foreign.got.length >= texts.length, within)
  const { replayed } = port.refused
  // Until the late copies have come, too.
  await vi.waitUntil(() => port.refused.replayed >= 3 * texts.length, within)
  expect(port.refused.replayed).toBeGreaterThanOrEqual(replayed)
  expect(foreign.delivered.toSorted()).toEqual(texts.toSorted())
  expect(foreign.got.toSorted()).toEqual(texts.toSorted())
  expect(port.refused.forged).toBe(0)
})

test('[DG22] packets of an open channel that are replayed in any order, much later, deliver nothing', () => {
  const packets: Buffer[] = []
  const direct = connectDirectly({ onPacket: (packet) => void packets.push(packet) })
  const count = 200
  for (let i = 0; i < count; i++) direct.client.sendMessage(Buffer.of(i))
  direct.pump()
  expect(direct.delivered.length).toBe(count)
  const random = createRandom(5)
  const [before, sent] = [direct.refused.replayed, direct.sent.length]
  for (let i = 0; i < 1_000; i++) direct.toServer(packets[Math.floor(random() * packets.length)])
  expect(direct.delivered.length).toBe(count)
  // Those of epoch 0 count nowhere, and nothing of the handshake but its last flight is answered.
  expect(direct.refused.replayed - before).toBeGreaterThan(900)
  expect([direct.isClosed, direct.sent.length]).toEqual([false, sent])
})

/** Seals nothing. Records whose first byte is 0 count as forged. */
const plain: Aead = {
  explicitNonceBytes: 0,
  tagBytes: 0,
  encrypt() {},
  decrypt: (_header, body) => body[0] !== 0,
  forget() {},
}

test('[DG22] a record is taken when its number is among the 64 newest and did not come before, and by no other rule', () => {
  for (let seed = 1; seed <= SEEDS; seed++) {
    const random = createRandom(seed)
    const refused = { forged: 0, replayed: 0 }
    const [sender, receiver] = [createRecordLayer(refused), createRecordLayer(refused)]
    sender.write = receiver.read = plain
    const came = new Set<number>()
    let newest = -1
    // Ways ahead at which words of the window are shifted differently.
    const strides = [0, 1, 1, 1, 2, 31, 32, 33, 63, 64, 65, 1_000]
    let forged = 0
    for (let i = 0; i < 500; i++) {
      const base = newest < 0 && seed % 2 === 0 ? 2 ** 47 : newest
      const stride = strides[Math.floor(random() * strides.length)]
      const number = Math.max(0, random() < 0.5 ? base + stride : base - Math.floor(random() * 80))
      const isForged = random() < 0.1
      sender.nextSequenceNumber[1] = number
      const record = writeRecord(sender, CONTENT_TYPE.applicationData, 1, Buffer.of(isForged ? 0 : 1))
      let taken = 0
      eachRecord(receiver, record, { isFull: () => false, admits: () => true, decrypted() {} }, () => taken++)
      const isNew = number > newest - 64 && !came.has(number)
      if ((taken === 1) !== (isNew && !isForged)) expect.unreachable(`seed ${seed}, record ${i}`)
      if (isNew && isForged) forged++
      if (taken === 0) continue
      came.add(number)
      newest = Math.max(newest, number)
    }
    expect(refused, `seed ${seed}`).toEqual({ forged, replayed: 500 - came.size - forged })
  }
})
