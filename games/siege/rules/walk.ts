/** Moving: on foot along the chosen direction, or thrown. */

import { length } from 'hurtbox/math'
import { LAYER, type SiegeWorld } from './declaration.ts'
import { dt } from './units.ts'

export function walk(world: SiegeWorld): void {
  const { things } = world.tables
  const { clock, tuning } = world
  const { count, layer, hp, x, y, vx, vy, headX, headY, goalX, goalY, walks, speed } = things
  const seconds = dt(world)
  for (let row = 0; row < count; row++) {
    if (layer[row] !== LAYER.unit || hp[row] <= 0) continue
    if (things.thrownUntil[row] > clock) {
      x[row] += vx[row] * seconds
      y[row] += vy[row] * seconds
      continue
    }
    vx[row] = 0
    vy[row] = 0
    if (walks[row] === 0) {
      headX[row] = 0
      headY[row] = 0
      continue
    }
    const dx = goalX[row] - x[row]
    const dy = goalY[row] - y[row]
    const pace = speed[row] * (things.slowedUntil[row] > clock ? tuning.slow : 1) * seconds
    // Nobody walks past a goal that is nearer than a step.
    const step = Math.min(pace, length(dx, dy))
    x[row] += headX[row] * step
    y[row] += headY[row] * step
  }
}
