/**
 * Windows: the boxes that a running ability has in the world in this tick.
 *
 * They are not stored. The cast says which there are while it is in its active phase, and its caster says where; the pose
 * function adds them, and the rule finds by the number of a box which window it belongs to. A window that was there in the
 * last tick is swept from where it was: along the move of its caster, and around with its turn. A turn is sampled every 11°,
 * which leaves out slivers of 5 thousandths of the reach at the rim and nothing further in.
 */

import { type Boxes, setSweep } from '../collide/boxes.ts'
import { boundShape, openShape } from '../collide/shape-boxes.ts'
import { closeVolume, openVolume } from '../collide/volume-boxes.ts'
import { HurtboxError } from '../errors.ts'
import { layerNumber } from '../layers.ts'
import { atan2, cos, PI, sin } from '../math/index.ts'
import { findRow } from '../table.ts'
import type { Abilities } from './abilities.ts'
import { activeTickOf } from './casts.ts'
import { type Effect, isInStep } from './effect.ts'
import { isRowStopped } from './stats.ts'
import { type AbilityThing, type AbilityWorld, rowOfThing, worldOfThing } from './world.ts'

/** How far a swung box turns between two samples. */
const SAMPLE_ANGLE = PI / 16

/** Adds the windows of a thing to its boxes, on `layer`. To be called before the thing's other boxes. */
export function addWindows(abilities: Abilities, thing: AbilityThing, boxes: Boxes, layer: string): void {
  const world = worldOfThing(thing)
  const row = rowOfThing(thing)
  if (!hasWindows(world, row)) return
  // Windows are found by the number of their box: behind another box they would be mistaken for others, and never hit.
  if (boxes.count > 0 && boxes.owner[boxes.count - 1] === row) {
    throw new HurtboxError(
      'bad-argument',
      'addWindows must be called before the other boxes of the same thing are added.',
    )
  }
  const { casts } = world.tables
  const number = layerNumber(boxes.layers, layer)
  for (let cast = firstCast(world, row); cast >= 0; cast = nextCast(world, row, cast)) {
    const tick = activeTickOf(abilities, world, cast)
    if (tick < 0) continue
    const { effects } = abilities.list[casts.ability[cast]]
    for (let i = 0; i < effects.length; i++) {
      if (isOpen(effects[i], casts.step[cast], tick)) addSwing(world, cast, row, effects[i], boxes, number)
    }
  }
}

/** Scratch, written by `findWindow`. */
export const window = { cast: -1, effect: undefined as Effect | undefined, sample: 0 }

/** Finds the window that a box of the thing in `row` belongs to, by the number of the box. Returns whether there is one. */
export function findWindow(abilities: Abilities, world: AbilityWorld, row: number, box: number): boolean {
  const { casts } = world.tables
  let left = box
  for (let cast = firstCast(world, row); cast >= 0; cast = nextCast(world, row, cast)) {
    const tick = activeTickOf(abilities, world, cast)
    if (tick < 0) continue
    const { effects } = abilities.list[casts.ability[cast]]
    for (let i = 0; i < effects.length; i++) {
      if (!isOpen(effects[i], casts.step[cast], tick)) continue
      measureSwing(world, cast, row)
      if (left < swing.samples) {
        window.cast = cast
        window.effect = effects[i]
        window.sample = left
        return true
      }
      left -= swing.samples
    }
  }
  return false
}

/** After the hits of a tick: stores where the casters of open windows were, to sweep the windows from there in the next. */
export function traceWindows(abilities: Abilities, world: AbilityWorld): void {
  const { things, casts } = world.tables
  for (let cast = 0, { count } = casts; cast < count; cast++) {
    if (activeTickOf(abilities, world, cast) < 0) continue
    const row = findRow(things, casts.caster[cast])
    if (row < 0 || isRowStopped(world, row)) continue
    casts.traced[cast] = 1
    casts.fromX[cast] = things.x[row]
    casts.fromY[cast] = things.y[row]
    casts.fromZ[cast] = things.z === undefined ? 0 : things.z[row]
    casts.fromFacingX[cast] = things.facingX[row]
    casts.fromFacingY[cast] = things.facingY[row]
    casts.fromTeleports[cast] = things.teleports[row]
  }
}

/**
 * Scratch, written by `measureSwing`: by how much a caster has turned since the last tick, in the shorter direction (half a
 * turn is one to the left), and how many boxes that takes. In an object, because V8 puts a double that a function returns on
 * the heap.
 */
const swing = { turn: Number.NaN, samples: 1, isSwept: false }

function measureSwing(world: AbilityWorld, cast: number, row: number): void {
  const { facingX, facingY, teleports } = world.tables.things
  const { traced, fromTeleports, fromFacingX, fromFacingY } = world.tables.casts
  swing.turn = 0
  swing.samples = 1
  swing.isSwept = traced[cast] !== 0 && fromTeleports[cast] === teleports[row]
  if (!swing.isSwept || (fromFacingX[cast] === facingX[row] && fromFacingY[cast] === facingY[row])) return
  const cross = fromFacingX[cast] * facingY[row] - fromFacingY[cast] * facingX[row]
  const dot = fromFacingX[cast] * facingX[row] + fromFacingY[cast] * facingY[row]
  swing.turn = atan2(cross, dot)
  // From where it was to where it is.
  swing.samples = 1 + Math.ceil(Math.abs(swing.turn) / SAMPLE_ANGLE)
}

/** Scratch, written by `turnTo`: the facing of a swung box in one of its samples. */
export const look = { x: Number.NaN, y: Number.NaN }

/** Writes into `look` the facing of sample `sample` of a swing; the last is the facing of the caster. */
export function turnTo(world: AbilityWorld, cast: number, row: number, sample: number): void {
  const { things, casts } = world.tables
  measureSwing(world, cast, row)
  const last = swing.samples - 1
  look.x = things.facingX[row]
  look.y = things.facingY[row]
  if (sample === last) return
  const angle = (swing.turn * sample) / last
  const turnX = cos(angle)
  const turnY = sin(angle)
  look.x = casts.fromFacingX[cast] * turnX - casts.fromFacingY[cast] * turnY
  look.y = casts.fromFacingX[cast] * turnY + casts.fromFacingY[cast] * turnX
}

function addSwing(world: AbilityWorld, cast: number, row: number, effect: Effect, boxes: Boxes, layer: number): void {
  measureSwing(world, cast, row)
  const { samples, isSwept } = swing
  for (let sample = 0; sample < samples; sample++) {
    turnTo(world, cast, row, sample)
    // The first sample of a turn is where the box was: it has not moved yet.
    const part = isSwept && (sample > 0 || samples === 1) ? 1 / Math.max(1, samples - 1) : 0
    const back = isSwept && samples > 1 ? 1 - sample / (samples - 1) : 0
    addSample(world, cast, row, effect, boxes, layer, part, back)
  }
}

/** One sample of a swing, in the plane or in space: `back` of the move of this tick before its end, swept by a `part` of it. */
function addSample(
  world: AbilityWorld,
  cast: number,
  row: number,
  effect: Effect,
  boxes: Boxes,
  layer: number,
  part: number,
  back: number,
): void {
  const { x, y, z } = world.tables.things
  const { fromX, fromY, fromZ } = world.tables.casts
  const moveX = x[row] - fromX[cast]
  const moveY = y[row] - fromY[cast]
  const atX = x[row] - moveX * back
  const atY = y[row] - moveY * back
  if (z === undefined) {
    const box = openShape(boxes, row, layer, effect.shape!)
    boxes.poseX[box] = atX
    boxes.poseY[box] = atY
    boxes.facingX[box] = look.x
    boxes.facingY[box] = look.y
    boundShape(boxes, box)
    // An arc is tested where it is.
    const isSwept = effect.sector === undefined && part !== 0 && (moveX !== 0 || moveY !== 0)
    if (isSwept) setSweep(boxes, box, moveX * part, moveY * part)
    return
  }
  const moveZ = z[row] - fromZ[cast]
  const box = openVolume(boxes, row, layer, effect.volume!)
  boxes.poseX[box] = atX
  boxes.poseY[box] = atY
  boxes.poseZ[box] = z[row] - moveZ * back
  boxes.facingX[box] = look.x
  boxes.facingY[box] = look.y
  boxes.sweepX[box] = moveX * part
  boxes.sweepY[box] = moveY * part
  boxes.sweepZ[box] = moveZ * part
  closeVolume(boxes, box)
}

function isOpen(effect: Effect, step: number, tick: number): boolean {
  return effect.kind === 'melee' && isInStep(effect, step) && effect.at <= tick && tick < effect.until
}

/** Hit stop freezes an attack with its attacker: a frozen blow hits nothing that runs into it. */
function hasWindows(world: AbilityWorld, row: number): boolean {
  const { busyWith, subCasts } = world.tables.things
  return (busyWith[row] !== 0 || subCasts[row] !== 0) && !isRowStopped(world, row)
}

/** The casts of a thing, oldest first. Most things have one or none, which is found without a search through all. */
function firstCast(world: AbilityWorld, row: number): number {
  const { things, casts } = world.tables
  return things.subCasts[row] === 0 ? findRow(casts, things.busyWith[row]) : nextCast(world, row, -1)
}

function nextCast(world: AbilityWorld, row: number, after: number): number {
  const { things, casts } = world.tables
  if (things.subCasts[row] === 0) return -1
  for (let cast = after + 1, { count } = casts; cast < count; cast++) {
    if (casts.caster[cast] === things.id[row]) return cast
  }
  return -1
}
