/** Burning ground: it glows near a survivor, then burns for a while and hurts everything that stands in it, survivors and enemies. */

import { players, spawn } from 'hurtbox'
import { clamp, int, range } from 'hurtbox/math'
import {
  HEIGHT,
  KIND,
  MARGIN,
  type NightThing,
  type NightValues,
  type NightWorld,
  TICK_RATE,
  WIDTH,
} from './declaration.ts'
import { survivorOf } from './survivors.ts'
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
  for (const player of players(world)) {
    const survivor = survivorOf(player)
    if (survivor === undefined) continue
    const x = clamp(survivor.x + range(random.hazards, -NEAR, NEAR), MARGIN, WIDTH - MARGIN)
    const y = clamp(survivor.y + range(random.hazards, -NEAR, NEAR), MARGIN, HEIGHT - MARGIN)
    addHazard(world, { x, y, slot: int(random.hazards, 0, 1) }, clock + GLOWS * TICK_RATE)
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
