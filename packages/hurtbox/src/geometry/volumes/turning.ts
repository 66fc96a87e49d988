/** When do two volumes that move and turn about a vertical axis first meet? See `math/advance.ts` for the bound. */

import { conservativeAdvance, instant } from '../math/advance.ts'
import { direction } from '../math/trig.ts'
import { type Pose, pose } from './pose.ts'
import { createSeparation, separation } from './separation.ts'
import type { Impact, MovingVolume } from './sweep.ts'
import { sphere, type Volume } from './volume.ts'

/** A volume at the start of its way: it moves by (dx, dy, dz) and turns by `turn` radians about the vertical axis of its pose. */
export type TurningVolume = MovingVolume & { readonly turn: number }

/** Scratch: each is written before it is read. */
const placedA = { volume: sphere(1.5) as Volume, pose: pose({ x: 0, y: 0, z: 0 }) }
const placedB = { volume: sphere(1.5) as Volume, pose: pose({ x: 0, y: 0, z: 0 }) }
const gap = createSeparation()
const turned = { x: Number.NaN, y: Number.NaN }
/** The two that are being swept. */
let turningA: TurningVolume
let turningB: TurningVolume

/**
 * Whether two volumes that move and turn meet, and when; normal from A to B and place are those at that time. Volumes that overlap
 * at the start meet at time 0.
 */
export function sweepTurning(a: TurningVolume, b: TurningVolume, out: Impact): boolean {
  turningA = a
  turningB = b
  placedA.volume = a.volume
  placedB.volume = b.volume
  const [dx, dy, dz] = [a.dx - b.dx, a.dy - b.dy, a.dz - b.dz]
  instant.most =
    Math.sqrt(dx * dx + dy * dy + dz * dz) +
    Math.abs(a.turn) * turningReach(a.volume) +
    Math.abs(b.turn) * turningReach(b.volume)
  instant.time = 0
  if (!conservativeAdvance(measureGap)) return false
  out.time = instant.time
  out.normalX = gap.normalX
  out.normalY = gap.normalY
  out.normalZ = gap.normalZ
  out.x = gap.x
  out.y = gap.y
  out.z = gap.z
  return true
}

/** No point of a volume is farther than this from the pivot of its pose. */
export function turningReach({ offsetX, offsetY, offsetZ, boundRadius }: Volume): number {
  return Math.sqrt(offsetX * offsetX + offsetY * offsetY + offsetZ * offsetZ) + boundRadius
}

function measureGap(): void {
  placeNow(turningA, placedA.pose)
  placeNow(turningB, placedB.pose)
  instant.gap = separation(placedA, placedB, gap).distance
}

/** Writes where a moving and turning volume is at `instant.time`. */
export function placeNow({ pose: start, dx, dy, dz, turn }: TurningVolume, out: Pose): void {
  const { time } = instant
  direction(turn * time, turned)
  const { x: cosine, y: sine } = turned
  out.x = start.x + dx * time
  out.y = start.y + dy * time
  out.z = start.z + dz * time
  out.xx = start.xx * cosine - start.xy * sine
  out.xy = start.xy * cosine + start.xx * sine
  out.xz = start.xz
  out.yx = start.yx * cosine - start.yy * sine
  out.yy = start.yy * cosine + start.yx * sine
  out.yz = start.yz
  out.zx = start.zx * cosine - start.zy * sine
  out.zy = start.zy * cosine + start.zx * sine
  out.zz = start.zz
}
