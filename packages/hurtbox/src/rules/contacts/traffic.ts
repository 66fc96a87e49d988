/** What a phase that travels knows of its things and contacts: scratch, made once per phase and world. */

import { HurtboxError } from '../../base/errors.ts'
import { layerNumber } from '../../world/layers.ts'
import type { Boxes, MeasureGap, Narrow } from '../collide/boxes.ts'
import type { Collision } from '../collide/collide.ts'
import type { BoundRule } from '../collide/decide.ts'
import type { StaticOptions } from '../collide/statics.ts'
import { createHitPlace, type HitPlace } from './contact.ts'
import { met } from './met.ts'

/**
 * Whether two boxes meet on what is left of their ways, and when, in `met.time`: 0 to 1. A push out of an overlap does not count as
 * meeting it. The other two are for `why` and for drawing.
 */
export type Geometry = {
  readonly approach: (boxes: Boxes, a: number, b: number, isPush?: boolean) => boolean
  readonly narrow: Narrow
  readonly gap: MeasureGap | undefined
}

/** What is known of the things that travel, by row, and of the cases, by their number. */
export type Traffic = {
  /** The time of the tick that is looked at. Here, because V8 puts a double that is handed to a function on the heap. */
  now: number
  readonly collision: Collision
  readonly place: HitPlace
  readonly geometry: Geometry
  readonly rules: readonly BoundRule[]
  readonly layers: number
  readonly most: number
  /** How long a tick is, in the unit of time of the speeds. */
  readonly tick: number
  /** Whether things have a facing and a spin. */
  readonly turns: boolean
  /** 1 for rows that travel in this tick. */
  readonly travels: Uint8Array
  /** Where a row was and faced at the start of the phase: to put it back if a rule throws. */
  readonly startX: Float64Array
  readonly startY: Float64Array
  readonly startZ: Float64Array
  readonly startFacingX: Float64Array
  readonly startFacingY: Float64Array
  /** Where the present way of a row began, when, and how far it leads. */
  readonly fromX: Float64Array
  readonly fromY: Float64Array
  readonly fromZ: Float64Array
  readonly since: Float64Array
  readonly wayX: Float64Array
  readonly wayY: Float64Array
  readonly wayZ: Float64Array
  /** Where it faced then, and by how much it turns. */
  readonly fromFacingX: Float64Array
  readonly fromFacingY: Float64Array
  readonly wayTurn: Float64Array
  /** 1 for a row that stays where it is for the rest of the tick. */
  readonly halted: Uint8Array
  /** How often a row was deflected: the number of its way. */
  readonly ways: Uint32Array
  /** The way that a box belongs to. */
  wayOfBox: Uint32Array
  /** Per case: when the part of both ways begins that it was found on, and the ways it is about. */
  partStart: Float64Array
  firstWay: Uint32Array
  secondWay: Uint32Array
  /** A heap of cases, the next one first. */
  heap: Uint32Array
  waiting: number
  /** By the number of a rule: 1 when it has deflected something in this tick. */
  readonly deflects: Uint8Array
  /** Rows that the case being decided has deflected, ascending: the first `deflectedCount`. */
  readonly deflected: Uint32Array
  deflectedCount: number
  readonly nearby: StaticOptions & { from: number; isPush: boolean }
}

export function createTraffic(
  collision: Collision,
  names: readonly string[],
  geometry: Geometry,
  { most, perTick }: { readonly most: number; readonly perTick: boolean },
): Traffic {
  const { world, groups, pairOptions } = collision
  const { things } = world.tables
  const { tickRate } = world.game.declaration
  const column = () => new Float64Array(things.capacity)
  const speedPerWay = perTick ? 1 : tickRate
  const place = createHitPlace(collision, speedPerWay, true)
  if (collision.setKey !== undefined) {
    throw new HurtboxError(
      'bad-declaration',
      'a phase that travels decides contacts in the order of time: leave orderBy out.',
    )
  }
  return {
    now: Number.NaN,
    collision,
    place,
    geometry,
    rules: groups.flat().sort((a, b) => a.number - b.number),
    layers: names.reduce((bits, name) => bits | (1 << layerNumber(world.game.layers, name)), 0),
    most,
    tick: 1 / speedPerWay,
    travels: new Uint8Array(things.capacity),
    startX: column(),
    startY: column(),
    startZ: column(),
    startFacingX: column(),
    startFacingY: column(),
    turns: ['facingX', 'facingY', 'spin'].every((name) => name in things),
    fromX: column(),
    fromY: column(),
    fromZ: column(),
    since: column(),
    wayX: column(),
    wayY: column(),
    wayZ: column(),
    fromFacingX: column(),
    fromFacingY: column(),
    wayTurn: column(),
    halted: new Uint8Array(things.capacity),
    ways: new Uint32Array(things.capacity),
    wayOfBox: new Uint32Array(1024),
    partStart: new Float64Array(256),
    firstWay: new Uint32Array(256),
    secondWay: new Uint32Array(256),
    heap: new Uint32Array(256),
    waiting: 0,
    deflects: new Uint8Array(groups.flat().length),
    deflected: new Uint32Array(things.capacity),
    deflectedCount: 0,
    nearby: { ...pairOptions, from: 0, isPush: false, approach: geometry.approach, met },
  }
}
