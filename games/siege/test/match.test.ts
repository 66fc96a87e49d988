/** Whole matches between bots. */

import { createWorld, hashWorld, snapshot, step } from 'hurtbox'
import { botInputs } from 'hurtbox/tools'
import { describe, expect, test } from 'vitest'
import { bots } from '../bots/index.ts'
import { SIDE } from '../rules/content/map.ts'
import { KIND } from '../rules/content/units.ts'
import { siege } from '../rules/index.ts'
import { arena, builtOf, championOf, playerIn, run } from './support.ts'
import { createWatch } from './watch.ts'

/** Plays until a nexus falls, at most 40 minutes, and watches. */
function play(seed: number, players: number) {
  const world = createWorld(siege, { seed })
  step(world, { controls: Array.from({ length: players }, (_, seat) => ({ control: 'join', seat })) })
  const watch = createWatch(world)
  const counts: Record<string, number> = {}
  while (world.tick < 40 * 60 * 30 && world.globals.winner === 0) {
    step(world, { players: botInputs(bots[0], world as never, seed) as never })
    watch.look()
    for (const { name, count } of world.memory.events) counts[name] = (counts[name] ?? 0) + count
    // A hash also finds a value that is not finite, and names it.
    if (world.tick % 300 === 0) hashWorld(world)
  }
  return { world, watch, counts, minutes: world.tick / 30 / 60 }
}

describe('a match between two bots', () => {
  const { world, watch, counts, minutes } = play(7, 2)

  test('[SG46] ends by itself, with a fallen nexus, in less than 40 minutes', () => {
    expect(world.globals.winner).toBeGreaterThan(0)
    expect(minutes).toBeLessThan(40)
    expect(counts.matchOver).toBe(1)
    expect(world.tables.things.refused).toBe(0)
  })

  test('[SG47] no unit that wants to walk, and does not queue behind fighting allies, stays within 5 units for 5 s', () => {
    expect(watch.stuck).toEqual([])
  })

  test('[SG48] the bots lane, take last hits and towers, cast, retreat and buy', () => {
    for (const kind of ['lastHit', 'towerFell', 'cast', 'bought', 'levelUp']) {
      expect(counts[kind], kind).toBeGreaterThan(1)
    }
    const [blue, red] = [playerIn(world, 0).lastHits, playerIn(world, 1).lastHits]
    // A last hit a wave is the least to ask of a bot that does nothing else.
    expect(Math.min(blue, red)).toBeGreaterThan(world.globals.wave)
  })

  test('[SG49] has figures that people can read', () => {
    const { winner, summary } = siege.behaviour.result!(world)
    expect(winner).toMatch(/^(blue|red)$/)
    expect(summary).toMatch(/^blue: kills \d+, last hits \d+, gold \d+, towers \d+; red: kills/)
    expect(siege.behaviour.stats!(world)).toMatchObject({ minutes: Math.round(minutes * 10) / 10, waves: counts.wave })
  })
})

describe('bots', () => {
  test('[SG48] a champion without opponents wins, and within a quarter of an hour', () => {
    const { world, watch, minutes } = play(3, 1)
    expect(world.globals.winner).toBe(SIDE.blue)
    expect(minutes).toBeLessThan(15)
    expect(watch.stuck).toEqual([])
  })

  test('[SG50] thinking changes nothing and gives the same when repeated', () => {
    const world = createWorld(siege, { seed: 4, tuning: { firstWave: 1 } })
    step(world, { controls: Array.from({ length: 6 }, (_, seat) => ({ control: 'join', seat })) })
    for (let tick = 0; tick < 400; tick++) {
      const inputs = botInputs(bots[0], world as never, 4)
      if (tick % 20 === 0) {
        const before = snapshot(world)
        const player = playerIn(world, 1)
        for (const bot of bots) expect(bot.think(world, player, 4)).toEqual(bot.think(world, player, 4))
        expect(snapshot(world)).toEqual(before)
      }
      step(world, { players: inputs as never })
    }
  })

  test('[SG50] the dead do nothing, and a bot is not asked for an empty seat', () => {
    const world = arena([{ side: SIDE.blue, name: 'vex', x: 0, y: 0 }])
    championOf(world, 0).hp = 0
    for (const bot of bots) {
      expect(bot.think(world, playerIn(world, 0), 1)).toEqual({})
      expect(botInputs(bot, world as never, 1)).toEqual([{ seat: 0 }])
    }
  })

  test('[SG51] badly hurt bots retreat, and recall where no enemy is near', () => {
    const world = arena([{ side: SIDE.blue, name: 'warrior', x: -300, y: 300 }])
    const [player, warrior] = [playerIn(world, 0), championOf(world, 0)]
    warrior.hp = 0.2 * warrior.maxHp
    expect(bots[0].think(world, player, 1)).toMatchObject({ order: 'hold', recall: 1 })
    warrior.hurtAt = world.clock
    const { order, go } = bots[0].think(world, player, 1)
    expect(order).toBe('move')
    expect(Math.hypot(go!.x + 1200, go!.y - 1200)).toBeLessThan(Math.hypot(900, 900) - 200)
  })

  test('[SG51] a tower is attacked only while minions draw its fire', () => {
    const world = arena([{ side: SIDE.blue, name: 'warrior', x: 200, y: -100 }])
    run(world, 1)
    const tower = builtOf(world, 9)
    expect(bots[0].think(world, playerIn(world, 0), 1).target).not.toBe(tower.id)
    expect(tower.kind).toBe(KIND.tower)
  })
})

describe.runIf(process.env.HURTBOX_LONG)('a hundred seeds', () => {
  test.each(Array.from({ length: 100 }, (_, i) => i + 1))(
    '[SG52] seed %d: no unit is stuck, every number is finite, and it ends within 40 minutes',
    (seed) => {
      const { world, watch } = play(seed, seed % 10 === 0 ? 10 : 2)
      expect(world.globals.winner).toBeGreaterThan(0)
      expect(watch.stuck).toEqual([])
    },
    300_000,
  )
})
