/**
 * The plain checks of a 2D survivors-like, as its design document names them: `{ x, y, radius }` circles, boxes by their
 * minimum corner, two of them and a push.
 *
 * They are strict: touching is not a hit. They take loose objects, so a game with positions in objects can use them
 * without poses or shapes; `checkCircle` agrees to the bit with `overlaps` of two circles without touching.
 */

export type Vec2 = { readonly x: number; readonly y: number }
export type Circle = { readonly x: number; readonly y: number; readonly radius: number }
/** (x, y) is the corner with the smallest coordinates. */
export type AABB = { readonly x: number; readonly y: number; readonly width: number; readonly height: number }
/** An AABB in short names. */
export type Rect = { readonly x: number; readonly y: number; readonly w: number; readonly h: number }

export function checkCircle(a: Circle, b: Circle): boolean {
  const dx = b.x - a.x
  const dy = b.y - a.y
  const reach = a.radius + b.radius
  return dx * dx + dy * dy < reach * reach
}

export function checkAABB(a: AABB, b: AABB): boolean {
  return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height
}

export function overlaps(a: Rect, b: Rect): boolean {
  return a.x < b.x + b.w && b.x < a.x + a.w && a.y < b.y + b.h && b.y < a.y + a.h
}

/** Measures from the circle's centre to the nearest point of the box. */
export function checkCircleAABB(circle: Circle, aabb: AABB): boolean {
  const dx = circle.x - Math.max(aabb.x, Math.min(circle.x, aabb.x + aabb.width))
  const dy = circle.y - Math.max(aabb.y, Math.min(circle.y, aabb.y + aabb.height))
  return dx * dx + dy * dy < circle.radius * circle.radius
}

/** A push of length `magnitude` from A towards B; from the same spot, along +x. */
export function calculateKnockback(posA: Vec2, posB: Vec2, magnitude: number): { x: number; y: number } {
  const dx = posB.x - posA.x
  const dy = posB.y - posA.y
  const distance = Math.sqrt(dx * dx + dy * dy)
  if (distance === 0) return { x: magnitude, y: 0 }
  return { x: (dx / distance) * magnitude, y: (dy / distance) * magnitude }
}
