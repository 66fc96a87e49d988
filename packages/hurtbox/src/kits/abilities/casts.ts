/**
 * Casts: running abilities, one row each, and the phases they go through.
 *
 *   startup → active → recovery → (next step, or waiting for the press that brings it) → over
 *
 * A cast stores only when its present phase ends. That is a timer, so hit stop can move it, and the tick within a phase
 * follows from it. A phase without length passes in the tick in which it begins. One cast keeps its caster busy; the casts
 * of sub-abilities run beside it.
 */

import { unknownName } from '../../base/errors.ts'
import type { Cells } from '../../state/columns.ts'
import { addRow, findRow } from '../../state/table.ts'
import { handleAt } from '../../world/handles/pool.ts'
import { worldOf } from '../../world/handles/require.ts'
import type { AnyWorld } from '../../world/world.ts'
import { endShields } from '../combat/damage.ts'
import { type Abilities, DEEPEST, NO_SLOT } from './abilities.ts'
import type { Ability } from './compile.ts'
import { type Effect, isInStep, use } from './effect.ts'
import { emitCast, emitInterrupt, emitWhiff } from './events.ts'
import { canAct, isRowStopped, isStopped } from './stats.ts'
import { type CasterControl, PHASE } from './words.ts'
import { type AbilityThing, type AbilityWorld, type Cast, castAt, rowOfThing, worldOfThing } from './world.ts'

/** Makes a phase, first of the tick: running abilities go on, sub-abilities that hits asked for start, shields end. */
export function advanceAbilities(abilities: Abilities): (world: AbilityWorld) => void {
  return (world) => {
    const { things, casts } = world.tables
    endShields(world as unknown as AnyWorld)
    for (let cast = 0, { count } = casts; cast < count; cast++) {
      if (casts.leaving[cast] !== 0) continue
      const caster = findRow(things, casts.caster[cast])
      if (caster < 0 || things.leaving[caster] !== 0) dropCast(world, cast)
      else if (!isRowStopped(world, caster)) advance(abilities, world, cast, caster)
    }
    for (let row = 0, { count } = things; row < count; row++) {
      if (things.queued[row] === 0 || isRowStopped(world, row)) continue
      const [queued, depth] = [things.queued[row] - 1, things.queuedDepth[row]]
      things.queued[row] = 0
      startCast(abilities, world, row, queued, NO_SLOT, depth)
    }
  }
}

/**
 * A thing presses a slot so many times. Returns how many of the presses were not used. Each is used by at most one of: an
 * effect on input, the next step of a combo, an ability that can start.
 */
export function pressSlot<S extends string>(
  abilities: Abilities<string, S>,
  thing: AbilityThing,
  slot: NoInfer<S>,
  presses: number,
): number {
  const number = abilities.slot[slot]
  if (number === undefined) throw unknownName('slot', slot, abilities.slotNames)
  let left = presses
  while (left > 0 && usePress(abilities, thing, number)) left--
  return left
}

/**
 * A player presses the slots of the thing it controls: each slot has an input of the same name. Presses that were not used
 * stay in the input.
 */
export function pressSlots(
  abilities: Abilities,
  player: { readonly id: number; readonly thing: AbilityThing | undefined },
): void {
  const row = rowOfThing(player)
  const { players } = worldOf(player).tables
  const { slotNames } = abilities
  for (let slot = 0; slot < slotNames.length; slot++) {
    const presses = players[slotNames[slot]] as Cells
    if (presses[row] === 0) continue
    const { thing } = player
    while (presses[row] > 0 && thing !== undefined && usePress(abilities, thing, slot)) presses[row]--
  }
}

function usePress(abilities: Abilities, thing: AbilityThing, slot: number): boolean {
  if (!canAct(thing)) return false
  const world = worldOfThing(thing)
  const row = rowOfThing(thing)
  const cast = busyCast(world, row)
  if (cast >= 0 && continueCombo(abilities, world, cast, row, slot)) return true
  if (isStopped(thing)) return false
  if (cast >= 0 && answerInput(abilities, world, cast, row, slot)) return true
  const list = abilities.slots[slot]
  for (let i = 0; i < list.length; i++) {
    if (isReady(abilities, thing, list[i], cast)) return startCast(abilities, world, row, list[i], slot, 0) >= 0
  }
  return false
}

/** Whether a thing could start this ability now: able to act, ready, not busy with anything that it cannot cancel. */
export function canStart<N extends string>(abilities: Abilities<N>, thing: AbilityThing, name: NoInfer<N>): boolean {
  const number = numberOf(abilities, name)
  if (!canAct(thing) || isStopped(thing)) return false
  return isReady(abilities, thing, number, busyCast(worldOfThing(thing), rowOfThing(thing)))
}

/** Whether nothing but the ability to act is missing; `cast` is the row of what keeps the thing busy, or -1. */
function isReady(abilities: Abilities, thing: AbilityThing, number: number, cast: number): boolean {
  const world = worldOfThing(thing)
  const row = rowOfThing(thing)
  const { things, casts } = world.tables
  if (things.readyAt[row * abilities.list.length + number] > world.clock) return false
  const { requires } = abilities.list[number]
  for (let i = 0; i < requires.length; i++) if (!requires[i](thing)) return false
  if (cast < 0 || casts.phase[cast] === PHASE.waiting) return true
  // A running ability is not cast again, however short its cooldown.
  if (casts.ability[cast] === number) return false
  return abilities.list[casts.ability[cast]].cancels[number](casts.phase[cast], casts.strikes[cast])
}

/**
 * Starts an ability and ends what kept its caster busy, regardless of cooldowns and requirements; for presses use
 * `pressSlot`. Returns the cast; undefined without room.
 */
export function startAbility<N extends string>(
  abilities: Abilities<N>,
  caster: AbilityThing,
  name: NoInfer<N>,
): Cast | undefined {
  const world = worldOfThing(caster)
  const cast = startCast(abilities, world, rowOfThing(caster), numberOf(abilities, name), NO_SLOT, 0)
  return cast < 0 ? undefined : castAt(world, cast)
}

function numberOf<N extends string>(abilities: Abilities<N>, name: N): number {
  const number = abilities.number[name]
  if (number === undefined) throw unknownName('ability', name, abilities.names)
  return number
}

/** Starts an ability of the thing in `row`. Returns its row in `casts`, -1 without room. */
function startCast(
  abilities: Abilities,
  world: AbilityWorld,
  row: number,
  number: number,
  slot: number,
  depth: number,
): number {
  if (depth > DEEPEST) return -1
  const { things, casts } = world.tables
  const cast = addRow(casts)
  if (cast < 0) return -1
  casts.caster[cast] = things.id[row]
  casts.ability[cast] = number
  casts.slot[cast] = slot
  casts.depth[cast] = depth
  if (depth === 0) {
    const before = busyCast(world, row)
    if (before >= 0) endCast(world, before, row)
    things.busyWith[row] = casts.id[cast]
    things.readyAt[row * abilities.list.length + number] = world.clock + abilities.list[number].cooldown
  } else {
    things.subCasts[row]++
  }
  beginStep(abilities, world, cast, row)
  return cast
}

/** Ends what keeps a thing busy, without its effects at the end. */
export function interrupt(thing: AbilityThing): void {
  interruptRow(worldOfThing(thing), rowOfThing(thing))
}

export function interruptRow(world: AbilityWorld, row: number): void {
  const { things, casts } = world.tables
  const cast = busyCast(world, row)
  if (cast < 0) return
  if (casts.phase[cast] !== PHASE.waiting) emitInterrupt(world, things.id[row], casts.ability[cast])
  endCast(world, cast, row)
}

/** What keeps a thing busy, or waits for the next press of a combo; undefined for nothing. */
export function castOf(thing: { readonly id: number }): Cast | undefined {
  const world = worldOfThing(thing)
  const cast = busyCast(world, rowOfThing(thing))
  return cast < 0 ? undefined : castAt(world, cast)
}

/** The row of the cast that keeps the thing in `row` busy, or -1. */
export function busyCast({ tables: { things, casts } }: AbilityWorld, row: number): number {
  const id = things.busyWith[row]
  const cast = id === 0 ? -1 : findRow(casts, id)
  return cast < 0 || casts.leaving[cast] !== 0 ? -1 : cast
}

/** The tick within the active phase of what keeps a thing busy, from 0; below 0 in any other phase and in hit stop. */
export function activeTick(abilities: Abilities, thing: { readonly id: number }): number {
  const world = worldOfThing(thing)
  const cast = busyCast(world, rowOfThing(thing))
  return cast < 0 ? -1 : activeTickOf(abilities, world, cast)
}

export function activeTickOf(abilities: Abilities, world: AbilityWorld, cast: number): number {
  const { casts } = world.tables
  if (casts.phase[cast] !== PHASE.active || casts.leaving[cast] !== 0) return -1
  return abilities.list[casts.ability[cast]].active - (casts.endsAt[cast] - world.clock)
}

/**
 * What a thing may do besides its abilities: nothing while it is stunned, held, launched or in hit stop; as much as its
 * ability allows while one runs; else everything.
 */
export function controlOf(abilities: Abilities, thing: AbilityThing): CasterControl {
  const world = worldOfThing(thing)
  if (!canAct(thing) || isStopped(thing) || thing.launchedUntil > world.clock) return 'none'
  const { casts } = world.tables
  const cast = busyCast(world, rowOfThing(thing))
  if (cast < 0 || casts.phase[cast] === PHASE.waiting) return 'walk'
  return abilities.list[casts.ability[cast]].control
}

function beginStep(abilities: Abilities, world: AbilityWorld, cast: number, caster: number): void {
  const { things, casts } = world.tables
  const ability = abilities.list[casts.ability[cast]]
  casts.step[cast]++
  casts.phase[cast] = PHASE.startup
  casts.chained[cast] = 0
  casts.strikes[cast] = 0
  casts.traced[cast] = 0
  casts.swing[cast] = ++world.globals.swings
  casts.endsAt[cast] = world.clock + ability.startup
  emitCast(world, things.id[caster], ability.number, casts.step[cast])
  advance(abilities, world, cast, caster)
}

/** What a cast does in this tick: changes of phase that are due, then the effects of the tick. */
function advance(abilities: Abilities, world: AbilityWorld, cast: number, caster: number): void {
  const { casts } = world.tables
  const ability = abilities.list[casts.ability[cast]]
  while (casts.leaving[cast] === 0 && casts.endsAt[cast] <= world.clock) {
    const step = casts.step[cast]
    changePhase(abilities, world, cast, caster)
    // A new step has advanced by itself.
    if (casts.step[cast] !== step) return
  }
  const tick = activeTickOf(abilities, world, cast)
  if (tick < 0) return
  const { effects } = ability
  for (let i = 0; i < effects.length; i++) {
    const effect = effects[i]
    const isCast = effect.on === 'cast' && effect.at === tick && tick > 0
    const isActive = effect.on === 'active' && effect.at <= tick && tick < effect.until
    if (isCast || isActive) happen(abilities, world, cast, caster, effect)
  }
}

function changePhase(abilities: Abilities, world: AbilityWorld, cast: number, caster: number): void {
  const { casts } = world.tables
  const { clock } = world
  const ability = abilities.list[casts.ability[cast]]
  switch (casts.phase[cast]) {
    case PHASE.startup:
      casts.phase[cast] = PHASE.active
      casts.endsAt[cast] = clock + ability.active
      happenAll(abilities, world, cast, caster, 'cast')
      return
    case PHASE.active:
      casts.phase[cast] = PHASE.recovery
      casts.endsAt[cast] = clock + ability.recovery
      casts.windowUntil[cast] = clock + ability.window
      closeWindow(world, cast, caster, ability)
      happenAll(abilities, world, cast, caster, 'end')
      return
    case PHASE.recovery:
      if (casts.step[cast] === ability.steps) endCast(world, cast, caster)
      else if (casts.chained[cast] !== 0) beginStep(abilities, world, cast, caster)
      else if (casts.windowUntil[cast] > clock) {
        casts.phase[cast] = PHASE.waiting
        casts.endsAt[cast] = casts.windowUntil[cast]
      } else endCast(world, cast, caster)
      return
    default:
      endCast(world, cast, caster)
  }
}

function happenAll(abilities: Abilities, world: AbilityWorld, cast: number, caster: number, on: 'cast' | 'end'): void {
  const { effects } = abilities.list[world.tables.casts.ability[cast]]
  for (let i = 0; i < effects.length; i++) {
    if (effects[i].on === on && effects[i].at === 0) happen(abilities, world, cast, caster, effects[i])
  }
}

/** An effect of a cast happens to its caster, if it belongs to the step. A sub-ability that it asks for starts at once. */
function happen(abilities: Abilities, world: AbilityWorld, cast: number, caster: number, effect: Effect): void {
  const { record } = effect
  const { casts } = world.tables
  if (record.happen === undefined || !isInStep(effect, casts.step[cast])) return
  const thing = handleAt(world.memory.block.pools[0], caster) as unknown as AbilityThing
  use.abilities = abilities
  use.world = world
  use.ability = casts.ability[cast]
  use.step = casts.step[cast]
  use.depth = casts.depth[cast]
  use.cast = cast
  use.caster = thing
  use.source = thing
  use.target = thing
  use.power = 1
  use.worn = 1
  use.weight = 1
  use.subAbility = -1
  record.happen(effect, use)
  if (use.subAbility >= 0) startCast(abilities, world, caster, use.subAbility, NO_SLOT, casts.depth[cast] + 1)
}

/** The boxes of this step are gone, and with them the hit set. A window that has hit nothing is a whiff. */
function closeWindow(world: AbilityWorld, cast: number, caster: number, ability: Ability): void {
  const { things, casts } = world.tables
  forgetSwing(world, casts.swing[cast])
  if (!ability.hasMelee || casts.strikes[cast] !== 0) return
  emitWhiff(world, things.id[caster], ability.number, casts.step[cast])
}

/** A press in the step, or in the window after it, brings the next step. */
function continueCombo(abilities: Abilities, world: AbilityWorld, cast: number, row: number, slot: number): boolean {
  const { casts } = world.tables
  if (casts.slot[cast] !== slot || casts.step[cast] === abilities.list[casts.ability[cast]].steps) return false
  if (casts.phase[cast] === PHASE.waiting) {
    if (isRowStopped(world, row)) return false
    beginStep(abilities, world, cast, row)
    return true
  }
  if (casts.chained[cast] !== 0) return false
  casts.chained[cast] = 1
  return true
}

function answerInput(abilities: Abilities, world: AbilityWorld, cast: number, row: number, slot: number): boolean {
  const { casts } = world.tables
  if (casts.phase[cast] !== PHASE.active) return false
  const { effects } = abilities.list[casts.ability[cast]]
  let isAnswered = false
  for (let i = 0; i < effects.length; i++) {
    const effect = effects[i]
    if (effect.on !== 'input' || effect.slot !== slot || !isInStep(effect, casts.step[cast])) continue
    happen(abilities, world, cast, row, effect)
    isAnswered = true
  }
  return isAnswered
}

export function endCast(world: AbilityWorld, cast: number, caster: number): void {
  const { things, casts } = world.tables
  if (casts.depth[cast] > 0) things.subCasts[caster]--
  else if (things.busyWith[caster] === casts.id[cast]) things.busyWith[caster] = 0
  dropCast(world, cast)
}

function dropCast(world: AbilityWorld, cast: number): void {
  const { casts } = world.tables
  forgetSwing(world, casts.swing[cast])
  casts.leaving[cast] = 1
}

/** How many hit sets one swing can have: its own, and those of boxes that hit apart. */
export const SETS_PER_SWING = 8

function forgetSwing(world: AbilityWorld, swing: number): void {
  const { hits } = world.tables
  for (let row = 0, { count } = hits; row < count; row++) {
    if (hits.byThing[row] === 0 && Math.floor(hits.attack[row] / SETS_PER_SWING) === swing) hits.leaving[row] = 1
  }
}
