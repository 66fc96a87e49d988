/**
 * A Redis that takes commands and never answers, without a Redis: what asks it is replaced by something that waits for
 * ever, as a stopped process does.
 */

import { matchMaker } from '@colyseus/core'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { ask, startTestServer, type TestServer, TOKEN, until } from './support.ts'

const authorization = { authorization: `Bearer ${TOKEN}` }
/** Commands that wait; they are answered at the end of each test. */
const waiting: (() => void)[] = []
let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
}, 60_000)
afterEach(() => {
  vi.restoreAllMocks()
  for (const answer of waiting.splice(0)) answer()
})
afterAll(() => server?.close())

function stopRedis() {
  const wait = <T>(answer: T) => new Promise<T>((resolve) => waiting.push(() => resolve(answer)))
  return [
    vi.spyOn(matchMaker.presence, 'hgetall').mockImplementation(() => wait({})),
    vi.spyOn(matchMaker.driver, 'query').mockImplementation(() => wait([])),
  ]
}

/** The reply, or undefined when there is none within some seconds. */
function askBriefly(path: string) {
  const late = new Promise<undefined>((resolve) => setTimeout(resolve, 6_000, undefined))
  return Promise.race([ask(server, path, { headers: authorization }), late])
}

describe('[SV38] while Redis does not answer', () => {
  test('health says 503: no seats can be given', async () => {
    stopRedis()
    expect(await askBriefly('/health')).toMatchObject({ status: 503, body: '{"status":"no answer from Redis"}' })
  })

  test('the list of rooms is refused in time', async () => {
    stopRedis()
    await until(
      'an answer from before is no longer good',
      async () => (await askBriefly('/rooms.json'))?.status !== 200,
    )
    expect(await askBriefly('/rooms.json')).toMatchObject({ status: 503 })
  })

  test('the monitor shows this process', async () => {
    stopRedis()
    const reply = await askBriefly('/monitor/data.json')
    expect(reply?.status).toBe(200)
    expect(JSON.parse(reply!.body)).toMatchObject({
      processId: matchMaker.processId,
      processes: [{ process: matchMaker.processId }],
      rooms: [],
      problem: 'no answer from Redis: other processes and their rooms are not shown',
    })
  })

  test('one command waits, however many ask', async () => {
    const spies = stopRedis()
    const paths = Array.from({ length: 10 }, () => ['/health', '/rooms.json', '/monitor/data.json']).flat()
    await Promise.all(paths.map(askBriefly))
    for (const spy of spies) expect(spy.mock.calls.length).toBeLessThanOrEqual(3)
  })

  test('and all is well again when it answers', async () => {
    stopRedis()
    expect(await askBriefly('/health')).toMatchObject({ status: 503 })
    vi.restoreAllMocks()
    for (const answer of waiting.splice(0)) answer()
    await until('health is well', async () => (await askBriefly('/health'))?.status === 200)
    expect(await askBriefly('/rooms.json')).toMatchObject({ status: 200 })
  })
})
