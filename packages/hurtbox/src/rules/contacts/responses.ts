/**
 * What a contact does to the two that meet: bounce, slide, stop, share their momentum.
 *
 * Functions that a rule calls with the thing and the contact. They write its speed and put it where it touches, a hair off the
 * surface, and nothing else. They look at how both surfaces move, so a wall that comes along pushes and a shield that swings
 * strikes. Each returns whether it changed the speed: what already leaves is left alone.
 */

import { describe, HurtboxError } from '../../base/errors.ts'
import { noteF64 } from '../../world/handles/journal.ts'
import type { MemoryBlock } from '../../world/handles/pool.ts'
import { requireHandle } from '../../world/handles/require.ts'
import { closeMove, openMove } from '../../world/handles/things.ts'
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
  /** The speed is no more than this afterwards, per second, or per tick as `travel` is told; unless the surface itself is faster. Default: any. */
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
  const closing = closingSpeed()
  if (closing < 0) {
    seen.amount = -(1 + restitution) * closing
    addAlongNormal()
    changeSpeed(options)
    setSpeed(thing)
  }
  putOnSurface(thing, contact, closing < 0)
  return closing < 0
}

/** Mirrors the speed and keeps its length exactly, however the surface moves; only a surface that is faster pushes it along. */
export function reflect(thing: Mover, contact: Contact, options: Omit<BounceOptions, 'restitution'> = {}): boolean {
  look(thing, contact)
  const closing = closingSpeed()
  if (closing < 0) {
    const along = seen.vx * seen.normalX + seen.vy * seen.normalY + seen.vz * seen.normalZ
    seen.amount = along < 0 ? -2 * along : 0
    addAlongNormal()
    changeSpeed(options)
    setSpeed(thing)
  }
  putOnSurface(thing, contact, closing < 0)
  return closing < 0
}

/** Takes the part of the speed that goes into the surface, and leaves what goes along it: a walker at a wall. */
export function slide(thing: Mover, contact: Contact): boolean {
  look(thing, contact)
  const closing = closingSpeed()
  if (closing < 0) {
    seen.amount = -closing
    addAlongNormal()
    setSpeed(thing)
  }
  putOnSurface(thing, contact, closing < 0)
  return closing < 0
}

/** Ends the motion where the two touch. A surface that comes along still pushes it ahead. */
export function stop(thing: Mover, contact: Contact): boolean {
  look(thing, contact)
  const isClosing = closingSpeed() < 0
  if (isClosing) {
    scale(0)
    seen.amount = Math.max(0, -closingSpeed())
    addAlongNormal()
    setSpeed(thing)
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
  requireThing(first)
  requireThing(second)
  const { invMass: ofFirst } = first
  const { invMass: ofSecond } = second
  const massless = ofFirst + ofSecond
  if (!(massless > 0)) return false
  const { restitution = 1 } = options
  const isBody = second.id !== 0 && ofSecond > 0
  look(first, contact)
  // Both speeds as they are now: an earlier contact of this tick may have changed them.
  if (isBody) setSurface(second)
  const closing = closingSpeed()
  const impulse = (-(1 + restitution) * closing) / massless
  if (closing < 0) {
    seen.amount = impulse * ofFirst
    addAlongNormal()
    setSpeed(first)
    if (isBody) {
      seen.vx = seen.surfaceX
      seen.vy = seen.surfaceY
      seen.vz = seen.surfaceZ
      seen.amount = -impulse * ofSecond
      addAlongNormal()
      setSpeed(second)
    }
  }
  seen.share = ofFirst / massless
  putOnSurface(first, contact, closing < 0)
  if (isBody) {
    look(second, contact)
    seen.share = ofSecond / massless
    putOnSurface(second, contact, closing < 0)
  }
  return closing < 0
}

/**
 * Scratch: the contact as one of the two sees it: its speed, the normal towards itself and the speed of the other's surface; what is added to a speed,
 * and the share of an overlap. In an object, because V8 puts a double that is handed to a function on the heap; and speeds are
 * read and written in their columns: an accessor may be such a function.
 */
const n = Number.NaN
const seen = {
  ...{ vx: n, vy: n, vz: n, normalX: n, normalY: n, normalZ: n, surfaceX: n, surfaceY: n, surfaceZ: n },
  ...{ side: 1, amount: n, share: n },
}

function requireThing(thing: Mover): void {
  if (typeof thing === 'object' && thing !== null) return
  throw new HurtboxError(
    'bad-argument',
    `responses take the thing of a hit, as in bounce(ball, contact(hit)), got ${describe(thing)}.`,
  )
}

function look(thing: Mover, contact: Contact): void {
  requireThing(thing)
  const { id } = thing
  if (id === 0) throw new HurtboxError('bad-argument', 'a wall does not move: name the thing that met it, the first.')
  if (contact?.speedPerWay === undefined) {
    throw new HurtboxError('bad-argument', 'responses take the contact of a hit, as in bounce(ball, contact(hit)).')
  }
  const { speedPerWay } = contact
  const isSecond = id === contact.second && id !== contact.first
  const side = isSecond ? -1 : 1
  const { $pool, $row } = requireHandle(thing)
  const { vx, vy, vz } = $pool.block.world.tables.things
  seen.vx = vx[$row]
  seen.vy = vy[$row]
  seen.vz = vz === undefined ? 0 : vz[$row]
  seen.side = side
  seen.share = 1
  seen.normalX = side * contact.normalX
  seen.normalY = side * contact.normalY
  seen.normalZ = side * contact.normalZ
  seen.surfaceX = (isSecond ? contact.firstX : contact.secondX) * speedPerWay
  seen.surfaceY = (isSecond ? contact.firstY : contact.secondY) * speedPerWay
  seen.surfaceZ = (isSecond ? contact.firstZ : contact.secondZ) * speedPerWay
}

/** The surface is that of a body: all of it moves alike. */
function setSurface(thing: Mover): void {
  const { $pool, $row } = requireHandle(thing)
  const { vx, vy, vz } = $pool.block.world.tables.things
  seen.surfaceX = vx[$row]
  seen.surfaceY = vy[$row]
  seen.surfaceZ = vz === undefined ? 0 : vz[$row]
}

/** Writes as the accessors of a rule do: what is there is noted first. */
function setSpeed(thing: Mover): void {
  const { $pool, $row } = requireHandle(thing)
  const { block } = $pool
  const { vx, vy, vz } = block.world.tables.things
  noteCell(block, vx, $row)
  vx[$row] = seen.vx
  noteCell(block, vy, $row)
  vy[$row] = seen.vy
  if (vz === undefined) return
  noteCell(block, vz, $row)
  vz[$row] = seen.vz
}

function noteCell({ journal, isDeciding, u8 }: MemoryBlock, column: Float64Array, row: number): void {
  if (isDeciding) noteF64(journal, (column.byteOffset - u8.byteOffset) / 8 + row)
}

/** How fast the thing leaves the surface; negative: closes in on it. */
function closingSpeed(): number {
  return (
    (seen.vx - seen.surfaceX) * seen.normalX +
    (seen.vy - seen.surfaceY) * seen.normalY +
    (seen.vz - seen.surfaceZ) * seen.normalZ
  )
}

function addAlongNormal(): void {
  seen.vx += seen.amount * seen.normalX
  seen.vy += seen.amount * seen.normalY
  if (seen.normalZ !== 0) seen.vz += seen.amount * seen.normalZ
}

function scale(factor: number): void {
  seen.vx *= factor
  seen.vy *= factor
  seen.vz *= factor
}

/** Multiplies and limits the speed. If the thing is then slower than the surface that comes along, it bounces off that. */
function changeSpeed({ faster = 1, atMost = Number.POSITIVE_INFINITY }: BounceOptions): void {
  if (faster !== 1) scale(faster)
  const { vx, vy, vz } = seen
  const speed = Math.sqrt(vx * vx + vy * vy + vz * vz)
  if (speed > atMost) scale(atMost / speed)
  const closing = closingSpeed()
  if (!(closing < 0)) return
  seen.amount = -2 * closing
  addAlongNormal()
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
