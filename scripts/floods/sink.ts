/** A process that takes every connection, reads everything and answers nothing. */

import { createServer } from 'node:net'

process.on('disconnect', () => process.exit())
const server = createServer((socket) => socket.on('error', () => {}).resume())
server.listen(0, '::', () => {
  const address = server.address()
  process.send!({ port: typeof address === 'object' && address !== null ? address.port : 0 })
})
