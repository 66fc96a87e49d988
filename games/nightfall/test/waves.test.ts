import { createWorld, despawn, each, eventsOf, step, thing } from 'hurtbox'
import { describe, expect, test } from 'vitest'
import { ENEMIES, type EnemyName } from '../rules/content/enemies.ts'
import { WAVES } from '../rules/content/waves.ts'
import type { NightWorld } from '../rules/declaration.ts'
import { nightfall } from '../rules/index.ts'
import { allOf, disarm, emptyField, enemy, join, play, player, setClock } from './support.ts'

/** A night whose survivor cannot be killed and does not shoot. */
function watch(minute: number, tuning: Record<string, number> = {}, waves: keyof typeof WAVES = 'seven-kinds') {
  const world = createWorld(nightfall, {
    seed: 11,
    options: { fromMinute: minute, waves },
    tuning: { survivorHp: 1e9, crowdLimit: 8000, hazardEvery: 3600, growth: 0, ...tuning },
  })
  join(world)
  disarm(world)
  return world
}

/** The enemies that come in so many ticks, in order. */
function newcomers(world: NightWorld, ticks: number) {
  const came: { name: EnemyName; isElite: boolean; hp: number; tick: number }[] = []
  for (let i = 0; i < ticks; i++) {
    const tick = world.tick
    step(world)
    for (const { enemy: id, enemyKind, isElite } of eventsOf(world, 'spawned')) {
      const name = ENEMIES[enemyKind - 1].name as EnemyName
      came.push({ name, isElite: isElite === 1, hp: thing(world, id)!.maxHp, tick })
    }
  }
  return came
}

describe('waves', () => {
  test.each([0, 1, 2, 3, 4, 5])('[NF20] minute %d sends as many a second as the table says, evenly', (minute) => {
    const { perSecond } = WAVES['seven-kinds'][minute]
    const came = newcomers(watch(minute), 600)
    expect(came.length).toBe(10 * perSecond)
    const gaps = came.slice(1).map(({ tick }, i) => tick - came[i].tick)
    expect(Math.max(...gaps)).toBeLessThanOrEqual(Math.ceil(60 / perSecond))
  })

  test('[NF20] the next minute of the table comes with the clock', () => {
    const world = watch(0)
    setClock(world, 3599)
    expect(newcomers(world, 1).every(({ name }) => name === 'zombie')).toBe(true)
    const came = newcomers(world, 600)
    expect([came.length, came.some(({ name }) => name === 'fast')]).toEqual([30, true])
  })

  test('[NF20] they come from a ring of 400 to 500 px around a survivor, from all sides', () => {
    const world = watch(0, { spawnRate: 20 })
    const survivor = player(world).thing!
    const sides = new Set<number>()
    let [nearest, furthest] = [Number.POSITIVE_INFINITY, 0]
    for (let i = 0; i < 120; i++) {
      step(world)
      for (const { enemy: id } of eventsOf(world, 'spawned')) {
        const newcomer = thing(world, id)!
        // They have walked for one tick already.
        const [dx, dy] = [newcomer.x - survivor.x, newcomer.y - survivor.y]
        const distance = Math.sqrt(dx * dx + dy * dy) + 40 / 60
        nearest = Math.min(nearest, distance)
        furthest = Math.max(furthest, distance)
        sides.add((dx > 0 ? 1 : 0) + (dy > 0 ? 2 : 0))
      }
    }
    expect(nearest).toBeGreaterThanOrEqual(400 - 1e-9)
    expect(nearest).toBeLessThan(410)
    expect(furthest).toBeLessThanOrEqual(500)
    expect(furthest).toBeGreaterThan(490)
    expect(sides.size).toBe(4)
  })

  test('[NF20] at most 12 come in a tick, and the rest is not forgotten', () => {
    const world = watch(0)
    world.globals.spawnDebt = 60 * 30
    expect([1, 2, 3, 4].map(() => newcomers(world, 1).length)).toEqual([12, 12, 6, 0])
  })

  test('[NF20] when the field is full none come, and none are owed for later', () => {
    const world = watch(0, { crowdLimit: 3 })
    expect(newcomers(world, 600).length).toBe(3)
    for (const one of each(world, 'enemy')) despawn(one)
    step(world)
    expect(newcomers(world, 60).length).toBe(2)
  })

  test.each(Object.keys(WAVES) as (keyof typeof WAVES)[])(
    '[NF21] %s: the mix of a minute follows its weights',
    (name) => {
      const { mix } = WAVES[name][5]
      const came = newcomers(watch(5, { spawnRate: 90 }, name), 150)
      expect(came.length).toBe(1800)
      const total = mix.reduce((sum, [, weight]) => sum + weight, 0)
      for (const [kind, weight] of mix) {
        const share = came.filter((each) => each.name === kind).length / came.length
        // Four standard deviations of so many draws.
        const likely = weight / total
        expect(Math.abs(share - likely), kind).toBeLessThan(4 * Math.sqrt((likely * (1 - likely)) / came.length))
      }
      expect(new Set(came.map((each) => each.name)).size).toBe(mix.length)
    },
  )

  test("[NF21] [NF52] both tables of the document's origin, to the number", () => {
    // Weight, hp, px per second and touch damage, as its wave files had them: at the time of the document, and in the end.
    const atFirst = [
      '2 0: zombie 100/10/40/5',
      '3 0.05: zombie 70/12/45/5, fast 30/6/80/3',
      '4 0.08: zombie 50/15/50/6, fast 35/8/90/4, swarm 15/4/60/2',
      '5 0.1: zombie 40/18/55/7, fast 30/10/100/5, tank 20/50/25/15, swarm 10/5/70/2',
      '6 0.12: zombie 35/22/60/8, fast 30/12/110/6, tank 25/60/30/18, swarm 10/6/80/3',
      '8 0.15: zombie 30/25/65/10, fast 30/15/120/7, tank 30/70/35/20, swarm 10/8/90/4',
    ]
    const inTheEnd = [
      ...atFirst.slice(0, 2),
      '4 0.08: zombie 40/15/50/6, fast 30/8/90/4, ranged 20/12/30/3, swarm 10/4/60/2',
      '5 0.1: zombie 30/18/55/7, fast 25/10/100/5, tank 20/50/25/15, ranged 15/14/35/4, shielded 10/20/45/8',
      '6 0.12: zombie 30/22/60/8, fast 25/12/110/6, tank 20/60/30/18, ranged 12/16/40/5, shielded 10/25/50/10, boss 3/150/20/25',
      '8 0.15: zombie 25/25/65/10, fast 20/15/120/7, tank 20/70/35/20, ranged 15/18/45/6, shielded 12/30/55/12, swarm 5/8/90/4, boss 3/200/25/30',
    ]
    const inWords = (name: keyof typeof WAVES) =>
      WAVES[name].map(({ perSecond, elite, mix }) => {
        const kinds = mix.map(([kind, ...numbers]) => `${kind} ${numbers.join('/')}`)
        return `${perSecond} ${elite}: ${kinds.join(', ')}`
      })
    expect(inWords('four-kinds')).toEqual(atFirst)
    expect(inWords('seven-kinds')).toEqual(inTheEnd)
  })

  test('[NF22] an elite has three times the health, a fifth more speed and twice the touch, rounded down', () => {
    const world = emptyField()
    const elite = enemy(world, 100, 100, { hp: 7.5, speed: 50, touch: 3.3, isElite: true })
    expect(elite).toMatchObject({ hp: 22, maxHp: 22, speed: 60, damage: 6, radius: 8 })
  })

  test('[NF22] elites are as frequent as the minute says, none in the first', () => {
    expect(newcomers(watch(0, { spawnRate: 20 }), 300).some(({ isElite }) => isElite)).toBe(false)
    const came = newcomers(watch(5, { spawnRate: 90 }), 150)
    const share = came.filter(({ isElite }) => isElite).length / came.length
    expect(Math.abs(share - 0.15)).toBeLessThan(4 * Math.sqrt((0.15 * 0.85) / came.length))
  })

  test('[NF23] when the table has ended the night grows with the square of the minutes: more, tougher, heavier', () => {
    // Minute 10 is the fourth after the last of the six.
    const world = watch(10, { growth: 0.05 })
    const growth = 1 + 0.05 * 4 * 4
    const came = newcomers(world, 600)
    expect(came.length).toBe(Math.floor(80 * growth))
    expect(came.find(({ name, isElite }) => name === 'zombie' && !isElite)?.hp).toBe(Math.floor(25 * growth))
    expect(allOf(world, 1)[0].knockbackResistance).toBeCloseTo(1 - 1 / growth, 12)
    expect(newcomers(watch(6, { growth: 0.05 }), 600).length).toBe(80)
  })

  test('[NF24] every survivor brings a wave, around a random survivor; when none stands none come', () => {
    const world = watch(0, { survivorSpeed: 0 })
    join(world, 1)
    disarm(world)
    const survivors = [...each(world, 'survivor')]
    survivors[0].x = 40
    survivors[1].x = 760
    const around = [0, 0]
    let came = 0
    for (let i = 0; i < 600; i++) {
      step(world)
      came += world.events.spawned.count
      for (const { enemy: id } of eventsOf(world, 'spawned')) {
        const newcomer = thing(world, id)!
        survivors.forEach(({ x, y }, i) => {
          const [dx, dy] = [newcomer.x - x, newcomer.y - y]
          const distance = Math.sqrt(dx * dx + dy * dy)
          if (distance > 399 && distance < 500) around[i]++
        })
      }
    }
    expect(came).toBe(40)
    for (const count of around) expect(count).toBeGreaterThan(10)
    for (const survivor of survivors) survivor.hp = 0
    expect(newcomers(world, 60)).toEqual([])
  })

  test('[NF20] the same seed sends the same night, another seed a different one', () => {
    const came = (seed: number) => {
      const world = createWorld(nightfall, { seed, options: { fromMinute: 3 } })
      join(world)
      play(world, 100)
      return [...each(world)].map(({ x }) => x)
    }
    expect(came(1)).toEqual(came(1))
    expect(came(1)).not.toEqual(came(2))
  })
})
