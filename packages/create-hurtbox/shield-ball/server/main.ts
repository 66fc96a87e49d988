/**
 * The server: rooms of the game and the built page on one port. `PORT=2567 node server/main.ts`
 *
 * It listens on this machine only. `HOST=0.0.0.0 node server/main.ts` listens on the network.
 */

import { createServer } from 'node:http'
import { fileURLToPath } from 'node:url'
import { defineRoom, defineServer } from '@colyseus/core'
import { WebSocketTransport } from '@colyseus/ws-transport'
import { gameRoom, roomConfigOf } from '@hurtbox/colyseus'
import express from 'express'
import { readModule } from 'hurtbox/module'
import module from '../game/index.ts'

const port = Number(process.env.PORT ?? 2567)
const host = process.env.HOST ?? '127.0.0.1'
// Without this, Colyseus prints an error and waits for ever.
const http = createServer().on('error', ({ code, message }: NodeJS.ErrnoException) => {
  console.error(code === 'EADDRINUSE' ? `Port ${port} is taken. Take another: PORT=${port + 1}` : message)
  process.exit(1)
})
const room = roomConfigOf(readModule({ default: module }, 'game/index.ts'))
const server = defineServer({
  // All four seats are taken, by bots until players join.
  rooms: { [module.game.declaration.id]: defineRoom(gameRoom(room)) },
  transport: new WebSocketTransport({ server: http }),
  express: (app) => {
    app.use(express.static(fileURLToPath(new URL('../dist', import.meta.url))))
  },
})
await server.listen(port, host)
console.log(`http://${host}:${port}`)
