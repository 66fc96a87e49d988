/** The champions' abilities in the words of `hurtbox/abilities`: ticks for seconds, an effect for each thing they do. */

import { type Abilities, type AbilitySpec, defineAbilities, type EffectSpec } from 'hurtbox/abilities'
import { toTicks } from 'hurtbox/math'
import { type Ability, type Blow, CHAMPIONS } from './champions.ts'
import { KIND } from './units.ts'

/** A knockback covers its way in this time. */
const THROW_SECONDS = 0.2

/** The abilities at a tick rate, two of each champion in their order: the number of one is champion × 2 + 0 or 1. */
export function abilitiesAt(tickRate: number, damageTypes: readonly string[]): Abilities<string, never> {
  const list = CHAMPIONS.flatMap(({ abilities }) => abilities)
  return defineAbilities({
    source: 'games/siege/rules/content/champions.ts',
    abilities: Object.fromEntries(list.map((ability) => [ability.name, specOf(ability, tickRate)])),
    // A champion has two of the ten, so the game itself finds out which a press means.
    slots: {},
    damageTypes,
    projectile: { kind: KIND.missile, layer: 'blow' },
    area: { kind: KIND.burst, layer: 'blow' },
    shieldsStop: 'damage',
    capacity: 64,
  })
}

/** Nothing has a startup or a recovery: champions cast while they walk. A dash lasts as long as it goes. */
function specOf(ability: Ability, tickRate: number): AbilitySpec {
  const ticks = (seconds: number) => toTicks(seconds, tickRate)
  const spec = { startup: 0, active: 0, recovery: 0, cooldown: ticks(ability.cooldown) }
  switch (ability.effect) {
    case 'missile':
      return { ...spec, effects: [...missiles(ability, ticks), ...onHit(ability, ticks)] }
    case 'dash': {
      const { speed, range, radius } = ability
      const active = ticks(range / speed)
      const dash: EffectSpec = { on: 'cast', dash: { speed, ticks: active } }
      if (radius === 0) return { ...spec, effects: [dash] }
      const passing: EffectSpec = { on: 'active', melee: { sphere: { radius } } }
      return { ...spec, active, superArmor: true, effects: [dash, passing, ...onHit(ability, ticks)] }
    }
    case 'burst': {
      const { radius, range, delay } = ability
      const area = { radius, life: 1, delay: ticks(delay), aim: range }
      return { ...spec, effects: [{ on: 'cast', area }, ...onHit(ability, ticks)] }
    }
    case 'shield': {
      const { amount, amountPerLevel: perLevel, duration } = ability
      return { ...spec, effects: [{ on: 'cast', shield: { amount, perLevel, ticks: ticks(duration) } }] }
    }
  }
}

type Ticks = (seconds: number) => number

/** A fan of them, if there are several. */
function missiles(ability: Extract<Ability, { effect: 'missile' }>, ticks: Ticks): EffectSpec[] {
  const { count = 1, spread = 0, speed, range, radius, pierce = 0 } = ability
  return Array.from({ length: count }, (_, i) => {
    const turn = (i - (count - 1) / 2) * spread
    return { on: 'cast', projectile: { speed, radius, life: ticks(range / speed), turn, pierce } }
  })
}

function onHit({ damage, damagePerLevel: perLevel, stun = 0, slow, knockback }: Blow, ticks: Ticks): EffectSpec[] {
  const effects: EffectSpec[] = [{ on: 'hit', damage: { amount: damage, perLevel, type: 'magic' } }]
  const launch = knockback === undefined ? 0 : ticks(THROW_SECONDS)
  if (stun > 0 || launch > 0) effects.push({ on: 'hit', stun: { ticks: ticks(stun), launch } })
  if (slow !== undefined) effects.push({ on: 'hit', slow: { ticks: ticks(slow) } })
  if (knockback !== undefined) {
    effects.push({ on: 'hit', force: { frame: 'away', along: [1, 0, 0], speed: knockback / THROW_SECONDS } })
  }
  return effects
}
