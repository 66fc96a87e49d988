/** Rooms that are listed and in no process: those who ask wait until they are in one. */

import { LocalDriver, LocalPresence, matchMaker, Room } from '@colyseus/core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { whenServed } from './whereabouts.ts'

beforeAll(async () => {
  await matchMaker.setup(new LocalPresence(), new LocalDriver())
  await matchMaker.accept()
  matchMaker.defineRoomType('quiet', class extends Room {})
})
afterAll(() => matchMaker.gracefullyShutdown())

/** As the death of its process leaves it. */
async function listWithoutProcess(roomId: string): Promise<void> {
  await matchMaker.driver.persist({ roomId, name: 'quiet', processId: 'dead' } as never, true)
}

test('[FB7] a client that asks for a room between two processes is answered when it is taken over', async () => {
  await listWithoutProcess('moving')
  const order: string[] = []
  const answer = whenServed('moving').then((isServed) => order.push(`served: ${isServed}`))
  await new Promise((resolve) => setTimeout(resolve, 60))
  order.push('taken over')
  // Redis lets a new owner write over the listing; the driver of this test does not.
  await matchMaker.driver.remove('moving')
  await matchMaker.handleCreateRoom('quiet', {}, undefined, 'moving')
  await answer
  expect(order).toEqual(['taken over', 'served: true'])
})

test('[FB7] it is not kept for ever, and not at all when there is no such room', async () => {
  await listWithoutProcess('lost')
  expect(await whenServed('lost')).toBe(false)
  expect(await whenServed('unknown')).toBe(true)
})
