import { exists, step } from 'hurtbox'
import { printLayers } from 'hurtbox/tools'
import { describe, expect, test } from 'vitest'
import { ENEMIES, type EnemyName } from '../rules/content/enemies.ts'
import { combat, KIND, type NightWorld } from '../rules/declaration.ts'
import { nightfall } from '../rules/index.ts'
import { allOf, emptyField, enemy, join, play, projectile } from './support.ts'

describe('enemies', () => {
  test('[NF25] an enemy walks straight at the survivor, at its speed', () => {
    const world = emptyField()
    join(world)
    const zombie = enemy(world, 100, 700, { speed: 60 })
    step(world)
    // (300, -400) is 500 long.
    expect(zombie.x).toBeCloseTo(100 + 0.6, 9)
    expect(zombie.y).toBeCloseTo(700 - 0.8, 9)
  })

  test('[NF25] it goes for the nearest standing survivor; without survivors it stays', () => {
    const world = emptyField()
    const [near, far] = [join(world), join(world, 1)]
    near.x = 300
    far.x = 500
    const zombie = enemy(world, 250, 300, { speed: 60 })
    step(world)
    expect(zombie.x).toBe(251)
    near.hp = 0
    far.x = 100
    step(world)
    expect(zombie.x).toBe(250)
    far.hp = 0
    step(world)
    expect(zombie.x).toBe(250)
  })

  test('[NF25] enemies do not push each other, and one that is on its survivor stays there', () => {
    const world = emptyField({ tuning: { survivorKnockback: 0 } })
    join(world)
    const both = [enemy(world, 400, 300, { speed: 50 }), enemy(world, 400, 300, { speed: 50 })]
    play(world, 10)
    expect(both.flatMap(({ x, y }) => [x, y])).toEqual([400, 300, 400, 300])
  })
})

describe('guns', () => {
  /** Ticks in which bullets appeared, and how many. */
  function volleys(world: NightWorld, ticks: number): [tick: number, bullets: number][] {
    const fired: [number, number][] = []
    let before = 0
    for (let i = 0; i < ticks; i++) {
      const tick = world.clock
      step(world)
      const bullets = allOf(world, KIND.bullet).length
      if (bullets > before) fired.push([tick, bullets - before])
      before = bullets
    }
    return fired
  }

  test('[NF26] a ranged enemy shoots within 300 px every 2 s, up to 0.2 s sooner or later', () => {
    const world = emptyField({ tuning: { survivorHp: 1e6, survivorSpeed: 0, bulletKnockback: 0, bulletLife: 0.5 } })
    join(world)
    enemy(world, 690, 300, { name: 'ranged', touch: 5 })
    const fired = volleys(world, 1300)
    expect(fired[0]).toEqual([121, 1])
    const gaps = fired.slice(1).map(([tick], i) => tick - fired[i][0])
    expect(gaps.length).toBeGreaterThan(7)
    for (const gap of gaps) expect(Math.abs(gap - 120)).toBeLessThanOrEqual(12)
    expect(Math.max(...gaps) - Math.min(...gaps)).toBeGreaterThan(6)
  })

  test('[NF26] out of range it waits for its next turn, and others have no gun', () => {
    const world = emptyField()
    join(world)
    enemy(world, 701, 300, { name: 'ranged' })
    for (const name of ['zombie', 'fast', 'tank', 'swarm', 'shielded'] as const) enemy(world, 600, 300, { name })
    expect(volleys(world, 600)).toEqual([])
  })

  test('[NF26] a bullet flies at the survivor, hurts half as much again as a touch, rounded down, and lives 3 s', () => {
    const world = emptyField()
    join(world)
    const shooter = enemy(world, 400, 20, { name: 'ranged', touch: 7 })
    play(world, 121)
    const [{ damage, radius, owner, endsAt, vx, vy }] = allOf(world, KIND.bullet)
    expect([damage, radius, owner, endsAt]).toEqual([10, 4, shooter.id, 121 + 180])
    expect(Math.sqrt(vx * vx + vy * vy)).toBeCloseTo(200, 9)
    expect(Math.abs(vx)).toBeLessThan(21)
    expect(vy).toBeGreaterThan(0)
  })

  test('[NF26] a boss shoots 12 all around, every 3 s within 400 px', () => {
    const world = emptyField({ tuning: { survivorHp: 1e6, bulletKnockback: 0 } })
    join(world)
    enemy(world, 400, 690, { name: 'boss' })
    expect(volleys(world, 182)).toEqual([[181, 12]])
    const sum = allOf(world, KIND.bullet).reduce(([x, y], { vx, vy }) => [x + vx, y + vy], [0, 0])
    expect(Math.abs(sum[0]) + Math.abs(sum[1])).toBeLessThan(1e-9)
  })
})

describe('what the seed document wished for later', () => {
  test('[NF27] shielded: half its health as a shield, which absorbs first; the overflow passes on', () => {
    const world = emptyField()
    const zombie = enemy(world, 100, 100, { name: 'shielded', hp: 25 })
    expect(zombie.shield).toBe(12)
    const left = [1, 2].map(() => {
      projectile(world, zombie.x, zombie.y)
      step(world)
      const { damage } = world.events
      expect(world.events.hit.damage[0]).toBe(damage.taken[0])
      expect(damage.asked[0] - damage.absorbed[0]).toBe(damage.taken[0])
      expect(world.tables.things.count).toBe(1)
      return [zombie.shield, zombie.hp]
    })
    expect(left).toEqual([
      [2, 25],
      [0, 17],
    ])
  })

  test('[NF15] damage types: armour of a kind blocks its part of a type', () => {
    const taken = (name: EnemyName, weapon: number) => {
      const world = emptyField()
      const zombie = enemy(world, 100, 100, { name, hp: 100 })
      projectile(world, 100, 100, { weapon })
      step(world)
      return 100 - zombie.hp
    }
    const [physical, magic, fire] = [0, 1, 8]
    expect([taken('zombie', physical), taken('zombie', magic), taken('zombie', fire)]).toEqual([10, 10, 10])
    expect([taken('tank', physical), taken('tank', magic), taken('tank', fire)]).toEqual([8, 10, 10])
    expect([taken('boss', physical), taken('boss', magic), taken('boss', fire)]).toEqual([8, 10, 5])
    expect(combat.typeNames).toEqual(['physical', 'magic', 'fire'])
  })

  test('[NF16] knockback immunity: a boss is not moved, a tank by a fifth, a zombie by all', () => {
    const pushed = ENEMIES.map(({ name }) => {
      const world = emptyField()
      const zombie = enemy(world, 100, 100, { name: name as EnemyName, hp: 100 })
      projectile(world, 99, 100)
      step(world)
      return [name, Math.round(zombie.x - 100)]
    })
    expect(Object.fromEntries(pushed)).toEqual({
      zombie: 50,
      fast: 50,
      tank: 10,
      swarm: 50,
      ranged: 50,
      shielded: 30,
      boss: 0,
    })
  })

  test("[NF17] hitbox offsets: the boss's head above its body can be hit, and both at once are one hit", () => {
    const world = emptyField()
    const boss = enemy(world, 300, 300, { name: 'boss', hp: 100 })
    const [head, both, beside] = [
      projectile(world, 300, 300 - 32),
      projectile(world, 300, 300 - 20),
      projectile(world, 300, 300 + 32),
    ]
    step(world)
    expect(boss.hp).toBe(84)
    expect([head, both, beside].map(exists)).toEqual([false, false, true])
  })

  test('[NF18] collision layers: what meets what', () => {
    expect(printLayers(nightfall.layers)).toBe(`\
            survivor  enemy  projectile  strike  bullet  hazard  pickup
survivor           ·      ×           ·       ·       ×       ×       ×
enemy              ×      ·           ×       ×       ·       ×       ·
projectile         ·      ×           ·       ·       ×       ·       ·
strike             ·      ×           ·       ·       ·       ·       ·
bullet             ×      ·           ×       ·       ·       ·       ·
hazard             ×      ×           ·       ·       ·       ·       ·
pickup             ×      ·           ·       ·       ·       ·       ·`)
  })
})
