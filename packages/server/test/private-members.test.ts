/** Private members of Colyseus and `ws` that a server needs: they are there, and a missing one stops the start. */

import { createServer } from 'node:http'
import { RedisDriver } from '@colyseus/redis-driver'
import { redisOf } from '@hurtbox/colyseus'
import { expect, test } from 'vitest'
import * as ws from 'ws'
import { GuardedTransport, type SocketOptions } from '../src/sockets.ts'

test("[RM80] Redis' driver of the installed release has its connection", () => {
  const driver = new RedisDriver({ lazyConnect: true })
  const errors: Error[] = []
  redisOf(driver).on('error', (error) => errors.push(error))
  Reflect.get(driver, '_client').emit('error', new Error('away'))
  expect(errors).toMatchObject([{ message: 'away' }])
})

test('[RM81] a server whose sockets lack a member does not start, and says which', () => {
  const { prototype } = Reflect.get(ws, 'Receiver') as { prototype: { _write: unknown } }
  const write = prototype._write
  const start = () => new GuardedTransport(createServer(), { limits: {} } as SocketOptions)
  try {
    prototype._write = undefined
    expect(start).toThrow('ws\' Receiver has no private function "_write"')
  } finally {
    prototype._write = write
  }
})
