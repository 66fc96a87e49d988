/** Projectiles and areas: things that carry the effects of the ability that released them. */

import type { Boxes } from '../collide/boxes.ts'
import { addShape } from '../collide/shape-boxes.ts'
import { closeVolume, openVolume } from '../collide/volume-boxes.ts'
import { createTerrainHit, hitTerrain, type Terrain } from '../motion/terrain.ts'
import type { Abilities } from './abilities.ts'
import { tellWhiff } from './casts.ts'
import type { Effect } from './effect.ts'
import type { AbilityView, AbilityWorld } from './world.ts'

/**
 * A phase, before the abilities: projectiles fly level and straight, and what has lived its time goes. One that is born later
 * in the tick is tested where it appeared. With `terrain`, what meets it stops there; it may hit on the way to it, and is gone
 * with the next tick.
 */
export function flyMissiles(world: AbilityWorld, terrain?: Terrain): void {
  const { things } = world.tables
  const seconds = 1 / world.game.declaration.tickRate
  for (let row = 0, { count } = things; row < count; row++) {
    if (things.ability[row] === 0 || things.leaving[row] !== 0) continue
    if (things.endsAt[row] <= world.clock) {
      things.leaving[row] = 1
      if (things.strikes[row] === 0)
        tellWhiff(world, things.owner[row], things.ability[row] - 1, things.abilityStep[row])
      continue
    }
    const wayX = things.vx[row] * seconds
    const wayY = things.vy[row] * seconds
    things.flown[row] = 1
    if (terrain !== undefined && things.z !== undefined) {
      if (hitTerrain(terrain, things.x[row], things.y[row], things.z[row], wayX, wayY, 0, things.radius[row], impact)) {
        things.flown[row] = impact.time
        things.endsAt[row] = world.clock + 1
      }
    }
    things.x[row] += wayX * things.flown[row]
    things.y[row] += wayY * things.flown[row]
  }
}

/** Scratch: written before it is read. */
const impact = createTerrainHit()

/** Poses a projectile or area. A projectile meets what it has passed in this tick. */
export function poseMissile(abilities: Abilities, world: AbilityWorld, row: number, boxes: Boxes): void {
  const { layer, x, y, z, vx, vy, flown } = world.tables.things
  const { volume, shape } = effectOf(abilities, world, row)
  const part = flown[row] / world.game.declaration.tickRate
  if (z === undefined) {
    addShape(boxes, row, layer[row], shape!, x[row], y[row], 1, 0, vx[row] * part, vy[row] * part)
    return
  }
  const box = openVolume(boxes, row, layer[row], volume!)
  boxes.poseX[box] = x[row]
  boxes.poseY[box] = y[row]
  boxes.poseZ[box] = z[row]
  boxes.wayX[box] = vx[row] * part
  boxes.wayY[box] = vy[row] * part
  closeVolume(boxes, box)
}

/** The effect that released the projectile or area in `row`. */
export function effectOf(abilities: Abilities, view: AbilityView, row: number): Effect {
  const { ability, abilityEffect } = view.tables.things
  return abilities.list[ability[row] - 1].effects[abilityEffect[row]]
}
