/**
 * Volumes as content: defined once, frozen, shared by everything that has this form.
 *
 * Every volume is a core (a point, a segment or a box) swollen by a radius. A sphere is a swollen point, a capsule a
 * swollen segment, a box a box with radius 0, or more for rounded edges. So every question about two volumes is a question
 * about two cores, and the radii are added at the end.
 *
 * The core is what the volume is, not what it was called: a capsule without length is a swollen point, a box with a single
 * extent a swollen segment. No later code divides by a size that may be zero.
 *
 * All volumes have the same fields in the same order, so the queries see one hidden class whatever a game mixes, and a
 * volume is plain JSON, so it can go into a fingerprint as it is.
 */

import { HurtboxError, requireFinite, requireQuantity, requireSize } from '../../base/errors.ts'
import { isUnit, type Pose } from './pose.ts'

export const POINT = 0
export const SEGMENT = 1
export const BOX = 2
export type Core = typeof POINT | typeof SEGMENT | typeof BOX

export type VolumeKind = 'sphere' | 'capsule' | 'box'

/** Any volume. Coordinates are local: +x is ahead, +y to the left, +z up. */
export type Volume = {
  /** What it was made as. For drawing; the queries go by the core. */
  readonly kind: VolumeKind
  readonly core: Core
  /** How far the surface is from the core. */
  readonly radius: number
  /** The centre. */
  readonly offsetX: number
  readonly offsetY: number
  readonly offsetZ: number
  /** Of a box: its half extents. Of a segment: from the centre to one end. Of a point: zeros. */
  readonly halfX: number
  readonly halfY: number
  readonly halfZ: number
  /** Of the bounding sphere around the centre. Never smaller than the volume; a sphere is its own, to the bit. */
  readonly boundRadius: number
  /** What `why` and drawings of boxes call it. */
  readonly label?: string
}

/** A volume and where it is: what the queries of this folder ask about. */
export type PlacedVolume = { readonly volume: Volume; readonly pose: Pose }

/** Where a volume lies relative to its pose: ahead (x), to the left (y), up (z). Default: centred on it. */
export type VolumeOffset = { readonly offsetX?: number; readonly offsetY?: number; readonly offsetZ?: number }

/** `axis` is the direction of the capsule's straight part, of length 1. Default: upright, [0, 0, 1]. */
export type CapsuleOptions = VolumeOffset & { readonly axis?: readonly [x: number, y: number, z: number] }

/** `rounding` grows the box by that much on every side, edges rounded. */
export type BoxOptions = VolumeOffset & { readonly rounding?: number }

/** Sizes below this count as zero: their squares, and the squares of those, must not vanish. */
const SMALLEST_SIZE = 1e-60

/** A bounding sphere must hold every point of its volume although both are rounded: a hair larger than computed. */
const BOUND_MARGIN = 1 + 1e-12

export function sphere(radius: number, options: VolumeOffset = {}): Volume {
  return build('sphere', POINT, requireSize(radius, 'sphere radius'), 0, 0, 0, options)
}

/** Everything within `radius` of a line of length 2 × halfLength; from tip to tip 2 × (halfLength + radius). */
export function capsule(radius: number, halfLength: number, options: CapsuleOptions = {}): Volume {
  requireSize(radius, 'capsule radius')
  requireSize(halfLength, 'capsule halfLength')
  const axis = options?.axis ?? [0, 0, 1]
  if (!Array.isArray(axis) || axis.length !== 3) {
    throw new HurtboxError('bad-argument', 'capsule axis must be three numbers [x, y, z].', { axis })
  }
  const x = requireFinite(axis[0], 'capsule axis[0]')
  const y = requireFinite(axis[1], 'capsule axis[1]')
  const z = requireFinite(axis[2], 'capsule axis[2]')
  if (!isUnit(x, y, z)) {
    throw new HurtboxError(
      'bad-argument',
      `capsule axis must have length 1, got (${x}, ${y}, ${z}). Normalise it first.`,
    )
  }
  const core = halfLength < SMALLEST_SIZE ? POINT : SEGMENT
  return build('capsule', core, radius, x * halfLength, y * halfLength, z * halfLength, options)
}

/** A box of twice the half extents: `halfX` ahead and behind, `halfY` to either side, `halfZ` up and down. */
export function box(halfX: number, halfY: number, halfZ: number, options: BoxOptions = {}): Volume {
  let extents = 0
  if (requireSize(halfX, 'box halfX') >= SMALLEST_SIZE) extents++
  if (requireSize(halfY, 'box halfY') >= SMALLEST_SIZE) extents++
  if (requireSize(halfZ, 'box halfZ') >= SMALLEST_SIZE) extents++
  const core = extents === 0 ? POINT : extents === 1 ? SEGMENT : BOX
  const rounding = requireSize(options?.rounding ?? 0, 'box rounding')
  return build('box', core, rounding, halfX, halfY, halfZ, options)
}

export type BoundingSphere = { x: number; y: number; z: number; radius: number }

/** Some ten units in the last place of a coordinate. */
const CENTRE_ROUNDING = 1e-15

/**
 * Writes the bounding sphere of a placed volume into `out`, and returns it. The queries subtract poses before they add local
 * offsets, but this sphere has an absolute centre, rounded: a few last bits of radius make up for that.
 */
export function boundingSphere({ volume, pose }: PlacedVolume, out: BoundingSphere): BoundingSphere {
  const { offsetX, offsetY, offsetZ } = volume
  const armX = offsetX * pose.xx + offsetY * pose.yx + offsetZ * pose.zx
  const armY = offsetX * pose.xy + offsetY * pose.yy + offsetZ * pose.zy
  const armZ = offsetX * pose.xz + offsetY * pose.yz + offsetZ * pose.zz
  out.x = pose.x + armX
  out.y = pose.y + armY
  out.z = pose.z + armZ
  out.radius = volume.boundRadius
  if (offsetX !== 0 || offsetY !== 0 || offsetZ !== 0) {
    const place = Math.abs(pose.x) + Math.abs(pose.y) + Math.abs(pose.z)
    out.radius += CENTRE_ROUNDING * (place + Math.abs(armX) + Math.abs(armY) + Math.abs(armZ))
  }
  return out
}

function build(
  kind: VolumeKind,
  core: Core,
  radius: number,
  halfX: number,
  halfY: number,
  halfZ: number,
  options: VolumeOffset,
): Volume {
  if (typeof options !== 'object' || options === null) {
    throw new HurtboxError('bad-argument', `${kind} options must be an object, got ${options}.`, { options })
  }
  const isPoint = core === POINT
  const coreRadius = Math.sqrt(halfX * halfX + halfY * halfY + halfZ * halfZ)
  // Made of NaN first, for the reason given at `pose`.
  const n = Number.NaN
  const volume: { -readonly [K in keyof Volume]: Volume[K] } = {
    kind,
    core,
    radius: n,
    offsetX: n,
    offsetY: n,
    offsetZ: n,
    halfX: n,
    halfY: n,
    halfZ: n,
    boundRadius: n,
  }
  volume.radius = radius
  volume.offsetX = requireQuantity(options.offsetX ?? 0, `${kind} offsetX`)
  volume.offsetY = requireQuantity(options.offsetY ?? 0, `${kind} offsetY`)
  volume.offsetZ = requireQuantity(options.offsetZ ?? 0, `${kind} offsetZ`)
  volume.halfX = isPoint ? 0 : halfX
  volume.halfY = isPoint ? 0 : halfY
  volume.halfZ = isPoint ? 0 : halfZ
  volume.boundRadius = isPoint ? radius : (coreRadius + radius) * BOUND_MARGIN
  return Object.freeze(volume)
}
