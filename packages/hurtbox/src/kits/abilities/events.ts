/** Events of abilities. Written by column: several of them are emitted in a tick, and none makes an object. */

import { addRow } from '../../state/table.ts'
import type { Use } from './effect.ts'
import type { AbilityWorld } from './world.ts'

export function emitCast({ events }: AbilityWorld, caster: number, ability: number, step: number): void {
  const { cast } = events
  const event = addRow(cast)
  if (event < 0) return
  cast.caster[event] = caster
  cast.ability[event] = ability
  cast.step[event] = step
}

export function emitWhiff({ events }: AbilityWorld, caster: number, ability: number, step: number): void {
  const { whiff } = events
  const event = addRow(whiff)
  if (event < 0) return
  whiff.caster[event] = caster
  whiff.ability[event] = ability
  whiff.step[event] = step
}

export function emitInterrupt({ events }: AbilityWorld, caster: number, ability: number): void {
  const { interrupt } = events
  const event = addRow(interrupt)
  if (event < 0) return
  interrupt.caster[event] = caster
  interrupt.ability[event] = ability
}

export function emitStrike(use: Use, victim: { readonly id: number }, isBlocked: boolean): void {
  const { strike } = use.world.events
  const { source, caster } = use
  const event = addRow(strike)
  if (event < 0) return
  strike.attacker[event] = caster === undefined ? source.owner : caster.id
  strike.victim[event] = victim.id
  strike.source[event] = source.id
  strike.ability[event] = use.ability
  strike.step[event] = use.step
  strike.blocked[event] = isBlocked ? 1 : 0
}
