/**
 * Windows: the boxes that a running ability has in the world in this tick.
 *
 * They are not stored. A cast that is in its active phase says which there are, its caster where; the poser adds them, and
 * the rule finds out by the number of a box which window it met. A window that was there in the last tick is swept from
 * where it was: along the way of its caster, and around with its turn. A turn is sampled every 11°, which leaves out slivers
 * of 5 thousandths of the reach at the rim and nobody who stands further in.
 */

import type { Boxes } from '../collide/boxes.ts'
import { addShape } from '../collide/shape-boxes.ts'
import { closeVolume, openVolume } from '../collide/volume-boxes.ts'
import { HurtboxError } from '../errors.ts'
import { atan2, cos, PI, sin } from '../math/index.ts'
import { findRow } from '../table.ts'
import type { Abilities } from './abilities.ts'
import { activeTick } from './casts.ts'
import { ON } from './content.ts'
import type { Effect } from './effect.ts'
import { isStopped } from './stats.ts'
import type { AbilityView, AbilityWorld } from './world.ts'

/** How far a swung box turns between two samples. */
const SAMPLE_ANGLE = PI / 16

/** Adds the windows of the thing in `row` to the boxes, on `layer`. To be called before the thing's other boxes. */
export function addWindows(abilities: Abilities, view: AbilityView, row: number, boxes: Boxes, layer: number): void {
  if (!hasWindows(view, row)) return
  // Windows are known by the number of their box: behind another box they would be taken for something else, and never hit.
  if (boxes.count > 0 && boxes.owner[boxes.count - 1] === row) {
    throw new HurtboxError(
      'bad-argument',
      'addWindows must be called before the other boxes of the same thing are added.',
    )
  }
  const { casts } = view.tables
  for (let cast = firstCast(view, row); cast >= 0; cast = nextCast(view, row, cast)) {
    const tick = activeTick(abilities, view, cast)
    if (tick < 0) continue
    const { effects } = abilities.list[casts.ability[cast]]
    for (let i = 0; i < effects.length; i++) {
      if (isOpen(effects[i], casts.step[cast], tick)) addSwing(view, cast, row, effects[i], boxes, layer)
    }
  }
}

/** Scratch, written by `findWindow`. */
export const window = { cast: -1, effect: undefined as Effect | undefined, sample: 0 }

/** Finds the window that box `part` of the thing in `row` belongs to; gives whether there is one. */
export function findWindow(abilities: Abilities, view: AbilityView, row: number, part: number): boolean {
  const { casts } = view.tables
  let left = part
  for (let cast = firstCast(view, row); cast >= 0; cast = nextCast(view, row, cast)) {
    const tick = activeTick(abilities, view, cast)
    if (tick < 0) continue
    const { effects } = abilities.list[casts.ability[cast]]
    for (let i = 0; i < effects.length; i++) {
      if (!isOpen(effects[i], casts.step[cast], tick)) continue
      measureSwing(view, cast, row)
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

/** After the hits of a tick: windows that are open remember where their caster was, to be swept from there in the next. */
export function traceWindows(abilities: Abilities, world: AbilityWorld): void {
  const { things, casts } = world.tables
  for (let cast = 0, { count } = casts; cast < count; cast++) {
    if (activeTick(abilities, world, cast) < 0) continue
    const row = findRow(things, casts.caster[cast])
    if (row < 0 || isStopped(world, row)) continue
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
 * Scratch, written by `measureSwing`: by how much a caster has turned since the last tick, the short way (half a turn is one
 * to the left), and how many boxes that takes. In an object, because V8 puts a double that a function returns on the heap.
 */
const swing = { turn: Number.NaN, samples: 1, isSwept: false }

function measureSwing(view: AbilityView, cast: number, row: number): void {
  const { facingX, facingY, teleports } = view.tables.things
  const { traced, fromTeleports, fromFacingX, fromFacingY } = view.tables.casts
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

/** Scratch, written by `turnTo`: where a swung box looks in one of its samples. */
export const look = { x: Number.NaN, y: Number.NaN }

/** Writes into `look` the facing of sample `sample` of a swing; the last is the facing of the caster. */
export function turnTo(view: AbilityView, cast: number, row: number, sample: number): void {
  const { things, casts } = view.tables
  measureSwing(view, cast, row)
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

function addSwing(view: AbilityView, cast: number, row: number, effect: Effect, boxes: Boxes, layer: number): void {
  measureSwing(view, cast, row)
  const { samples, isSwept } = swing
  for (let sample = 0; sample < samples; sample++) {
    turnTo(view, cast, row, sample)
    // The first sample of a turn is where the box was: it has come no way yet.
    const part = isSwept && (sample > 0 || samples === 1) ? 1 / Math.max(1, samples - 1) : 0
    const back = isSwept && samples > 1 ? 1 - sample / (samples - 1) : 0
    addSample(view, cast, row, effect, boxes, layer, part, back)
  }
}

/** One sample of a swing, in the plane or in space: `back` of the way of this tick before its end, after a `part` of that way. */
function addSample(
  view: AbilityView,
  cast: number,
  row: number,
  effect: Effect,
  boxes: Boxes,
  layer: number,
  part: number,
  back: number,
): void {
  const { x, y, z } = view.tables.things
  const { fromX, fromY, fromZ } = view.tables.casts
  const wayX = x[row] - fromX[cast]
  const wayY = y[row] - fromY[cast]
  const atX = x[row] - wayX * back
  const atY = y[row] - wayY * back
  if (z === undefined) {
    // An arc is tested where it is.
    const along = effect.sector === undefined ? part : 0
    addShape(boxes, row, layer, effect.shape!, atX, atY, look.x, look.y, wayX * along, wayY * along)
    return
  }
  const wayZ = z[row] - fromZ[cast]
  const box = openVolume(boxes, row, layer, effect.volume!)
  boxes.poseX[box] = atX
  boxes.poseY[box] = atY
  boxes.poseZ[box] = z[row] - wayZ * back
  boxes.facingX[box] = look.x
  boxes.facingY[box] = look.y
  boxes.wayX[box] = wayX * part
  boxes.wayY[box] = wayY * part
  boxes.wayZ[box] = wayZ * part
  closeVolume(boxes, box)
}

function isOpen(effect: Effect, step: number, tick: number): boolean {
  const isInStep = ((effect.steps >>> step) & 1) !== 0
  return effect.kind === 'melee' && effect.on === ON.active && isInStep && effect.at <= tick && tick < effect.until
}

/** Hit stop holds an attack as it holds its attacker: nobody runs into a blow that stands still. */
function hasWindows(view: AbilityView, row: number): boolean {
  const { busyWith, subCasts } = view.tables.things
  return (busyWith[row] !== 0 || subCasts[row] !== 0) && !isStopped(view, row)
}

/** The casts of a thing, oldest first. Most have one or none, and that is found without a search through all. */
function firstCast(view: AbilityView, row: number): number {
  const { things, casts } = view.tables
  return things.subCasts[row] === 0 ? findRow(casts, things.busyWith[row]) : nextCast(view, row, -1)
}

function nextCast(view: AbilityView, row: number, after: number): number {
  const { things, casts } = view.tables
  if (things.subCasts[row] === 0) return -1
  for (let cast = after + 1, { count } = casts; cast < count; cast++) {
    if (casts.caster[cast] === things.id[row]) return cast
  }
  return -1
}
