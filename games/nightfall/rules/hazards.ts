/** Burning ground: it glows near a survivor, then burns for a while and hurts everything that stands in it. */

import { spawn } from 'hurtbox'
import { int, range } from 'hurtbox/math'
import { KIND, type NightThing, type NightValues, type NightWorld, TICK_RATE } from './declaration.ts'
import { keepInside, standing } from './survivors.ts'
import { minuteOf } from './waves.ts'

/** Seconds it only glows, and seconds it burns. */
const GLOWS = 1.5
const BURNS = 6
/** px from the survivor it appears near. */
const NEAR = 160

/** From the second minute on, one near every survivor. */
export function hazards(world: NightWorld): void {
  const { clock, tuning, random } = world
  if (minuteOf(world) < 1 || clock % tuning.hazardEvery !== 0) return
  for (const survivor of standing(world)) {
    const x = survivor.x + range(random.hazards, -NEAR, NEAR)
    const y = survivor.y + range(random.hazards, -NEAR, NEAR)
    keepInside(addHazard(world, { x, y, slot: int(random.hazards, 0, 1) }, clock + GLOWS * TICK_RATE))
  }
}

/** Ground that burns from `burnsFrom` on and lies along x (`slot` 0) or along y (1). */
export function addHazard(world: NightWorld, ground: NightValues, burnsFrom: number): NightThing {
  return spawn(world, 'hazard', {
    ...ground,
    kind: KIND.hazard,
    radius: 60,
    damage: world.tuning.hazardDamage,
    readyAt: burnsFrom,
    endsAt: burnsFrom + BURNS * TICK_RATE,
  })
}
