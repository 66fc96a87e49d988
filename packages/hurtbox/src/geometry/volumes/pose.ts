/**
 * A pose: where a volume is and how it is turned.
 *
 * The turn is kept as nine numbers, the three local axes seen from the world, not as a quaternion: a pose is made once
 * in a tick and tested many times, and every test needs the axes. Nothing here is stored in the state of a game; state
 * keeps a facing (two numbers), and a pose is made from it.
 *
 * Local x points ahead, local y to the left, local z up; the world's z is up. A character that stands upright needs no
 * angle and no trigonometry: its facing is its local x axis.
 *
 * The queries of this folder trust their poses. These functions check what they are given.
 */

import { HurtboxError, MAX_MAGNITUDE, requireQuantity } from '../../base/errors.ts'
import { facingXOf } from '../math/facing.ts'
import type { PlaneFrame } from '../shapes/pose.ts'

export type Vector = { x: number; y: number; z: number }

/** Where something upright is in space and which way it looks. A thing with z and facing columns is one. */
export type SpaceFrame = PlaneFrame & { readonly z: number }

/** `xy` is the world's y of the local x axis, and so on. The axes are unit vectors at right angles, right-handed. */
export type Pose = {
  x: number
  y: number
  z: number
  xx: number
  xy: number
  xz: number
  yx: number
  yy: number
  yz: number
  zx: number
  zy: number
  zz: number
}

/** How far the squared length of a unit vector may be from 1. Normalising with `Math.sqrt` comes a million times closer. */
const UNIT_TOLERANCE = 1e-9

/** Makes an upright pose. Its facing is a unit vector of the plane; (0, 0) is along +x. */
export function pose(frame: SpaceFrame): Pose {
  // Made of NaN first: V8 then keeps doubles in these fields from the start. Made of 0 and 1 they would be small integers
  // until a fraction is stored, each pose changing its hidden class at its own time; all tests ran 2 to 4 times slower.
  const n = Number.NaN
  const made: Pose = { x: n, y: n, z: n, xx: n, xy: n, xz: n, yx: n, yy: n, yz: n, zx: n, zy: n, zz: n }
  setPose(made, frame ?? {})
  return made
}

// The setters write first and check the finished pose. That keeps them so short that V8 inlines them: a call would put each
// number on the heap, 64 bytes in all.

/** Sets an upright pose. Its facing is a unit vector of the plane; (0, 0) is along +x. */
export function setPose(pose: Pose, frame: SpaceFrame): void {
  const { facingX: givenX = 1, facingY = 0 } = frame
  const facingX = facingXOf(givenX, facingY)
  pose.x = frame.x
  pose.y = frame.y
  pose.z = frame.z
  pose.xx = facingX
  pose.xy = facingY
  pose.xz = 0
  pose.yx = -facingY
  pose.yy = facingX
  pose.yz = 0
  pose.zx = 0
  pose.zy = 0
  pose.zz = 1
  requirePose(pose, 'facing')
}

/** Sets a pose with local x along `ahead` and local z along `up`, unit vectors at right angles. Left follows from them. */
export function setPoseAxes(pose: Pose, place: Vector, ahead: Vector, up: Vector): void {
  pose.x = place.x
  pose.y = place.y
  pose.z = place.z
  pose.xx = ahead.x
  pose.xy = ahead.y
  pose.xz = ahead.z
  pose.yx = up.y * ahead.z - up.z * ahead.y
  pose.yy = up.z * ahead.x - up.x * ahead.z
  pose.yz = up.x * ahead.y - up.y * ahead.x
  pose.zx = up.x
  pose.zy = up.y
  pose.zz = up.z
  requirePose(pose, 'ahead and up')
}

/** One test of all numbers, written so that NaN fails it; what is wrong is found out afterwards. */
function requirePose(pose: Pose, turn: string): void {
  const { x, y, z, xx, xy, xz, yx, yy, yz, zx, zy, zz } = pose
  if (
    areNumbers(x, y, z) &&
    areNumbers(xx, xy, xz) &&
    areNumbers(zx, zy, zz) &&
    Math.abs(x) <= MAX_MAGNITUDE &&
    Math.abs(y) <= MAX_MAGNITUDE &&
    Math.abs(z) <= MAX_MAGNITUDE &&
    Math.abs(xx * xx + xy * xy + xz * xz - 1) <= UNIT_TOLERANCE &&
    Math.abs(yx * yx + yy * yy + yz * yz - 1) <= UNIT_TOLERANCE &&
    Math.abs(zx * zx + zy * zy + zz * zz - 1) <= UNIT_TOLERANCE &&
    Math.abs(xx * zx + xy * zy + xz * zz) <= UNIT_TOLERANCE
  ) {
    return
  }
  throw refusal(pose, turn)
}

function areNumbers(x: unknown, y: unknown, z: unknown): boolean {
  return typeof x === 'number' && typeof y === 'number' && typeof z === 'number'
}

function refusal({ x, y, z, xx, xy, xz, zx, zy, zz }: Pose, turn: string): HurtboxError {
  requireQuantity(x, 'pose x')
  requireQuantity(y, 'pose y')
  requireQuantity(z, 'pose z')
  const axes = `ahead (${xx}, ${xy}, ${xz}), up (${zx}, ${zy}, ${zz})`
  return new HurtboxError(
    'bad-argument',
    `pose ${turn} must be numbers, of length 1 and at right angles, got ${axes}. Normalise it first.`,
    { turn },
  )
}

/** Whether a vector has length 1. */
export function isUnit(x: number, y: number, z: number): boolean {
  return Math.abs(x * x + y * y + z * z - 1) <= UNIT_TOLERANCE
}
