/**
 * Frame data: what players of fighting games want to know of every move, read from the content itself.
 *
 * Not for a tick: it makes objects, for tables and panels.
 */

import type { Abilities } from './abilities.ts'
import type { Ability } from './compile.ts'
import { ON } from './content.ts'
import type { Effect } from './effect.ts'

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
   * `undefined` for what hits nobody.
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
  const effects = ability.effects.filter((effect) => ((effect.steps >>> step) & 1) !== 0)
  const hitting = effects.filter(({ kind }) => kind === 'melee' || kind === 'projectile' || kind === 'area')
  const onHit = effects.filter(({ on, toCaster }) => on === ON.hit && !toCaster)
  const damage = onHit.filter(({ kind }) => kind === 'damage').reduce((sum, { amount }) => sum + amount, 0)
  const { name, startup, active, recovery, cooldown } = ability
  return {
    ability: name,
    step,
    startup,
    active,
    recovery,
    cooldown,
    advantage: hitting.length === 0 ? undefined : advantageOf(ability, hitting, onHit),
    damage,
    reach: hitting.length === 0 ? undefined : Math.max(...hitting.map((effect) => reachOf(effect, tickRate))),
  }
}

/** The victim's stun less what the attacker has still to do. Hit stop holds both alike, but nobody far from its projectile. */
function advantageOf({ active, recovery }: Ability, hitting: readonly Effect[], onHit: readonly Effect[]): number {
  const first = Math.min(...hitting.map(({ at }) => at))
  const isMelee = hitting.some(({ kind }) => kind === 'melee')
  const stuns = onHit.filter(({ kind }) => kind === 'stun').map(({ ticks, stop }) => ticks + (isMelee ? 0 : stop))
  // Who is grabbed waits for its holder.
  const grabs = onHit.filter(({ kind }) => kind === 'grab').map(({ ticks }) => ticks)
  return Math.max(0, ...stuns, ...grabs) - (active - first - 1 + recovery)
}

function reachOf({ kind, ahead, amount, life, radius, volume, sector }: Effect, tickRate: number): number {
  if (kind === 'projectile') return ahead + radius + (amount * (life - 1)) / tickRate
  if (kind === 'area') return ahead + radius
  return sector === undefined ? volume!.offsetX + Math.abs(volume!.halfX) + volume!.radius : volume!.halfX
}
