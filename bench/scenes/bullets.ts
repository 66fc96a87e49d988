/**
 * Bullets against enemies, as a shooter has them: a bullet starts at its owner, cannot hit its owner, is consumed by the
 * overlapping enemy of the lowest id, and its owner fires it again.
 *
 * Both are things of one scene, enemies first, so that ids are plain indexes. Contenders only name the victims; consuming and
 * firing again is the scene's work and the same for all. Where a bullet is fired to depends on the bullet and its number of
 * shots alone, never on the order in which hits are reported.
 */

import { type Circles, createCircles, moveBouncing, setRandomVelocity } from './circles.ts'
import { createRandom, hash2, offLattice, onLattice } from './random.ts'

export type BulletScene = {
  /** Things 0 .. enemies - 1 are enemies, the rest are bullets. */
  readonly circles: Circles
  readonly enemies: number
  /** `owner[thing]` is the enemy that fired the bullet; -1 for enemies. */
  readonly owner: Int32Array
  readonly shots: Int32Array
}

/** The hits: victims and bullets. A bullet is in it at most once. */
export type HitList = { count: number; readonly bullet: Int32Array; readonly victim: Int32Array }

const ENEMY_LAYER = 0
const BULLET_LAYER = 1
const ENEMY_RADIUS = 8
const BULLET_RADIUS = 3
const BULLET_SPEED = 6
/** One enemy per this many px²: about one bullet in twenty hits something in a step. */
const AREA_PER_ENEMY = 4000

export function bulletScene(bullets: number, enemies: number, seed = 4): BulletScene {
  const random = createRandom(seed + bullets)
  const side = onLattice(Math.sqrt(enemies * AREA_PER_ENEMY))
  const count = enemies + bullets
  const circles = createCircles(count, side, side, [1 << BULLET_LAYER, 1 << ENEMY_LAYER])
  const scene = { circles, enemies, owner: new Int32Array(count).fill(-1), shots: new Int32Array(count) }
  for (let enemy = 0; enemy < enemies; enemy++) {
    circles.x[enemy] = onLattice(random() * side)
    circles.y[enemy] = onLattice(random() * side)
    circles.radius[enemy] = offLattice(ENEMY_RADIUS)
    circles.layer[enemy] = ENEMY_LAYER
    setRandomVelocity(circles, enemy, random)
  }
  for (let bullet = enemies; bullet < count; bullet++) {
    circles.radius[bullet] = offLattice(BULLET_RADIUS)
    circles.layer[bullet] = BULLET_LAYER
    scene.owner[bullet] = Math.floor(random() * enemies)
    // Started somewhere on its way, or the first steps would all be about bullets leaving their owners.
    circles.x[bullet] = onLattice(random() * side)
    circles.y[bullet] = onLattice(random() * side)
    setRandomVelocity(circles, bullet, random, BULLET_SPEED)
  }
  return scene
}

export function createHitList(capacity: number): HitList {
  return { count: 0, bullet: new Int32Array(capacity), victim: new Int32Array(capacity) }
}

export function moveBullets(scene: BulletScene): void {
  moveBouncing(scene.circles)
}

/** Every bullet that hit is fired again by its owner. */
export function fireAgain(scene: BulletScene, hits: HitList): void {
  const { circles, owner, shots } = scene
  const { placed } = circles
  placed.count = 0
  for (let i = 0; i < hits.count; i++) {
    const bullet = hits.bullet[i]
    const aim = hash2(bullet, ++shots[bullet])
    circles.x[bullet] = circles.x[owner[bullet]]
    circles.y[bullet] = circles.y[owner[bullet]]
    circles.vx[bullet] = latticeSpeed(aim & 0xffff)
    circles.vy[bullet] = latticeSpeed(aim >>> 16)
    placed.things[placed.count++] = bullet
  }
}

function latticeSpeed(bits16: number): number {
  return onLattice((bits16 / 32768 - 1) * BULLET_SPEED)
}
