/**
 * Frame data: what players of fighting games want to know about every move, read from the content itself.
 *
 * Not for a tick: it makes objects, for tables and panels.
 */

import type { Abilities } from './abilities.ts'
import type { Ability } from './compile.ts'
import { type Effect, isInStep } from './effect.ts'

export type FrameData = {
  readonly ability: string
  readonly step: number
  /** Ticks, as in the content. */
  readonly startup: number
  readonly active: number
  readonly recovery: number
  readonly cooldown: number
  /**
   * How many ticks earlier than its victim the attacker can act again, if it hits in the first tick it can. Negative: later.
   * `undefined` for what cannot hit.
   */
  readonly advantage: number | undefined
  readonly damage: number
  /** How far ahead of the middle of the caster it hits the surface of a body, in units of the world. */
  readonly reach: number | undefined
}

/** A row for each step of each ability, in the order of the content. */
export function frameData(abilities: Abilities, tickRate: number): FrameData[] {
  return abilities.list.flatMap((ability) =>
    Array.from({ length: ability.steps }, (_, i) => frameDataOf(ability, i + 1, tickRate)),
  )
}

function frameDataOf(ability: Ability, step: number, tickRate: number): FrameData {
  const effects = ability.effects.filter((effect) => isInStep(effect, step))
  const hitting = effects.filter(({ record }) => record.reach !== undefined)
  const onHit = effects.filter(({ on, toCaster }) => on === 'hit' && !toCaster)
  const { name, startup, active, recovery, cooldown } = ability
  const canHit = hitting.length > 0
  return {
    ability: name,
    step,
    startup,
    active,
    recovery,
    cooldown,
    advantage: canHit ? advantageOf(ability, hitting, onHit) : undefined,
    damage: onHit.reduce((sum, effect) => sum + (effect.record.damage?.(effect) ?? 0), 0),
    reach: canHit ? Math.max(...hitting.map((effect) => effect.record.reach!(effect, tickRate))) : undefined,
  }
}

/** How long the victim cannot act, less what the attacker has still to do. */
function advantageOf({ active, recovery }: Ability, hitting: readonly Effect[], onHit: readonly Effect[]): number {
  const first = Math.min(...hitting.map(({ at, delay }) => at + delay))
  const isMelee = hitting.some(({ kind }) => kind === 'melee')
  const disabled = onHit.map((effect) => effect.record.disables?.(effect, isMelee) ?? 0)
  return Math.max(0, ...disabled) - (active - first - 1 + recovery)
}
