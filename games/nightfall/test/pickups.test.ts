import { exists, step } from 'hurtbox'
import { describe, expect, test } from 'vitest'
import { KIND, type NightWorld } from '../rules/declaration.ts'
import {
  allOf,
  emptyField,
  enemy,
  give,
  join,
  pickup,
  play,
  player,
  projectile,
  quietNight,
  reload,
} from './support.ts'

/** The worth of each gem on the field. */
function gemsOf(world: NightWorld): number[] {
  return allOf(world, KIND.gem).map(({ worth }) => worth)
}

describe('gems', () => {
  test('[NF36] an enemy leaves a gem of 5 where it fell, an elite 15, a boss 50', () => {
    const world = emptyField()
    enemy(world, 100, 100, { hp: 1 })
    enemy(world, 200, 100, { hp: 1, isElite: true })
    enemy(world, 300, 100, { hp: 1, name: 'boss' })
    for (const x of [100, 200, 300]) projectile(world, x, 100)
    step(world)
    expect(gemsOf(world)).toEqual([5, 15, 50])
    const [first] = allOf(world, KIND.gem)
    // It died where the blow had knocked it.
    expect([first.x, first.y]).toEqual([150, 100])
  })

  test('[NF36] what falls outside the field lies at its edge', () => {
    const world = emptyField()
    enemy(world, -200, 900, { hp: 1 })
    projectile(world, -200, 900)
    step(world)
    const [gem] = allOf(world, KIND.gem)
    expect([gem.x, gem.y]).toEqual([32, 568])
  })

  test('[NF36] gems within 80 px fly to the survivor at 200 px a second, those further away lie', () => {
    const world = emptyField()
    join(world)
    const [near, far] = [pickup(world, KIND.gem, 479, 300), pickup(world, KIND.gem, 481, 300)]
    step(world)
    expect(near.x).toBeCloseTo(479 - 200 / 60, 9)
    expect(far.x).toBe(481)
    play(world, 40)
    expect([exists(near), exists(far)]).toEqual([false, true])
  })

  test('[NF36] magnetism draws them from 40 px further a level', () => {
    const world = emptyField()
    join(world)
    give(world, 'magnetism', 2)
    const ids = [159, 161].map((distance) => pickup(world, KIND.gem, 400 + distance, 300))
    step(world)
    expect(ids.map((id) => id.x < 559)).toEqual([true, false])
  })

  test('[NF36] all players get an equal part of a gem, and there is one event', () => {
    const world = emptyField()
    const taker = join(world)
    join(world, 1)
    const gem = pickup(world, KIND.gem, 400, 300, 7)
    const { id } = gem
    step(world)
    const { taken } = world.events
    expect([taken.count, taken.survivor[0], taken.pickup[0], taken.worth[0]]).toEqual([1, taker.id, id, 7])
    expect([player(world).experience, player(world, 1).experience]).toEqual([3.5, 3.5])
    expect(exists(gem)).toBe(false)
  })

  test('[NF36] where many lie, further ones are added to the youngest: no experience is lost', () => {
    const world = emptyField({ tuning: { gemLimit: 2 } })
    for (let i = 0; i < 5; i++) {
      enemy(world, 100 * i, 100, { hp: 1 })
      projectile(world, 100 * i, 100)
    }
    step(world)
    expect(gemsOf(world)).toEqual([5, 20])
  })

  test('[NF36] the fallen take nothing', () => {
    const world = emptyField()
    const survivor = join(world)
    join(world, 1)
    survivor.hp = 0
    const gem = pickup(world, KIND.gem, survivor.x - 10, 300)
    step(world)
    expect(exists(gem)).toBe(true)
  })
})

describe('power-ups', () => {
  /** How many of so many dead elites (or others) left a power-up. */
  function dropsOf(isElite: boolean, tuning: Record<string, number>, fortune = 0): number {
    const world = emptyField({ tuning })
    join(world)
    give(world, 'fortune', fortune)
    for (let i = 0; i < 400; i++) {
      enemy(world, 100, 100, { hp: 1, isElite, name: 'boss' })
      projectile(world, 100, 100)
    }
    step(world)
    expect(world.events.kill.count).toBe(400)
    return [KIND.heal, KIND.clear, KIND.flame].flatMap((kind) => allOf(world, kind)).length
  }

  test('[NF37] one elite in twenty leaves one, others never; fortune makes it likelier', () => {
    expect(dropsOf(false, { powerUpChance: 1 })).toBe(0)
    expect(dropsOf(true, { powerUpChance: 1 })).toBe(400)
    const spread = (likely: number) => 4 * Math.sqrt(400 * likely * (1 - likely))
    expect(Math.abs(dropsOf(true, {}) - 20)).toBeLessThan(spread(0.05))
    expect(Math.abs(dropsOf(true, {}, 3) - 80)).toBeLessThan(spread(0.2))
  })

  test('[NF37] it lies for 15 s', () => {
    const world = emptyField({ tuning: { powerUpChance: 1 } })
    enemy(world, 100, 100, { hp: 1, isElite: true })
    projectile(world, 100, 100)
    step(world)
    const lies = () => [KIND.heal, KIND.clear, KIND.flame].flatMap((kind) => allOf(world, kind)).length
    play(world, 899)
    expect(lies()).toBe(1)
    step(world)
    expect(lies()).toBe(0)
  })

  test('[NF37] healing: 50 hp and no more than all; the fallen rise with as much, protected for a moment', () => {
    const world = emptyField()
    const [taker, fallen, other] = [join(world), join(world, 1), join(world, 2)]
    taker.hp = 70
    fallen.hp = 0
    other.hp = 10
    pickup(world, KIND.heal, 400, 300)
    const { clock } = world
    step(world)
    expect([taker, fallen, other].map(({ hp }) => hp)).toEqual([100, 50, 10])
    expect(fallen.invulnerableUntil).toBe(clock + 60)
  })

  test('[NF37] a blast takes 999 off every enemy within 600 px, and those without health are gone', () => {
    const world = emptyField()
    join(world)
    const [near, tough, far] = [
      enemy(world, 600, 300, { hp: 900 }),
      enemy(world, 600, 300, { hp: 2000 }),
      enemy(world, 1010, 300),
    ]
    pickup(world, KIND.clear, 400, 300)
    play(world, 2)
    expect([exists(near), tough.hp, exists(far)]).toEqual([false, 1001, true])
    expect([world.globals.kills, gemsOf(world)]).toEqual([1, [5]])
    play(world, 5)
    expect(tough.hp).toBe(1001)
  })

  test('[NF37] flames: for 10 s three times the rate, three times the shots, twice the damage', () => {
    const world = quietNight()
    join(world)
    pickup(world, KIND.flame, 400, 300)
    step(world)
    expect(player(world).flamesUntil).toBe(world.clock - 1 + 600)
    reload(world)
    const before = allOf(world, KIND.projectile).length
    const { clock } = world
    step(world)
    const shots = allOf(world, KIND.projectile)
    expect([shots.length - before, shots.at(-1)?.damage, player(world).readyAt.get(0) - clock]).toEqual([3, 20, 10])
  })
})

describe('after a kill', () => {
  test('[NF38] explosions: the dead hurt every enemy within 100 px in the next tick by half of what killed them', () => {
    const world = emptyField()
    const owner = join(world)
    give(world, 'explosions')
    const victim = enemy(world, 100, 100, { hp: 5 })
    const [near, far] = [enemy(world, 200, 100, { hp: 20 }), enemy(world, 300, 100, { hp: 20 })]
    projectile(world, 100, 100, { owner, damage: 30 })
    step(world)
    expect([exists(victim), near.hp]).toEqual([false, 20])
    step(world)
    expect([near.hp, far.hp]).toEqual([5, 20])
    step(world)
    expect(near.hp).toBe(5)
  })

  test('[NF38] an enemy that dies of an explosion is gone, counts, leaves a gem, and does not explode', () => {
    const world = emptyField()
    const owner = join(world)
    give(world, 'explosions', 2)
    for (const x of [50, 140, 230]) enemy(world, x, 100, { hp: 10, name: 'boss' })
    projectile(world, 50, 100, { owner, damage: 100 })
    play(world, 4)
    expect([world.globals.kills, player(world).kills, gemsOf(world).length]).toEqual([2, 2, 2])
    expect(allOf(world, 7).length).toBe(1)
  })

  test('[NF38] vampirism: 3 health a level for every tenth kill', () => {
    const world = emptyField()
    const owner = join(world)
    give(world, 'vampirism', 2)
    owner.hp = 50
    for (let i = 0; i < 29; i++) {
      enemy(world, 30 * i, 100, { hp: 1, name: 'swarm' })
      projectile(world, 30 * i, 100, { owner })
    }
    step(world)
    expect([player(world).kills, owner.hp]).toEqual([29, 62])
  })
})
