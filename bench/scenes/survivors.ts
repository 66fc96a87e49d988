/**
 * Seed 001's small scene: one player, 20 enemies, 10 projectiles on 800 × 600. It asks what a library costs when there is
 * almost nothing to do, which is what most games ask most of the time.
 *
 * A projectile is spent on the overlapping enemy of the lowest id and fired again from the player; enemies that overlap the
 * player are counted as touches.
 */

import { type Circles, createCircles, setRandomVelocity } from './circles.ts'
import type { Pairs } from './pair-list.ts'
import { createRandom, hash2, offLattice, onLattice } from './random.ts'

export type SurvivorsScene = {
  readonly circles: Circles
  readonly shots: Int32Array
  /** Scratch: the victim of each thing in this step, -1 if none. */
  readonly victim: Int32Array
  hits: number
  touches: number
}

const PLAYER_LAYER = 0
const ENEMY_LAYER = 1
const PROJECTILE_LAYER = 2
const PLAYER = 0
const ENEMIES = 20
const PROJECTILES = 10
/** Zombie, fast, tank, swarm. */
const ENEMY_RADII = [8, 6, 10, 4]
/** 300 px per second at 60 ticks. */
const PROJECTILE_SPEED = 5

export function survivorsScene(seed = 9): SurvivorsScene {
  const random = createRandom(seed)
  const count = 1 + ENEMIES + PROJECTILES
  const meets = [1 << ENEMY_LAYER, (1 << PLAYER_LAYER) | (1 << PROJECTILE_LAYER), 1 << ENEMY_LAYER]
  const circles = createCircles(count, 800, 600, meets)
  const scene = { circles, shots: new Int32Array(count), victim: new Int32Array(count), hits: 0, touches: 0 }
  circles.x[PLAYER] = 400
  circles.y[PLAYER] = 300
  circles.radius[PLAYER] = offLattice(12)
  for (let enemy = 1; enemy <= ENEMIES; enemy++) {
    circles.layer[enemy] = ENEMY_LAYER
    circles.radius[enemy] = offLattice(ENEMY_RADII[enemy % ENEMY_RADII.length])
    circles.x[enemy] = onLattice(random() * 800)
    circles.y[enemy] = onLattice(random() * 600)
    setRandomVelocity(circles, enemy, random)
  }
  for (let projectile = 1 + ENEMIES; projectile < count; projectile++) {
    circles.layer[projectile] = PROJECTILE_LAYER
    circles.radius[projectile] = offLattice(3)
    fire(scene, projectile)
  }
  return scene
}

/** Spends projectiles and counts touches; the result does not depend on the order of `pairs`. */
export function resolveContacts(scene: SurvivorsScene, pairs: Pairs): void {
  const { circles, victim } = scene
  victim.fill(-1)
  for (let i = 0; i < pairs.count; i++) {
    const low = Math.min(pairs.a[i], pairs.b[i])
    const high = Math.max(pairs.a[i], pairs.b[i])
    if (low === PLAYER) scene.touches++
    else if (victim[high] === -1 || low < victim[high]) victim[high] = low
  }
  circles.placed.count = 0
  for (let projectile = 1 + ENEMIES; projectile < circles.count; projectile++) {
    if (victim[projectile] === -1) continue
    scene.hits++
    fire(scene, projectile)
    circles.placed.things[circles.placed.count++] = projectile
  }
}

function fire({ circles, shots }: SurvivorsScene, projectile: number): void {
  const angle = (hash2(projectile, ++shots[projectile]) / 4294967296) * 2 * Math.PI
  circles.x[projectile] = circles.x[PLAYER]
  circles.y[projectile] = circles.y[PLAYER]
  circles.vx[projectile] = onLattice(Math.cos(angle) * PROJECTILE_SPEED)
  circles.vy[projectile] = onLattice(Math.sin(angle) * PROJECTILE_SPEED)
}
