/** Private members of Colyseus and `ws` that a server needs: they are there, and a missing one stops the start. */

import { createServer } from 'node:http'
import { expect, test } from 'vitest'
import * as ws from 'ws'
import { GuardedTransport, type SocketOptions } from '../src/sockets.ts'

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
