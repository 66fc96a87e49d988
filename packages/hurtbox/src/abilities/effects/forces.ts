/** Effects that move: forces in one of five frames, dashes, teleports. */

import { type Fields, fail, type Place, readFields, readNumber, readThree, readWord, within } from '../check.ts'
import type { Draft, Effect, EffectRecord, Frame, Use } from '../effect.ts'
import type { AbilityThing } from '../world.ts'

export type Direction = readonly [ahead: number, left: number, up: number]

export type ForceSpec = {
  readonly frame: FrameName
  /** The direction; its length does not matter. */
  readonly along: Direction
  /** Mass × speed; or, in its place, a speed that is the same for every mass. */
  readonly impulse?: number
  readonly speed?: number
}

/** Scratch, written by a frame: ahead as a unit vector. `isUp` when there is none in the plane, and the force is straight up. */
const turn = { x: Number.NaN, y: Number.NaN, isUp: false }

/** Nearer than this in the plane, "away" has no direction there and is straight up. */
const RIGHT_ABOVE = 0.01

const FRAMES = {
  /** Along the axes. */
  world: {
    needsVictim: false,
    turn() {
      turn.x = 1
      turn.y = 0
    },
  },
  /** As the caster faces, or the projectile. */
  caster: {
    needsVictim: false,
    turn(source) {
      turn.x = source.facingX
      turn.y = source.facingY
    },
  },
  /** As the victim faces. */
  victim: {
    needsVictim: true,
    turn(_source, target) {
      turn.x = target.facingX
      turn.y = target.facingY
    },
  },
  /** Ahead is from the source of the hit to the victim, in the plane; right above the source the force is straight up. */
  away: {
    needsVictim: true,
    turn(source, target) {
      const dx = target.x - source.x
      const dy = target.y - source.y
      const distance = Math.sqrt(dx * dx + dy * dy)
      turn.isUp = !(distance > RIGHT_ABOVE)
      turn.x = dx / distance
      turn.y = dy / distance
    },
  },
  /** By as much as the victim is turned against the caster. */
  turned: {
    needsVictim: true,
    turn(source, target) {
      const { facingX: casterX, facingY: casterY } = source
      const { facingX: victimX, facingY: victimY } = target
      turn.x = victimX * casterX + victimY * casterY
      turn.y = victimY * casterX - victimX * casterY
    },
  },
} as const satisfies Readonly<Record<string, Frame>>
export type FrameName = keyof typeof FRAMES
const FRAME_NAMES = Object.keys(FRAMES) as FrameName[]

export const force: EffectRecord<ForceSpec> = {
  happensOn: 'any',
  read(draft, value, place) {
    readForce(draft, readFields(value, place, ['frame', 'along', 'impulse', 'speed']), place)
  },
  check({ toCaster, frame }, place) {
    if (!toCaster || !frame!.needsVictim) return
    const name = FRAME_NAMES.find((each) => FRAMES[each] === frame)
    throw fail(place, `the frame ${name} needs a victim; the caster is pushed in the frame world or caster.`)
  },
  happen: applyForce,
}

export const pull: EffectRecord<{ readonly impulse?: number; readonly speed?: number; readonly lift?: number }> = {
  happensOn: 'hit',
  read(draft, value, place) {
    const fields = readFields(value, place, ['impulse', 'speed', 'lift'])
    const lift = readNumber(fields, 'lift', place, { otherwise: 0 })
    readForce(draft, { frame: 'away', along: [-1, 0, lift], impulse: fields.impulse, speed: fields.speed }, place)
  },
  happen: applyForce,
}

export const dash: EffectRecord<{ readonly speed: number }> = {
  happensOn: 'caster',
  read(draft, value, place) {
    draft.amount = readNumber(readFields(value, place, ['speed']), 'speed', place)
  },
  happen({ amount }, { target }) {
    target.vx = target.facingX * amount
    target.vy = target.facingY * amount
  },
}

export const teleport: EffectRecord<{ readonly by: Direction }> = {
  happensOn: 'caster',
  read(draft, value, place) {
    const [x, y, z] = readThree(readFields(value, place, ['by']), 'by', place)
    Object.assign(draft, { x, y, z })
  },
  happen({ x, y, z }, { target }) {
    const { facingX, facingY } = target
    target.x += x * facingX - y * facingY
    target.y += x * facingY + y * facingX
    if (target.z !== undefined) target.z += z
    target.teleports++
  },
}

export function readForce(draft: Draft, fields: Fields, place: Place): void {
  draft.frame = FRAMES[readWord(fields, 'frame', place, FRAME_NAMES)]
  const [x, y, z] = readThree(fields, 'along', place)
  const length = Math.sqrt(x * x + y * y + z * z)
  if (length === 0) throw fail(within(place, 'along'), 'must not be [0, 0, 0]: it is a direction.')
  Object.assign(draft, { x: x / length, y: y / length, z: z / length })
  draft.byMass = fields.impulse !== undefined
  if (draft.byMass === (fields.speed !== undefined)) throw fail(place, 'needs either impulse or speed.')
  draft.amount = readNumber(fields, draft.byMass ? 'impulse' : 'speed', place)
}

/** Adds the force of an effect to the speed of its target. */
export function applyForce(effect: Effect, { source, target, power, worn, weight }: Use): void {
  turn.isUp = false
  effect.frame!.turn(source, target)
  const ahead = turn.isUp ? 0 : effect.x
  const left = turn.isUp ? 0 : effect.y
  const turnX = turn.isUp ? 1 : turn.x
  const turnY = turn.isUp ? 0 : turn.y
  const lift = turn.isUp ? 1 : effect.z
  const share = shareOf(effect, target, worn, weight)
  const strength = effect.amount * share
  const buff = effect.toCaster ? 1 : power
  target.vx += (ahead * turnX - left * turnY) * strength * buff
  target.vy += (ahead * turnY + left * turnX) * strength * buff
  if (target.vz !== undefined) target.vz += lift * strength * buff
}

/** How much of a force reaches a speed: by mass, resistance, wear and weight. A force on oneself goes by mass alone. */
function shareOf({ byMass, toCaster }: Effect, target: AbilityThing, worn: number, weight: number): number {
  const mass = byMass ? target.invMass : 1
  if (toCaster) return mass
  return (mass * (1 - target.knockbackResistance) * worn) / Math.max(weight, 1e-9)
}
