/** A process that takes every connection and every packet, reads everything and answers nothing. */

import { createSocket } from 'node:dgram'
import { createServer } from 'node:net'

process.on('disconnect', () => process.exit())
const server = createServer((socket) => socket.on('error', () => {}).resume())
server.listen(0, '::', () => {
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  const packets = createSocket('udp6').on('message', () => {})
  packets.bind(port, '::', () => process.send!({ port }))
})
