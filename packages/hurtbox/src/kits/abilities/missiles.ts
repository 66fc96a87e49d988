/** Missiles: the projectiles and areas that carry the effects of the ability that released them. */

import { createBlockHit, createMovingCapsule, sweepBlocks } from '../../rules/collide/block-sweep.ts'
import type { Blocks } from '../../rules/collide/blocks.ts'
import { addCircle, type Boxes, sweepBox } from '../../rules/collide/boxes.ts'
import type { MapPhase } from '../../rules/collide/statics.ts'
import { closeVolume, openVolume } from '../../rules/collide/volume-boxes.ts'
import type { Abilities } from './abilities.ts'
import type { Effect } from './effect.ts'
import { emitWhiff } from './events.ts'
import { type AbilityThing, type AbilityWorld, rowOfThing, worldOfThing } from './world.ts'

/**
 * Makes a phase, before the abilities: projectiles fly level and straight, and missiles whose time is over leave. One that is
 * released later in the tick is tested where it appeared. With `statics`, a map in space, a missile stops at any of its pieces; it may
 * hit before it gets there, and leaves in the next tick.
 */
export function flyMissiles(statics?: Blocks): MapPhase<AbilityWorld> {
  const run = (world: AbilityWorld) => {
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
      if (statics !== undefined && things.z !== undefined) {
        mover.x = things.x[row]
        mover.y = things.y[row]
        mover.z = things.z[row]
        mover.dx = dx
        mover.dy = dy
        mover.dz = 0
        mover.radius = things.radius[row]
        mover.halfLength = 0
        if (sweepBlocks(world, statics, mover, impact)) {
          things.flown[row] = impact.time
          things.endsAt[row] = world.clock + 1
        }
      }
      things.x[row] += dx * things.flown[row]
      things.y[row] += dy * things.flown[row]
    }
  }
  return { create: (world) => ({ statics, run: () => run(world) }) }
}

/** Scratch: written before it is read. */
const mover = createMovingCapsule()
const impact = createBlockHit()

/** How many ticks are left until an area hits; 0 when it does, and for projectiles. */
export function delayOf(abilities: Abilities, missile: AbilityThing): number {
  const world = worldOfThing(missile)
  const { delay, life } = effectOf(abilities, world, rowOfThing(missile))
  return delay === 0 ? 0 : Math.max(0, missile.endsAt - life - world.clock)
}

/** Poses a projectile or area. A projectile hits what it has passed in this tick; an area is there when its delay is over. */
export function poseMissile(abilities: Abilities, missile: AbilityThing, boxes: Boxes): void {
  if (delayOf(abilities, missile) > 0) return
  const world = worldOfThing(missile)
  const row = rowOfThing(missile)
  const { layer, x, y, z, vx, vy, flown } = world.tables.things
  const part = flown[row] / world.game.declaration.tickRate
  if (z === undefined) {
    // A circle and no shape: it is quicker to test, and `why` knows by how much it misses.
    addCircle(boxes, missile)
    if (part !== 0 && (vx[row] !== 0 || vy[row] !== 0)) sweepBox(boxes, vx[row] * part, vy[row] * part)
    return
  }
  // From column to column: a number that is passed to a function would be put on the heap.
  const { volume } = effectOf(abilities, world, row)
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
