import { rowOf, step } from 'hurtbox'
import { describe, expect, test } from 'vitest'
import { CAMPS, LANE, nexusOf, SIDE, STRUCTURES, towerId, WAYS } from '../rules/content/map.ts'
import { KIND } from '../rules/content/units.ts'
import type { SiegeWorld } from '../rules/declaration.ts'
import { isMinion } from '../rules/units.ts'
import { arena, championRow, field, ofKind, run } from './support.ts'

/** How many minions of each kind a side has in a lane. */
function census(world: SiegeWorld, side: number, lane: number): Record<number, number> {
  const { things } = world.tables
  const counts: Record<number, number> = {}
  for (let row = 0; row < things.count; row++) {
    if (!isMinion(things.kind[row]) || things.team[row] !== side || things.lane[row] !== lane) continue
    counts[things.kind[row]] = (counts[things.kind[row]] ?? 0) + 1
  }
  return counts
}

describe('the map', () => {
  test('[SG16] has 12 towers on the lane lines and 2 nexuses, and is the same turned by half a turn', () => {
    const world = field()
    const { things } = world.tables
    const kinds = [...things.kind.subarray(0, 14)]
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
    const { things } = world.tables
    const minions = Array.from({ length: things.count }, (_, row) => row).filter((row) => isMinion(things.kind[row]))
    expect(minions.length).toBe(30)
    for (const row of minions) {
      const nexus = nexusOf(things.team[row])
      expect(Math.hypot(things.x[row] - nexus.x, things.y[row] - nexus.y)).toBeGreaterThan(95)
      const [from, to] = WAYS[things.team[row]][things.lane[row]]
      const length = Math.hypot(to.x - from.x, to.y - from.y)
      const beside = ((to.x - from.x) * (things.y[row] - from.y) - (to.y - from.y) * (things.x[row] - from.x)) / length
      expect(Math.abs(beside)).toBeLessThanOrEqual(20 + 1e-9)
    }
  })

  test('[SG18] each is stronger than the one before', () => {
    const world = field({ tuning: { firstWave: 1, waveEvery: 1, waveGrowth: 0.5 } })
    run(world, 62)
    const { things } = world.tables
    const strengths = new Set([...things.maxHp.subarray(18, things.count)].filter((hp) => hp > 300))
    expect(strengths).toEqual(new Set([477, 477 * 1.5, 296 * 1.5]))
  })

  test('[SG18] a super minion leads where both towers of the other side have fallen', () => {
    const world = field({ tuning: { firstWave: 1 } })
    const { things } = world.tables
    for (const tier of [1, 2]) things.leaving[rowOf(things, towerId(SIDE.red, LANE.mid, tier))] = 1
    run(world, 31)
    expect(census(world, SIDE.blue, LANE.mid)[KIND.super]).toBe(1)
    expect(census(world, SIDE.blue, LANE.top)[KIND.super]).toBeUndefined()
    expect(census(world, SIDE.red, LANE.mid)[KIND.super]).toBeUndefined()
  })

  test('[SG19] minions march to the other nexus along their lane when nothing stops them', () => {
    const world = field({ tuning: { firstWave: 1, waveEvery: 600 } })
    const { things } = world.tables
    // Without towers, and without anybody of the other side.
    for (let row = 0; row < 12; row++) things.leaving[row] = 1
    run(world, 31)
    for (let row = 0; row < things.count; row++)
      if (isMinion(things.kind[row]) && things.team[row] === SIDE.red) things.leaving[row] = 1
    things.hp[rowOf(things, 14)] = things.maxHp[rowOf(things, 14)] = 1e9
    run(world, 30 * 30)
    const minions = Array.from({ length: things.count }, (_, row) => row).filter((row) => isMinion(things.kind[row]))
    // With a super minion in every lane, for all are open.
    expect(minions.length).toBe(18)
    const red = nexusOf(SIDE.red)
    for (const row of minions) {
      expect(Math.hypot(things.x[row] - red.x, things.y[row] - red.y)).toBeLessThan(75 + 20 + 300 + 50)
      expect(things.target[row]).toBe(14)
    }
  })
})

describe('the jungle', () => {
  const [camp] = CAMPS
  const fight = () => arena([{ side: SIDE.blue, name: 'elara', x: camp.x - 250, y: camp.y }])

  test('[SG20] creatures mind their own business, until one of them is hurt: then the camp fights back', () => {
    const world = fight()
    const { things } = world.tables
    run(world, 60)
    expect(things.target[14]).toBe(0)
    const events = run(world, 60, { players: [{ seat: 0, order: 'attack', target: things.id[14] }] })
    const me = world.tables.players.thing[0]
    expect([things.target[14], things.target[15]]).toEqual([me, me])
    expect(ofKind(events, 'damage').some(({ victim }) => victim === me)).toBe(true)
    // The other camp did not notice.
    expect(things.target[16]).toBe(0)
  })

  test('[SG20] they follow as far as the leash, go home and heal there', () => {
    const world = fight()
    const { things } = world.tables
    run(world, 30, { players: [{ seat: 0, order: 'attack', target: things.id[14] }] })
    expect(things.hp[14]).toBeLessThan(things.maxHp[14])
    let farthest = 0
    for (let tick = 0; tick < 300; tick++) {
      step(world, { players: [{ seat: 0, order: 'move', go: { x: -1500, y: 0 } }] })
      farthest = Math.max(farthest, Math.hypot(things.x[14] - things.homeX[14], things.y[14] - things.homeY[14]))
    }
    expect(farthest).toBeGreaterThan(250)
    expect(farthest).toBeLessThan(300 + 20)
    expect(things.hp[14]).toBe(things.maxHp[14])
    expect(Math.hypot(things.x[14] - things.homeX[14], things.y[14] - things.homeY[14])).toBeLessThan(20)
  })

  test('[SG20] a camp comes back a minute after its last creature, and pays who killed it', () => {
    const world = fight()
    const { things, players } = world.tables
    const ids = [things.id[14], things.id[15]]
    for (const row of [14, 15]) things.hp[row] = things.maxHp[row] = 1
    things.maxHp[championRow(world, 0)] = things.hp[championRow(world, 0)] = 1e6
    run(world, 60, { players: [{ seat: 0, order: 'attack', target: ids[0] }] })
    expect(world.arrays.campReturnsAt[0]).toBe(0)
    run(world, 60, { players: [{ seat: 0, order: 'attack', target: ids[1] }] })
    expect(players.gold[0]).toBe(90)
    expect(world.arrays.campReturnsAt[0]).toBeGreaterThan(world.clock)
    const gone = things.count
    run(world, 60 * 30)
    expect(things.count).toBe(gone + 2)
  })
})
