import { despawn, each, step, thing } from 'hurtbox'
import { describe, expect, test } from 'vitest'
import { CAMPS, LANE, nexusOf, SIDE, STRUCTURES, towerId, WAYS } from '../rules/content/map.ts'
import { KIND } from '../rules/content/units.ts'
import type { SiegeThing, SiegeWorld } from '../rules/declaration.ts'
import { isMinion } from '../rules/units.ts'
import { arena, builtOf, championOf, distanceOf, field, ofKind, playerIn, run } from './support.ts'

/** How many minions of each kind a side has in a lane. */
function census(world: SiegeWorld, side: number, lane: number): Record<number, number> {
  const counts: Record<number, number> = {}
  for (const { kind, team, lane: own } of minionsOf(world)) {
    if (team === side && own === lane) counts[kind] = (counts[kind] ?? 0) + 1
  }
  return counts
}

function minionsOf(world: SiegeWorld): SiegeThing[] {
  return [...each(world, 'unit')].filter(isMinion)
}

describe('the map', () => {
  test('[SG16] has 12 towers on the lane lines and 2 nexuses, and is the same turned by half a turn', () => {
    const world = field()
    const kinds = STRUCTURES.map((_, place) => builtOf(world, place).kind)
    expect(kinds.filter((kind) => kind === KIND.tower).length).toBe(12)
    expect(kinds.filter((kind) => kind === KIND.nexus).length).toBe(2)
    for (const { side, x, y, tier, lane } of STRUCTURES) {
      const opposite = STRUCTURES.find((each) => each.x === -x && each.y === -y)
      expect(opposite).toMatchObject({ side: 3 - side, tier })
      if (lane === undefined) continue
      const isOnLine = WAYS[side][lane].some((to, i, way) => {
        const from = way[Math.max(i - 1, 0)]
        const cross = (to.x - from.x) * (y - from.y) - (to.y - from.y) * (x - from.x)
        return i > 0 && cross === 0
      })
      expect(isOnLine, `tower at ${x}, ${y}`).toBe(true)
    }
  })
})

describe('waves', () => {
  test('[SG17] come at 5 s and then every 30 s, 3 melee and 2 casters per lane and side', () => {
    const world = field({ tuning: { firstWave: 5 } })
    const events = ofKind(run(world, 66 * 30), 'wave')
    expect(events.map(({ tick, number }) => [tick, number])).toEqual([
      [150, 1],
      [1050, 2],
      [1950, 3],
    ])
    const first = field({ tuning: { firstWave: 5 } })
    run(first, 151)
    for (const side of [SIDE.blue, SIDE.red]) {
      for (const lane of [LANE.top, LANE.mid, LANE.bot]) {
        expect(census(first, side, lane)).toEqual({ [KIND.melee]: 3, [KIND.caster]: 2 })
      }
    }
  })

  test('[SG17] appear clear of their solid nexus and of each other, at most 20 beside the lane', () => {
    const world = field({ tuning: { firstWave: 5 } })
    run(world, 151)
    const minions = minionsOf(world)
    expect(minions.length).toBe(30)
    for (const minion of minions) {
      const { x, y, team, lane } = minion
      expect(distanceOf(minion, nexusOf(team))).toBeGreaterThan(95)
      const [from, to] = WAYS[team][lane]
      const beside = ((to.x - from.x) * (y - from.y) - (to.y - from.y) * (x - from.x)) / distanceOf(from, to)
      expect(Math.abs(beside)).toBeLessThanOrEqual(20 + 1e-9)
    }
  })

  test('[SG18] each is stronger than the one before', () => {
    const world = field({ tuning: { firstWave: 1, waveEvery: 1, waveGrowth: 0.5 } })
    run(world, 62)
    const strengths = new Set(minionsOf(world).flatMap(({ maxHp }) => (maxHp > 300 ? [maxHp] : [])))
    expect(strengths).toEqual(new Set([477, 477 * 1.5, 296 * 1.5]))
  })

  test('[SG18] a super minion leads where both towers of the other side have fallen', () => {
    const world = field({ tuning: { firstWave: 1 } })
    for (const tier of [1, 2]) despawn(thing(world, towerId(SIDE.red, LANE.mid, tier))!)
    run(world, 31)
    expect(census(world, SIDE.blue, LANE.mid)[KIND.super]).toBe(1)
    expect(census(world, SIDE.blue, LANE.top)[KIND.super]).toBeUndefined()
    expect(census(world, SIDE.red, LANE.mid)[KIND.super]).toBeUndefined()
  })

  test('[SG19] minions march to the other nexus along their lane when nothing stops them', () => {
    const world = field({ tuning: { firstWave: 1, waveEvery: 600 } })
    // Without towers, and without anybody of the other side.
    for (let place = 0; place < 12; place++) despawn(builtOf(world, place))
    run(world, 31)
    for (const minion of minionsOf(world)) if (minion.team === SIDE.red) despawn(minion)
    Object.assign(builtOf(world, 13), { hp: 1e9, maxHp: 1e9 })
    run(world, 30 * 30)
    const minions = minionsOf(world)
    // With a super minion in every lane, for all are open.
    expect(minions.length).toBe(18)
    for (const minion of minions) {
      expect(distanceOf(minion, nexusOf(SIDE.red))).toBeLessThan(75 + 20 + 300 + 50)
      expect(minion.target).toBe(14)
    }
  })
})

describe('the jungle', () => {
  const [camp] = CAMPS
  const fight = () => arena([{ side: SIDE.blue, name: 'elara', x: camp.x - 250, y: camp.y }])

  test('[SG20] creatures are passive until one of them is hurt; then the camp fights back', () => {
    const world = fight()
    const [first, second, far] = [14, 15, 16].map((place) => builtOf(world, place))
    run(world, 60)
    expect(first.target).toBe(0)
    const events = run(world, 60, { players: [{ seat: 0, order: 'attack', target: first.id }] })
    const me = championOf(world, 0).id
    expect([first.target, second.target]).toEqual([me, me])
    expect(ofKind(events, 'damage').some(({ victim }) => victim === me)).toBe(true)
    // The other camp did not notice.
    expect(far.target).toBe(0)
  })

  test('[SG20] they follow as far as the leash, go home and heal there', () => {
    const world = fight()
    const creature = builtOf(world, 14)
    const away = () => distanceOf(creature, { x: creature.homeX, y: creature.homeY })
    run(world, 30, { players: [{ seat: 0, order: 'attack', target: creature.id }] })
    expect(creature.hp).toBeLessThan(creature.maxHp)
    let farthest = 0
    for (let tick = 0; tick < 300; tick++) {
      step(world, { players: [{ seat: 0, order: 'move', go: { x: -1500, y: 0 } }] })
      farthest = Math.max(farthest, away())
    }
    expect(farthest).toBeGreaterThan(250)
    expect(farthest).toBeLessThan(300 + 20)
    expect(creature.hp).toBe(creature.maxHp)
    expect(away()).toBeLessThan(20)
  })

  test('[SG20] a camp comes back a minute after its last creature, and pays its killer', () => {
    const world = fight()
    const { things } = world.tables
    const ids = [14, 15].map((place) => Object.assign(builtOf(world, place), { hp: 1, maxHp: 1 }).id)
    Object.assign(championOf(world, 0), { hp: 1e6, maxHp: 1e6 })
    run(world, 60, { players: [{ seat: 0, order: 'attack', target: ids[0] }] })
    expect(world.arrays.campReturnsAt[0]).toBe(0)
    run(world, 60, { players: [{ seat: 0, order: 'attack', target: ids[1] }] })
    expect(playerIn(world, 0).gold).toBe(90)
    expect(world.arrays.campReturnsAt[0]).toBeGreaterThan(world.clock)
    const gone = things.count
    run(world, 60 * 30)
    expect(things.count).toBe(gone + 2)
  })
})

describe('armies', () => {
  const armyOf = (world: SiegeWorld, side: number) => minionsOf(world).filter(({ team }) => team === side)
  const isMelee = (unit: SiegeThing) => unit.kind === KIND.melee

  test('[SG63] a crowd stands on both halves of the map, free of what stands there, the nearest to the other nexus first', () => {
    const world = field({ options: { crowd: 401 } })
    const armies = [SIDE.blue, SIDE.red].map((side) => armyOf(world, side))
    expect(armies.map((army) => army.length)).toEqual([201, 200])
    for (const [n, army] of armies.entries()) {
      const side = n + 1
      expect(army.every(({ x, y }) => (side === SIDE.blue ? y > x : x > y))).toBe(true)
      expect(army.slice(0, 10).map(isMelee)).toEqual([0, 1].flatMap(() => [true, true, true, false, false]))
      expect(army.slice(0, 6).map(({ lane }) => lane)).toEqual([0, 1, 2, 0, 1, 2])
      const ways = army.map((unit) => Math.round(1e6 * distanceOf(unit, nexusOf(3 - side))))
      expect(ways).toEqual([...ways].sort((a, b) => a - b))
      for (const unit of army) {
        const gap = Math.min(
          ...STRUCTURES.map((_, place) => distanceOf(unit, builtOf(world, place)) - builtOf(world, place).radius),
        )
        expect(gap).toBeGreaterThan(unit.radius)
        expect(Math.min(...CAMPS.map((camp) => distanceOf(unit, camp)))).toBeGreaterThan(60 + unit.radius)
      }
    }
    const [first, second] = armies[0]
    expect(distanceOf(first, second)).toBeGreaterThan(2 * first.radius)
  })

  test('[SG63] a heap stands on one spot and stays: three melee minions to two casters', () => {
    const world = field({ options: { heap: 10 } })
    const heap = armyOf(world, SIDE.blue)
    expect(heap.map(isMelee)).toEqual([0, 1].flatMap(() => [true, true, true, false, false]))
    for (const { x, y, speed } of heap) expect([x, y, speed]).toEqual([-900, 500, 0])
  })
})
