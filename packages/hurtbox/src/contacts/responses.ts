/**
 * What a contact does to the two that meet: bounce, slide, stop, share their momentum.
 *
 * Functions that a rule calls with the thing and the contact. They write its speed and put it where it touches, a hair off the
 * surface, and nothing else. They look at how both surfaces move, so a wall that comes along pushes and a shield that swings
 * strikes. Each returns whether it changed the speed: what already leaves is left alone.
 */

import { closeMove, openMove } from '../handles/things.ts'
import type { Contact } from './contact.ts'

/** What a response needs of a thing; `vz` only in space. */
export type Mover = { readonly id: number; readonly x: number; vx: number; vy: number; vz?: number }

/** What an impulse needs. An `invMass` of 0 cannot be moved; neither can a wall. */
export type Body = Mover & { readonly invMass: number }

/** How far off a surface things are put: more than what counts as touching, and less than anybody sees. */
const SKIN = 2e-6

export type BounceOptions = {
  /** How much of the speed across the surface comes back: 1 all of it (default), 0 nothing. */
  readonly restitution?: number
  /** What the speed is multiplied by afterwards. Default: 1. */
  readonly faster?: number
  /** The speed is no more than this afterwards, unless the surface itself is faster. Default: any. */
  readonly atMost?: number
}

/**
 * Turns the speed back from the surface, as a ball from a wall. A surface that moves hands on its speed.
 *
 * @example
 * ```ts
 * import { collide, createWorld, declareGame, defineGame, defineStatics, spawn, step } from 'hurtbox'
 * import { bounce, contact, travel } from 'hurtbox/contacts'
 *
 * const arena = declareGame({ id: 'arena', tickRate: 60, layers: { ball: ['wall'], wall: [] } })
 * const statics = defineStatics(arena, [{ layer: 'wall', minX: 100, minY: -50, maxX: 120, maxY: 50 }])
 * const fly = collide(
 *   arena,
 *   { 'ball meets wall': { between: ['ball', 'wall'], decide: (ball, _wall, hit) => void bounce(ball, contact(hit)) } },
 *   { statics, travel: travel(['ball'], { perTick: true }) },
 * )
 * const world = createWorld(defineGame(arena, { phases: { fly } }))
 * const ball = spawn(world, 'ball', { radius: 10, vx: 120 })
 * step(world)
 * console.log(Math.round(ball.x), ball.vx) // 60 -120
 * ```
 */
export function bounce(thing: Mover, contact: Contact, options: BounceOptions = {}): boolean {
  const { restitution = 1 } = options
  look(thing, contact)
  const closing = closingSpeed(thing)
  if (closing < 0) {
    seen.amount = -(1 + restitution) * closing
    addAlongNormal(thing)
    changeSpeed(thing, options)
  }
  putOnSurface(thing, contact, closing < 0)
  return closing < 0
}

/** Mirrors the speed and keeps its length exactly, however the surface moves; only a surface that is faster pushes it along. */
export function reflect(thing: Mover, contact: Contact, options: Omit<BounceOptions, 'restitution'> = {}): boolean {
  look(thing, contact)
  const closing = closingSpeed(thing)
  if (closing < 0) {
    const along = thing.vx * seen.normalX + thing.vy * seen.normalY + (thing.vz ?? 0) * seen.normalZ
    seen.amount = along < 0 ? -2 * along : 0
    addAlongNormal(thing)
    changeSpeed(thing, options)
  }
  putOnSurface(thing, contact, closing < 0)
  return closing < 0
}

/** Takes the part of the speed that goes into the surface, and leaves what goes along it: a walker at a wall. */
export function slide(thing: Mover, contact: Contact): boolean {
  look(thing, contact)
  const closing = closingSpeed(thing)
  if (closing < 0) {
    seen.amount = -closing
    addAlongNormal(thing)
  }
  putOnSurface(thing, contact, closing < 0)
  return closing < 0
}

/** Ends the motion where the two touch. A surface that comes along still pushes it ahead. */
export function stop(thing: Mover, contact: Contact): boolean {
  look(thing, contact)
  const isClosing = closingSpeed(thing) < 0
  if (isClosing) {
    scale(thing, 0)
    const pushed = closingSpeed(thing)
    seen.amount = Math.max(0, -pushed)
    addAlongNormal(thing)
  }
  putOnSurface(thing, contact, isClosing)
  return isClosing
}

/** Puts a thing where the two only touch, without changing its speed. */
export function pushOut(thing: Mover, contact: Contact): void {
  look(thing, contact)
  putOnSurface(thing, contact, true)
}

/**
 * The two share their momentum by their masses, as billiard balls do: what one gets the other loses. `restitution` 1 keeps the
 * energy, 0 lets them go on as one. A second that cannot move, as a wall, is bounced off.
 */
export function exchange(
  first: Body,
  second: Body,
  contact: Contact,
  options: Pick<BounceOptions, 'restitution'> = {},
): boolean {
  const massless = first.invMass + second.invMass
  if (!(massless > 0)) return false
  const { restitution = 1 } = options
  look(first, contact)
  // Both speeds as they are now: an earlier contact of this tick may have changed them.
  const isBody = second.id !== 0 && second.invMass > 0
  if (isBody) {
    seen.surfaceX = second.vx
    seen.surfaceY = second.vy
    seen.surfaceZ = second.vz ?? 0
  }
  const closing = closingSpeed(first)
  const impulse = (-(1 + restitution) * closing) / massless
  if (closing < 0) {
    seen.amount = impulse * first.invMass
    addAlongNormal(first)
    if (isBody) {
      seen.amount = -impulse * second.invMass
      addAlongNormal(second)
    }
  }
  seen.share = first.invMass / massless
  putOnSurface(first, contact, closing < 0)
  if (isBody) {
    look(second, contact)
    seen.share = second.invMass / massless
    putOnSurface(second, contact, closing < 0)
  }
  return closing < 0
}

/**
 * Scratch: the contact as one of the two sees it, the normal towards itself and the speed of the other's surface; what is added to a speed, and
 * the share of an overlap. In an object, because V8 puts a double that is handed to a function on the heap.
 */
const n = Number.NaN
const seen = { normalX: n, normalY: n, normalZ: n, surfaceX: n, surfaceY: n, surfaceZ: n, side: 1, amount: n, share: n }

function look({ id }: Mover, contact: Contact): void {
  const { speedPerWay } = contact
  const isSecond = id === contact.second && id !== contact.first
  const side = isSecond ? -1 : 1
  seen.side = side
  seen.share = 1
  seen.normalX = side * contact.normalX
  seen.normalY = side * contact.normalY
  seen.normalZ = side * contact.normalZ
  seen.surfaceX = (isSecond ? contact.firstX : contact.secondX) * speedPerWay
  seen.surfaceY = (isSecond ? contact.firstY : contact.secondY) * speedPerWay
  seen.surfaceZ = (isSecond ? contact.firstZ : contact.secondZ) * speedPerWay
}

/** How fast a thing leaves the surface; negative: closes in on it. */
function closingSpeed(thing: Mover): number {
  return (
    (thing.vx - seen.surfaceX) * seen.normalX +
    (thing.vy - seen.surfaceY) * seen.normalY +
    ((thing.vz ?? 0) - seen.surfaceZ) * seen.normalZ
  )
}

function addAlongNormal(thing: Mover): void {
  const { amount } = seen
  thing.vx += amount * seen.normalX
  thing.vy += amount * seen.normalY
  if (seen.normalZ !== 0) thing.vz = (thing.vz ?? 0) + amount * seen.normalZ
}

function scale(thing: Mover, factor: number): void {
  thing.vx *= factor
  thing.vy *= factor
  if (thing.vz !== undefined) thing.vz *= factor
}

/** Multiplies and limits the speed. If the thing is then slower than the surface that comes along, it bounces off that. */
function changeSpeed(thing: Mover, { faster = 1, atMost = Number.POSITIVE_INFINITY }: BounceOptions): void {
  if (faster !== 1) scale(thing, faster)
  const { vx, vy, vz = 0 } = thing
  const speed = Math.sqrt(vx * vx + vy * vy + vz * vz)
  if (speed > atMost) scale(thing, atMost / speed)
  const closing = closingSpeed(thing)
  if (!(closing < 0)) return
  seen.amount = -2 * closing
  addAlongNormal(thing)
}

/** Back to where the two met, and out by its share of the overlap. What leaves already is only taken out of what it is in. */
function putOnSurface(thing: Mover, contact: Contact, isClosing: boolean): void {
  const isFirst = seen.side === 1
  const backX = isFirst ? contact.backX : contact.secondBackX
  const backY = isFirst ? contact.backY : contact.secondBackY
  const backZ = isFirst ? contact.backZ : contact.secondBackZ
  if (!isClosing && (contact.depth === 0 || backX !== 0 || backY !== 0 || backZ !== 0)) return
  const out = seen.share * (contact.depth + SKIN)
  // As `push` does.
  const moves = openMove(thing, 0)
  moves.x[moves.count] = backX + out * seen.normalX
  moves.y[moves.count] = backY + out * seen.normalY
  moves.z[moves.count] = backZ + out * seen.normalZ
  closeMove(thing)
}
