import { despawn, each, eventsOf, exists, step } from 'hurtbox'
import { describe, expect, test } from 'vitest'
import { WEAPONS } from '../rules/content/weapons.ts'
import { combat, KIND, type NightThing, type NightWorld } from '../rules/declaration.ts'
import { allOf, disarm, enemy, give, type Inputs, join, play, player, quietNight, reload } from './support.ts'

/** A quiet night whose survivor carries only this weapon, at this level. */
function armed(weapon: string, level = 1): NightWorld {
  const world = quietNight({ tuning: { survivorHp: 1e6, survivorKnockback: 0, bulletKnockback: 0, gemWorth: 0 } })
  join(world)
  for (const shot of each(world, 'projectile')) despawn(shot)
  disarm(world)
  give(world, weapon, level)
  reload(world)
  return world
}

/** Clock values at which the weapon went off. */
function shotsOf(world: NightWorld, ticks: number, input: () => Inputs = () => ({})): number[] {
  const clocks: number[] = []
  for (let i = 0; i < ticks; i++) {
    const { clock } = world
    step(world, input())
    if (world.events.fired.count > 0) clocks.push(clock)
  }
  return clocks
}

function newest(world: NightWorld, kind: number = KIND.projectile): NightThing {
  return allOf(world, kind).at(-1)!
}

describe('the starter', () => {
  test('[NF28] it fires in the first tick and then every half second', () => {
    expect(shotsOf(quietNight(), 3)).toEqual([])
    const world = quietNight()
    const clocks = [0]
    step(world, { controls: [{ control: 'join', seat: 0 }] })
    expect(world.events.fired.count).toBe(1)
    clocks.push(...shotsOf(world, 100))
    expect(clocks).toEqual([0, 30, 60, 90])
  })

  test('[NF28] its shot has 10 damage and 3 px, flies 300 px a second, and is gone after 2 s', () => {
    const world = armed('starter')
    step(world, { players: [{ seat: 0, aimX: 0, aimY: 1 }] })
    const shot = newest(world)
    expect(shot).toMatchObject({ damage: 10, radius: 3, vx: 0, vy: 300, x: 400, y: 305 })
    play(world, 119)
    expect(exists(shot)).toBe(true)
    step(world)
    expect(exists(shot)).toBe(false)
  })

  test('[NF28] it goes where the player aims, else to the nearest enemy, else where the survivor looks', () => {
    const velocity = (input: Inputs, hasEnemy: boolean) => {
      const world = armed('starter')
      if (hasEnemy) enemy(world, 400, 100)
      step(world, input)
      const { vx, vy } = newest(world)
      return [Math.round(vx), Math.round(vy)]
    }
    expect(velocity({ players: [{ seat: 0, aimX: -1 }] }, true)).toEqual([-300, 0])
    expect(velocity({}, true)).toEqual([0, -300])
    expect(velocity({ players: [{ seat: 0, moveX: -1, moveY: 0 }] }, false)).toEqual([-300, 0])
    expect(velocity({}, false)).toEqual([300, 0])
  })

  test('[NF28] the fallen do not fire', () => {
    const world = armed('starter')
    const survivor = player(world).thing!
    join(world, 1)
    disarm(world)
    give(world, 'starter')
    survivor.hp = 0
    reload(world)
    expect(shotsOf(world, 60)).toEqual([])
  })
})

describe('patterns', () => {
  test('[NF29] a volley fans out around its aim', () => {
    const world = armed('starter', 3)
    step(world, { players: [{ seat: 0, aimX: 1, aimY: 0 }] })
    const shots = allOf(world, KIND.projectile)
    expect(shots.map(({ damage }) => damage)).toEqual([18, 18])
    expect(shots[0].vy).toBeCloseTo(-shots[1].vy, 9)
    expect(shots[1].vy / shots[1].vx).toBeCloseTo(0.075, 3)
  })

  test('[NF29] a piercing arrow passes through four and is spent by the fifth, hitting none twice', () => {
    const world = armed('bow')
    const ids = [1, 2, 3, 4, 5, 6].map((i) => enemy(world, 430 + 30 * i, 300, { name: 'boss', hp: 100 }))
    step(world)
    disarm(world)
    const shot = newest(world)
    play(world, 40)
    // 20 % less by the armour of a boss.
    expect(ids.map((id) => 100 - id.hp)).toEqual([11.2, 11.2, 11.2, 11.2, 11.2, 0].map((n) => expect.closeTo(n, 9)))
    expect(exists(shot)).toBe(false)
  })

  test('[NF30] an axe flies out, turns after a second, is caught, and hits on both ways', () => {
    const world = armed('axe')
    const boss = enemy(world, 520, 300, { name: 'boss', hp: 1000 })
    step(world)
    disarm(world)
    const axe = newest(world, KIND.strike)
    const hits: number[] = []
    let furthest = 0
    for (let i = 1; i < 400 && exists(axe); i++) {
      step(world)
      if (exists(axe)) furthest = Math.max(furthest, axe.x)
      if (world.events.damage.count > 0) hits.push(world.clock)
    }
    expect(furthest).toBeCloseTo(650, 0)
    // Out and back: 250 px each way at 250 px a second.
    expect(world.clock).toBeGreaterThan(115)
    expect(world.clock).toBeLessThan(125)
    expect(hits.length).toBeGreaterThanOrEqual(2)
    expect(boss.hp).toBe(1000 - 16 * hits.length)
  })

  test('[NF30] it returns to a running survivor', () => {
    const world = armed('axe')
    step(world)
    disarm(world)
    const axe = newest(world, KIND.strike)
    play(world, 239, () => ({ players: [{ seat: 0, moveX: -1 }] }))
    expect(exists(axe)).toBe(false)
  })

  test('[NF31] books circle at 70 px, evenly, as many as the level says, and hit again after half a second', () => {
    const world = armed('bible', 2)
    const boss = enemy(world, 470, 300, { name: 'boss', hp: 1000 })
    play(world, 5)
    const books = allOf(world, KIND.strike)
    expect(books.length).toBe(2)
    const survivor = player(world).thing!
    const [[x, y], [otherX, otherY]] = books.map((book) => [book.x - survivor.x, book.y - survivor.y])
    expect(Math.sqrt(x * x + y * y)).toBeCloseTo(70, 9)
    expect([x + otherX, y + otherY].every((sum) => Math.abs(sum) < 1e-9)).toBe(true)
    const hits = [0, 0]
    for (let i = 0; i < 600; i++) {
      step(world)
      for (const { source } of eventsOf(world, 'damage')) hits[source === books[0].id ? 0 : 1]++
    }
    expect(boss.hp).toBeLessThan(1000)
    // 10 s are 3.2 rounds; a book is on the boss for less than half a second each time, and there are two of them.
    for (const count of hits) expect(Math.abs(count - 5)).toBeLessThanOrEqual(3)
    expect(allOf(world, KIND.strike).length).toBe(2)
  })

  test('[NF31] books leave with their survivor', () => {
    const world = armed('bible', 3)
    play(world, 5)
    expect(allOf(world, KIND.strike).length).toBe(3)
    join(world, 1)
    const survivor = player(world).thing!
    survivor.hp = 1
    survivor.invulnerableUntil = 0
    enemy(world, 400, 300)
    play(world, 2)
    expect(allOf(world, KIND.strike)).toEqual([])
  })

  test('[NF32] an aura hits every enemy within 80 px at once, every 0.3 s, without knockback', () => {
    const world = armed('aura')
    const [near, edge, far] = [450, 487, 489].map((x) => enemy(world, x, 300, { hp: 100 }))
    expect(shotsOf(world, 40)).toEqual([1, 19, 37])
    expect([near, edge, far].map(({ hp }) => hp)).toEqual([91, 91, 100])
    expect(near.x).toBe(450)
  })

  test('[NF33] a whip sweeps 120 degrees and 100 px, and hits every enemy in it', () => {
    const world = armed('whip')
    const places = [
      [490, 300],
      [440, 360],
      [400, 360],
      [310, 300],
      [520, 300],
    ]
    const ids = places.map(([x, y]) => enemy(world, x, y, { name: 'swarm', hp: 100 }))
    step(world, { players: [{ seat: 0, aimX: 1 }] })
    expect(ids.map(({ hp }) => hp)).toEqual([85, 85, 100, 100, 100])
  })

  test('[NF34] lightning leaps from one enemy to the next, never twice to the same, and keeps its charge without a target', () => {
    const world = armed('lightning')
    const ids = [500, 620, 740, 860].map((x) => enemy(world, x, 300, { hp: 100 }))
    step(world)
    expect(ids.map(({ hp }) => hp)).toEqual([75, 75, 75, 100])
    const alone = armed('lightning')
    expect(shotsOf(alone, 10)).toEqual([])
    const [only] = [enemy(alone, 500, 300, { hp: 100 }), enemy(alone, 700, 300, { hp: 100 })]
    expect(shotsOf(alone, 10)).toEqual([11])
    expect(only.hp).toBe(75)
  })

  test('[NF34] a link strikes its target and no other enemy in the same place', () => {
    const world = armed('lightning')
    const ids = [500, 500, 500, 500].map((x) => enemy(world, x, 300, { hp: 100 }))
    step(world)
    expect(ids.map(({ hp }) => hp)).toEqual([75, 75, 75, 100])
  })
})

describe('weapons and perks', () => {
  test('[NF28] every weapon that can be drafted hurts', () => {
    for (const { name, rarity } of WEAPONS) {
      if (rarity === 'never') continue
      const world = armed(name)
      for (const y of [235, 300, 365]) enemy(world, 460, y, { name: 'boss', hp: 1000 })
      play(world, 200)
      expect(
        world.arrays.damageByType.reduce((sum, taken) => sum + taken),
        name,
      ).toBeGreaterThan(0)
    }
  })

  /** Columns of the newest shot of a starter whose owner has a perk. */
  function shotWith(perk: string, levels: number) {
    const world = armed('starter')
    give(world, perk, levels)
    step(world, { players: [{ seat: 0, aimX: 1 }] })
    const { damage, vx, vy, radius, pierceLeft, doublePercent } = newest(world)
    const speed = Math.round(Math.sqrt(vx ** 2 + vy ** 2))
    const shots = allOf(world, KIND.projectile).length
    return { shots, damage, speed, radius, pierceLeft, doublePercent, cooldown: player(world).readyAt.get(0) - 1 }
  }

  test.each([
    ['power', 2, { damage: 14 }],
    ['haste', 5, { cooldown: 20 }],
    ['volley', 2, { shots: 3 }],
    ['velocity', 1, { speed: 360 }],
    ['size', 1, { radius: expect.closeTo(3.9, 9) }],
    ['luck', 4, { doublePercent: 20 }],
    ['pierce', 2, { pierceLeft: 2 }],
  ] as const)('[NF35] %s, level %d', (perk, levels, changed) => {
    const plain = { shots: 1, damage: 10, speed: 300, radius: 3, pierceLeft: 0, doublePercent: 0, cooldown: 30 }
    expect(shotWith(perk, levels)).toEqual({ ...plain, ...changed })
  })

  test('[NF35] luck: so many hits in a hundred do twice the damage', () => {
    const world = armed('starter')
    disarm(world)
    const boss = enemy(world, 600, 300, { name: 'boss', hp: 1e9 })
    give(world, 'luck', 4)
    give(world, 'starter')
    const twice = 20 * (1 - boss.armour.get(combat.type.physical))
    let doubles = 0
    let hits = 0
    for (let i = 0; i < 30 * 300; i++) {
      step(world)
      for (const { damage } of eventsOf(world, 'hit')) {
        hits++
        if (damage === twice) doubles++
      }
    }
    // Some are stopped by its bullets.
    expect(hits).toBeGreaterThan(200)
    expect(Math.abs(doubles / hits - 0.2)).toBeLessThan(4 * Math.sqrt((0.2 * 0.8) / hits))
    expect(exists(boss)).toBe(true)
  })

  test('[NF35] swift, vitality, regeneration and armour are for the survivor', () => {
    const world = quietNight()
    const survivor = join(world)
    for (const perk of ['swift', 'vitality', 'regeneration', 'armour']) give(world, perk, 2)
    expect(survivor.hp).toBe(140)
    play(world, 60, () => ({ players: [{ seat: 0, moveX: 1 }] }))
    expect(survivor.x).toBeCloseTo(400 + 195, 6)
    enemy(world, survivor.x, 300, { touch: 50 })
    step(world)
    // A fifth of 50 is kept off.
    expect(survivor.hp).toBeCloseTo(100, 6)
    play(world, 60)
    expect(survivor.hp).toBeCloseTo(102, 6)
  })
})
