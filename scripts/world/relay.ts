/** Runs in a namespace: passes messages between a WebSocket there and the process that started it. */

import { WebSocket } from 'ws'

const socket = new WebSocket(process.argv[2])
process.on('disconnect', () => process.exit(0))
process.on('message', (text) => socket.send(String(text)))
socket.on('open', () => process.send?.('open'))
socket.on('message', (data) => process.send?.(String(data)))
socket.on('close', () => process.exit(0))
