/** A crowd that wants to be in one place and takes up room: light ones give way, the stone does not. */

import { declareGame, defineGame, each, type Scene, spawn } from 'hurtbox'
import { range } from 'hurtbox/math'
import { separate } from 'hurtbox/motion'

const declaration = declareGame({
  id: 'separation',
  tickRate: 30,
  layers: { body: [] },
  things: { invMass: 'f64' },
  streams: ['places'],
})

const game = defineGame(declaration, {
  setup(world) {
    const { places } = world.random
    spawn(world, 'body', { x: 0, y: 0, radius: 24, invMass: 0 })
    for (let i = 0; i < 80; i++) {
      const isHeavy = i % 8 === 0
      const [x, y] = [range(places, -180, 180), range(places, -110, 110)]
      spawn(world, 'body', { x, y, radius: isHeavy ? 13 : 8, invMass: isHeavy ? 1 / 100 : 1 / 30 })
    }
  },
  // #region recipe
  phases: {
    walk(world) {
      for (const body of each(world, 'body')) {
        if (body.invMass === 0) continue // the stone
        const distance = Math.sqrt(body.x * body.x + body.y * body.y)
        if (distance < 1) continue
        body.x -= (body.x / distance) * 1.5
        body.y -= (body.y / distance) * 1.5
      }
    },
    separate: separate({ bounds: { minX: -200, minY: -120, maxX: 200, maxY: 120 } }),
  },
  // #endregion recipe
})

export const scene: Scene = { name: 'separation', about: 'a crowd around a stone', game, seed: 4, ticks: 300 }
