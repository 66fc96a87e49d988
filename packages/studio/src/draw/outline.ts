/** The outline of a shape of the engine as a path in world units. */

import type { Shape } from 'hurtbox/shapes'
import type { Volume } from 'hurtbox/volumes'

type Path = Pick<CanvasRenderingContext2D, 'moveTo' | 'lineTo' | 'arc' | 'closePath'>

function circlePath(path: Path, x: number, y: number, radius: number): void {
  path.moveTo(x + radius, y)
  path.arc(x, y, radius, 0, Math.PI * 2)
}

export function isVolume(shape: object): shape is Volume {
  return 'core' in shape
}

/** Every corner becomes an arc of the shape's radius between the normals of its two edges; a canvas joins arcs by lines. */
export function shapePath(path: Path, shape: Shape, x: number, y: number, facingX: number, facingY: number): void {
  const { corners, normals, radius } = shape
  const placeX = (i: number) => x + corners[2 * i] * facingX - corners[2 * i + 1] * facingY
  const placeY = (i: number) => y + corners[2 * i] * facingY + corners[2 * i + 1] * facingX
  const facing = Math.atan2(facingY, facingX)
  if (shape.kind === 'arc') {
    const half = Math.atan2(shape.halfAngleSin, shape.halfAngleCos)
    // A band goes back along its inner rim; without one that is the apex.
    const [apexX, apexY, inner] = [placeX(0), placeY(0), shape.innerRadius]
    path.moveTo(apexX + Math.cos(facing - half) * inner, apexY + Math.sin(facing - half) * inner)
    path.arc(apexX, apexY, radius, facing - half, facing + half)
    if (inner > 0) path.arc(apexX, apexY, inner, facing + half, facing - half, true)
    path.closePath()
    return
  }
  if (normals.length === 0) {
    circlePath(path, placeX(0), placeY(0), radius)
    return
  }
  const count = corners.length / 2
  const angleOf = (edge: number) => facing + Math.atan2(normals[2 * edge + 1], normals[2 * edge])
  for (let corner = 0; corner < count; corner++) {
    const from = angleOf((corner + count - 1) % count)
    const to = angleOf(corner)
    const beginX = placeX(corner) + Math.cos(from) * radius
    const beginY = placeY(corner) + Math.sin(from) * radius
    if (corner === 0) path.moveTo(beginX, beginY)
    else path.lineTo(beginX, beginY)
    if (radius > 0) path.arc(placeX(corner), placeY(corner), radius, from, to < from ? to + Math.PI * 2 : to)
  }
  path.closePath()
}

/** The footprint of a volume, seen from above. */
export function footprintPath(
  path: Path,
  volume: Volume,
  x: number,
  y: number,
  facingX: number,
  facingY: number,
): void {
  const { halfX, halfY, radius, offsetX, offsetY } = volume
  const cx = x + offsetX * facingX - offsetY * facingY
  const cy = y + offsetX * facingY + offsetY * facingX
  if (volume.kind !== 'box') {
    circlePath(path, cx, cy, radius)
    return
  }
  const corners = [
    [-1, -1],
    [1, -1],
    [1, 1],
    [-1, 1],
  ]
  corners.forEach(([sideX, sideY], i) => {
    const ahead = sideX * (halfX + radius)
    const aside = sideY * (halfY + radius)
    const px = cx + ahead * facingX - aside * facingY
    const py = cy + ahead * facingY + aside * facingX
    if (i === 0) path.moveTo(px, py)
    else path.lineTo(px, py)
  })
  path.closePath()
}
