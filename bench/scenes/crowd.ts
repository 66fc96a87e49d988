/**
 * A crowd that wants to be in one place: circles of three masses and a few immovable pillars, all steering to the middle.
 * It is the hardest ordinary scene for whatever keeps things apart, because the pressure never ends.
 */

import { createRandom } from './random.ts'

export type CrowdScene = {
  readonly count: number
  readonly x: Float64Array
  readonly y: Float64Array
  readonly radius: Float64Array
  /** kg; 0 marks a pillar, which nothing moves. */
  readonly mass: Float64Array
  readonly goalX: number
  readonly goalY: number
}

/** px per tick. */
const CROWD_SPEED = 2
const PILLARS = 8
const MASSES = [30, 50, 100]

export function crowdScene(count: number, seed = 5): CrowdScene {
  const random = createRandom(seed + count)
  // Twice the room the circles need: they start apart and meet within the 200 ticks before timing begins.
  const side = Math.sqrt(count * Math.PI * 10 * 10 * 2)
  const scene = {
    count,
    x: new Float64Array(count),
    y: new Float64Array(count),
    radius: new Float64Array(count),
    mass: new Float64Array(count),
    goalX: side / 2,
    goalY: side / 2,
  }
  for (let thing = 0; thing < count; thing++) {
    scene.x[thing] = random() * side
    scene.y[thing] = random() * side
    scene.radius[thing] = 6 + 6 * random()
    scene.mass[thing] = thing < PILLARS ? 0 : MASSES[thing % MASSES.length]
  }
  return scene
}

/** Writes the velocity (px per tick) with which `thing`, now at (x, y), walks: at full speed, slower when nearly there. */
export function steer(scene: CrowdScene, thing: number, x: number, y: number, out: { x: number; y: number }): void {
  const dx = scene.goalX - x
  const dy = scene.goalY - y
  const distance = Math.sqrt(dx * dx + dy * dy)
  const scale = scene.mass[thing] === 0 || distance === 0 ? 0 : Math.min(CROWD_SPEED / distance, 1)
  out.x = dx * scale
  out.y = dy * scale
}
