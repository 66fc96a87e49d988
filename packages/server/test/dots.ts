/** The smallest game with something to see: a dot for each player, moved by its input. */

import { axis, declareGame, defineGame, players, push, spawn } from 'hurtbox'

const declaration = declareGame({
  id: 'dots',
  tickRate: 30,
  seats: { min: 1, max: 8 },
  layers: { dot: [] },
  input: { moveX: axis() },
})

export const dots = defineGame(declaration, {
  onJoin: (world, player) => void (player.thing = spawn(world, 'dot', { radius: 5 })),
  phases: {
    move(world) {
      for (const { thing: dot, moveX } of players(world)) if (dot !== undefined) push(dot, moveX * 4, 0)
    },
  },
})
