/** What can hit: melee boxes around the caster, and the projectiles and areas that it releases. */

import { HurtboxError } from '../../../base/errors.ts'
import { facingXOf } from '../../../geometry/math/facing.ts'
import { cos, PI, sin } from '../../../geometry/math/index.ts'
import { arc, circle, box as flatBox, capsule as flatCapsule } from '../../../geometry/shapes/shape.ts'
import { box, capsule, sphere } from '../../../geometry/volumes/volume.ts'
import { exists, spawn } from '../../../world/handles/things.ts'
import type { AnyWorld } from '../../../world/world.ts'
import type { Released } from '../abilities.ts'
import {
  type FieldPath,
  type Fields,
  fail,
  fieldIn,
  readFields,
  readFlag,
  readNumber,
  readThree,
  readWhole,
} from '../check.ts'
import type { Draft, Effect, EffectRecord, Use } from '../effect.ts'
import type { AbilityThing } from '../world.ts'
import type { Direction } from './forces.ts'

/** A volume in front of the caster, for as long as the effect is on. Exactly one of box, arc, capsule and sphere. */
export type MeleeSpec = {
  /** Half extents: ahead, to the side, up. */
  readonly box?: Direction
  /** A sector of a disc around the caster, `angle` wide, with half its height above and below. */
  readonly arc?: { readonly reach: number; readonly angle: number; readonly halfHeight: number }
  /** Lying along the facing. */
  readonly capsule?: { readonly radius: number; readonly halfLength: number }
  readonly sphere?: { readonly radius: number }
  /** Where its middle is, as the caster faces. */
  readonly ahead?: number
  readonly left?: number
  readonly up?: number
  /** Hits by itself, whatever other boxes of this window have hit. */
  readonly apart?: boolean
  /** Hits the same victim again after so many ticks. Default: once. */
  readonly every?: number
}

export const melee: EffectRecord<MeleeSpec> = {
  happensOn: 'active',
  canHit: true,
  read(draft, value, place) {
    const known = ['box', 'arc', 'capsule', 'sphere', 'ahead', 'left', 'up', 'apart', 'every']
    const fields = readFields(value, place, known)
    readOffset(draft, fields, place)
    draft.every = readWhole(fields, 'every', place, { otherwise: 0 })
    draft.group = readFlag(fields, 'apart', place) ? 1 : 0
    readForm(draft, fields, place)
  },
  reach: ({ volume, sector }) =>
    sector === undefined ? volume!.offsetX + Math.abs(volume!.halfX) + volume!.radius : volume!.halfX,
}

export type ProjectileSpec = {
  /** Per second, like the `vx` and `vy` that it is given. */
  readonly speed: number
  readonly radius: number
  /** Ticks. */
  readonly life: number
  /** Where it appears, as the caster faces. */
  readonly ahead?: number
  readonly up?: number
  /** Radians to the left of the facing in which it flies: several effects make a fan. */
  readonly turn?: number
  /** How many victims it passes through. */
  readonly pierce?: number
}

export const projectile: EffectRecord<ProjectileSpec> = {
  happensOn: 'caster',
  canHit: true,
  read(draft, value, place) {
    const fields = readFields(value, place, ['speed', 'radius', 'life', 'ahead', 'up', 'turn', 'pierce'])
    readOffset(draft, fields, place)
    draft.amount = readNumber(fields, 'speed', place, { min: 0 })
    draft.pierce = readWhole(fields, 'pierce', place, { max: 255, otherwise: 0 })
    draft.isUsedUp = true
    const turn = readNumber(fields, 'turn', place, { min: -PI, max: PI, otherwise: 0 })
    draft.x = cos(turn)
    draft.y = sin(turn)
    readBall(draft, fields, place)
  },
  happen(effect, use) {
    // Given where any ability has such an effect: `defineAbilities` checks it.
    const shot = release(effect, use, use.abilities.projectile!)
    if (effect.x !== 1) turnFacing(shot, effect.x, effect.y)
    shot.vx = shot.facingX * effect.amount
    shot.vy = shot.facingY * effect.amount
  },
  reach: ({ ahead, radius, amount, life }, tickRate) => ahead + radius + (amount * (life - 1)) / tickRate,
}

export type AreaSpec = {
  readonly radius: number
  /** Ticks in which it hits, after so many in which it is there and does not: time to leave it. */
  readonly life: number
  readonly delay?: number
  /** Puts it where its caster aims (the columns `aimX` and `aimY`), at most so far away. */
  readonly aim?: number
  /** Or in front of its caster. */
  readonly ahead?: number
  readonly up?: number
  readonly every?: number
}

export const area: EffectRecord<AreaSpec> = {
  happensOn: 'caster',
  canHit: true,
  read(draft, value, place) {
    const fields = readFields(value, place, ['radius', 'life', 'delay', 'aim', 'ahead', 'up', 'every'])
    readOffset(draft, fields, place)
    draft.delay = readWhole(fields, 'delay', place, { otherwise: 0 })
    draft.aim = readNumber(fields, 'aim', place, { min: 0, otherwise: 0 })
    if (draft.aim !== 0 && draft.ahead !== 0) throw fail(place, 'has both aim and ahead; an area has one place.')
    draft.every = readWhole(fields, 'every', place, { otherwise: 0 })
    readBall(draft, fields, place)
  },
  happen(effect, use) {
    const area = release(effect, use, use.abilities.area!)
    if (effect.aim !== 0) moveToAim(area, use.source, effect.aim)
  },
  reach: ({ ahead, aim, radius }) => ahead + aim + radius,
}

function turnFacing(thing: AbilityThing, cosine: number, sine: number): void {
  const { facingX, facingY } = thing
  thing.facingX = facingX * cosine - facingY * sine
  thing.facingY = facingY * cosine + facingX * sine
}

/** Moves an area from its caster towards the caster's aim, not further than `reach`. */
function moveToAim(area: AbilityThing, { x, y, aimX, aimY }: AbilityThing, reach: number): void {
  if (aimX === undefined || aimY === undefined) {
    throw new HurtboxError('bad-declaration', 'an area with aim needs the columns aimX and aimY of things.')
  }
  const dx = aimX - x
  const dy = aimY - y
  const distance = Math.sqrt(dx * dx + dy * dy)
  if (distance === 0) return
  const way = Math.min(reach, distance)
  area.x = x + (dx / distance) * way
  area.y = y + (dy / distance) * way
}

/** Adds a projectile or an area in front of its caster. When there is no room: as `spawn`. */
function release(effect: Effect, use: Use, { kind, layer }: Released): AbilityThing {
  const { source: caster, world } = use
  const released = spawn(world as unknown as AnyWorld, layer) as AbilityThing
  if (!exists(released)) return released
  const { facingY } = caster
  const facingX = facingXOf(caster.facingX, facingY)
  released.kind = kind
  released.team = caster.team
  released.owner = caster.id
  released.radius = effect.radius
  released.x = caster.x + facingX * effect.ahead
  released.y = caster.y + facingY * effect.ahead
  if (caster.z !== undefined) released.z = caster.z + effect.up
  released.facingX = facingX
  released.facingY = facingY
  released.endsAt = world.clock + effect.delay + effect.life
  released.pierceLeft = effect.pierce
  // Its hits are those of the level at which it was released.
  if (caster.level !== undefined) released.level = caster.level
  released.ability = use.ability + 1
  released.abilityEffect = effect.place
  released.abilityStep = use.step
  released.abilityDepth = use.depth
  released.swing = ++world.globals.swings
  return released
}

function readOffset(draft: Draft, fields: Fields, place: FieldPath): void {
  draft.ahead = readNumber(fields, 'ahead', place, { otherwise: 0 })
  draft.left = readNumber(fields, 'left', place, { otherwise: 0 })
  draft.up = readNumber(fields, 'up', place, { otherwise: 0 })
}

/** Projectiles and areas. */
function readBall(draft: Draft, fields: Fields, place: FieldPath): void {
  draft.radius = readNumber(fields, 'radius', place, { min: 0 })
  draft.life = readWhole(fields, 'life', place, { min: 1 })
  draft.volume = sphere(draft.radius)
}

type Form = (draft: Draft, fields: Fields, place: FieldPath) => void

/** The forms of melee: each sets the volume in space and the shape in the plane. */
const FORMS: Readonly<Record<'box' | 'arc' | 'capsule' | 'sphere', Form>> = {
  box(draft, fields, place) {
    const [x, y, z] = readThree(fields, 'box', place, 0)
    draft.volume = box(x, y, z, offsetOf(draft))
    draft.shape = flatBox(x, y, flatOffsetOf(draft))
  },
  /** In space a sector is held by a box around the caster. */
  arc(draft, fields, place) {
    const at = fieldIn(place, 'arc')
    const form = readFields(fields.arc, at, ['reach', 'angle', 'halfHeight'])
    const reach = readNumber(form, 'reach', at, { min: 0 })
    const angle = readNumber(form, 'angle', at, { min: 0, max: 2 * Math.PI })
    if (draft.ahead !== 0 || draft.left !== 0) {
      throw fail(place, 'an arc has its apex at the caster; leave out ahead and left.')
    }
    draft.volume = box(reach, reach, readNumber(form, 'halfHeight', at, { min: 0 }), offsetOf(draft))
    draft.shape = arc(reach, angle)
    draft.sector = draft.shape
  },
  capsule(draft, fields, place) {
    const at = fieldIn(place, 'capsule')
    const form = readFields(fields.capsule, at, ['radius', 'halfLength'])
    const radius = readNumber(form, 'radius', at, { min: 0 })
    const halfLength = readNumber(form, 'halfLength', at, { min: 0 })
    draft.volume = capsule(radius, halfLength, { ...offsetOf(draft), axis: [1, 0, 0] })
    draft.shape = flatCapsule([-halfLength, 0], [halfLength, 0], radius, flatOffsetOf(draft))
  },
  sphere(draft, fields, place) {
    const at = fieldIn(place, 'sphere')
    const radius = readNumber(readFields(fields.sphere, at, ['radius']), 'radius', at, { min: 0 })
    draft.volume = sphere(radius, offsetOf(draft))
    draft.shape = circle(radius, flatOffsetOf(draft))
  },
}
const FORM_NAMES = Object.keys(FORMS) as (keyof typeof FORMS)[]

function readForm(draft: Draft, fields: Fields, place: FieldPath): void {
  const forms = FORM_NAMES.filter((form) => fields[form] !== undefined)
  if (forms.length !== 1) {
    throw fail(place, `must have exactly one of ${FORM_NAMES.join(', ')}; got ${forms.join(' and ') || 'none'}.`)
  }
  FORMS[forms[0]](draft, fields, place)
}

function offsetOf({ ahead, left, up }: Draft) {
  return { offsetX: ahead, offsetY: left, offsetZ: up }
}

function flatOffsetOf({ ahead, left }: Draft) {
  return { offsetX: ahead, offsetY: left }
}
