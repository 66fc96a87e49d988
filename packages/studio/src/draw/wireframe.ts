/** Volumes in perspective: a few projected lines each. */

import type { Volume } from 'hurtbox/volumes'

type Target = {
  readonly context: CanvasRenderingContext2D
  project(x: number, y: number, z: number, out: { x: number; y: number }): void
}

const from = { x: 0, y: 0 }
const to = { x: 0, y: 0 }
const RING = 20

export function volumeLines(
  target: Target,
  volume: Volume,
  x: number,
  y: number,
  z: number,
  facingX: number,
  facingY: number,
): void {
  const { halfX, halfY, halfZ, radius, offsetX, offsetY, offsetZ } = volume
  const cx = x + offsetX * facingX - offsetY * facingY
  const cy = y + offsetX * facingY + offsetY * facingX
  const cz = z + offsetZ
  if (volume.kind === 'box') {
    boxLines(target, cx, cy, cz, halfX + radius, halfY + radius, halfZ + radius, facingX, facingY)
    return
  }
  // Of a capsule, `half` leads from the centre to one end.
  const endX = halfX * facingX - halfY * facingY
  const endY = halfX * facingY + halfY * facingX
  for (const side of halfX === 0 && halfY === 0 && halfZ === 0 ? [0] : [-1, 1]) {
    rings(target, cx + side * endX, cy + side * endY, cz + side * halfZ, radius)
  }
  if (halfZ === 0) return
  for (const [sideX, sideY] of [
    [1, 0],
    [-1, 0],
    [0, 1],
    [0, -1],
  ]) {
    line(
      target,
      cx + sideX * radius,
      cy + sideY * radius,
      cz - halfZ,
      cx + sideX * radius,
      cy + sideY * radius,
      cz + halfZ,
    )
  }
}

function rings(target: Target, x: number, y: number, z: number, radius: number): void {
  for (let plane = 0; plane < 3; plane++) {
    for (let i = 0; i <= RING; i++) {
      const angle = (i / RING) * Math.PI * 2
      const a = Math.cos(angle) * radius
      const b = Math.sin(angle) * radius
      target.project(
        x + (plane === 2 ? 0 : a),
        y + (plane === 0 ? b : plane === 2 ? a : 0),
        z + (plane === 0 ? 0 : b),
        to,
      )
      if (i === 0) target.context.moveTo(to.x, to.y)
      else target.context.lineTo(to.x, to.y)
    }
  }
}

function boxLines(
  target: Target,
  x: number,
  y: number,
  z: number,
  halfX: number,
  halfY: number,
  halfZ: number,
  facingX: number,
  facingY: number,
): void {
  const corner = (i: number) => {
    const ahead = (i & 1 ? 1 : -1) * halfX
    const aside = (i & 2 ? 1 : -1) * halfY
    return [x + ahead * facingX - aside * facingY, y + ahead * facingY + aside * facingX, z + (i & 4 ? 1 : -1) * halfZ]
  }
  for (let i = 0; i < 8; i++) {
    for (const bit of [1, 2, 4]) {
      if ((i & bit) !== 0) continue
      const [ax, ay, az] = corner(i)
      const [bx, by, bz] = corner(i | bit)
      line(target, ax, ay, az, bx, by, bz)
    }
  }
}

function line(target: Target, ax: number, ay: number, az: number, bx: number, by: number, bz: number): void {
  target.project(ax, ay, az, from)
  target.project(bx, by, bz, to)
  target.context.moveTo(from.x, from.y)
  target.context.lineTo(to.x, to.y)
}
