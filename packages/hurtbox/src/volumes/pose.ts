/**
 * A pose: where a volume is and how it is turned.
 *
 * The turn is kept as nine numbers, the three local axes seen from the world, not as a quaternion: a pose is made once
 * in a tick and tested many times, and every test needs the axes. Nothing here is stored in the state of a game; state
 * keeps a facing (two numbers) or a quaternion (four), and a pose is made from it.
 *
 * Local x points ahead, local y to the left, local z up; the world's z is up. A character that stands upright needs no
 * angle and no trigonometry: its facing is its local x axis.
 *
 * The queries of this folder trust their poses. These functions are the checked way in.
 */

import { HurtboxError, requireFinite, requireQuantity } from '../errors.ts'

export type Vector = { x: number; y: number; z: number }

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

/** Makes an upright pose that faces along the unit vector (facingX, facingY) of the plane; the default is +x. */
export function pose(x: number, y: number, z: number, facingX = 1, facingY = 0): Pose {
  // Made of NaN first: V8 then keeps doubles in these fields from the start. Made of 0 and 1 they would be small integers
  // until a fraction is stored, each pose changing its hidden class at its own time; all tests ran 2 to 4 times slower.
  const n = Number.NaN
  const made: Pose = { x: n, y: n, z: n, xx: n, xy: n, xz: n, yx: n, yy: n, yz: n, zx: n, zy: n, zz: n }
  setPose(made, x, y, z, facingX, facingY)
  return made
}

/** Sets an upright pose that faces along the unit vector (facingX, facingY) of the plane; the default is +x. */
export function setPose(pose: Pose, x: number, y: number, z: number, facingX = 1, facingY = 0): void {
  requireFinite(facingX, 'pose facingX')
  requireFinite(facingY, 'pose facingY')
  requireUnit('pose facing', facingX * facingX + facingY * facingY)
  setPlace(pose, x, y, z)
  pose.xx = facingX
  pose.xy = facingY
  pose.xz = 0
  pose.yx = -facingY
  pose.yy = facingX
  pose.yz = 0
  pose.zx = 0
  pose.zy = 0
  pose.zz = 1
}

/** Sets a pose turned by the unit quaternion qw + qx i + qy j + qz k. */
export function setPoseQuaternion(
  pose: Pose,
  x: number,
  y: number,
  z: number,
  qx: number,
  qy: number,
  qz: number,
  qw: number,
): void {
  requireFinite(qx, 'pose qx')
  requireFinite(qy, 'pose qy')
  requireFinite(qz, 'pose qz')
  requireFinite(qw, 'pose qw')
  const lengthSquared = qx * qx + qy * qy + qz * qz + qw * qw
  requireUnit('pose quaternion', lengthSquared)
  setPlace(pose, x, y, z)
  // Dividing by the length keeps the axes at right angles and of unit length even if the quaternion has drifted a little.
  const twice = 2 / lengthSquared
  const ax = qx * twice
  const ay = qy * twice
  const az = qz * twice
  pose.xx = 1 - (qy * ay + qz * az)
  pose.xy = qx * ay + qw * az
  pose.xz = qx * az - qw * ay
  pose.yx = qx * ay - qw * az
  pose.yy = 1 - (qx * ax + qz * az)
  pose.yz = qy * az + qw * ax
  pose.zx = qx * az + qw * ay
  pose.zy = qy * az - qw * ax
  pose.zz = 1 - (qx * ax + qy * ay)
}

/** Sets a pose with local x along `ahead` and local z along `up`, unit vectors at right angles. Left follows from them. */
export function setPoseAxes(pose: Pose, x: number, y: number, z: number, ahead: Vector, up: Vector): void {
  const ax = requireFinite(ahead.x, 'pose ahead.x')
  const ay = requireFinite(ahead.y, 'pose ahead.y')
  const az = requireFinite(ahead.z, 'pose ahead.z')
  const ux = requireFinite(up.x, 'pose up.x')
  const uy = requireFinite(up.y, 'pose up.y')
  const uz = requireFinite(up.z, 'pose up.z')
  requireUnit('pose ahead', ax * ax + ay * ay + az * az)
  requireUnit('pose up', ux * ux + uy * uy + uz * uz)
  const cosine = ax * ux + ay * uy + az * uz
  if (Math.abs(cosine) > UNIT_TOLERANCE) {
    throw new HurtboxError('bad-argument', `pose up must be at right angles to ahead, got a cosine of ${cosine}.`)
  }
  setPlace(pose, x, y, z)
  pose.xx = ax
  pose.xy = ay
  pose.xz = az
  pose.yx = uy * az - uz * ay
  pose.yy = uz * ax - ux * az
  pose.yz = ux * ay - uy * ax
  pose.zx = ux
  pose.zy = uy
  pose.zz = uz
}

export function requireUnit(name: string, lengthSquared: number): void {
  if (Math.abs(lengthSquared - 1) <= UNIT_TOLERANCE) return
  const length = Math.sqrt(lengthSquared)
  throw new HurtboxError('bad-argument', `${name} must have length 1, got ${length}. Normalise it first.`, { length })
}

function setPlace(pose: Pose, x: number, y: number, z: number): void {
  pose.x = requireQuantity(x, 'pose x')
  pose.y = requireQuantity(y, 'pose y')
  pose.z = requireQuantity(z, 'pose z')
}
