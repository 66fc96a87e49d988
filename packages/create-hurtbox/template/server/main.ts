/** The server: rooms of the game and the built page on one port. `PORT=2567 node server/main.ts` */

import { fileURLToPath } from 'node:url'
import { defineRoom, defineServer } from '@colyseus/core'
import { WebSocketTransport } from '@colyseus/ws-transport'
import { gameRoom } from '@hurtbox/colyseus'
import express from 'express'
import { bots, game } from '../game/index.ts'

const port = Number(process.env.PORT ?? 2567)
const server = defineServer({
  // Two seats are always taken, by bots until somebody comes.
  rooms: { [game.declaration.id]: defineRoom(gameRoom({ game, bots, fill: 2 })) },
  transport: new WebSocketTransport(),
  express: (app) => {
    app.use(express.static(fileURLToPath(new URL('../dist', import.meta.url))))
  },
})
await server.listen(port)
console.log(`http://localhost:${port}`)
