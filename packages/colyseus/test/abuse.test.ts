/** What becomes of a seat whose channel was closed for what its client sent. By a clock of the test. */

import { type ChannelHandlers, createPortCounts } from '@hurtbox/datagrams'
import { afterEach, expect, test, vi } from 'vitest'
import { tag } from '../../netcode/test/support.ts'
import { createDatagramCounts } from '../src/datagrams/lanes.ts'
import { acceptChannel } from '../src/room/datagrams.ts'
import { createGuest, type GameClient } from '../src/room/guest.ts'

afterEach(() => void vi.restoreAllMocks())

test('[DG53] a seat is reported once, and gets another channel after a minute', () => {
  let now = 1_000
  vi.spyOn(performance, 'now').mockImplementation(() => now)
  const opened: ChannelHandlers[] = []
  const service = {
    generation: 1,
    isReady: true,
    iceServers: () => [],
    stack: 'own' as const,
    ...createPortCounts(),
    open(_offer: string, handlers: ChannelHandlers) {
      opened.push(handlers)
      return { answer: 'an answer', send() {}, close() {} }
    },
    close() {},
  }
  const guest = createGuest({ seat: 3, tokens: [] } as never, { game: tag } as never)
  const client = { userData: guest, send() {} } as unknown as GameClient
  const reported: string[] = []
  const offer = () => {
    const room = { host: { nonce: 1, peers: new Set() } as never, traffic: { datagrams: createDatagramCounts() } }
    acceptChannel(room, client, service, 'an offer', (seat, abuse) => reported.push(`${seat} ${abuse}`))
    return opened.length
  }
  expect(offer()).toBe(1)
  opened[0].onClosed()
  expect([offer(), reported]).toEqual([2, []])
  opened[1].onClosed('records')
  expect([offer(), guest.lane.channel, reported]).toEqual([2, undefined, ['3 records']])
  now += 59_999
  expect(offer()).toBe(2)
  now += 1
  expect(offer()).toBe(3)
  opened[2].onClosed('bytes')
  expect([offer(), reported]).toEqual([3, ['3 records']])
})
