/** Effects that move: forces in one of six frames, dashes, teleports. */

import { facingXOf } from '../../../geometry/math/facing.ts'
import { dash as dashTo } from '../../motion/walk.ts'
import {
  type FieldPath,
  type Fields,
  fail,
  fieldIn,
  readFields,
  readNumber,
  readThree,
  readWhole,
  readWord,
} from '../check.ts'
import type { Draft, Effect, EffectRecord, ForceFrame, Use } from '../effect.ts'
import { rowOfThing } from '../world.ts'

export type Direction = readonly [ahead: number, left: number, up: number]

export type ForceSpec = {
  readonly frame: FrameName
  /** The direction; its length does not matter. */
  readonly along: Direction
  /** Mass × speed per second; or, in its place, a speed per second that is the same for every mass. It is added to `vx`, `vy` and `vz`. */
  readonly impulse?: number
  readonly speed?: number
}

/**
 * Scratch, written by a frame: ahead as a unit vector. `isUp` when there is none in the plane, and the force is straight up. `side` is
 * −1 when what is to the left changes sides with ahead, so that up stays up in a side view.
 */
const turn = { x: Number.NaN, y: Number.NaN, side: 1, isUp: false }

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
    turn({ facingX, facingY }, source) {
      turn.x = facingXOf(facingX[source], facingY[source])
      turn.y = facingY[source]
    },
  },
  /** As the victim faces. */
  victim: {
    needsVictim: true,
    turn({ facingX, facingY }, _source, target) {
      turn.x = facingXOf(facingX[target], facingY[target])
      turn.y = facingY[target]
    },
  },
  /** Ahead is from the source of the hit to the victim, in the plane; right above the source the force is straight up. */
  away: {
    needsVictim: true,
    turn({ x, y }, source, target) {
      const dx = x[target] - x[source]
      const dy = y[target] - y[source]
      const distance = Math.sqrt(dx * dx + dy * dy)
      turn.isUp = !(distance > RIGHT_ABOVE)
      turn.x = dx / distance
      turn.y = dy / distance
    },
  },
  /** By as much as the victim is turned against the caster. */
  turned: {
    needsVictim: true,
    turn({ facingX, facingY }, source, target) {
      const ofTarget = facingXOf(facingX[target], facingY[target])
      const ofSource = facingXOf(facingX[source], facingY[source])
      turn.x = ofTarget * ofSource + facingY[target] * facingY[source]
      turn.y = facingY[target] * ofSource - ofTarget * facingY[source]
    },
  },
  /** For games seen from the side: ahead is to the side to which the caster faces, up is up, where y is less. */
  side: {
    needsVictim: false,
    turn({ facingX, facingY }, source) {
      turn.x = facingXOf(facingX[source], facingY[source]) < 0 ? -1 : 1
      turn.y = 0
      turn.side = turn.x
    },
  },
} as const satisfies Readonly<Record<string, ForceFrame>>
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
    throw fail(place, `the frame ${name} needs a victim; the caster is pushed in the frame world, caster or side.`)
  },
  happen: applyForce,
}

type PullSpec = Pick<ForceSpec, 'impulse' | 'speed'> & {
  /** How much of it goes up, for each part that goes to the caster. */
  readonly lift?: number
}

export const pull: EffectRecord<PullSpec> = {
  happensOn: 'hit',
  read(draft, value, place) {
    const fields = readFields(value, place, ['impulse', 'speed', 'lift'])
    const lift = readNumber(fields, 'lift', place, { otherwise: 0 })
    readForce(draft, { frame: 'away', along: [-1, 0, lift], impulse: fields.impulse, speed: fields.speed }, place)
  },
  happen: applyForce,
}

/** `move`: the way it is going, or its facing while it stands. */
const DASH_WAYS = ['facing', 'move'] as const

type DashSpec = {
  /** Per second, or as the game's `vx` and `vy`, which are set to it. */
  readonly speed: number
  readonly along?: (typeof DASH_WAYS)[number]
  /** Ticks without control and friction. Default: none. */
  readonly ticks?: number
}

export const dash: EffectRecord<DashSpec> = {
  happensOn: 'caster',
  read(draft, value, place) {
    const fields = readFields(value, place, ['speed', 'along', 'ticks'])
    draft.amount = readNumber(fields, 'speed', place)
    draft.what = DASH_WAYS.indexOf(readWord(fields, 'along', place, DASH_WAYS, 'facing'))
    draft.ticks = readWhole(fields, 'ticks', place, { otherwise: 0 })
  },
  happen({ amount, what, ticks }, { target, world }) {
    if (what === 0) dashTo(target, amount, 0, 0)
    else dashTo(target, amount, target.vx, target.vy)
    if (ticks > 0) target.launchedUntil = world.clock + ticks
  },
}

export const teleport: EffectRecord<{ readonly by: Direction }> = {
  happensOn: 'caster',
  read(draft, value, place) {
    const [x, y, z] = readThree(readFields(value, place, ['by']), 'by', place)
    Object.assign(draft, { x, y, z })
  },
  happen({ x, y, z }, { target }) {
    const { facingY } = target
    const facingX = facingXOf(target.facingX, facingY)
    target.x += x * facingX - y * facingY
    target.y += x * facingY + y * facingX
    if (target.z !== undefined) target.z += z
    target.teleports++
  },
}

export function readForce(draft: Draft, fields: Fields, place: FieldPath): void {
  draft.frame = FRAMES[readWord(fields, 'frame', place, FRAME_NAMES)]
  const [x, y, z] = readThree(fields, 'along', place)
  const length = Math.sqrt(x * x + y * y + z * z)
  if (length === 0) throw fail(fieldIn(place, 'along'), 'must not be [0, 0, 0]: it is a direction.')
  if (draft.frame === FRAMES.side) {
    if (y !== 0) throw fail(fieldIn(place, 'along'), 'has no left in the frame side: it is [ahead, 0, up].')
    Object.assign(draft, { x: x / length, y: -z / length, z: 0 })
  } else Object.assign(draft, { x: x / length, y: y / length, z: z / length })
  draft.byMass = fields.impulse !== undefined
  if (draft.byMass === (fields.speed !== undefined)) throw fail(place, 'needs either impulse or speed.')
  draft.amount = readNumber(fields, draft.byMass ? 'impulse' : 'speed', place)
}

/**
 * Adds the force of an effect to the speed of its target. It reads columns, because a number that a handle returns may be put
 * on the heap, and writes through the handle, so that a rule can be undone.
 */
export function applyForce(effect: Effect, use: Use): void {
  const { target, world } = use
  const { things } = world.tables
  const { invMass, knockbackResistance, vx, vy, vz } = things
  const row = rowOfThing(target)
  turn.isUp = false
  turn.side = 1
  effect.frame!.turn(things, rowOfThing(use.source), row)
  const ahead = turn.isUp ? 0 : effect.x
  const left = turn.isUp ? 0 : effect.y * turn.side
  const turnX = turn.isUp ? 1 : turn.x
  const turnY = turn.isUp ? 0 : turn.y
  const lift = turn.isUp ? 1 : effect.z
  // How much of it reaches the speed: by mass, resistance, wear and weight. A force on the caster itself depends on mass alone.
  const mass = effect.byMass ? invMass[row] : 1
  const withstood = (mass * (1 - knockbackResistance[row]) * use.worn) / Math.max(use.weight, 1e-9)
  const strength = effect.amount * (effect.toCaster ? mass : withstood)
  const power = effect.toCaster ? 1 : use.power
  target.vx = vx[row] + (ahead * turnX - left * turnY) * strength * power
  target.vy = vy[row] + (ahead * turnY + left * turnX) * strength * power
  if (vz !== undefined) target.vz = vz[row] + lift * strength * power
}
