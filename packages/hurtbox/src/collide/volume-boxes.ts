/** Boxes in space: spheres, upright or tilted capsules, oriented boxes. The plane's circle around each finds candidates. */

import { overlaps } from '../volumes/overlap.ts'
import { type Pose, pose, type SpaceFrame } from '../volumes/pose.ts'
import { createSeparation, separation } from '../volumes/separation.ts'
import { createImpact, sweep } from '../volumes/sweep.ts'
import { boundingSphere, sphere, type Volume } from '../volumes/volume.ts'
import { addBox, addBoxOf, type Boxes, imageShiftX, imageShiftY, setSweep, useNarrow } from './boxes.ts'

/**
 * Adds a volume to the boxes of the thing that is being posed, where `frame` is, on the thing's layer unless another is
 * named. `sweepBox` makes it meet what it passed.
 *
 * @example
 * ```ts
 * import { addVolume, collide, createWorld, declareGame, defineGame, spawn, step } from 'hurtbox'
 * import { sphere } from 'hurtbox/volumes'
 *
 * const body = sphere(10)
 * const layers = { knight: ['slime'], slime: [] } as const
 * const arena = declareGame({ id: 'arena', tickRate: 60, layers, things: { hp: 'f64', z: 'f64' } })
 * const hits = collide(
 *   arena,
 *   { 'knight hits slime': { between: ['knight', 'slime'], decide: (_knight, slime) => void (slime.hp -= 12) } },
 *   {
 *     pose: {
 *       knight(knight, boxes) {
 *         addVolume(boxes, body, knight) // at the knight's x, y and z
 *       },
 *     },
 *   },
 * )
 * const world = createWorld(defineGame(arena, { phases: { hits } }))
 * spawn(world, 'knight', { radius: 10 })
 * const slime = spawn(world, 'slime', { x: 20, radius: 15, hp: 30 })
 * step(world)
 * console.log(slime.hp) // 18
 * ```
 */
export function addVolume(boxes: Boxes, volume: Volume, frame: SpaceFrame, layer?: string): void {
  useNarrow(boxes, narrowVolumes, gapOfVolumes)
  const box = addBox(boxes, layer)
  boxes.shape[box] = volume
  boxes.poseX[box] = frame.x
  boxes.poseY[box] = frame.y
  boxes.poseZ[box] = frame.z
  boxes.facingX[box] = frame.facingX ?? 1
  boxes.facingY[box] = frame.facingY ?? 0
  closeVolume(boxes, box)
}

/**
 * Adds a volume that stands at the origin; the caller writes pose, facing and sweep into the columns and closes it. So numbers
 * go from column to column: handed to a function, V8 would put each on the heap.
 */
export function openVolume(boxes: Boxes, owner: number, layer: number, volume: Volume): number {
  useNarrow(boxes, narrowVolumes, gapOfVolumes)
  const box = addBoxOf(boxes, owner, layer)
  boxes.shape[box] = volume
  boxes.poseX[box] = 0
  boxes.poseY[box] = 0
  return box
}

/** Finds the circle around a volume and its sweep. */
export function closeVolume(boxes: Boxes, box: number): void {
  movingA.volume = boxes.shape[box] as Volume
  setStart(poseA, boxes, box, true)
  boundingSphere(movingA, bound)
  boxes.x[box] = bound.x
  boxes.y[box] = bound.y
  boxes.radius[box] = bound.radius
  if (boxes.sweepX[box] !== 0 || boxes.sweepY[box] !== 0) setSweep(boxes, box, boxes.sweepX[box], boxes.sweepY[box])
  else if (boxes.sweepZ[box] !== 0) boxes.isSwept = true
}

/** Scratch: each is written before it is read. */
const poseA: Pose = pose({ x: 0, y: 0, z: 0 })
const poseB: Pose = pose({ x: 0, y: 0, z: 0 })
const bound = { x: 0, y: 0, z: 0, radius: 0 }
const impact = createImpact()
const apart = createSeparation()
/** A circle in a phase of volumes is a sphere of its size. */
type ScratchVolume = { -readonly [K in keyof Volume]: Volume[K] }
const sphereA: ScratchVolume = { ...sphere(1.5) }
const sphereB: ScratchVolume = { ...sphere(1.5) }
const movingA = { volume: sphereA as Volume, pose: poseA, dx: Number.NaN, dy: Number.NaN, dz: Number.NaN }
const placedB = { volume: sphereB as Volume, pose: poseB }
/** The two volumes that were placed last. */
export const pair = { a: movingA, b: placedB } as const

export function narrowVolumes(boxes: Boxes, a: number, b: number, touching: boolean): number {
  const dx = boxes.sweepX[a] - boxes.sweepX[b]
  const dy = boxes.sweepY[a] - boxes.sweepY[b]
  const dz = boxes.sweepZ[a] - boxes.sweepZ[b]
  const isStanding = dx === 0 && dy === 0 && dz === 0
  placePair(boxes, a, b, isStanding)
  if (isStanding) return overlaps(movingA, placedB, touching) ? 1 : -1
  movingA.dx = dx
  movingA.dy = dy
  movingA.dz = dz
  return sweep(movingA, placedB, impact, touching) ? impact.time : -1
}

export function gapOfVolumes(boxes: Boxes, a: number, b: number): number {
  placePair(boxes, a, b, true)
  return separation(movingA, placedB, apart).distance
}

/** Places two boxes in `pair` where they are, or where they come from unless they stand. */
export function placePair(boxes: Boxes, a: number, b: number, isStanding: boolean): void {
  movingA.volume = volumeOf(boxes, a, sphereA)
  placedB.volume = volumeOf(boxes, b, sphereB)
  setStart(poseA, boxes, a, isStanding)
  setStart(poseB, boxes, b, isStanding)
  poseB.x += imageShiftX(boxes, a, b)
  poseB.y += imageShiftY(boxes, a, b)
}

function volumeOf(boxes: Boxes, box: number, ofCircle: ScratchVolume): Volume {
  const volume = boxes.shape[box] as Volume | undefined
  if (volume !== undefined) return volume
  ofCircle.radius = boxes.size[box]
  ofCircle.boundRadius = boxes.size[box]
  return ofCircle
}

function setStart(target: Pose, boxes: Boxes, box: number, isStanding: boolean): void {
  const part = isStanding ? 0 : 1
  turn(
    target,
    boxes.poseX[box] - part * boxes.sweepX[box],
    boxes.poseY[box] - part * boxes.sweepY[box],
    boxes.poseZ[box] - part * boxes.sweepZ[box],
    boxes.facingX[box],
    boxes.facingY[box],
  )
}

/** `setPose` without its checks: poses of boxes come from the state. */
function turn(target: Pose, x: number, y: number, z: number, facingX: number, facingY: number): void {
  target.x = x
  target.y = y
  target.z = z
  target.xx = facingX
  target.xy = facingY
  target.xz = 0
  target.yx = 0 - facingY
  target.yy = facingX
  target.yz = 0
  target.zx = 0
  target.zy = 0
  target.zz = 1
}
