/**
 * What both stacks promise, asked of each by its face alone: `startDatagrams`, `open`, `close`. The client is libdatachannel's; who asks the native stack with it
 * asks the library about itself, so Chromium and Firefox do it in the world in a box.
 */

import { spawn } from 'node:child_process'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { type DatagramOptions, type Datagrams, type Stack, startDatagrams } from '../src/service.ts'
import { freeUdpPort } from './channels.ts'
import { openForeign } from './ports.ts'

vi.setConfig({ testTimeout: 120_000 })
const isLong = process.env.HURTBOX_LONG !== undefined
const STACKS: readonly Stack[] = ['own', 'native']
const patient = { timeout: 30_000 }

let number = 0
let service: Datagrams | undefined
afterEach(() => service?.close())

async function start(stack: Stack, options: Partial<DatagramOptions> = {}) {
  number = await freeUdpPort()
  service = await startDatagrams({ stack, port: number, ...options })
  return {
    number,
    service: service!,
    open: (...asked: Parameters<Datagrams['open']>) => service!.open(...asked)!,
  }
}

describe.each(STACKS)('the %s stack', (stack) => {
  test('[DG140] opens a channel, and hands on each message, of 1 to 1,100 bytes, both ways', async () => {
    const port = await start(stack)
    expect([port.service.isReady, port.service.generation]).toEqual([true, 1])
    const [client, other] = [await openForeign(port), await openForeign(port)]
    await vi.waitUntil(() => client.isOpen && other.isOpen, patient)
    const texts = [1, 2, 100, 1_099, 1_100].map((length) => `${length % 10}`.repeat(length))
    // Datagrams may get lost, even here: what has not come is sent again.
    await vi.waitUntil(
      () => {
        for (const text of texts.filter((each) => !client.delivered.includes(each))) client.sendToServer(text)
        for (const text of texts.filter((each) => !client.got.includes(each))) client.sendToClient(text)
        return [client.delivered, client.got].every((come) => texts.every((text) => come.includes(text)))
      },
      { ...patient, interval: 200 },
    )
    expect([other.delivered, other.got]).toEqual([[], []])
    expect([...client.delivered, ...client.got].every((text) => texts.includes(text))).toBe(true)
    client.close()
    other.close()
  })

  test('[DG141] a string, and what is sent before a channel is open or after it is closed, is nothing, and throws nothing', async () => {
    const port = await start(stack)
    const client = await openForeign(port)
    client.sendToClient('too early')
    await vi.waitUntil(() => client.isOpen, patient)
    await vi.waitUntil(
      () => {
        client.sendString('text')
        return client.delivered.length > 0
      },
      { ...patient, interval: 200 },
    )
    expect(new Set(client.delivered)).toEqual(new Set(['']))
    client.close()
    client.sendToClient('too late')
    expect(client.got).toEqual([])
  })

  test.each([
    ['empty', () => ''],
    ['noise', () => 'v=0\r\n\0\xff'],
    ['without a data channel', (offer: string) => offer.replace('m=application', 'm=audio')],
    ['without a fingerprint', (offer: string) => offer.replace(/a=fingerprint.*/, '')],
    [
      'with a SHA-1 fingerprint',
      (offer: string) => offer.replace(/a=fingerprint.*/, `a=fingerprint:sha-1 ${'AA:'.repeat(19)}AA`),
    ],
    ['with two that differ', (offer: string) => `${offer}a=fingerprint:sha-256 ${'AA:'.repeat(31)}AA\r\n`],
    ['that wants to be the server', (offer: string) => offer.replace('actpass', 'passive')],
    ['with a mid of other bytes', (offer: string) => offer.replace(/a=mid:.*/, 'a=mid:<1>')],
  ])('[DG142] does not answer an offer %s', async (_, change) => {
    const port = await start(stack)
    const onClosed = vi.fn()
    const { RTCPeerConnection } = await import('./channels.ts')
    const client = new RTCPeerConnection({ iceServers: [] })
    client.createDataChannel('hurtbox')
    await client.setLocalDescription(await client.createOffer())
    const offer = client.localDescription!.sdp
    expect(port.service.open(change(offer), { onMessage() {}, onClosed })).toBeUndefined()
    expect(port.service.open(offer, { onMessage() {}, onClosed })).toBeDefined()
    client.close()
  })

  test('[DG143] opens nothing for a client with another certificate than its offer’s', async () => {
    const port = await start(stack)
    const other = `a=fingerprint:sha-256 ${'AB:'.repeat(31)}AB`
    const wrong = await openForeign(port, { changeOffer: (offer) => offer.replace(/a=fingerprint.*/, other) })
    const right = await openForeign(port)
    await vi.waitUntil(() => right.isOpen, patient)
    await new Promise((resolve) => setTimeout(resolve, 1_000))
    expect(wrong.isOpen).toBe(false)
    wrong.close()
    right.close()
  })

  test('[DG144] an error of a handler closes its channel, is reported once, and no other channel notices', async () => {
    const errors: unknown[] = []
    const port = await start(stack, { onError: (error) => errors.push(error) })
    const wrong = await openForeign(port, {
      onMessage: () => {
        throw new Error('of the room')
      },
    })
    const right = await openForeign(port)
    await vi.waitUntil(() => wrong.isOpen && right.isOpen, patient)
    await vi.waitUntil(
      () => {
        if (!wrong.isClosed) wrong.sendToServer('x')
        return wrong.isClosed
      },
      { ...patient, interval: 200 },
    )
    expect([errors.map(String), port.service.refused.threw]).toEqual([['Error: of the room'], 1])
    await vi.waitUntil(
      () => {
        right.sendToServer('y')
        return right.delivered.length > 0
      },
      { ...patient, interval: 200 },
    )
    wrong.close()
    right.close()
  })

  test('[DG145] a channel that is closed by either end is closed at both, and said so once', async () => {
    const port = await start(stack)
    const [byClient, byServer] = [await openForeign(port), await openForeign(port)]
    await vi.waitUntil(() => byClient.isOpen && byServer.isOpen, patient)
    byClient.closeClient()
    byServer.closeServer()
    await vi.waitUntil(() => byClient.isClosed && !byServer.isOpen, patient)
    byClient.closeServer()
    expect([byClient.closings, byServer.closings]).toEqual([1, 1])
    byServer.close()
  })

  test('[DG146] contacts no address of an offer, and names its own, and what is made of them, in the answer', async () => {
    const named = createSocket('udp4').bind(0, '127.0.0.1')
    onTestFinished(() => void named.close())
    await once(named, 'listening')
    const got = vi.fn()
    named.on('message', got)
    const port = await start(stack, {
      addresses: (own) => [...own, { address: '203.0.113.7', port: 45_181 }],
    })
    const candidate = `a=candidate:9 1 UDP 2116026111 127.0.0.1 ${named.address().port} typ host\r\n`
    const client = await openForeign(port, {
      changeOffer: (offer) => offer.replaceAll(/a=candidate.*\r\n/g, '').replace('a=setup', `${candidate}a=setup`),
    })
    await vi.waitUntil(() => client.isOpen, patient)
    await new Promise((resolve) => setTimeout(resolve, 500))
    expect(got).not.toHaveBeenCalled()
    const candidates = [...client.answer.matchAll(/^a=candidate:\S+ 1 UDP \d+ (\S+) (\d+) typ host/gm)]
    expect(candidates.map(([, address, at]) => `${address} ${at}`)).toEqual([
      `127.0.0.1 ${port.number}`,
      '203.0.113.7 45181',
    ])
    client.close()
  })

  test('[DG147] closes all channels with its port, which is free then, and says when the port cannot be had', async () => {
    const port = await start(stack)
    const client = await openForeign(port)
    await vi.waitUntil(() => client.isOpen, patient)
    const states: unknown[] = []
    const onState = (...state: unknown[]) => void states.push(state)
    expect(await startDatagrams({ stack, port: port.number, onState })).toBeUndefined()
    expect(states).toEqual([[false, expect.stringContaining('EADDRINUSE')]])
    port.service.close()
    expect([client.isClosed, client.closings]).toEqual([true, 1])
    const isFree = async () => {
      const socket = createSocket('udp4').bind(port.number, '127.0.0.1')
      return once(socket, 'listening').then(
        () => {
          socket.close()
          return true
        },
        () => false,
      )
    }
    await vi.waitUntil(isFree, patient)
    client.close()
  })
})

test('[DG148] the native stack starts, serves many clients at once, some of which leave at any moment, and ends, without a throw', async () => {
  const starts = isLong ? 100 : 3
  for (let i = 0; i < starts; i++) {
    const child = spawn(process.execPath, [new URL('native-start.ts', import.meta.url).pathname, String(i + 1)])
    let said = ''
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => void (said += text))
    const [code] = await once(child, 'close')
    expect([code, said.trim()], `start ${i + 1}`).toEqual([0, '16 opened'])
  }
})

test('[DG149] the native stack that is not installed says so, and how to install it', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'hurtbox-not-installed-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  cpSync(new URL('../src', import.meta.url).pathname, folder, { recursive: true })
  const program = `import { startDatagrams } from ${JSON.stringify(`file://${folder}/service.ts`)}
    await startDatagrams({ stack: 'native', port: 1, onState: (_, problem) => console.log(problem) })`
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program], { cwd: folder })
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => void (said += text))
  await once(child, 'close')
  expect(said).toContain('npm install node-datachannel')
  expect(said).toContain("Cannot find package 'node-datachannel'")
})
