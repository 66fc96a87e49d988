import { exists, restore, snapshot, step } from 'hurtbox'
import { describe, expect, test } from 'vitest'
import { meaning } from '../meaning.ts'
import { combat, type NightThing, type NightWorld, SOURCE, SOURCES } from '../rules/declaration.ts'
import { addHazard } from '../rules/hazards.ts'
import { bullet, emptyField, enemy, join, play, projectile } from './support.ts'

// Categories and titles in quotes are those of the seed document. It counts seconds of i-frames down; here the column
// `invulnerableUntil` has the tick at which they end.

/** Ticks of protection left. */
function iframes(world: NightWorld, survivor: NightThing): number {
  return Math.max(0, survivor.invulnerableUntil - world.clock)
}

describe('player i-frames', () => {
  test('[NF7] should initialize player with zero i-frames', () => {
    const world = emptyField()
    expect(iframes(world, join(world))).toBe(0)
  })

  test('[NF7] should decrement i-frames over time', () => {
    const world = emptyField()
    const survivor = join(world)
    enemy(world, 405, 300)
    step(world)
    const atFirst = iframes(world, survivor)
    play(world, 30)
    expect([atFirst, iframes(world, survivor)]).toEqual([59, 29])
  })

  test('[NF7] should clamp i-frames at zero', () => {
    const world = emptyField()
    const survivor = join(world)
    enemy(world, 405, 300)
    play(world, 100)
    expect(iframes(world, survivor)).toBe(0)
  })

  test('[NF7] should activate i-frames after taking damage', () => {
    const world = emptyField()
    const survivor = join(world)
    const tick = world.clock
    enemy(world, 405, 300)
    step(world)
    expect(survivor.invulnerableUntil).toBe(tick + 60)
  })
})

describe('damage application', () => {
  test('[NF7] should damage player when i-frames are inactive', () => {
    const world = emptyField()
    const survivor = join(world)
    enemy(world, 405, 300, { touch: 15 })
    step(world)
    expect(survivor.hp).toBe(85)
  })

  test('[NF8] should NOT damage player when i-frames are active', () => {
    const world = emptyField()
    const survivor = join(world)
    survivor.invulnerableUntil = world.clock + 30
    enemy(world, 405, 300, { touch: 15 })
    step(world)
    expect([survivor.hp, survivor.invulnerableUntil]).toEqual([100, world.clock + 29])
  })

  test('[NF8] should take exactly 0 damage with active i-frames', () => {
    const world = emptyField()
    const survivor = join(world)
    survivor.invulnerableUntil = world.clock + 1000
    enemy(world, 405, 300, { touch: 1e9 })
    bullet(world, 400, 300)
    addHazard(world, { x: 400, y: 300, slot: 0 }, 0)
    play(world, 300)
    expect(survivor.hp).toBe(100)
  })

  test('[NF7] should allow damage after i-frames expire: set at T they block T + 1 … T + 59, and T + 60 hits', () => {
    const world = emptyField({ tuning: { survivorKnockback: 0 } })
    join(world)
    enemy(world, 405, 300)
    const hitTicks: number[] = []
    for (let i = 0; i < 130; i++) {
      const tick = world.tick
      step(world)
      if (world.events.damage.count > 0) hitTicks.push(tick)
    }
    expect(hitTicks).toEqual([1, 61, 121])
  })

  test('[NF7] should apply knockback to player: 100 px away from the enemy', () => {
    const world = emptyField()
    const survivor = join(world)
    enemy(world, 397, 296)
    step(world)
    expect(survivor.x).toBeCloseTo(460, 9)
    expect(survivor.y).toBeCloseTo(380, 9)
  })

  test('[NF8] should not apply knockback during i-frames', () => {
    const world = emptyField()
    const survivor = join(world)
    survivor.invulnerableUntil = world.clock + 30
    enemy(world, 405, 300)
    bullet(world, 395, 300)
    step(world)
    expect([survivor.x, survivor.y]).toEqual([400, 300])
  })

  test('[NF8] should damage enemies regardless of player i-frames', () => {
    const world = emptyField()
    join(world).invulnerableUntil = world.clock + 30
    const zombie = enemy(world, 100, 100)
    projectile(world, 100, 100)
    step(world)
    expect(zombie.hp).toBe(10)
  })

  test('[NF7] a bullet hurts by its damage, protects as long, and knocks back by 50 px', () => {
    const world = emptyField()
    const survivor = join(world)
    const shot = bullet(world, 395, 300)
    step(world)
    expect([survivor.hp, survivor.x, exists(shot)]).toEqual([93, 450, false])
    expect(iframes(world, survivor)).toBe(59)
  })

  test('[NF8] a bullet that meets i-frames flies on', () => {
    const world = emptyField()
    join(world).invulnerableUntil = world.clock + 30
    const shot = bullet(world, 395, 300)
    step(world)
    expect(exists(shot)).toBe(true)
  })
})

describe('damage events', () => {
  const hit = { tick: 0, n: 0, kind: 'hit', frame: 0, target: 1, damage: 1.26, source: 0 } as const

  test('[NF10] should generate damage event for player', () => {
    const world = emptyField()
    const survivor = join(world)
    enemy(world, 405, 300, { touch: 15 })
    step(world)
    const { hit } = world.events
    expect([hit.count, hit.target[0], hit.damage[0], hit.source[0]]).toEqual([1, survivor.id, 15, SOURCE.enemy])
  })

  test('[NF8] should not generate event for blocked damage', () => {
    const world = emptyField()
    join(world).invulnerableUntil = world.clock + 30
    enemy(world, 405, 300)
    step(world)
    expect([world.events.hit.count, world.events.damage.count]).toEqual([0, 0])
  })

  test('[NF10] should include frame number in damage events: the count before the tick', () => {
    const world = emptyField()
    join(world)
    play(world, 119)
    enemy(world, 405, 300)
    step(world)
    expect([world.events.hit.frame[0], world.tick]).toEqual([120, 121])
  })

  test('[NF10] the damage is what the target lost: less by armour, nothing through a shield, no more than there is', () => {
    const lost = (values: Partial<NightThing>, resist = 0) => {
      const world = emptyField()
      const zombie = enemy(world, 100, 100, { hp: 50 })
      Object.assign(zombie, values)
      zombie.armour.set(combat.type.physical, resist)
      projectile(world, zombie.x, zombie.y)
      step(world)
      expect(world.events.hit.count).toBe(1)
      return world.events.hit.damage[0]
    }
    expect([lost({}), lost({}, 0.2), lost({ shield: 30 }), lost({ shield: 4 }), lost({ hp: 3 })]).toEqual([
      10, 8, 0, 6, 3,
    ])
  })

  test('[NF10] in words the source is named', () => {
    const words = SOURCES.map((_, source) => meaning.events!.hit!.sentence!({ ...hit, source }, () => 'Ada'))
    expect(words).toEqual(['Ada loses 1.3 to a projectile', 'Ada loses 1.3 to an enemy', 'Ada loses 1.3 to a hazard'])
  })

  test('[NF10] the source is projectile, enemy or hazard', () => {
    const sources = [
      (world: NightWorld) => bullet(world, 395, 300),
      (world: NightWorld) => enemy(world, 395, 300),
      (world: NightWorld) => addHazard(world, { x: 395, y: 300, slot: 0 }, 0),
    ].map((add) => {
      const world = emptyField()
      join(world)
      add(world)
      step(world)
      return world.events.hit.source[0]
    })
    expect(sources).toEqual([SOURCE.projectile, SOURCE.enemy, SOURCE.hazard])
  })
})

describe('integration with the world loop', () => {
  test('[NF7] should update i-frames during world step', () => {
    const world = emptyField()
    const survivor = join(world)
    survivor.invulnerableUntil = world.clock + 3
    const left = [1, 2, 3, 4].map(() => {
      step(world)
      return iframes(world, survivor)
    })
    expect(left).toEqual([2, 1, 0, 0])
  })

  test('[NF10] should accumulate damage events: the latest 64 are in the state, bounded, and rolled back', () => {
    const world = emptyField()
    const before = snapshot(world)
    const zombie = enemy(world, 100, 100, { hp: 1e6 })
    zombie.knockbackResistance = 1
    for (let i = 0; i < 70; i++) {
      projectile(world, 100, 100, { damage: i + 1 })
      step(world)
    }
    const { globals, arrays } = world
    expect([arrays.recentTick.length, globals.recentCount, globals.hits]).toEqual([64, 70, 70])
    // The ring is written round: the 70th is at place 69 % 64, the oldest left at the place after it.
    const recent = [5, 6].map((at) => [
      arrays.recentTick[at],
      arrays.recentVictim[at],
      arrays.recentSource[at],
      arrays.recentType[at],
      arrays.recentTaken[at],
    ])
    expect(recent).toEqual([
      [69, zombie.id, 71, 0, 70],
      [6, zombie.id, 8, 0, 7],
    ])
    restore(world, before)
    expect([globals.recentCount, ...arrays.recentTaken].every((value) => value === 0)).toBe(true)
  })

  test('[NF9] should handle multiple enemies damaging player: five at once give one event, 95 hp and 100 px', () => {
    const world = emptyField()
    const survivor = join(world)
    const first = enemy(world, 395, 300)
    for (const x of [396, 397, 403, 404]) enemy(world, x, 300, { touch: 9 })
    step(world)
    expect([world.events.damage.count, world.events.damage.attacker[0]]).toEqual([1, first.id])
    expect([survivor.hp, survivor.x]).toEqual([95, 500])
  })

  test('[NF40] health never goes below 0: a survivor without health falls once and is not hurt any more', () => {
    const world = emptyField({ tuning: { iframes: 0, survivorKnockback: 0 } })
    const [survivor] = [join(world), join(world, 1)]
    enemy(world, 400, 300, { touch: 60 })
    let falls = 0
    for (let i = 0; i < 5; i++) {
      step(world)
      falls += world.events.fell.count
    }
    expect([survivor.hp, falls]).toEqual([0, 1])
  })
})
