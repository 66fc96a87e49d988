/**
 * werift as a client: WebRTC that others wrote in TypeScript, which shares no code with browsers, libdatachannel or OpenSSL. No devDependency: npm would
 * bring its 31 MB to everybody.
 */

import { createRequire } from 'node:module'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { installFromNpm } from '../../../scripts/engines/install-npm.ts'
import { openTestPort } from './ports.ts'

const VERSION = '0.25.2'
const MESSAGES = 200
const BETWEEN_MS = 16
vi.setConfig({ testTimeout: 300_000 })

/** What is used of it. */
type Werift = {
  readonly RTCPeerConnection: new (
    options: object,
  ) => RTCPeerConnection & { sctpTransport: { dtlsTransport: { srtpProfiles: unknown[] } } }
}

test('[DG83] werift opens a channel, and messages pass both ways, each once', async () => {
  const folder = await installFromNpm('werift', VERSION, 'werift', () => {})
  const { RTCPeerConnection }: Werift = createRequire(join(folder, 'package.json'))('werift')
  const port = await openTestPort()
  const connection = new RTCPeerConnection({
    iceServers: [],
    iceUseIpv6: false,
    iceAdditionalHostAddresses: ['127.0.0.1'],
  })
  onTestFinished(async () => {
    await connection.close()
    port.close()
  })
  const data = connection.createDataChannel('hurtbox', { ordered: false, maxRetransmits: 0 })
  const [up, down]: [string[], string[]] = [[], []]
  data.onmessage = ({ data: bytes }) => void down.push(String(bytes))
  await connection.setLocalDescription(await connection.createOffer())
  // It demands SRTP of every server, which is for media.
  connection.sctpTransport.dtlsTransport.srtpProfiles.length = 0
  const channel = port.open(connection.localDescription!.sdp, {
    onMessage(bytes) {
      up.push(String(bytes))
      channel.send(bytes)
    },
    onClosed() {},
  })
  await connection.setRemoteDescription({ type: 'answer', sdp: channel.answer })
  await vi.waitUntil(() => data.readyState === 'open', { timeout: 60_000 })
  const sent = Array.from({ length: MESSAGES }, (_, i) => `message ${i} ${'x'.repeat(5 * i)}`)
  for (const text of sent) {
    data.send(Buffer.from(text) as Buffer<ArrayBuffer>)
    await new Promise((resolve) => setTimeout(resolve, BETWEEN_MS))
  }
  // A busy machine may lose some, even here. What came was sent, and came once.
  await vi.waitUntil(() => down.length >= 0.9 * MESSAGES, { timeout: 30_000 })
  for (const texts of [up, down]) {
    expect(new Set(texts).size).toBe(texts.length)
    expect(texts.filter((text) => !sent.includes(text))).toEqual([])
  }
  const { forged, unfit, threw, beyondBudget } = port.refused
  expect({ forged, unfit, threw, beyondBudget }).toEqual({ forged: 0, unfit: 0, threw: 0, beyondBudget: 0 })
})
