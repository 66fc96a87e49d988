/** Checks without a channel, to ports of both stacks. */

import { describe, expect, onTestFinished, test } from 'vitest'
import { checkAddresses, createCheckOffer, type Stack, startDatagrams } from '../src/index.ts'
import { freeUdpPort } from './channels.ts'

describe.each<Stack>(['own', 'native'])('[DR6] checks to a port of the %s stack', (stack) => {
  test('come back from the address where it is, short and long ones, and from no other', async () => {
    const elsewhere = { address: '127.0.0.9', port: await freeUdpPort() }
    const port = await freeUdpPort()
    const service = (await startDatagrams({ stack, port, addresses: (own) => [elsewhere, ...own] }))!
    onTestFinished(() => service.close())
    const { sdp, certificate } = createCheckOffer()
    const { answer } = service.open(sdp, { onMessage() {}, onClosed() {} })!
    const checked = await checkAddresses(sdp, answer, { count: 10, waitMs: 2_000, certificate })
    expect(checked).toEqual([
      { ...elsewhere, sent: 10, answered: 0, longAnswered: 0, rttMs: undefined, isConnected: undefined },
      {
        address: '127.0.0.1',
        port,
        sent: 10,
        answered: 10,
        longAnswered: 5,
        rttMs: expect.any(Number),
        isConnected: true,
      },
    ])
  })

  test('with another password come back from nowhere', async () => {
    const service = (await startDatagrams({ stack, port: await freeUdpPort() }))!
    onTestFinished(() => service.close())
    const { sdp, certificate } = createCheckOffer()
    const { answer } = service.open(sdp, { onMessage() {}, onClosed() {} })!
    const wrong = answer.replace(/^a=ice-pwd:.*$/m, `a=ice-pwd:${'x'.repeat(24)}`)
    const [checked] = await checkAddresses(sdp, wrong, { count: 4, waitMs: 200, certificate })
    expect(checked.answered).toBe(0)
  })

  test('make no connection where another certificate is shown than that of the answer, or of the offer', async () => {
    const service = (await startDatagrams({ stack, port: await freeUdpPort() }))!
    onTestFinished(() => service.close())
    const other = createCheckOffer().certificate
    const replaced = (sdp: string) => sdp.replace(/^(a=fingerprint:sha-256 ).*$/im, `$1${other.fingerprint}`)
    for (const isOfServer of [true, false]) {
      const { sdp, certificate } = createCheckOffer()
      const { answer } = service.open(sdp, { onMessage() {}, onClosed() {} })!
      const [checked] = isOfServer
        ? await checkAddresses(sdp, replaced(answer), { count: 4, waitMs: 600, certificate })
        : await checkAddresses(sdp, answer, { count: 4, waitMs: 600, certificate: other })
      expect([checked.answered, checked.isConnected]).toEqual([4, false])
    }
  })

  test('make no connection where no certificate is given', async () => {
    const service = (await startDatagrams({ stack, port: await freeUdpPort() }))!
    onTestFinished(() => service.close())
    const { sdp } = createCheckOffer()
    const { answer } = service.open(sdp, { onMessage() {}, onClosed() {} })!
    const [checked] = await checkAddresses(sdp, answer, { count: 2, waitMs: 200 })
    expect([checked.answered, checked.isConnected]).toEqual([2, undefined])
  })
})
