/** Moving: on foot along the chosen direction, or thrown. In columns: every unit, every tick. */

import { length } from 'hurtbox/math'
import { LAYER, type SiegeWorld } from './declaration.ts'
import { dt } from './units.ts'

export function walk(world: SiegeWorld): void {
  const { clock, tuning } = world
  const { count, layer, hp, x, y, vx, vy, headX, headY, goalX, goalY, walks, speed, launchedUntil, slowedUntil } =
    world.tables.things
  const seconds = dt(world)
  for (let row = 0; row < count; row++) {
    if (layer[row] !== LAYER.unit || hp[row] <= 0) continue
    if (launchedUntil[row] > clock) {
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
    const pace = speed[row] * (slowedUntil[row] > clock ? tuning.slow : 1) * seconds
    // Never past a goal that is nearer than a step.
    const step = Math.min(pace, length(goalX[row] - x[row], goalY[row] - y[row]))
    x[row] += headX[row] * step
    y[row] += headY[row] * step
  }
}
