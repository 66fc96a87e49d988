import { each, exists, step } from 'hurtbox'
import { describe, expect, test } from 'vitest'
import { UPGRADES } from '../rules/content/upgrades.ts'
import { KIND, type NightWorld } from '../rules/declaration.ts'
import { nightfall } from '../rules/index.ts'
import {
  allOf,
  bullet,
  emptyField,
  enemy,
  give,
  join,
  play,
  player,
  projectile,
  quietNight,
  setClock,
} from './support.ts'

const resultOf = (world: NightWorld) => nightfall.behaviour.result!(world)

describe('survivors', () => {
  test('[NF44] a survivor starts whole in the middle and walks 150 px a second, no faster across than along', () => {
    const world = emptyField()
    const survivor = join(world)
    expect([survivor.x, survivor.y, survivor.hp]).toEqual([400, 300, 100])
    step(world, { players: [{ seat: 0, moveX: 1 }] })
    expect(survivor.x).toBe(402.5)
    step(world, { players: [{ seat: 0, moveX: 1, moveY: 1 }] })
    const [dx, dy] = [survivor.x - 402.5, survivor.y - 300]
    expect(Math.sqrt(dx * dx + dy * dy)).toBeCloseTo(2.5, 9)
    expect(dx).toBe(dy)
    // Half a stick, in steps of 1/127.
    step(world, { players: [{ seat: 0, moveX: 0.5 }] })
    expect(survivor.vx).toBeCloseTo((150 * 64) / 127, 9)
  })

  test('[NF44] survivors stay on the field, walking or knocked back', () => {
    const world = emptyField()
    const survivor = join(world)
    play(world, 300, () => ({ players: [{ seat: 0, moveX: 1, moveY: -1 }] }))
    expect([survivor.x, survivor.y]).toEqual([768, 32])
    enemy(world, 758, 42)
    step(world, { players: [{ seat: 0 }] })
    expect([survivor.hp, survivor.x, survivor.y]).toEqual([95, 768, 32])
  })
})

describe('the end', () => {
  test('[NF41] survivors who stand after 1,200 s have won: one event, and nothing changes any more', () => {
    const world = quietNight()
    join(world)
    setClock(world, 71_998)
    step(world)
    expect([resultOf(world), world.events.ended.count]).toEqual([{ over: false }, 0])
    step(world)
    expect([world.clock, world.events.ended.count, world.events.ended.isVictory[0]]).toEqual([72_000, 1, 1])
    expect(resultOf(world)).toEqual({ over: true, winner: 'dawn', summary: '20:00 survived, 0 kills' })
    const { things } = world.tables
    const before = [things.count, things.x.slice(0, things.count)]
    play(world, 100, () => ({ players: [{ seat: 0, moveX: 1 }] }))
    expect([things.count, things.x.slice(0, things.count)]).toEqual(before)
    expect([world.events.ended.count, resultOf(world).summary]).toEqual([0, '20:00 survived, 0 kills'])
  })

  test('[NF42] when no survivor stands the night has won; pausing and going on does not undo it', () => {
    const world = emptyField({ tuning: { survivorHp: 5 } })
    const survivor = join(world)
    play(world, 119)
    enemy(world, 400, 300)
    step(world)
    expect([world.events.fell.count, world.events.ended.count, world.events.ended.isVictory[0]]).toEqual([1, 1, 0])
    expect(resultOf(world)).toEqual({ over: true, winner: 'night', summary: '0:02 survived, 0 kills' })
    for (const paused of [true, false]) {
      step(world, { controls: [{ control: 'pause', paused }], players: [{ seat: 0, moveX: 1 }] })
    }
    expect([survivor.x, survivor.hp]).toEqual([500, 0])
    expect(resultOf(world).summary).toBe('0:02 survived, 0 kills')
  })

  test('[NF42] the night goes on while one of them stands', () => {
    const world = emptyField({ tuning: { iframes: 0 } })
    const [fallen, standing] = [join(world), join(world, 1)]
    enemy(world, 385, 300, { touch: 1000 })
    step(world)
    expect([fallen.hp, standing.hp, resultOf(world).over]).toEqual([0, 100, false])
    standing.hp = 0
    step(world)
    expect(resultOf(world).over).toBe(true)
  })

  test('[NF45] the figures of a match: time, level, hits, kills, and damage to enemies by type', () => {
    const world = emptyField()
    const owner = join(world)
    enemy(world, 100, 100, { hp: 25 })
    enemy(world, 200, 100, { hp: 7 })
    projectile(world, 100, 100, { owner })
    projectile(world, 200, 100, { owner, weapon: 1 })
    bullet(world, 400, 300)
    play(world, 599)
    expect(nightfall.behaviour.stats!(world)).toEqual({
      minutes: 0.17,
      level: 1,
      hits: 3,
      kills: 1,
      'damage physical': 10,
      'damage magic': 7,
      'damage fire': 0,
    })
  })
})

describe('coming and going', () => {
  test('[NF43] up to four stand side by side, and each has its own wave of shots', () => {
    const world = quietNight()
    const four = [0, 1, 2, 3].map((seat) => join(world, seat))
    const places = four.map(({ x, y }) => [x, y])
    expect(places).toEqual([
      [400, 300],
      [440, 300],
      [360, 300],
      [400, 340],
    ])
    expect(allOf(world, KIND.projectile).map(({ owner }) => owner)).toEqual(four.map(({ id }) => id))
  })

  test('[NF43] everything that a leaving player owns leaves too, and nothing else', () => {
    const world = quietNight()
    const [first, second] = [join(world), join(world, 1)]
    give(world, 'bible', 2, 1)
    play(world, 40)
    expect(allOf(world, KIND.strike).length).toBe(2)
    const { id } = second
    step(world, { controls: [{ control: 'leave', seat: 1 }] })
    expect([exists(first), exists(second)]).toEqual([true, false])
    expect([...each(world)].filter(({ owner }) => owner === id)).toEqual([])
    expect(allOf(world, KIND.projectile).length).toBeGreaterThan(0)
    expect(resultOf(world).over).toBe(false)
  })

  test('[NF43] a player who comes back starts over: full health, with a starter', () => {
    const world = quietNight()
    join(world)
    const gone = join(world, 1)
    give(world, 'axe', 3, 1)
    step(world, { controls: [{ control: 'leave', seat: 1 }] })
    const back = join(world, 1)
    expect(back.id).not.toBe(gone.id)
    const { owned } = player(world, 1)
    const levels = UPGRADES.map((_, upgrade) => owned.get(upgrade))
    expect([back.hp, levels.reduce((sum, level) => sum + level)]).toEqual([100, 1])
  })

  test('[NF43] when the last player leaves the match is not lost, and the night waits', () => {
    const world = quietNight({ tuning: { spawnRate: 1 } })
    join(world)
    step(world, { controls: [{ control: 'leave', seat: 0 }] })
    const { count } = world.tables.things
    play(world, 100)
    expect([resultOf(world).over, world.tables.things.count <= count, world.events.ended.count]).toEqual([
      false,
      true,
      0,
    ])
    join(world)
    play(world, 60)
    expect(allOf(world, 1).length).toBeGreaterThan(0)
  })

  test('[NF43] when the standing survivors leave, the fallen have lost', () => {
    const world = emptyField()
    join(world).hp = 0
    join(world, 1)
    step(world)
    expect(resultOf(world).over).toBe(false)
    step(world, { controls: [{ control: 'leave', seat: 1 }] })
    expect(resultOf(world)).toMatchObject({ over: true, winner: 'night' })
  })
})

describe('a long match', () => {
  test('[NF14] no projectile leaks after 100,000 hits: no row, no entry of the ledger, nothing refused', () => {
    const world = emptyField()
    const boss = enemy(world, 100, 100, { name: 'boss', hp: 1e9 })
    const other = enemy(world, 100, 100, { name: 'boss', hp: 1e9 })
    let hits = 0
    while (hits < 100_000) {
      // Every other one passes through the first boss and ends in the second.
      for (let i = 0; i < 100; i++) projectile(world, 100, 100, { pierceLeft: i % 2 })
      step(world)
      hits += world.events.damage.count
      expect(world.events.damage.count).toBe(150)
    }
    const { things, hits: ledger } = world.tables
    expect([things.count, things.refused, ledger.count, ledger.refused]).toEqual([2, 0, 0, 0])
    expect(1e9 - boss.hp).toBe(8 * 100 * world.tick)
    expect(1e9 - other.hp).toBe(8 * 50 * world.tick)
  })
})
