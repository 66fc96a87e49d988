/**
 * Windows: the boxes that a running ability has in the world in this tick.
 *
 * They are not stored. The cast says which there are while it is in its active phase, and its caster says where; the pose
 * function adds them, and the rule finds by the number of a box which window it belongs to. A window that was there in the
 * last tick is swept from where it was: along the move of its caster, and around with its turn, within the bound of all boxes
 * that turn.
 */

import { HurtboxError } from '../../base/errors.ts'
import { facingXOf } from '../../geometry/math/facing.ts'
import { reachOf } from '../../geometry/shapes/turning.ts'
import { turningReach } from '../../geometry/volumes/turning.ts'
import { type Boxes, setSweep } from '../../rules/collide/boxes.ts'
import { boundShape, openShape } from '../../rules/collide/shape-boxes.ts'
import { boundTurn, openTurn } from '../../rules/collide/turns.ts'
import { closeVolume, openVolume } from '../../rules/collide/volume-boxes.ts'
import { findRow } from '../../state/table.ts'
import { layerNumber } from '../../world/layers.ts'
import type { Abilities } from './abilities.ts'
import { activeTickOf } from './casts.ts'
import { type Effect, isInStep } from './effect.ts'
import { isRowStopped } from './stats.ts'
import { type AbilityThing, type AbilityWorld, rowOfThing, worldOfThing } from './world.ts'

/** Adds the windows of a thing to its boxes, on `layer`. To be called before the thing's other boxes. */
export function addWindows<L extends string>(
  abilities: Abilities,
  thing: AbilityThing,
  boxes: Boxes<L>,
  layer: NoInfer<L>,
): void {
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
      if (isOpen(effects[i], casts.step[cast], tick)) addWindow(world, cast, row, effects[i], boxes, number)
    }
  }
}

/** Scratch, written by `findWindow`. */
export const foundWindow = { cast: -1, effect: undefined as Effect | undefined }

/** Finds the window that a box of the thing in `row` belongs to, by the number of the box. Returns whether there is one. */
export function findWindow(abilities: Abilities, world: AbilityWorld, row: number, box: number): boolean {
  const { casts } = world.tables
  let left = box
  for (let cast = firstCast(world, row); cast >= 0; cast = nextCast(world, row, cast)) {
    const tick = activeTickOf(abilities, world, cast)
    if (tick < 0) continue
    const { effects } = abilities.list[casts.ability[cast]]
    for (let i = 0; i < effects.length; i++) {
      if (!isOpen(effects[i], casts.step[cast], tick) || left-- > 0) continue
      foundWindow.cast = cast
      foundWindow.effect = effects[i]
      return true
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

/** Whether the windows of a cast come from where their caster was in the last tick. */
export function isSwept({ tables: { things, casts } }: AbilityWorld, cast: number, row: number): boolean {
  return casts.traced[cast] !== 0 && casts.fromTeleports[cast] === things.teleports[row]
}

/** One window, in the plane or in space. */
function addWindow(world: AbilityWorld, cast: number, row: number, effect: Effect, boxes: Boxes, layer: number): void {
  const { x, y, z, facingX, facingY } = world.tables.things
  const { fromX, fromY, fromZ, fromFacingX, fromFacingY } = world.tables.casts
  const inPlane = z === undefined
  const box = inPlane ? openShape(boxes, row, layer, effect.shape!) : openVolume(boxes, row, layer, effect.volume!)
  const moves = isSwept(world, cast, row)
  boxes.poseX[box] = x[row]
  boxes.poseY[box] = y[row]
  boxes.facingX[box] = facingX[row]
  boxes.facingY[box] = facingY[row]
  const moveX = moves ? x[row] - fromX[cast] : 0
  const moveY = moves ? y[row] - fromY[cast] : 0
  if (inPlane) {
    boundShape(boxes, box)
    if (moveX !== 0 || moveY !== 0) setSweep(boxes, box, moveX, moveY)
  } else {
    boxes.poseZ[box] = z[row]
    boxes.sweepX[box] = moveX
    boxes.sweepY[box] = moveY
    boxes.sweepZ[box] = moves ? z[row] - fromZ[cast] : 0
    closeVolume(boxes, box)
  }
  const facedX = facingXOf(fromFacingX[cast], fromFacingY[cast])
  if (!moves || (facedX === boxes.facingX[box] && fromFacingY[cast] === facingY[row])) return
  const turns = openTurn(boxes, box)
  turns.fromX[box] = facedX
  turns.fromY[box] = fromFacingY[cast]
  boxes.radius[box] = inPlane ? reachOf(effect.shape!) : turningReach(effect.volume!)
  boundTurn(boxes, box)
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
