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
    const offer = createCheckOffer()
    const { answer } = service.open(offer, { onMessage() {}, onClosed() {} })!
    const checked = await checkAddresses(offer, answer, { count: 10, waitMs: 300 })
    expect(checked).toEqual([
      { ...elsewhere, sent: 10, answered: 0, longAnswered: 0, rttMs: undefined, isCertified: undefined },
      {
        address: '127.0.0.1',
        port,
        sent: 10,
        answered: 10,
        longAnswered: 5,
        rttMs: expect.any(Number),
        isCertified: true,
      },
    ])
  })

  test('with another password come back from nowhere', async () => {
    const service = (await startDatagrams({ stack, port: await freeUdpPort() }))!
    onTestFinished(() => service.close())
    const offer = createCheckOffer()
    const { answer } = service.open(offer, { onMessage() {}, onClosed() {} })!
    const wrong = answer.replace(/^a=ice-pwd:.*$/m, `a=ice-pwd:${'x'.repeat(24)}`)
    const [checked] = await checkAddresses(offer, wrong, { count: 4, waitMs: 200 })
    expect(checked.answered).toBe(0)
  })

  test('see that another certificate is shown than that of the answer', async () => {
    const service = (await startDatagrams({ stack, port: await freeUdpPort() }))!
    onTestFinished(() => service.close())
    const offer = createCheckOffer()
    const { answer } = service.open(offer, { onMessage() {}, onClosed() {} })!
    const wrong = answer.replace(/^(a=fingerprint:sha-256 ).*$/im, `$1${createCheckOffer().match(/sha-256 (\S+)/)![1]}`)
    const [checked] = await checkAddresses(offer, wrong, { count: 4, waitMs: 400 })
    expect([checked.answered, checked.isCertified]).toEqual([4, false])
  })
})
