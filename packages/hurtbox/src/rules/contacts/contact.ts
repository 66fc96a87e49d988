/**
 * The geometry of a contact: where, which way, how deep or when, and how both moved.
 *
 * `collide` finds out whether and when two boxes meet and nothing more, because most rules ask for nothing more. A rule that
 * does calls `contact(hit)`, and the pair is measured again, exactly as it was found. So geometry costs those that ask.
 */

import { HurtboxError } from '../../base/errors.ts'
import type { Id } from '../../state/table.ts'
import type { AnyWorld } from '../../world/world.ts'
import type { Boxes } from '../collide/boxes.ts'
import { type Collision, collisionsOf } from '../collide/collide.ts'
import type { HitScratch } from '../collide/rule.ts'
import { measureInPlane } from './plane.ts'
import { measureInSpace } from './space.ts'

/** What is known of a contact. One object, written again by the next call. In the plane z is 0. */
export type Contact = {
  /** Where they touch; where they overlap, the middle of the overlap in the plane, a place within both in space. */
  x: number
  y: number
  z: number
  /** Unit vector from the second to the first: the way in which the first leaves the second. */
  normalX: number
  normalY: number
  normalZ: number
  /** How far they overlap: how far the first would have to go along the normal. 0 where they have just met on their way. */
  depth: number
  /** When in the tick they met, from 0 to 1, as in the hit. */
  time: number
  /** How the surface of each moves at that place, turning included: way in a whole tick. */
  firstX: number
  firstY: number
  firstZ: number
  secondX: number
  secondY: number
  secondZ: number
  /** The two things; the second is 0 where it is a wall. */
  first: Id
  second: Id
  /** What a way of 1 in a tick is as a speed in `vx`: the tick rate, or 1 in a phase that travels by speeds per tick. */
  speedPerWay: number
  /** How far the first is, at the time of the contact, from where it stands while the rule decides. The second alike. */
  backX: number
  backY: number
  backZ: number
  secondBackX: number
  secondBackY: number
  secondBackZ: number
}

/** Writes all but ids, time and speeds for two boxes of a list. */
type Measure = (boxes: Boxes, first: number, second: number, travels: boolean, out: Contact) => void

/** What a rule hands over: its third argument. */
type AnyHit = { readonly time: number; readonly firstBox: number; readonly world: unknown }

/**
 * The geometry of the contact that a rule decides, in the plane.
 *
 * @example
 * ```ts
 * import { addCircle, collide, createWorld, declareGame, defineGame, spawn, step, sweepBox } from 'hurtbox'
 * import { contact } from 'hurtbox/contacts'
 *
 * const arena = declareGame({ id: 'arena', tickRate: 60, layers: { ball: ['pillar'], pillar: [] } })
 * const meet = collide(
 *   arena,
 *   {
 *     'ball meets pillar': {
 *       between: ['ball', 'pillar'],
 *       decide(_ball, _pillar, hit) {
 *         const { x, y, normalX, time } = contact(hit)
 *         console.log(x, y, normalX, time) // 10 0 1 0.25
 *       },
 *     },
 *   },
 *   {
 *     pose: {
 *       ball(ball, boxes) {
 *         addCircle(boxes, ball)
 *         sweepBox(boxes, -40, 0)
 *       },
 *     },
 *   },
 * )
 * const world = createWorld(defineGame(arena, { phases: { meet } }))
 * spawn(world, 'ball', { x: -15, radius: 5 })
 * spawn(world, 'pillar', { radius: 10 })
 * step(world)
 * ```
 */
export function contact(hit: AnyHit): Contact {
  return measure(hit, measureInPlane)
}

/** The same in space, for phases of volumes. */
export function contactInSpace(hit: AnyHit): Contact {
  return measure(hit, measureInSpace)
}

function createContact(): Contact {
  const n = Number.NaN
  return {
    x: n,
    y: n,
    z: n,
    normalX: n,
    normalY: n,
    normalZ: n,
    depth: n,
    time: n,
    firstX: n,
    firstY: n,
    firstZ: n,
    secondX: n,
    secondY: n,
    secondZ: n,
    first: 0,
    second: 0,
    speedPerWay: n,
    backX: n,
    backY: n,
    backZ: n,
    secondBackX: n,
    secondBackY: n,
    secondBackZ: n,
  }
}

/** Scratch: what every contact is written into. */
const answer = createContact()

function measure(hit: AnyHit, measureIn: Measure): Contact {
  const scratch = hit as unknown as HitScratch
  const { collision, speedPerWay, travels, part } = placeOf(scratch)
  const { boxes, things } = collision
  const { firstPlace, secondPlace, firstRow, secondRow, time } = scratch
  measureIn(boxes, firstPlace, secondPlace, travels, answer)
  if (part !== 1) {
    answer.firstX /= part
    answer.firstY /= part
    answer.firstZ /= part
    answer.secondX /= part
    answer.secondY /= part
    answer.secondZ /= part
  }
  answer.time = time
  answer.first = things.table.id[firstRow]
  answer.second = secondRow < 0 ? 0 : things.table.id[secondRow]
  answer.speedPerWay = speedPerWay
  // A thing that travels stands where the contact is; any other has already come to the end of its way.
  const left = travels || boxes.isPlain ? 0 : time - 1
  answer.backX = left === 0 ? 0 : left * boxes.sweepX[firstPlace]
  answer.backY = left === 0 ? 0 : left * boxes.sweepY[firstPlace]
  answer.backZ = left === 0 ? 0 : left * boxes.sweepZ[firstPlace]
  answer.secondBackX = left === 0 ? 0 : left * boxes.sweepX[secondPlace]
  answer.secondBackY = left === 0 ? 0 : left * boxes.sweepY[secondPlace]
  answer.secondBackZ = left === 0 ? 0 : left * boxes.sweepZ[secondPlace]
  return answer
}

/** The phase that a hit belongs to, how its things move, and which part of the tick the ways of its boxes take. */
export type HitPlace = {
  readonly collision: Collision
  readonly speedPerWay: number
  readonly travels: boolean
  part: number
}

/** By hit, of which every phase has one. */
const hitPlaces = new WeakMap<object, HitPlace>()

export function createHitPlace(collision: Collision, speedPerWay: number, travels: boolean): HitPlace {
  // Made of NaN first: V8 then keeps a double in this field from the start.
  const place: HitPlace = { collision, speedPerWay, travels, part: Number.NaN }
  place.part = 1
  hitPlaces.set(collision.hit, place)
  return place
}

function placeOf(hit: HitScratch): HitPlace {
  const known = hitPlaces.get(hit)
  if (known !== undefined) return known
  const world = hit?.world as AnyWorld | undefined
  for (const collision of world?.memory === undefined ? [] : collisionsOf(world).values()) {
    if (collision.hit !== hit) continue
    return createHitPlace(collision, world!.game.declaration.tickRate, false)
  }
  throw new HurtboxError('bad-argument', 'contact takes the hit that a rule is given: decide(first, second, hit).')
}
