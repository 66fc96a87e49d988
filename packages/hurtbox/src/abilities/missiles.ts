/** Missiles: the projectiles and areas that carry the effects of the ability that released them. */

import { type Boxes, setSweep } from '../collide/boxes.ts'
import { boundShape, openShape } from '../collide/shape-boxes.ts'
import { closeVolume, openVolume } from '../collide/volume-boxes.ts'
import { createMover, createTerrainHit, sweepTerrain, type Terrain } from '../motion/terrain.ts'
import type { Abilities } from './abilities.ts'
import type { Effect } from './effect.ts'
import { emitWhiff } from './events.ts'
import { type AbilityThing, type AbilityWorld, rowOfThing, worldOfThing } from './world.ts'

/**
 * Makes a phase, before the abilities: projectiles fly level and straight, and missiles whose time is over leave. One that is
 * released later in the tick is tested where it appeared. With `terrain`, what hits it stops there; it may hit before it gets
 * there, and leaves in the next tick.
 */
export function flyMissiles(terrain?: Terrain): (world: AbilityWorld) => void {
  return (world) => {
    const { things } = world.tables
    const seconds = 1 / world.game.declaration.tickRate
    for (let row = 0, { count } = things; row < count; row++) {
      if (things.ability[row] === 0 || things.leaving[row] !== 0) continue
      if (things.endsAt[row] <= world.clock) {
        things.leaving[row] = 1
        if (things.strikes[row] !== 0) continue
        emitWhiff(world, things.owner[row], things.ability[row] - 1, things.abilityStep[row])
        continue
      }
      const dx = things.vx[row] * seconds
      const dy = things.vy[row] * seconds
      things.flown[row] = 1
      if (terrain !== undefined && things.z !== undefined) {
        mover.x = things.x[row]
        mover.y = things.y[row]
        mover.z = things.z[row]
        mover.dx = dx
        mover.dy = dy
        mover.dz = 0
        mover.radius = things.radius[row]
        mover.halfLength = 0
        if (sweepTerrain(terrain, mover, impact)) {
          things.flown[row] = impact.time
          things.endsAt[row] = world.clock + 1
        }
      }
      things.x[row] += dx * things.flown[row]
      things.y[row] += dy * things.flown[row]
    }
  }
}

/** Scratch: written before it is read. */
const mover = createMover()
const impact = createTerrainHit()

/** Poses a projectile or area. A projectile hits what it has passed in this tick. */
export function poseMissile(abilities: Abilities, missile: AbilityThing, boxes: Boxes): void {
  const world = worldOfThing(missile)
  const row = rowOfThing(missile)
  const { layer, x, y, z, vx, vy, flown } = world.tables.things
  const { volume, shape } = effectOf(abilities, world, row)
  const part = flown[row] / world.game.declaration.tickRate
  // From column to column: a number that is passed to a function would be put on the heap.
  if (z === undefined) {
    const box = openShape(boxes, row, layer[row], shape!)
    boxes.poseX[box] = x[row]
    boxes.poseY[box] = y[row]
    boundShape(boxes, box)
    if (part !== 0 && (vx[row] !== 0 || vy[row] !== 0)) setSweep(boxes, box, vx[row] * part, vy[row] * part)
    return
  }
  const box = openVolume(boxes, row, layer[row], volume!)
  boxes.poseX[box] = x[row]
  boxes.poseY[box] = y[row]
  boxes.poseZ[box] = z[row]
  boxes.sweepX[box] = vx[row] * part
  boxes.sweepY[box] = vy[row] * part
  closeVolume(boxes, box)
}

/** The effect that released the projectile or area in `row`. */
export function effectOf(abilities: Abilities, { tables: { things } }: AbilityWorld, row: number): Effect {
  return abilities.list[things.ability[row] - 1].effects[things.abilityEffect[row]]
}
