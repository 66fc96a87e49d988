import { findRow, spawn, step } from 'hurtbox'
import { describe, expect, test } from 'vitest'
import { KIND, LAYER, type NightWorld } from '../rules/declaration.ts'
import { emptyField, enemy, give, isThere, join, play, projectile, quietNight, read, rowsOf } from './support.ts'

function pickup(world: NightWorld, kind: number, x: number, y: number, worth = 0): number {
  return spawn(world.tables.things, { kind, layer: LAYER.pickup, x, y, radius: kind === KIND.gem ? 4 : 8, worth })
}

/** What kills of these enemies left: worth of each gem. */
function gemsOf(world: NightWorld): number[] {
  return rowsOf(world, KIND.gem).map((row) => world.tables.things.worth[row])
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
    const { x, y } = world.tables.things
    const [first] = rowsOf(world, KIND.gem)
    // It fell where the blow had thrown it.
    expect([x[first], y[first]]).toEqual([150, 100])
  })

  test('[NF36] what falls outside the field lies at its edge', () => {
    const world = emptyField()
    enemy(world, -200, 900, { hp: 1 })
    projectile(world, -200, 900)
    step(world)
    const { x, y } = world.tables.things
    const [gem] = rowsOf(world, KIND.gem)
    expect([x[gem], y[gem]]).toEqual([32, 568])
  })

  test('[NF36] gems within 80 px fly to the survivor at 200 px a second, those further away lie', () => {
    const world = emptyField()
    join(world)
    const [near, far] = [pickup(world, KIND.gem, 479, 300), pickup(world, KIND.gem, 481, 300)]
    step(world)
    expect(read(world, near, 'x')).toBeCloseTo(479 - 200 / 60, 9)
    expect(read(world, far, 'x')).toBe(481)
    play(world, 40)
    expect([isThere(world, near), isThere(world, far)]).toEqual([false, true])
  })

  test('[NF36] magnetism draws them from 40 px further a level', () => {
    const world = emptyField()
    join(world)
    give(world, 'magnetism', 2)
    const ids = [159, 161].map((distance) => pickup(world, KIND.gem, 400 + distance, 300))
    step(world)
    expect(ids.map((id) => read(world, id, 'x') < 559)).toEqual([true, false])
  })

  test('[NF36] whoever takes a gem, everybody learns an equal part, and it is told once', () => {
    const world = emptyField()
    const taker = join(world)
    join(world, 1)
    const gem = pickup(world, KIND.gem, 400, 300, 7)
    step(world)
    const { taken } = world.events
    expect([taken.count, taken.survivor[0], taken.pickup[0], taken.worth[0]]).toEqual([1, taker, gem, 7])
    expect([...world.tables.players.experience.subarray(0, 2)]).toEqual([3.5, 3.5])
    expect(isThere(world, gem)).toBe(false)
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
    world.tables.things.hp[0] = 0
    const gem = pickup(world, KIND.gem, read(world, survivor, 'x') - 10, 300)
    step(world)
    expect(isThere(world, gem)).toBe(true)
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
    return [KIND.heal, KIND.clear, KIND.flame].flatMap((kind) => rowsOf(world, kind)).length
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
    const lies = () => [KIND.heal, KIND.clear, KIND.flame].flatMap((kind) => rowsOf(world, kind)).length
    play(world, 899)
    expect(lies()).toBe(1)
    step(world)
    expect(lies()).toBe(0)
  })

  test('[NF37] healing: 50 hp and no more than all; the fallen rise with as much, protected for a moment', () => {
    const world = emptyField()
    const [taker, fallen, other] = [join(world), join(world, 1), join(world, 2)]
    const { things } = world.tables
    things.hp[findRow(things, taker)] = 70
    things.hp[findRow(things, fallen)] = 0
    things.hp[findRow(things, other)] = 10
    pickup(world, KIND.heal, 400, 300)
    const { clock } = world
    step(world)
    expect([taker, fallen, other].map((id) => read(world, id, 'hp'))).toEqual([100, 50, 10])
    expect(read(world, fallen, 'hittableFrom')).toBe(clock + 60)
  })

  test('[NF37] a blast takes 999 off everybody within 600 px, and whoever dies of it is dead', () => {
    const world = emptyField()
    join(world)
    const [near, tough, far] = [
      enemy(world, 600, 300, { hp: 900 }),
      enemy(world, 600, 300, { hp: 2000 }),
      enemy(world, 1010, 300),
    ]
    pickup(world, KIND.clear, 400, 300)
    play(world, 2)
    expect([isThere(world, near), read(world, tough, 'hp'), isThere(world, far)]).toEqual([false, 1001, true])
    expect([world.globals.kills, gemsOf(world)]).toEqual([1, [5]])
    play(world, 5)
    expect(read(world, tough, 'hp')).toBe(1001)
  })

  test('[NF37] flames: for 10 s three times the rate, three times the shots, twice the damage', () => {
    const world = quietNight()
    join(world)
    pickup(world, KIND.flame, 400, 300)
    step(world)
    const { players, things } = world.tables
    expect(players.flamesUntil[0]).toBe(world.clock - 1 + 600)
    players.readyAt.fill(0)
    const before = things.count
    const { clock } = world
    step(world)
    expect([things.count - before, things.damage[things.count - 1], players.readyAt[0] - clock]).toEqual([3, 20, 10])
  })
})

describe('after a kill', () => {
  test('[NF38] explosions: the dead hurt everybody within 100 px in the next tick by half of what killed them', () => {
    const world = emptyField()
    const owner = join(world)
    give(world, 'explosions')
    const victim = enemy(world, 100, 100, { hp: 5 })
    const [near, far] = [enemy(world, 200, 100, { hp: 20 }), enemy(world, 300, 100, { hp: 20 })]
    projectile(world, 100, 100, { owner, damage: 30 })
    step(world)
    expect([isThere(world, victim), read(world, near, 'hp')]).toEqual([false, 20])
    step(world)
    expect([read(world, near, 'hp'), read(world, far, 'hp')]).toEqual([5, 20])
    step(world)
    expect(read(world, near, 'hp')).toBe(5)
  })

  test('[NF38] who dies of an explosion is dead, counts, leaves a gem, and does not explode', () => {
    const world = emptyField()
    const owner = join(world)
    give(world, 'explosions', 2)
    for (const x of [50, 140, 230]) enemy(world, x, 100, { hp: 10, name: 'boss' })
    projectile(world, 50, 100, { owner, damage: 100 })
    play(world, 4)
    expect([world.globals.kills, world.tables.players.kills[0], gemsOf(world).length]).toEqual([2, 2, 2])
    expect(rowsOf(world, 7).length).toBe(1)
  })

  test('[NF38] vampirism: 3 health a level for every tenth kill', () => {
    const world = emptyField()
    const owner = join(world)
    give(world, 'vampirism', 2)
    world.tables.things.hp[0] = 50
    for (let i = 0; i < 29; i++) {
      enemy(world, 30 * i, 100, { hp: 1, name: 'swarm' })
      projectile(world, 30 * i, 100, { owner })
    }
    step(world)
    expect([world.tables.players.kills[0], read(world, owner, 'hp')]).toEqual([29, 62])
  })
})
