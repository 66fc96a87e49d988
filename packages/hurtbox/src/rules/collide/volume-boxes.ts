/** Boxes in space: spheres, upright or tilted capsules, oriented boxes. The plane's circle around each finds candidates. */

import { settleFacing } from '../../geometry/math/facing.ts'
import { overlaps } from '../../geometry/volumes/overlap.ts'
import { type Pose, pose, type SpaceFrame } from '../../geometry/volumes/pose.ts'
import { createSeparation, separation } from '../../geometry/volumes/separation.ts'
import { createImpact, sweep } from '../../geometry/volumes/sweep.ts'
import { sweepTurning } from '../../geometry/volumes/turning.ts'
import { boundingSphere, sphere, type Volume } from '../../geometry/volumes/volume.ts'
import { addBox, addBoxOf, type Boxes, setSweep, useNarrow } from './boxes.ts'
import { shiftX, shiftY } from './images.ts'
import { poseFacing } from './shape-boxes.ts'
import { forgetTurn, isTurning, MOVING, STANDING, TURNING, turnsIn } from './turns.ts'

/**
 * Adds a volume to the boxes of the thing that is being posed, where `frame` is, on the thing's layer unless another is
 * named. `sweepBox` and `turnBox` make it meet what it passed.
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
export function addVolume<L extends string>(
  boxes: Boxes<L>,
  volume: Volume,
  frame: SpaceFrame,
  layer?: NoInfer<L>,
): void {
  useNarrow(boxes, narrowVolumes, gapOfVolumes)
  const box = addBox(boxes, layer)
  boxes.shape[box] = volume
  forgetTurn(boxes, box)
  boxes.poseX[box] = frame.x
  boxes.poseY[box] = frame.y
  boxes.poseZ[box] = frame.z
  poseFacing(boxes, box, frame)
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
  forgetTurn(boxes, box)
  boxes.poseX[box] = 0
  boxes.poseY[box] = 0
  return box
}

/** Finds the circle around a volume and its sweep. */
export function closeVolume(boxes: Boxes, box: number): void {
  movingA.volume = boxes.shape[box] as Volume
  settleFacing(boxes.facingX, boxes.facingY, box)
  setEnd(poseA, boxes, box)
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
/** A volume at the start of its way. */
type Placed = { volume: Volume; readonly pose: Pose; dx: number; dy: number; dz: number; turn: number }
const n = Number.NaN
const movingA: Placed = { volume: sphereA, pose: poseA, dx: n, dy: n, dz: n, turn: n }
const movingB: Placed = { volume: sphereB, pose: poseB, dx: n, dy: n, dz: n, turn: n }
/** The two volumes that were placed last. */
export const pair = { a: movingA, b: movingB } as const

export function narrowVolumes(boxes: Boxes, a: number, b: number, touching: boolean): number {
  const way = placePair(boxes, a, b)
  if (way === STANDING) return overlaps(movingA, movingB, touching) ? 1 : -1
  const meets = way === TURNING ? sweepTurning(movingA, movingB, impact) : sweep(movingA, movingB, impact, touching)
  return meets ? impact.time : -1
}

export function gapOfVolumes(boxes: Boxes, a: number, b: number): number {
  placeEnds(boxes, a, b)
  return separation(movingA, movingB, apart).distance
}

/**
 * Places two boxes in `pair` where they come from, B as its image that is nearest to A, and returns how they move. If they do not
 * turn, `pair.a` has the motion of A relative to B; if neither moves relative to the other, they are placed where they are now.
 */
export function placePair(boxes: Boxes, a: number, b: number): number {
  if (isTurning(boxes, a) || isTurning(boxes, b)) {
    movingA.volume = volumeOf(boxes, a, sphereA)
    movingB.volume = volumeOf(boxes, b, sphereB)
    placeTurning(boxes, a, movingA)
    placeTurning(boxes, b, movingB)
    poseB.x += shiftX(boxes, a, b)
    poseB.y += shiftY(boxes, a, b)
    return TURNING
  }
  placeEnds(boxes, a, b)
  movingA.dx = boxes.sweepX[a] - boxes.sweepX[b]
  movingA.dy = boxes.sweepY[a] - boxes.sweepY[b]
  movingA.dz = boxes.sweepZ[a] - boxes.sweepZ[b]
  if (movingA.dx === 0 && movingA.dy === 0 && movingA.dz === 0) return STANDING
  goBack(poseA, boxes, a)
  goBack(poseB, boxes, b)
  return MOVING
}

function placeEnds(boxes: Boxes, a: number, b: number): void {
  movingA.volume = volumeOf(boxes, a, sphereA)
  movingB.volume = volumeOf(boxes, b, sphereB)
  setEnd(poseA, boxes, a)
  setEnd(poseB, boxes, b)
  poseB.x += shiftX(boxes, a, b)
  poseB.y += shiftY(boxes, a, b)
}

function placeTurning(boxes: Boxes, box: number, out: Placed): void {
  setEnd(out.pose, boxes, box)
  goBack(out.pose, boxes, box)
  out.dx = boxes.sweepX[box]
  out.dy = boxes.sweepY[box]
  out.dz = boxes.sweepZ[box]
  out.turn = 0
  if (!isTurning(boxes, box)) return
  const { fromX, fromY, turn } = turnsIn(boxes)
  out.turn = turn[box]
  face(out.pose, fromX[box], fromY[box])
}

function volumeOf(boxes: Boxes, box: number, ofCircle: ScratchVolume): Volume {
  const volume = boxes.shape[box] as Volume | undefined
  if (volume !== undefined) return volume
  ofCircle.radius = boxes.size[box]
  ofCircle.boundRadius = boxes.size[box]
  return ofCircle
}

/** Where a box is now. */
function setEnd(target: Pose, boxes: Boxes, box: number): void {
  target.x = boxes.poseX[box]
  target.y = boxes.poseY[box]
  target.z = boxes.poseZ[box]
  face(target, boxes.facingX[box], boxes.facingY[box])
}

/** To where it comes from. */
function goBack(target: Pose, boxes: Boxes, box: number): void {
  target.x -= boxes.sweepX[box]
  target.y -= boxes.sweepY[box]
  target.z -= boxes.sweepZ[box]
}

/** The turn of `setPose` without its checks: poses of boxes come from the state. */
function face(target: Pose, facingX: number, facingY: number): void {
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
