/** What an attacker floods for comparison: takes every connection, request and frame, and guards nothing. Nobody plays here. */

import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { WebSocketServer } from 'ws'

const http = createServer((request, response) => {
  request.resume()
  response.end('{}')
})
const sockets = new WebSocketServer({ server: http, autoPong: false })
sockets.on('connection', (socket) => socket.on('message', () => {}).on('error', () => {}))
process.on('disconnect', () => process.exit())
process.on('uncaughtException', () => {})
http.listen(0, process.argv[2], () => process.send!({ port: (http.address() as AddressInfo).port }))
