import { afterEach, describe, expect, test } from 'vitest'
import { createServer, type HurtboxServer } from './server.ts'

describe('[SV32] a wrong setting is reported in words, and the server can be started again', () => {
  let server: HurtboxServer | undefined
  afterEach(() => server?.close())

  test('an origin that is none', () => {
    expect(() => createServer({ rooms: [], origins: ['play.example.org'] })).toThrow(
      'An origin is like https://play.example.org, got play.example.org.',
    )
  })

  test('a Redis that is none, without repeating what may hold a password', async () => {
    const wrong = createServer({ rooms: [], redisUrl: 'secret@somewhere' })
    await expect(wrong.listen(0, '127.0.0.1')).rejects.toThrow('REDIS_URL must be like redis://127.0.0.1:6379.')
  })

  test('several processes, and no address for this one', async () => {
    const nowhere = createServer({ rooms: [], redisUrl: 'redis://127.0.0.1:1' })
    await expect(nowhere.listen(0, '0.0.0.0')).rejects.toThrow(/--public-address/)
  })

  test('a port that is taken, and a second server in one process', async () => {
    server = createServer({ rooms: [] })
    const taken = Number(new URL(await server.listen(0, '127.0.0.1')).port)
    const second = createServer({ rooms: [] })
    await expect(second.listen(0, '127.0.0.1')).rejects.toThrow(/one server at a time/)
    await server.close()
    // Somebody else has the port now.
    const { createServer: createTcp } = await import('node:net')
    const other = createTcp().listen(taken, '127.0.0.1')
    await expect(second.listen(taken, '127.0.0.1')).rejects.toMatchObject({ code: 'EADDRINUSE' })
    other.close()
    server = second
    expect(await second.listen(0, '127.0.0.1')).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/)
  })
})
