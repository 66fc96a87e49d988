/** A crowd that wants to be in one place and takes up room: light ones give way, the stone does not. */

import { declareGame, defineGame, layerNumbers, type Scene, spawn } from 'hurtbox'
import { range } from 'hurtbox/math'
import { separate } from 'hurtbox/motion'

const declaration = declareGame({
  id: 'separation',
  rulesVersion: 1,
  tickRate: 30,
  seats: { min: 0, max: 1 },
  layers: { body: [] },
  tables: { things: { capacity: 256, columns: { invMass: 'f64' } } },
  streams: ['places'],
})
const LAYER = layerNumbers(declaration)

const game = defineGame(declaration, {
  setup({ tables: { things }, random }) {
    spawn(things, { layer: LAYER.body, x: 0, y: 0, radius: 24, invMass: 0 })
    for (let i = 0; i < 80; i++) {
      const isHeavy = i % 8 === 0
      spawn(things, {
        layer: LAYER.body,
        x: range(random.places, -180, 180),
        y: range(random.places, -110, 110),
        radius: isHeavy ? 13 : 8,
        invMass: isHeavy ? 1 / 100 : 1 / 30,
      })
    }
  },
  // #region recipe
  phases: () => ({
    walk({ tables: { things } }) {
      for (let row = 1; row < things.count; row++) {
        const distance = Math.sqrt(things.x[row] * things.x[row] + things.y[row] * things.y[row])
        if (distance < 1) continue
        things.x[row] -= (things.x[row] / distance) * 1.5
        things.y[row] -= (things.y[row] / distance) * 1.5
      }
    },
    separate: separate({ bounds: { minX: -200, minY: -120, maxX: 200, maxY: 120 } }),
  }),
  // #endregion recipe
})

export const scene: Scene = { name: 'separation', about: 'a crowd around a stone', game, seed: 4, ticks: 300 }
