/**
 * Casts: running abilities, one row each, and the phases they go through.
 *
 *   startup → active → recovery → (next step, or waiting for the press that brings it) → over
 *
 * A cast knows only when its present phase ends. That is a timer, so hit stop can move it, and the tick within a phase
 * follows from it. A phase without length passes in the tick in which it begins. One cast keeps its caster busy; the casts
 * of sub-abilities run beside it.
 */

import { addRow, findRow } from '../table.ts'
import { type Abilities, DEEPEST, NO_SLOT } from './abilities.ts'
import { happenAtOnce } from './at-once.ts'
import type { Ability } from './compile.ts'
import { CANCEL, CONTROL, ON, REQUIRES } from './content.ts'
import { canAct, endShields, isStopped } from './stats.ts'
import type { AbilityView, AbilityWorld } from './world.ts'

export const PHASE = { startup: 1, active: 2, recovery: 3, waiting: 4 } as const

/** A phase, first of the tick: casts go on, sub-abilities that hits asked for start, what lasts for a while ends. */
export function advanceAbilities(abilities: Abilities, world: AbilityWorld): void {
  const { things, casts } = world.tables
  endShields(world)
  for (let cast = 0, { count } = casts; cast < count; cast++) {
    if (casts.leaving[cast] !== 0) continue
    const caster = findRow(things, casts.caster[cast])
    if (caster < 0 || things.leaving[caster] !== 0) dropCast(world, cast)
    else if (!isStopped(world, caster)) goOn(abilities, world, cast, caster)
  }
  for (let row = 0, { count } = things; row < count; row++) {
    if (things.queued[row] === 0 || isStopped(world, row)) continue
    const [queued, depth] = [things.queued[row] - 1, things.queuedDepth[row]]
    things.queued[row] = 0
    startAbility(abilities, world, row, queued, NO_SLOT, depth)
  }
}

/**
 * The slot of the thing in `row` is pressed `presses` times; gives how many presses nothing has used. Each is used by at most
 * one of: an effect that waits for it, the next step of a combo, an ability that can start.
 */
export function pressSlot(
  abilities: Abilities,
  world: AbilityWorld,
  row: number,
  slot: number,
  presses: number,
): number {
  let left = presses
  while (left > 0 && usePress(abilities, world, row, slot)) left--
  return left
}

function usePress(abilities: Abilities, world: AbilityWorld, row: number, slot: number): boolean {
  if (!canAct(world, row)) return false
  const { things, casts } = world.tables
  const cast = findRow(casts, things.busyWith[row])
  const isBusy = cast >= 0 && casts.leaving[cast] === 0
  if (isBusy && continueCombo(abilities, world, cast, row, slot)) return true
  if (isStopped(world, row)) return false
  if (isBusy && answerInput(abilities, world, cast, row, slot)) return true
  const list = abilities.slots[slot]
  for (let i = 0; i < list.length; i++) {
    const ability = abilities.list[list[i]]
    if (!canStart(abilities, world, row, ability.number)) continue
    return startAbility(abilities, world, row, ability.number, slot) >= 0
  }
  return false
}

/** Whether the thing could start this ability now: able to act, ready, not busy with anything it cannot cut short. */
export function canStart(abilities: Abilities, view: AbilityView, row: number, number: number): boolean {
  const { things, casts } = view.tables
  if (!canAct(view, row) || isStopped(view, row)) return false
  if (things.readyAt[row * abilities.list.length + number] > view.clock) return false
  if (!meetsRequirements(view, row, abilities.list[number].requires)) return false
  const cast = findRow(casts, things.busyWith[row])
  return cast < 0 || casts.leaving[cast] !== 0 || canCutShort(abilities, view, cast, number)
}

/**
 * Starts an ability and ends what kept its caster busy, whatever cooldowns and requirements say; for presses use `pressSlot`.
 * Gives its row in `casts`, −1 without room.
 */
export function startAbility(
  abilities: Abilities,
  world: AbilityWorld,
  row: number,
  number: number,
  slot = NO_SLOT,
  depth = 0,
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
    const before = findRow(casts, things.busyWith[row])
    if (before >= 0 && casts.leaving[before] === 0) endCast(world, before, row)
    things.busyWith[row] = casts.id[cast]
    things.readyAt[row * abilities.list.length + number] = world.clock + abilities.list[number].cooldown
  } else {
    things.subCasts[row]++
  }
  beginStep(abilities, world, cast, row)
  return cast
}

/** Ends what keeps the thing busy, without its effects at the end. */
export function interrupt(world: AbilityWorld, row: number): void {
  const { things, casts } = world.tables
  const cast = findRow(casts, things.busyWith[row])
  if (cast < 0 || casts.leaving[cast] !== 0) return
  const { interrupt: told } = world.events
  const event = casts.phase[cast] === PHASE.waiting ? -1 : addRow(told)
  if (event >= 0) {
    told.caster[event] = things.id[row]
    told.ability[event] = casts.ability[cast]
  }
  endCast(world, cast, row)
}

/** The tick within the active phase, from 0; −1 in any other phase. */
export function activeTick(abilities: Abilities, view: AbilityView, cast: number): number {
  const { casts } = view.tables
  if (casts.phase[cast] !== PHASE.active || casts.leaving[cast] !== 0) return -1
  return abilities.list[casts.ability[cast]].active - (casts.endsAt[cast] - view.clock)
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
  const { cast: told } = world.events
  const event = addRow(told)
  if (event >= 0) {
    told.caster[event] = things.id[caster]
    told.ability[event] = ability.number
    told.step[event] = casts.step[cast]
  }
  goOn(abilities, world, cast, caster)
}

/** What a cast does in this tick: changes of phase that are due, then the effects of the tick. */
function goOn(abilities: Abilities, world: AbilityWorld, cast: number, caster: number): void {
  const { casts } = world.tables
  const ability = abilities.list[casts.ability[cast]]
  while (casts.leaving[cast] === 0 && casts.endsAt[cast] <= world.clock) {
    const step = casts.step[cast]
    changePhase(abilities, world, cast, caster, ability)
    // A new step has gone on by itself.
    if (casts.step[cast] !== step) return
  }
  const tick = activeTick(abilities, world, cast)
  if (tick < 0) return
  const { effects } = ability
  for (let i = 0; i < effects.length; i++) {
    const effect = effects[i]
    const isCast = effect.on === ON.cast && effect.at === tick && tick > 0
    const isActive = effect.on === ON.active && effect.at <= tick && tick < effect.until
    if (isCast || isActive) happenAtOnce(abilities, world, cast, caster, effect)
  }
}

function changePhase(abilities: Abilities, world: AbilityWorld, cast: number, caster: number, ability: Ability): void {
  const { casts } = world.tables
  const { clock } = world
  switch (casts.phase[cast]) {
    case PHASE.startup:
      casts.phase[cast] = PHASE.active
      casts.endsAt[cast] = clock + ability.active
      happenAll(abilities, world, cast, caster, ability, ON.cast, 0)
      return
    case PHASE.active:
      casts.phase[cast] = PHASE.recovery
      casts.endsAt[cast] = clock + ability.recovery
      casts.windowUntil[cast] = clock + ability.window
      closeWindow(world, cast, caster, ability)
      happenAll(abilities, world, cast, caster, ability, ON.end, 0)
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

function happenAll(
  abilities: Abilities,
  world: AbilityWorld,
  cast: number,
  caster: number,
  { effects }: Ability,
  on: number,
  at: number,
): void {
  for (let i = 0; i < effects.length; i++) {
    if (effects[i].on === on && effects[i].at === at) happenAtOnce(abilities, world, cast, caster, effects[i])
  }
}

/** The boxes of this step are gone, and with them the hit set. Whoever hit nobody has missed. */
function closeWindow(world: AbilityWorld, cast: number, caster: number, ability: Ability): void {
  const { things, casts } = world.tables
  forgetSwing(world, casts.swing[cast])
  if (!ability.hasMelee || casts.strikes[cast] !== 0) return
  tellWhiff(world, things.id[caster], ability.number, casts.step[cast])
}

export function tellWhiff(world: AbilityWorld, caster: number, ability: number, step: number): void {
  const { whiff } = world.events
  const event = addRow(whiff)
  if (event < 0) return
  whiff.caster[event] = caster
  whiff.ability[event] = ability
  whiff.step[event] = step
}

/** A press in the step, or in the window after it, brings the next step. */
function continueCombo(abilities: Abilities, world: AbilityWorld, cast: number, row: number, slot: number): boolean {
  const { casts } = world.tables
  if (casts.slot[cast] !== slot || casts.step[cast] === abilities.list[casts.ability[cast]].steps) return false
  if (casts.phase[cast] === PHASE.waiting) {
    if (isStopped(world, row)) return false
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
  let answered = false
  for (let i = 0; i < effects.length; i++) {
    const effect = effects[i]
    if (effect.on !== ON.input || effect.slot !== slot || ((effect.steps >>> casts.step[cast]) & 1) === 0) continue
    happenAtOnce(abilities, world, cast, row, effect)
    answered = true
  }
  return answered
}

/** Whether ability `number` may end this cast: it only waits for a press, or lets that ability cut it short by now. */
function canCutShort(abilities: Abilities, view: AbilityView, cast: number, number: number): boolean {
  const { casts } = view.tables
  const phase = casts.phase[cast]
  if (phase === PHASE.waiting) return true
  // An ability that still runs is not cast again, however short its cooldown.
  if (casts.ability[cast] === number) return false
  switch (abilities.list[casts.ability[cast]].cancels[number]) {
    case CANCEL.always:
      return true
    case CANCEL.active:
      return phase !== PHASE.startup
    case CANCEL.hit:
      return casts.strikes[cast] > 0
    case CANCEL.recovery:
      return phase === PHASE.recovery
    default:
      return false
  }
}

function meetsRequirements(view: AbilityView, row: number, requires: number): boolean {
  if (requires === 0) return true
  const { grounded, holds } = view.tables.things
  const isGrounded = grounded === undefined || grounded[row] !== 0
  if ((requires & REQUIRES.grounded) !== 0 && !isGrounded) return false
  if ((requires & REQUIRES.airborne) !== 0 && isGrounded) return false
  if ((requires & REQUIRES.holding) !== 0 && holds[row] === 0) return false
  return (requires & REQUIRES['free-hands']) === 0 || holds[row] === 0
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

/** What the caster may do by itself beside the ability that keeps it busy: a number of `CONTROL`. */
export function controlWhile(abilities: Abilities, view: AbilityView, row: number): number {
  const { things, casts } = view.tables
  const cast = findRow(casts, things.busyWith[row])
  if (cast < 0 || casts.leaving[cast] !== 0 || casts.phase[cast] === PHASE.waiting) return CONTROL.walk
  return abilities.list[casts.ability[cast]].control
}
