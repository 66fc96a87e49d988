/** Two builds of one game: the new one moves at half the speed, and does not know the hats that players brought along to the old one. */

import { axis, choice, declareGame, defineGame, players, push, spawn } from 'hurtbox'

const shared = {
  id: 'dots',
  tickRate: 30,
  seats: { min: 1, max: 8 },
  layers: { dot: [] },
  players: { hat: 'u8' },
  input: { moveX: axis() },
} as const

const HATS = ['none', 'crown'] as const
const oldDeclaration = declareGame({ ...shared, join: { hat: choice(HATS) } })

export const oldDots = defineGame(oldDeclaration, {
  onJoin(world, player, data) {
    player.thing = spawn(world, 'dot', { radius: 5 })
    player.hat = HATS.indexOf(data?.hat ?? 'none')
  },
  phases: {
    move(world) {
      for (const { thing: dot, moveX } of players(world)) if (dot !== undefined) push(dot, moveX * 4, 0)
    },
  },
})

export const newDots = defineGame(declareGame({ ...shared, rulesVersion: 2 }), {
  onJoin: (world, player) => void (player.thing = spawn(world, 'dot', { radius: 5 })),
  phases: {
    move(world) {
      for (const { thing: dot, moveX } of players(world)) if (dot !== undefined) push(dot, moveX * 2, 0)
    },
  },
})
