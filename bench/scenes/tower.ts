/**
 * A side view: a tower of 200 × 200 tiles with floors full of holes, and runners that go to and fro and jump. Every fifth step of a floor is a slope.
 */

import { createRandom } from './random.ts'
import type { Walls } from './walls.ts'

export type TowerScene = {
  readonly walls: Walls
  /** Slopes of 45°, rising to the right, by the corner on the left below; as wide and high as a tile. */
  readonly slopes: readonly { readonly x: number; readonly y: number }[]
  readonly count: number
  readonly x: Float64Array
  readonly y: Float64Array
  /** −1 or 1: where each one runs first. */
  readonly way: Int8Array
}

export const TILE = 16
const TILES = 200
export const RUNNER = { halfWidth: 6, halfHeight: 7, speed: 120, jump: 400, gravity: 1200, ticksPerSecond: 60 }
/** How often a runner that stands jumps. */
const JUMP_EVERY = 50

/** Whether a runner that stands jumps in this tick. */
export const jumpsNow = (tick: number, runner: number) => (tick + runner) % JUMP_EVERY === 0

export function towerScene(count: number, seed = 11): TowerScene {
  const random = createRandom(seed)
  const runs: [col: number, row: number, length: number][] = []
  const slopes: { x: number; y: number }[] = []
  for (let row = 0; row < TILES; row++) {
    const isFloor = row % 4 === 3
    const isSolid = (col: number) => col === 0 || row === 0 || col === TILES - 1 || row === TILES - 1
    let start = -1
    for (let col = 0; col <= TILES; col++) {
      const isWall = col < TILES && (isSolid(col) || random() < (isFloor ? 0.8 : 0.04))
      if (isWall && start < 0) start = col
      if (isWall || start < 0) continue
      runs.push([start, row, col - start])
      start = -1
      if (isFloor && col > 4 && random() < 0.2) slopes.push({ x: (col - 2) * TILE, y: row * TILE })
    }
  }
  const column = () => new Float64Array(runs.length)
  const walls: Walls = {
    count: runs.length,
    side: TILES * TILE,
    minX: column(),
    minY: column(),
    maxX: column(),
    maxY: column(),
  }
  for (const [i, [col, row, length]] of runs.entries()) {
    walls.minX[i] = col * TILE
    walls.maxX[i] = (col + length) * TILE
    walls.minY[i] = row * TILE
    walls.maxY[i] = (row + 1) * TILE
  }
  const scene = {
    walls,
    slopes,
    count,
    x: new Float64Array(count),
    y: new Float64Array(count),
    way: new Int8Array(count),
  }
  for (let runner = 0; runner < count; runner++) {
    do {
      scene.x[runner] = TILE * (1 + random() * (TILES - 2))
      scene.y[runner] = TILE * (1 + random() * (TILES - 2))
    } while (depthInWalls(walls, scene.x[runner], scene.y[runner]) > -TILE)
    scene.way[runner] = random() < 0.5 ? -1 : 1
  }
  return scene
}

/** How deep the box of a runner is in the walls; below 0: how far from them, in the better direction. */
export function depthInWalls({ count, minX, minY, maxX, maxY }: Walls, x: number, y: number): number {
  let deepest = Number.NEGATIVE_INFINITY
  for (let i = 0; i < count; i++) {
    const across = Math.min(x + RUNNER.halfWidth - minX[i], maxX[i] - (x - RUNNER.halfWidth))
    const down = Math.min(y + RUNNER.halfHeight - minY[i], maxY[i] - (y - RUNNER.halfHeight))
    deepest = Math.max(deepest, Math.min(across, down))
  }
  return deepest
}
