/**
 * A strike: what a window, a projectile or an area does to whom it meets.
 *
 * These are the bodies of a game's rules. They speak to the outcome, so a hit is admitted or refused as a whole, and what
 * needs more than columns (ending casts, shifting timers, starting sub-abilities) is left to `settleHits` and the next tick.
 */

import { FOREVER } from '../collide/book.ts'
import type { Contact, Outcome, Verdict } from '../collide/rule.ts'
import { type CombatView, hurt } from '../combat/damage.ts'
import { overlaps } from '../shapes/overlap.ts'
import { type Pose, pose } from '../shapes/pose.ts'
import { type ConvexShape, circle } from '../shapes/shape.ts'
import { addRow, findRow } from '../table.ts'
import type { Abilities } from './abilities.ts'
import { SETS_PER_SWING } from './casts.ts'
import type { Ability } from './compile.ts'
import { ON, STAT } from './content.ts'
import type { Effect } from './effect.ts'
import { aim, push } from './force.ts'
import { effectOf } from './missiles.ts'
import { buffAt, buffed } from './stats.ts'
import { findWindow, look, turnTo, window } from './windows.ts'
import type { AbilityView } from './world.ts'

export type StrikeView = AbilityView & CombatView

/** The hit set that a contact belongs to, for `attack` of a rule with the gate `already-hit`. */
export function attackOf(abilities: Abilities, view: StrikeView, contact: Contact): number {
  const { things, casts } = view.tables
  const { attacker, attackerPart } = contact
  if (things.ability[attacker] !== 0) return things.swing[attacker] * SETS_PER_SWING
  if (!findWindow(abilities, view, attacker, attackerPart)) return 0
  return casts.swing[window.cast] * SETS_PER_SWING + window.effect!.group
}

/** Decides a contact of a hitbox or projectile with a body: all effects that its ability has on a hit. */
export function strike(abilities: Abilities, view: StrikeView, contact: Contact, outcome: Outcome): Verdict {
  const { things, casts } = view.tables
  const { attacker, victim, attackerPart } = contact
  const isMissile = things.ability[attacker] !== 0
  if (!isMissile) {
    if (!findWindow(abilities, view, attacker, attackerPart)) return 'no window'
    if (window.effect!.sector !== undefined && !isInSector(view, attacker, victim)) return 'outside the arc'
  }
  const { cast } = window
  const caster = isMissile ? findRow(things, things.owner[attacker]) : attacker
  const step = isMissile ? things.abilityStep[attacker] : casts.step[cast]
  const depth = isMissile ? things.abilityDepth[attacker] : casts.depth[cast]
  const ability = abilities.list[isMissile ? things.ability[attacker] - 1 : casts.ability[cast]]
  const released = isMissile ? effectOf(abilities, view, attacker) : window.effect!

  const blocked = damage(view, outcome, ability, step, attacker, caster, victim)
  const { effects } = ability
  for (let i = 0; i < effects.length; i++) {
    const effect = effects[i]
    if (effect.on !== ON.hit || ((effect.steps >>> step) & 1) === 0) continue
    if (effect.toCaster) {
      if (caster >= 0) happenTo(abilities, view, outcome, effect, attacker, caster, caster, depth)
    } else if (!blocked) {
      happenTo(abilities, view, outcome, effect, attacker, caster, victim, depth)
    }
  }

  if (isMissile) outcome.add(things.strikes, attacker, 1)
  else outcome.add(casts.strikes, cast, 1)
  if (released.kind === 'projectile' && things.pierceLeft[attacker] === 0) {
    outcome.despawn(attacker)
  } else {
    if (released.kind === 'projectile') outcome.add(things.pierceLeft, attacker, -1)
    outcome.remember(released.every !== 0 ? view.clock + released.every : isMissile ? things.endsAt[attacker] : FOREVER)
  }
  tellStrike(view, attacker, caster, victim, ability, step, blocked)
  return 'hit'
}

/** The damage of a hit comes first: whether a shield holds decides about everything else. */
function damage(
  view: StrikeView,
  outcome: Outcome,
  ability: Ability,
  step: number,
  attacker: number,
  caster: number,
  victim: number,
): boolean {
  const { things } = view.tables
  const who = caster < 0 ? things.owner[attacker] : things.id[caster]
  const factor = caster < 0 ? 1 : buffed(view, caster, STAT.damage)
  const wasShielded = outcome.now(things.shield, victim) > 0
  for (let i = 0; i < ability.effects.length; i++) {
    const { kind, on, steps, amount, what, toCaster } = ability.effects[i]
    if (kind !== 'damage' || on !== ON.hit || ((steps >>> step) & 1) === 0) continue
    const hit = toCaster ? caster : victim
    if (hit >= 0) hurt(view, outcome, hit, amount * factor, what, who, things.id[attacker])
  }
  return wasShielded && outcome.now(things.shield, victim) > 0
}

/** One effect of a hit, but for its damage, on the thing in row `target`. */
function happenTo(
  abilities: Abilities,
  view: StrikeView,
  outcome: Outcome,
  effect: Effect,
  source: number,
  caster: number,
  target: number,
  depth: number,
): void {
  const { things } = view.tables
  const { clock } = view
  switch (effect.kind) {
    case 'force':
    case 'pull':
      applyForce(abilities, view, outcome, effect, source, caster, target)
      return
    case 'stun':
      prolong(outcome, things.stunnedUntil, target, clock + 1 + effect.ticks)
      if (effect.launch > 0) prolong(outcome, things.launchedUntil, target, clock + 1 + effect.launch)
      if (effect.stop === 0) return
      prolong(outcome, things.stopFor, target, effect.stop)
      // A caster far away from its projectile's hit goes on undisturbed.
      if (caster === source) prolong(outcome, things.stopFor, caster, effect.stop)
      return
    case 'shield':
      outcome.put(things.shield, target, effect.amount)
      outcome.put(things.shieldUntil, target, effect.ticks === 0 ? 0 : clock + effect.ticks)
      return
    case 'buff':
      outcome.put(things.buffFactor, buffAt(target, effect.what), effect.amount)
      outcome.put(things.buffUntil, buffAt(target, effect.what), clock + effect.ticks)
      return
    case 'grab':
      if (caster < 0 || outcome.now(things.holds, caster) !== 0 || outcome.now(things.heldBy, target) !== 0) return
      outcome.put(things.holds, caster, things.id[target])
      outcome.put(things.heldBy, target, things.id[caster])
      outcome.put(things.heldUntil, target, clock + 1 + effect.ticks)
      return
    case 'ability':
      if (caster < 0) return
      outcome.put(things.queued, caster, effect.what + 1)
      outcome.put(things.queuedDepth, caster, depth + 1)
  }
}

function applyForce(
  abilities: Abilities,
  view: StrikeView,
  outcome: Outcome,
  effect: Effect,
  source: number,
  caster: number,
  target: number,
): void {
  const { vx, vy, vz } = view.tables.things
  aim(view, effect, source, target, abilities.wear)
  const power = caster < 0 || effect.toCaster ? 1 : buffed(view, caster, STAT.force)
  outcome.add(vx, target, push.x * power)
  outcome.add(vy, target, push.y * power)
  if (vz !== undefined) outcome.add(vz, target, push.z * power)
}

/** A shorter time never ends a longer one. */
function prolong(
  outcome: Outcome,
  column: { readonly [index: number]: number; readonly length: number },
  row: number,
  value: number,
): void {
  if (value > outcome.now(column, row)) outcome.put(column, row, value)
}

/** Scratch: each is written before it is read. */
const attackerPose: Pose = pose(0, 0)
const victimPose: Pose = pose(0, 0)
const body: { -readonly [K in keyof ConvexShape]: ConvexShape[K] } = { ...circle(1.5) }

/** Whether a body reaches into the sector of an arc, seen from above, where its caster is now. The heights have met already. */
function isInSector(view: AbilityView, attacker: number, victim: number): boolean {
  const { x, y, radius } = view.tables.things
  turnTo(view, window.cast, attacker, window.sample)
  attackerPose.x = x[attacker]
  attackerPose.y = y[attacker]
  attackerPose.facingX = look.x
  attackerPose.facingY = look.y
  victimPose.x = x[victim]
  victimPose.y = y[victim]
  body.radius = radius[victim]
  body.boundRadius = radius[victim]
  return overlaps(window.effect!.sector!, attackerPose, body, victimPose, true)
}

function tellStrike(
  view: StrikeView,
  attacker: number,
  caster: number,
  victim: number,
  ability: Ability,
  step: number,
  blocked: boolean,
): void {
  const { things } = view.tables
  const { strike: told } = view.events
  const event = addRow(told)
  if (event < 0) return
  told.attacker[event] = caster < 0 ? things.owner[attacker] : things.id[caster]
  told.victim[event] = things.id[victim]
  told.source[event] = things.id[attacker]
  told.ability[event] = ability.number
  told.step[event] = step
  told.blocked[event] = blocked ? 1 : 0
}
