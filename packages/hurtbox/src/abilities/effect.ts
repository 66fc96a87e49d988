/**
 * One effect, compiled: what each kind of it reads of its record.
 *
 * All effects have the same fields, whatever they do, so that the code that goes through them sees one sort of object. What
 * an effect does not need is 0 or undefined.
 */

import { arc, circle, box as flatBox, capsule as flatCapsule, type Shape } from '../shapes/shape.ts'
import { box, capsule, sphere, type Volume } from '../volumes/volume.ts'
import {
  type Fields,
  fail,
  type Place,
  readFields,
  readFlag,
  readNumber,
  readThree,
  readWhole,
  readWord,
  within,
} from './check.ts'
import { type EffectKind, FRAME, STAT } from './content.ts'

export type Effect = {
  readonly kind: EffectKind
  /** Its place among the effects of its ability. */
  readonly place: number
  /** Number of the trigger. */
  readonly on: number
  /** Bit `s` is set when it happens in step `s`. */
  readonly steps: number
  readonly at: number
  /** First tick of the active phase in which it no longer is. */
  readonly until: number
  readonly slot: number
  readonly toCaster: boolean
  /** Of melee, projectiles and areas: the form in space and in the plane; and for arcs the sector. */
  readonly volume: Volume | undefined
  readonly shape: Shape | undefined
  readonly sector: Shape | undefined
  /** Its hit set: 0 is that of the whole window. */
  readonly group: number
  readonly every: number
  /** A unit vector [ahead, left, up], or for a teleport the way. */
  readonly x: number
  readonly y: number
  readonly z: number
  readonly frame: number
  readonly byMass: boolean
  /** Impulse, speed, damage, shield, factor. */
  readonly amount: number
  readonly ticks: number
  readonly launch: number
  readonly stop: number
  readonly radius: number
  readonly life: number
  readonly ahead: number
  readonly left: number
  readonly up: number
  readonly pierce: number
  /** Number of a damage type, a buffed stat or an ability. */
  readonly what: number
}

/** Effects under construction. */
export type Draft = { -readonly [K in keyof Effect]: Effect[K] }

/** The names that content can refer to. */
export type CompileNames = {
  readonly source: string
  readonly abilities: readonly string[]
  readonly slots: readonly string[]
  readonly damageTypes: readonly string[]
}

/** What each kind of effect reads of its record. */
export const compileKind: {
  readonly [K in EffectKind]: (effect: Draft, value: unknown, place: Place, names: CompileNames) => void
} = {
  melee(effect, value, place) {
    const fields = readFields(value, place, [
      'box',
      'arc',
      'capsule',
      'sphere',
      'ahead',
      'left',
      'up',
      'apart',
      'every',
    ])
    readOffset(effect, fields, place)
    effect.every = readWhole(fields, 'every', place, { otherwise: 0 })
    effect.group = readFlag(fields, 'apart', place) ? 1 : 0
    readForm(effect, fields, place)
  },
  projectile(effect, value, place) {
    const fields = readFields(value, place, ['speed', 'radius', 'life', 'ahead', 'up', 'pierce'])
    readOffset(effect, fields, place)
    effect.amount = readNumber(fields, 'speed', place, { min: 0 })
    effect.pierce = readWhole(fields, 'pierce', place, { max: 255, otherwise: 0 })
    readBall(effect, fields, place)
  },
  area(effect, value, place) {
    const fields = readFields(value, place, ['radius', 'life', 'ahead', 'up', 'every'])
    readOffset(effect, fields, place)
    effect.every = readWhole(fields, 'every', place, { otherwise: 0 })
    readBall(effect, fields, place)
  },
  dash(effect, value, place) {
    effect.amount = readNumber(readFields(value, place, ['speed']), 'speed', place)
  },
  damage(effect, value, place, { damageTypes }) {
    const fields = readFields(value, place, ['amount', 'type'])
    effect.amount = readNumber(fields, 'amount', place, { min: 0 })
    effect.what = readWord(fields, 'type', place, damageTypes, damageTypes[0])
  },
  force(effect, value, place) {
    readForce(effect, readFields(value, place, ['frame', 'along', 'impulse', 'speed']), place)
  },
  pull(effect, value, place) {
    const fields = readFields(value, place, ['impulse', 'speed', 'lift'])
    const lift = readNumber(fields, 'lift', place, { otherwise: 0 })
    readForce(effect, { frame: 'away', along: [-1, 0, lift], impulse: fields.impulse, speed: fields.speed }, place)
  },
  shield(effect, value, place) {
    const fields = readFields(value, place, ['amount', 'ticks'])
    effect.amount = readNumber(fields, 'amount', place, { min: 0 })
    effect.ticks = readWhole(fields, 'ticks', place, { otherwise: 0 })
  },
  buff(effect, value, place) {
    const fields = readFields(value, place, ['stat', 'factor', 'ticks'])
    effect.what = readWord(fields, 'stat', place, STAT)
    effect.amount = readNumber(fields, 'factor', place, { min: 0, max: 1000 })
    effect.ticks = readWhole(fields, 'ticks', place, { min: 1 })
  },
  teleport(effect, value, place) {
    const [x, y, z] = readThree(readFields(value, place, ['by']), 'by', place)
    Object.assign(effect, { x, y, z })
  },
  grab(effect, value, place) {
    effect.ticks = readWhole(readFields(value, place, ['ticks']), 'ticks', place, { min: 1 })
  },
  throw(effect, value, place) {
    const fields = readFields(value, place, ['frame', 'along', 'impulse', 'speed', 'ticks', 'launch', 'stop'])
    readForce(effect, fields, place)
    readStun(effect, fields, place)
  },
  stun(effect, value, place) {
    readStun(effect, readFields(value, place, ['ticks', 'launch', 'stop']), place)
  },
  ability(effect, value, place, { abilities }) {
    effect.what = readWord(readFields(value, place, ['name']), 'name', place, abilities)
  },
}

function readOffset(effect: Draft, fields: Fields, place: Place): void {
  effect.ahead = readNumber(fields, 'ahead', place, { otherwise: 0 })
  effect.left = readNumber(fields, 'left', place, { otherwise: 0 })
  effect.up = readNumber(fields, 'up', place, { otherwise: 0 })
}

/** Projectiles and areas. */
function readBall(effect: Draft, fields: Fields, place: Place): void {
  effect.radius = readNumber(fields, 'radius', place, { min: 0 })
  effect.life = readWhole(fields, 'life', place, { min: 1 })
  effect.volume = sphere(effect.radius)
  effect.shape = circle(effect.radius)
}

/** The volume of a melee box in space and its shape in the plane. A sector is held by a box around the caster. */
function readForm(effect: Draft, fields: Fields, place: Place): void {
  const forms = ['box', 'arc', 'capsule', 'sphere'].filter((form) => fields[form] !== undefined)
  if (forms.length !== 1)
    throw fail(place, `must have exactly one of box, arc, capsule, sphere; got ${forms.join(' and ') || 'none'}.`)
  const offset = { offsetX: effect.ahead, offsetY: effect.left, offsetZ: effect.up }
  const flat = { offsetX: effect.ahead, offsetY: effect.left }
  const at = within(place, forms[0])
  if (fields.box !== undefined) {
    const [x, y, z] = readThree(fields, 'box', place, 0)
    effect.volume = box(x, y, z, offset)
    effect.shape = flatBox(x, y, flat)
  } else if (fields.arc !== undefined) {
    const form = readFields(fields.arc, at, ['reach', 'angle', 'halfHeight'])
    const reach = readNumber(form, 'reach', at, { min: 0 })
    const angle = readNumber(form, 'angle', at, { min: 0, max: 2 * Math.PI })
    if (effect.ahead !== 0 || effect.left !== 0)
      throw fail(place, 'an arc has its apex at the caster; leave out ahead and left.')
    effect.volume = box(reach, reach, readNumber(form, 'halfHeight', at, { min: 0 }), offset)
    effect.shape = arc(reach, angle)
    effect.sector = effect.shape
  } else if (fields.capsule !== undefined) {
    const form = readFields(fields.capsule, at, ['radius', 'halfLength'])
    const radius = readNumber(form, 'radius', at, { min: 0 })
    const halfLength = readNumber(form, 'halfLength', at, { min: 0 })
    effect.volume = capsule(radius, halfLength, { ...offset, axis: [1, 0, 0] })
    effect.shape = flatCapsule(-halfLength, 0, halfLength, 0, radius, flat)
  } else {
    const form = readFields(fields.sphere, at, ['radius'])
    const radius = readNumber(form, 'radius', at, { min: 0 })
    effect.volume = sphere(radius, offset)
    effect.shape = circle(radius, flat)
  }
}

function readForce(effect: Draft, fields: Fields, place: Place): void {
  effect.frame = readWord(fields, 'frame', place, FRAME)
  const [x, y, z] = readThree(fields, 'along', place)
  const length = Math.sqrt(x * x + y * y + z * z)
  if (length === 0) throw fail(within(place, 'along'), 'must not be [0, 0, 0]: it is a direction.')
  Object.assign(effect, { x: x / length, y: y / length, z: z / length })
  effect.byMass = fields.impulse !== undefined
  if (effect.byMass === (fields.speed !== undefined)) throw fail(place, 'needs either impulse or speed.')
  effect.amount = readNumber(fields, effect.byMass ? 'impulse' : 'speed', place)
}

function readStun(effect: Draft, fields: Fields, place: Place): void {
  effect.ticks = readWhole(fields, 'ticks', place, { otherwise: 0 })
  effect.launch = readWhole(fields, 'launch', place, { otherwise: 0 })
  effect.stop = readWhole(fields, 'stop', place, { max: 60, otherwise: 0 })
}

export function emptyEffect(kind: EffectKind, place: number): Draft {
  return {
    kind,
    place,
    on: 0,
    steps: -1,
    at: 0,
    until: 0,
    slot: 0,
    toCaster: false,
    volume: undefined,
    shape: undefined,
    sector: undefined,
    group: 0,
    every: 0,
    x: 0,
    y: 0,
    z: 0,
    frame: 0,
    byMass: false,
    amount: 0,
    ticks: 0,
    launch: 0,
    stop: 0,
    radius: 0,
    life: 0,
    ahead: 0,
    left: 0,
    up: 0,
    pierce: 0,
    what: 0,
  }
}
