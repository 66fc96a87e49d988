/** Whole matches between bots. */

import { createWorld, each, hashWorld, snapshot, step } from 'hurtbox'
import { botInputs } from 'hurtbox/tools'
import { describe, expect, test } from 'vitest'
import { bots } from '../bots/index.ts'
import { SIDE } from '../rules/content/map.ts'
import { KIND } from '../rules/content/units.ts'
import type { SiegeWorld } from '../rules/declaration.ts'
import { siege } from '../rules/index.ts'
import { addStanding, arena, builtOf, championOf, playerIn, run } from './support.ts'
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
    // The second of a side goes to the middle.
    const world = arena([
      { side: SIDE.blue, name: 'warrior', x: -1100, y: 1100 },
      { side: SIDE.blue, name: 'warrior', x: 200, y: -100 },
    ])
    run(world, 1)
    const tower = builtOf(world, 9)
    expect(tower.kind).toBe(KIND.tower)
    const think = () => bots[0].think(world, playerIn(world, 1), 1)
    tower.target = 0
    expect(think().target).not.toBe(tower.id)
    addStanding(world, SIDE.blue, tower.x - 150, tower.y + 150)
    expect(think()).toMatchObject({ order: 'attack', target: tower.id })
    // Not while the tower shoots at the champion itself.
    tower.target = championOf(world, 1).id
    expect(think().target).not.toBe(tower.id)
  })
})

describe('bots against champions', () => {
  const think = (world: SiegeWorld, seat = 0, seed = 1) => bots[0].think(world, playerIn(world, seat), seed)
  /** Out of the reach of all towers. */
  const Y = 700
  const duel = (foe: { x: number; hp?: number }) => {
    const world = arena([
      { side: SIDE.blue, name: 'magnus', x: 0, y: Y },
      { side: SIDE.red, name: 'magnus', x: foe.x, y: Y },
    ])
    const [self, other] = [championOf(world, 0), championOf(world, 1)]
    if (foe.hp !== undefined) other.hp = foe.hp * other.maxHp
    run(world, 1, { players: [0, 1].map((seat) => ({ seat, order: 'move', go: { x: seat * foe.x, y: Y } })) })
    return { world, self, other }
  }

  test('[SG57] a bot fights a weaker champion, throws its missile ahead of it, and does not follow a much stronger one', () => {
    const { world, self, other } = duel({ x: 420, hp: 0.5 })
    const thought = think(world)
    expect(thought).toMatchObject({ order: 'attack', target: other.id, first: 1 })
    Object.assign(other, { headX: 0, headY: 1 })
    expect(think(world).aim!.y, 'a lead').toBeGreaterThan(Y + 50)
    Object.assign(other, { hp: 5000, maxHp: 5000 })
    self.hp = 0.5 * self.maxHp
    expect(think(world).target).not.toBe(other.id)
  })

  test('[SG57] a bot kills a champion with its next blow, even when it is badly hurt itself', () => {
    const { world, self, other } = duel({ x: 300, hp: 0.05 })
    self.hp = 0.1 * self.maxHp
    expect(think(world)).toMatchObject({ order: 'attack', target: other.id })
    other.hp = other.maxHp
    expect(think(world)).toMatchObject({ order: 'move' })
  })

  test('[SG57] a missile that would end in a minion is not thrown', () => {
    const { world, other } = duel({ x: 420, hp: 0.5 })
    addStanding(world, SIDE.red, 200, Y)
    expect(think(world)).toMatchObject({ order: 'attack', target: other.id })
    expect(think(world).first).toBeUndefined()
  })

  test('[SG58] a bot steps aside from a missile that would hit it, and out of a burst that is about to land', () => {
    const dodges = (which: 'first' | 'second', aim: { x: number; y: number }) => {
      const sides: number[] = []
      for (let seed = 1; seed <= 30; seed++) {
        const { world, self } = duel({ x: 500 })
        run(world, 2, {
          players: [
            { seat: 1, order: 'hold', [which]: 1, aim },
            { seat: 0, order: 'hold' },
          ],
        })
        const { order, go } = think(world, 0, seed)
        const blow = [...each(world, 'blow')][0]
        const isAway = order === 'move' && go !== undefined
        const step = isAway ? Math.hypot(go.x - self.x, go.y - self.y) : 0
        // Across the flight of a missile; away from the middle of a burst.
        if (which === 'first' && isAway && Math.abs(go.y - self.y) > 20) sides.push(step)
        if (which === 'second' && isAway && Math.hypot(go.x - blow.x, go.y - blow.y) > blow.radius + 25)
          sides.push(step)
      }
      return sides.length
    }
    // Most of them, not all: a bot sees about two of three in time.
    expect(dodges('first', { x: 0, y: Y })).toBeGreaterThan(12)
    expect(dodges('second', { x: 10, y: Y })).toBeGreaterThan(12)
    expect(dodges('first', { x: 500, y: Y + 400 }), 'one that flies past').toBe(0)
  })

  test('[SG59] a bot runs to a fight of an ally near by, unless it is hurt or the foe stands by its tower', () => {
    const gank = (x: number, y: number, hp = 1) => {
      const world = arena([
        { side: SIDE.blue, name: 'vex', x: 0, y: 1000 },
        { side: SIDE.blue, name: 'warrior', x: x + 200, y },
        { side: SIDE.red, name: 'magnus', x, y },
      ])
      run(world, 1, { players: [0, 1, 2].map((seat) => ({ seat, order: 'hold' })) })
      championOf(world, 0).hp *= hp
      const { order, go } = think(world)
      return order === 'move' && Math.hypot(go!.x - x, go!.y - y) < 60
    }
    expect(gank(100, 250)).toBe(true)
    expect(gank(100, 250, 0.5), 'hurt').toBe(false)
    expect(gank(420, -420), 'by its tower').toBe(false)
  })

  test('[SG60] both sides play the same champions, others by seed, and the first of each side the same long lane', () => {
    const picks = new Set<string>()
    for (let seed = 1; seed <= 12; seed++) {
      const world = createWorld(siege, { seed })
      step(world, { controls: Array.from({ length: 4 }, (_, seat) => ({ control: 'join', seat })) })
      const [blue, red, blueSecond, redSecond] = [0, 1, 2, 3].map((seat) => think(world, seat, seed).pick)
      expect([blue, blueSecond]).toEqual([red, redSecond])
      expect(blue).not.toBe(blueSecond)
      picks.add(String(blue))
    }
    expect(picks.size).toBeGreaterThan(3)
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
