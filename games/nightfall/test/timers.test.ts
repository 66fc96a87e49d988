/** The contract in the README, line by line: timers and edges. And what holds at other limits. */

import { each, exists, step } from 'hurtbox'
import { expect, test } from 'vitest'
import { spanOf, testTable } from '../../test/contract.ts'
import { KIND, type NightThing, type NightWorld } from '../rules/declaration.ts'
import { nearestEnemy } from '../rules/enemies.ts'
import { addHazard } from '../rules/hazards.ts'
import {
  allOf,
  bullet,
  emptyField,
  enemy,
  give,
  join,
  pickup,
  play,
  player,
  projectile,
  quietNight,
  setClock,
  strike,
} from './support.ts'

function alone(given: Parameters<typeof emptyField>[0] = {}): readonly [NightWorld, NightThing] {
  const world = emptyField(given)
  return [world, join(world)]
}

/** Whether a bullet that meets the survivor in the next tick hurts it. */
function isHurt(world: NightWorld, survivor: NightThing): boolean {
  bullet(world, survivor.x, survivor.y)
  step(world)
  return world.events.hit.count > 0
}

/** Ground that begins to glow in the next tick, and a survivor in it; whether it burns in tick `tick` from then. */
function burns(tick: number): boolean {
  const [world, survivor] = alone()
  addHazard(world, { x: survivor.x, y: survivor.y }, world.clock + 90)
  survivor.invulnerableUntil = world.clock + tick
  play(world, tick + 1)
  return world.events.hit.count > 0
}

/** Whether a strike of a weapon that hits an enemy in tick 0 spares it in tick `tick`. */
function spares(weapon: number, tick: number): boolean {
  const world = emptyField({ tuning: { enemyKnockback: 0 } })
  enemy(world, 100, 100, { hp: 1000 })
  const blow = strike(world, 100, 100, { weapon })
  // A book without a survivor stands still; an axe that never turns, too.
  blow.readyAt = 1e6
  play(world, tick + 1)
  return world.events.hit.count === 0
}

testTable('NF53', 'nightfall', 'Timers', {
  'a hurt survivor is protected': () =>
    spanOf(200, (tick) => {
      const [world, survivor] = alone()
      if (tick > 0) isHurt(world, survivor)
      play(world, Math.max(tick - 1, 0))
      return !isHurt(world, survivor)
    }),
  'one who joins late is protected': () =>
    spanOf(200, (tick) => {
      if (tick === 0) return false
      const [world] = alone()
      const survivor = join(world, 1)
      play(world, tick - 1)
      return !isHurt(world, survivor)
    }),
  'burning ground glows': () => spanOf(200, (tick) => !burns(tick)),
  'burning ground burns': () => {
    const [, first] = spanOf(200, (tick) => !burns(tick))
    const [, last] = spanOf(1000, (tick) => burns(tick + first + 1))
    return [first + 1, last + first + 1]
  },
  'burning ground spares an enemy that it has burned': () =>
    spanOf(60, (tick) => {
      const world = emptyField()
      enemy(world, 100, 100, { hp: 1000 })
      addHazard(world, { x: 100, y: 100 }, 0)
      play(world, tick + 1)
      return world.events.hit.count === 0
    }),
  'no burning ground appears': () =>
    spanOf(720, (tick) => {
      const world = emptyField({ options: { start: 'night', fromMinute: 1 }, tuning: { spawnRate: 0 } })
      join(world)
      const [first] = allOf(world, KIND.hazard)
      if (tick === 0) return first === undefined
      const { id } = first
      setClock(world, tick)
      step(world)
      // The first has burned out long before the next.
      return allOf(world, KIND.hazard).every((ground) => ground.id === id)
    }),
  'a power-up lies': () =>
    spanOf(2000, (tick) => {
      const world = emptyField({ tuning: { powerUpChance: 1 } })
      enemy(world, 100, 100, { hp: 1, isElite: true })
      projectile(world, 100, 100)
      step(world)
      if (tick > 1) setClock(world, tick)
      if (tick > 0) step(world)
      return tick > 0 && [KIND.heal, KIND.clear, KIND.flame].some((kind) => allOf(world, kind).length > 0)
    }),
  'flames last': () =>
    spanOf(2000, (tick) => {
      if (tick === 0) return false
      const world = quietNight({ tuning: { night: 36_000 } })
      const survivor = join(world)
      pickup(world, KIND.flame, survivor.x, survivor.y)
      step(world)
      const taken = world.clock - 1
      setClock(world, taken + tick)
      player(world).readyAt.set(0, 0)
      const before = allOf(world, KIND.projectile).length
      step(world)
      return allOf(world, KIND.projectile).length - before > 1
    }),
  'a bullet flies': () =>
    spanOf(500, (tick) => {
      const [world, survivor] = alone()
      const gunner = enemy(world, survivor.x + 290, survivor.y, { name: 'ranged' })
      gunner.readyAt = 0
      step(world)
      const [shot] = allOf(world, KIND.bullet)
      gunner.readyAt = 1e6
      // It stands, far away from all.
      Object.assign(shot, { x: 50, y: 50, vx: 0, vy: 0 })
      play(world, tick)
      return exists(shot)
    }),
  'a gun that found nobody waits': () =>
    spanOf(500, (tick) => {
      const [world, survivor] = alone()
      const gunner = enemy(world, survivor.x + 301, survivor.y, { name: 'ranged' })
      gunner.readyAt = 0
      step(world)
      gunner.x = survivor.x + 200
      const shots = () => allOf(world, KIND.bullet).length
      if (tick === 0) return shots() > 0
      setClock(world, world.clock - 1 + tick)
      step(world)
      return shots() === 0
    }),
  'an axe spares whom it has hit': () => spanOf(24, (tick) => spares(3, tick)),
  'a book spares whom it has hit': () => spanOf(30, (tick) => spares(7, tick)),
  'a shot of a scenario flies': () =>
    spanOf(500, (tick) => {
      const world = emptyField({ options: { start: 'scenario-3-original' } })
      for (const one of each(world, 'enemy')) one.y = 50
      play(world, tick + 1)
      // One that leaves in this tick is gone after it.
      return allOf(world, KIND.projectile).length > 0
    }),
  'a draft waits': () =>
    spanOf(3000, (tick) => {
      const [world] = alone()
      player(world).experience = 17
      step(world)
      // Ticks go on while the clock stands.
      const { draftEndsAt } = player(world)
      player(world).draftEndsAt = Math.max(draftEndsAt - Math.max(tick - 1, 0), 0)
      if (tick > 0) step(world)
      return tick > 0 && world.paused
    }),
  'the night goes on': () =>
    spanOf(100_000, (tick) => {
      if (tick === 0) return false
      const [world] = alone()
      setClock(world, tick)
      step(world)
      return world.globals.ending === 0
    }),
})

const around = <T>(at: number, happens: (value: number) => T): readonly T[] => [at - 0.1, at, at + 0.1].map(happens)
const counted = <T>(at: number, happens: (value: number) => T): readonly T[] => [at - 1, at, at + 1].map(happens)

testTable('NF53', 'nightfall', 'Edges', {
  'shot and zombie, 11 px apart': () =>
    around(11, (far) => {
      const world = emptyField()
      enemy(world, 0, 100)
      projectile(world, far, 100)
      step(world)
      return world.events.hit.count > 0 ? 'hits' : 'passes'
    }),
  'touch of a zombie, 20 px apart': () =>
    around(20, (far) => {
      const [world, survivor] = alone()
      survivor.x = 400
      enemy(world, 400 + far, survivor.y)
      step(world)
      return world.events.hit.count > 0 ? 'hurts' : 'passes'
    }),
  'gem 80 px away': () =>
    around(80, (far) => {
      const [world, survivor] = alone()
      const gem = pickup(world, KIND.gem, survivor.x + far, survivor.y)
      const { x } = gem
      step(world)
      return gem.x === x ? 'lies' : 'flies'
    }),
  'gun of a ranged enemy, 300 px': () =>
    around(300, (far) => {
      const [world, survivor] = alone()
      enemy(world, survivor.x + far, survivor.y, { name: 'ranged' }).readyAt = 0
      step(world)
      return allOf(world, KIND.bullet).length > 0 ? 'shoots' : 'waits'
    }),
  'health before a shot of 10': () =>
    around(10, (hp) => {
      const world = emptyField()
      enemy(world, 100, 100).hp = hp
      projectile(world, 100, 100)
      step(world)
      return world.globals.kills > 0 ? 'dies' : 'lives'
    }),
  'way of an axe to its owner, as far as it flies in a tick': () =>
    [-0.1, 0, 0.1].map((more) => {
      const [world, survivor] = alone()
      // At 0, so that the difference is exact.
      survivor.x = 250 * (1 / 60) + more
      const axe = strike(world, 0, survivor.y, { weapon: 3, owner: survivor.id, readyAt: 0 })
      step(world)
      return exists(axe) ? 'flies' : 'is caught'
    }),
  '60ths of an enemy that are owed': () =>
    counted(60, (debt) => {
      const world = emptyField({ options: { start: 'night' } })
      join(world)
      // Two come a second: the tick adds two 60ths.
      world.globals.spawnDebt = debt - 2
      const before = allOf(world, 1).length
      step(world)
      return ['none', 'one'][allOf(world, 1).length - before]
    }),
  'experience for the first level, 17': () =>
    counted(17, (experience) => {
      const [world] = alone()
      player(world).experience = experience
      step(world)
      return player(world).level === 2 ? 'one' : 'none'
    }),
  'kills for vampirism, the tenth': () =>
    counted(10, (kills) => {
      const [world, survivor] = alone()
      give(world, 'vampirism')
      survivor.hp = 50
      player(world).kills = kills - 1
      enemy(world, 100, 100, { hp: 1 })
      projectile(world, 100, 100, { owner: survivor.id })
      step(world)
      return survivor.hp === 53 ? 'one' : 'none'
    }),
  'enemies, of a crowd limit of 5': () =>
    counted(5, (count) => {
      const world = emptyField({ options: { start: 'night' }, tuning: { crowdLimit: 5 } })
      join(world)
      for (let n = 0; n < count; n++) enemy(world, 700, 500)
      world.globals.spawnDebt = 60
      step(world)
      return [...each(world, 'enemy')].length > count ? 'comes' : 'stays away'
    }),
})

test('[NF53] who has fallen to 0 is no target, and one with a little health is', () => {
  const world = emptyField()
  const [dead, alive] = [enemy(world, 110, 100), enemy(world, 150, 100)]
  Object.assign(dead, { hp: 0 })
  expect(nearestEnemy(world, { x: 100, y: 100 })?.id).toBe(alive.id)
  dead.hp = 0.1
  expect(nearestEnemy(world, { x: 100, y: 100 })?.id).toBe(dead.id)
})

test('[NF53] a late player has as many levels as its level says, the starter among those drawn', () => {
  let again = 0
  for (let seed = 1; seed <= 30; seed++) {
    const world = emptyField({ seed })
    join(world)
    player(world).level = 6
    join(world, 1)
    const { owned } = player(world, 1)
    const levels = Array.from({ length: owned.width }, (_, upgrade) => owned.get(upgrade))
    expect(
      levels.reduce((sum, level) => sum + level),
      `seed ${seed}`,
    ).toBe(6)
    if (levels[0] > 1) again++
  }
  expect(again).toBeGreaterThan(0)
})

test('[NF53] a storm without enemies rains all the same, and its shots live from 2 to 120 ticks', () => {
  const world = emptyField({ options: { start: 'storm', stormEnemies: 0, stormShots: 3000 } })
  const lives = allOf(world, KIND.projectile).map(({ endsAt }) => endsAt - world.clock)
  expect(lives).toHaveLength(3000)
  expect([Math.min(...lives), Math.max(...lives)]).toEqual([2, 120])
})
