import { createWorld, each, step } from 'hurtbox'
import { describe, expect, test } from 'vitest'
import { crewOrders, TASK } from '../rules/crew.ts'
import { ASTEROID, MATERIAL, massOf, ORDER, SHIP, type VinylWorld } from '../rules/declaration.ts'
import { vinylFrontier } from '../rules/index.ts'
import { result, stats } from '../rules/match.ts'
import { burn } from '../rules/motion.ts'
import { applyOrder } from '../rules/orders.ts'
import { shipOf, stationOf, TEAMS } from '../rules/setup.ts'
import { emptyWorld, rock, ship, tick } from './support.ts'

// What the rules promise at their limits.

describe('orders', () => {
  /** An order of a ship with this much fuel: what it costs and what is stored. */
  const ordered = (kind: number, value: number, fuel: number, options = {}, more = {}) => {
    const world = emptyWorld(options)
    const own = ship(world, 0, { x: 0, y: 0 }, { fuel })
    Object.assign(own, more)
    const cost = applyOrder(world, own, kind, value)
    return { cost, stored: own.orders.get(kind), own, world }
  }

  test('[VF55] thrust costs what the flight then burns, never more than there is, and nothing right after a launch', () => {
    for (const thrust of [10, -10, 3]) {
      const { cost, own, world } = ordered(ORDER.thrust, thrust, 30)
      for (let i = 0; i < 5; i++) tick(world)
      expect(cost).toBeGreaterThan(0)
      expect(30 - own.fuel, `thrust ${thrust}`).toBeCloseTo(cost, 9)
    }
    const short = ordered(ORDER.thrust, 10, 0.01)
    expect(short.cost).toBeGreaterThan(0)
    expect(short.cost).toBeLessThanOrEqual(0.01 + 1e-9)
    expect(ordered(ORDER.thrust, 10, 30, {}, { launched: 1 }).cost).toBe(0)
  })

  test('[VF55] with too little fuel old thrust and both turns keep their direction, and cost all there is', () => {
    for (const sign of [1, -1]) {
      for (const options of [{}, { legacyMode: true }]) {
        for (const angle of [3, 0.6]) {
          const turn = ordered(ORDER.turn, sign * angle, 0.001, options)
          expect(Math.sign(turn.stored), `${sign * angle}`).toBe(sign)
          expect(Math.abs(turn.stored)).toBeLessThan(angle)
          expect(turn.cost).toBe(0.001)
        }
      }
      for (const speed of [10, 0.6]) {
        const thrust = ordered(ORDER.thrust, sign * speed, 0.0001, { legacyMode: true })
        expect(Math.sign(thrust.stored), `${sign * speed}`).toBe(sign)
        expect(Math.abs(thrust.stored)).toBeLessThan(speed)
        expect(thrust.cost).toBe(0.0001)
      }
      expect(ordered(ORDER.thrust, sign * 10, 30, { legacyMode: true }).stored).toBeCloseTo(sign * 10, 9)
    }
  })

  test('[VF55] what is thrown overboard weighs at least 3 t, and 3 t are enough', () => {
    expect(ordered(ORDER.jettison, -ASTEROID.minMass, 30, {}, { cargo: 10 }).stored).toBe(-3)
    expect(ordered(ORDER.jettison, -2.999, 30, {}, { cargo: 10 }).stored).toBe(0)
    expect(ordered(ORDER.jettison, ASTEROID.minMass, 30).stored).toBe(3)
  })

  test('[VF55] a tank runs dry once', () => {
    const world = emptyWorld()
    const own = ship(world, 0, { x: 0, y: 0 }, { fuel: 1 })
    const dry = () => world.events.outOfFuel.count
    burn(world, own, 0.5)
    expect(dry()).toBe(0)
    burn(world, own, 0.5)
    expect([dry(), own.fuel]).toEqual([1, 0])
    burn(world, own, 0.5)
    expect(dry()).toBe(1)
  })

  test('[VF55] an order of its own goes before the task, for each of the four ships', () => {
    for (let number = 0; number < 4; number++) {
      const world = createWorld(vinylFrontier, { seed: 3, options: { vinyl: 0, uranium: 0 } })
      step(world, { controls: [{ control: 'join', seat: 0 }] })
      for (let i = 1; i < 5; i++) step(world)
      const players = [{ seat: 0, fire: true, ship: String(((number + 1) % 4) + 1), [`thrust${number}`]: 10 } as never]
      for (let i = 0; i < 5; i++) step(world, { players })
      expect(shipOf(world, 0, number)!.speed, `ship ${number}`).toBeCloseTo(10, 9)
    }
  })
})

describe('crews', () => {
  const kinds = (orders: readonly { kind: number }[]) => orders.map(({ kind }) => kind)
  /** A miner at the origin that looks along +x, and what it shoots at. */
  const shots = (fill: (world: VinylWorld) => void, fuel = 30) => {
    const world = emptyWorld()
    const own = ship(world, 0, { x: 0, y: 0 }, { fuel, cargo: 20 })
    own.shield = 15
    fill(world)
    return crewOrders(world, own, TASK.mine, new Set()).filter(({ kind }) => kind === ORDER.laser)
  }

  test('[VF55] a miner breaks rocks that are too large, 45 beyond them, and no others', () => {
    const large =
      (x: number, y = 0, mass = 30) =>
      (world: VinylWorld) =>
        void rock(world, MATERIAL.vinyl, mass, { x, y })
    expect(shots(large(100))[0].value).toBeCloseTo(145, 9)
    expect(shots(large(100, 0, 10)), 'it fits').toEqual([])
    expect(shots(large(100, 0, 8.9)), 'it is small').toEqual([])
    expect(shots(large(100, 40)), 'beside its sights').toEqual([])
    expect(shots(large(-100)), 'behind').toEqual([])
    expect(shots(large(171)), 'too far').toEqual([])
    // 145 cost 2.9 t, and 4 t stay aboard.
    expect([shots(large(100), 6.8).length, shots(large(100), 6.95).length]).toEqual([0, 1])
  })

  test('[VF55] a miner shoots enemies in its sights, 80 beyond them, and nothing past its own', () => {
    const foe = (world: VinylWorld) => void ship(world, 1, { x: 100, y: 0 })
    expect(shots(foe)[0].value).toBeCloseTo(180, 9)
    expect(shots((world) => void Object.assign(ship(world, 1, { x: 100, y: 0 }), { docked: 1 }))).toEqual([])
    const mate = (world: VinylWorld) => {
      foe(world)
      ship(world, 0, { x: 60, y: 0 })
    }
    expect(shots(mate)).toEqual([])
    // Where it will be at the end of the turn counts.
    expect(shots((world) => void ship(world, 1, { x: 100, y: -60, vy: 60 }))).toHaveLength(1)
    expect(shots((world) => void ship(world, 1, { x: 100, y: 0, vy: 60 }))).toEqual([])
  })

  test('[VF55] a miner shoots where it looks, wherever that is', () => {
    for (const angle of [1, 2.5, -2]) {
      const world = emptyWorld()
      const own = ship(world, 0, { x: 0, y: 0 }, { cargo: 20 })
      Object.assign(own, { shield: 15, orient: angle })
      const lasers = () => crewOrders(world, own, TASK.mine, new Set()).filter(({ kind }) => kind === ORDER.laser)
      const foe = ship(world, 1, { x: 100 * Math.cos(angle), y: 100 * Math.sin(angle) })
      expect(lasers(), `${angle}`).toHaveLength(1)
      foe.y = -foe.y
      expect(lasers(), `${angle}, mirrored`).toEqual([])
    }
  })

  test('[VF55] a hunter keeps 3 t of fuel, and backs off from what it overlaps', () => {
    const hunts = (fuel: number, x: number) => {
      const world = emptyWorld()
      const own = ship(world, 0, { x: 0, y: 0 }, { fuel })
      own.shield = 15
      ship(world, 1, { x, y: 0 })
      return kinds(crewOrders(world, own, TASK.hunt, new Set()))
    }
    expect(hunts(30, 100)).toContain(ORDER.laser)
    expect(hunts(30, 1.5 * SHIP.radius)).not.toContain(ORDER.laser)
    expect(hunts(3.5, 300)).toEqual(hunts(30, 300))
    expect(hunts(2.9, 300)).not.toEqual(hunts(30, 300))
  })

  test('[VF55] a guard goes for what comes within 280 of its station', () => {
    const guards = (away: number) => {
      const world = emptyWorld()
      const { x, y } = TEAMS[0].home
      const own = ship(world, 0, { x: x + 150, y })
      own.shield = 15
      ship(world, 1, { x: x + away, y })
      return kinds(crewOrders(world, own, TASK.guard, new Set()))
    }
    expect(guards(280)).toContain(ORDER.laser)
    expect(guards(281)).not.toContain(ORDER.laser)
  })

  test('[VF55] on its way home a ship turns to where home is', () => {
    const world = emptyWorld()
    const { x, y } = TEAMS[0].home
    const own = ship(world, 0, { x: x + 120, y: y - 160 })
    own.shield = 15
    const [order] = crewOrders(world, own, TASK.home, new Set())
    expect(order.kind).toBe(ORDER.turn)
    expect(order.value).toBeCloseTo(Math.atan2(160, -120), 6)
  })
})

describe('the match', () => {
  test('[VF55] the most vinyl at home wins, and among equals nobody', () => {
    const world = emptyWorld({ teams: 3, maxTurns: 10 })
    expect(result(world)).toMatchObject({ over: false })
    expect(result(world)).not.toHaveProperty('winner')
    stationOf(world, 1)!.vinyl = 12.345
    expect(result(world)).toMatchObject({ winner: TEAMS[1].station })
    expect(result(world).summary).toContain(`${TEAMS[1].station} 12.3`)
    stationOf(world, 2)!.vinyl = 12.345
    expect(result(world)).not.toHaveProperty('winner')
    world.globals.turn = 10
    expect(result(world).over).toBe(true)
  })

  test('[VF55] a match begins with as many rocks of each kind as asked for', () => {
    for (const [vinyl, uranium] of [
      [5, 5],
      [3, 0],
      [0, 4],
    ]) {
      const world = createWorld(vinylFrontier, { seed: 2, options: { vinyl, uranium } })
      const count = (material: number) => [...each(world, 'asteroid')].filter((one) => one.material === material).length
      expect([count(MATERIAL.vinyl), count(MATERIAL.uranium)]).toEqual([vinyl, uranium])
      expect(stats(world)).toMatchObject({ asteroids: vinyl + uranium, tonsAfloat: 40 * (vinyl + uranium), turns: 0 })
      expect(massOf([...each(world, 'asteroid')][0])).toBe(40)
    }
  })
})

describe('impacts', () => {
  test('[VF55] what is delivered at the station of another team is told as such', () => {
    for (const [team, isHome] of [
      [0, 1],
      [1, 0],
    ]) {
      const world = emptyWorld()
      const { x, y } = stationOf(world, team)!
      ship(world, 0, { x: x - 20, y }, { cargo: 7 })
      tick(world)
      expect([world.events.delivered.count, world.events.delivered.isHome[0]]).toEqual([1, isHome])
    }
  })

  test('[VF55] eating hurts, where that option is on, by how fast the two close in, along both axes', () => {
    const lost = (own: { vx?: number; vy?: number }, other: { vx?: number; vy?: number }) => {
      const world = emptyWorld({ legacyAsteroidEatDamage: true })
      const eater = ship(world, 0, { x: 300, y: 100, ...own })
      rock(world, MATERIAL.vinyl, 10, { x: 305, y: 100, ...other })
      tick(world)
      return 15 - eater.shield
    }
    expect(lost({ vx: 10 }, { vx: 4 })).toBeCloseTo((10 * 6) / 1000, 9)
    expect(lost({ vy: 10 }, { vy: 4 })).toBeCloseTo((10 * 6) / 1000, 9)
    expect(lost({ vx: 10 }, { vy: 10 })).toBeCloseTo((10 * Math.hypot(10, 10)) / 1000, 9)
  })

  test('[VF55] a rock that bounces off a station is put outside it, on the side from which it came', () => {
    for (const [dx, dy] of [
      [-25, 0],
      [25, 0],
      [0, -25],
      [15, 20],
    ]) {
      const world = emptyWorld()
      const station = stationOf(world, 0)!
      const bounced = rock(world, MATERIAL.vinyl, 10, {
        x: station.x + dx,
        y: station.y + dy,
        vx: -dx / 5,
        vy: -dy / 5,
      })
      tick(world)
      const clear = bounced.radius + station.radius + 1
      expect(bounced.x - station.x).toBeCloseTo((dx / 25) * clear, 6)
      expect(bounced.y - station.y).toBeCloseTo((dy / 25) * clear, 6)
      expect([bounced.vx, bounced.vy].map((each) => Math.round(each * 1e6) / 1e6)).toEqual([dx / 5, dy / 5])
    }
  })
})
