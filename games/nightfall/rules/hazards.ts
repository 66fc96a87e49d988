/** Burning ground: it glows near a survivor, burns for a while, and hurts whoever stands in it, friend or foe. */

import { spawn } from 'hurtbox'
import { clamp, int, range } from 'hurtbox/math'
import { HEIGHT, KIND, LAYER, MARGIN, type NightWorld, TICK_RATE, WIDTH } from './declaration.ts'
import { livingRow } from './survivors.ts'
import { minuteOf } from './waves.ts'

/** Seconds it only glows, and seconds it burns. */
const GLOWS = 1.5
const BURNS = 6
/** px from the survivor it appears near. */
const NEAR = 160

/** From the second minute on, one near every survivor. */
export function hazards(world: NightWorld): void {
  const { clock, tuning } = world
  if (minuteOf(world) < 1 || clock % tuning.hazardEvery !== 0) return
  for (let player = 0; player < world.tables.players.count; player++) {
    const survivor = livingRow(world, player)
    if (survivor < 0) continue
    const { x, y } = world.tables.things
    const { hazards: stream } = world.random
    const atX = clamp(x[survivor] + range(stream, -NEAR, NEAR), MARGIN, WIDTH - MARGIN)
    const atY = clamp(y[survivor] + range(stream, -NEAR, NEAR), MARGIN, HEIGHT - MARGIN)
    addHazard(world, atX, atY, int(stream, 0, 1), clock + GLOWS * TICK_RATE)
  }
}

/** Adds burning ground along x (`lies` 0) or along y (1) that begins to burn when the clock shows `burnsFrom`. */
export function addHazard(world: NightWorld, x: number, y: number, lies: number, burnsFrom: number): number {
  return spawn(world.tables.things, {
    kind: KIND.hazard,
    layer: LAYER.hazard,
    x,
    y,
    radius: 60,
    slot: lies,
    damage: world.tuning.hazardDamage,
    readyAt: burnsFrom,
    endsAt: burnsFrom + BURNS * TICK_RATE,
  })
}
