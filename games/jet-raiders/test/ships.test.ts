import { createWorld, HurtboxError, step } from 'hurtbox'
import { describe, expect, test } from 'vitest'
import { HEIGHT, KIND, WIDTH } from '../rules/declaration.ts'
import { jetRaiders } from '../rules/index.ts'
import { arena, bulletTo, isThere, ofKind, put, run, ship, ticksOf } from './support.ts'

const QUARTER_TURN = Math.PI / 2

describe('steering', () => {
  test('[JR2] a ship flies where it looks, without inertia: angle 0 is up, positive is clockwise', () => {
    const world = arena([{ x: 0 }])
    const { things } = world.tables
    run(world, 40, { players: [{ seat: 0, thrust: 1 }] })
    const [x, y] = [things.x[0], things.y[0]]
    run(world, 1)
    expect(things.x[0]).toBe(x)
    expect(things.y[0]).toBeCloseTo(y - 2.4, 12)
    // Turned by hand to the right: the very next step goes there, at full speed.
    things.heading[0] = QUARTER_TURN
    const turnedAt = things.y[0]
    run(world, 1)
    expect(things.x[0]).toBeCloseTo(x + 2.4, 12)
    expect(things.y[0]).toBeCloseTo(turnedAt, 12)
  })

  test('[JR2] full stick turns by 3 rad/s, to either side, also at rest', () => {
    const world = arena([{ x: 0 }, { x: 100 }])
    const { things } = world.tables
    run(world, 10, {
      players: [
        { seat: 0, turn: 1 },
        { seat: 1, turn: -1 },
      ],
    })
    expect(things.heading[0]).toBeCloseTo(0.48, 12)
    expect(things.heading[1]).toBeCloseTo(-0.48, 12)
    expect([things.x[0], things.y[0]]).toEqual([0, 0])
  })

  test('[JR3] full throttle after 32 ticks and not before; it stays between 0 and 1', () => {
    const world = arena([{ x: 0 }])
    const { things } = world.tables
    run(world, 31, { players: [{ seat: 0, thrust: 1 }] })
    expect(things.throttle[0]).toBeLessThan(1)
    run(world, 1)
    expect(things.throttle[0]).toBe(1)
    run(world, 5)
    expect(things.throttle[0]).toBe(1)
    run(world, 32, { players: [{ seat: 0, thrust: -1 }] })
    expect(things.throttle[0]).toBe(0)
    run(world, 5)
    expect(things.throttle[0]).toBe(0)
  })

  test('[JR4] over an edge a ship is exactly on the opposite one, each axis for itself', () => {
    // Two px from the right edge, and far from the upper one: 2.4 px a tick take it over the first only.
    const world = arena([{ x: WIDTH / 2 - 2, y: 50, heading: QUARTER_TURN }])
    const { things } = world.tables
    things.throttle[0] = 1
    run(world, 1)
    expect(things.x[0]).toBe(-WIDTH / 2)
    expect(things.y[0]).toBeCloseTo(50, 12)
    put(world, 0, { x: -100, y: -HEIGHT / 2 + 1 })
    run(world, 1)
    expect([things.x[0], things.y[0]]).toEqual([-100, HEIGHT / 2])
    put(world, 0, { x: -100, y: HEIGHT / 2 - 1, heading: Math.PI })
    run(world, 1)
    expect(things.y[0]).toBe(-HEIGHT / 2)
    // On the edge is not over it.
    put(world, 0, { x: WIDTH / 2 - 2.4, heading: QUARTER_TURN })
    run(world, 1)
    expect(things.x[0]).toBe(WIDTH / 2)
  })

  test('[JR4] a jump is counted, so that views do not draw the way between', () => {
    const world = arena([{ x: WIDTH / 2 - 1, heading: QUARTER_TURN }])
    const { things } = world.tables
    const before = things.teleports[0]
    things.throttle[0] = 1
    run(world, 3)
    expect(things.teleports[0]).toBe(before + 1)
  })

  test('[JR5] an input is a level: it stays until replaced, sticks are held to −1 … 1, NaN is refused', () => {
    const world = arena([{ x: 0 }, { x: 100 }])
    const { players, things } = world.tables
    run(world, 10, { players: [{ seat: 0, turn: 7, thrust: -7, shoot: true }] })
    expect([players.turn[0], players.thrust[0], players.shoot[0]]).toEqual([1, -1, 1])
    // What an input leaves out is idle.
    run(world, 1, { players: [{ seat: 0, turn: 0.5 }] })
    expect(players.turn[0]).toBeCloseTo(0.5, 2)
    expect([players.thrust[0], players.shoot[0]]).toEqual([0, 0])
    expect(things.heading[1]).toBe(0)
    expect(() => run(world, 1, { players: [{ seat: 0, turn: Number.NaN }] })).toThrow(HurtboxError)
  })
})

describe('coming and going', () => {
  test('[JR6] places come from the seed: equal for equal seeds, on the plane, x and y independent', () => {
    const placesOf = (seed: number) => {
      const world = createWorld(jetRaiders, { seed })
      step(world, { controls: Array.from({ length: 16 }, (_, seat) => ({ control: 'join', seat })) })
      const { x, y, count } = world.tables.things
      return Array.from({ length: count }, (_, row) => [x[row], y[row]])
    }
    expect(placesOf(3)).toEqual(placesOf(3))
    expect(placesOf(3)).not.toEqual(placesOf(4))
    const places = Array.from({ length: 200 }, (_, seed) => placesOf(seed)).flat()
    expect(places.every(([x, y]) => Math.abs(x) <= WIDTH / 2 && Math.abs(y) <= HEIGHT / 2)).toBe(true)
    // All four quarters of the plane get their share. One number for both axes would leave two of them empty.
    const quarters = [0, 0, 0, 0]
    for (const [x, y] of places) quarters[(x > 0 ? 1 : 0) + (y > 0 ? 2 : 0)]++
    for (const share of quarters) expect(share / places.length).toBeCloseTo(0.25, 1)
  })

  test('[JR6] a new ship is whole, at rest, looks up, and has the tuned size', () => {
    const world = createWorld(jetRaiders, { tuning: { shipRadius: 30, shipHp: 250 } })
    step(world, { controls: [{ control: 'join', seat: 4 }] })
    const { things } = world.tables
    expect([things.hp[0], things.radius[0], things.heading[0], things.throttle[0]]).toEqual([250, 30, 0, 0])
  })

  test('[JR7] whoever leaves takes the ship and all its bullets, and fires no more', () => {
    const world = arena([{ x: -300 }, { x: 300 }])
    run(world, 20, {
      players: [
        { seat: 0, shoot: true },
        { seat: 1, shoot: true },
      ],
    })
    const { things } = world.tables
    const owners = () => [...things.owner.subarray(0, things.count)]
    expect(owners()).toContain(1)
    // Tick 22: the trigger is held and the gun is ready.
    expect(things.readyAt[0]).toBe(22)
    run(world, 1)
    const events = run(world, 1, { controls: [{ control: 'leave', seat: 0 }] })
    expect(ofKind(events, 'shot').map(({ shooter }) => shooter)).toEqual([2])
    expect(isThere(world, 1)).toBe(false)
    expect(owners()).not.toContain(1)
    expect(owners().filter((owner) => owner === 2)).toHaveLength(4)
  })

  test('[JR7] a dead ship that leaves does not come back first, and draws no place', () => {
    const world = arena([{ x: 0, hp: 0 }])
    const before = [...world.random.spawns]
    run(world, 1, { controls: [{ control: 'leave', seat: 0 }] })
    expect(world.tables.things.count).toBe(0)
    expect([...world.random.spawns]).toEqual(before)
  })

  test('[JR7] joining again gives a new ship with a new id and no score', () => {
    const world = arena([{ x: 0 }, { x: 100 }])
    const { players, things } = world.tables
    players.score[0] = 5
    run(world, 1, { controls: [{ control: 'leave', seat: 0 }] })
    run(world, 1, { controls: [{ control: 'join', seat: 0 }] })
    expect([...players.seat.subarray(0, players.count)]).toEqual([1, 0])
    expect(players.thing[1]).toBe(3)
    expect(players.score[1]).toBe(0)
    expect(things.kind[ship(world, 2)]).toBe(KIND.ship)
  })
})

describe('death and return', () => {
  test('[JR16] a dead ship returns after 63 ticks: whole, elsewhere, at rest, and it does not move in that tick', () => {
    const world = arena([{ x: -300 }, { x: 0, hp: 30 }])
    const { things } = world.tables
    bulletTo(world, 0, 0)
    const events = run(world, 70, { players: [{ seat: 1, thrust: 1, turn: 1 }] })
    const [died] = ticksOf(events, 'kill')
    expect(ticksOf(events, 'returned')).toEqual([died + 63])
    expect(died).toBe(1)
    const victim = ship(world, 1)
    // Inputs are wiped, so nothing has moved it since.
    expect([things.throttle[victim], things.heading[victim], things.hp[victim]]).toEqual([0, 0, 100])
    expect([things.x[victim], things.y[victim]]).not.toEqual([0, 0])
  })

  test('[JR17] a dead ship takes inputs but does nothing with them, and they are wiped when it returns', () => {
    const world = arena([{ x: -300 }, { x: 0, hp: 30 }])
    const { things, players } = world.tables
    bulletTo(world, 0, 0)
    run(world, 1)
    const corpse = [things.x[1], things.y[1], things.heading[1], things.throttle[1]]
    const held = run(world, 62, { players: [{ seat: 1, thrust: 1, turn: 1, shoot: true, slot: 1 }] })
    expect(held).toEqual([])
    expect([things.x[1], things.y[1], things.heading[1], things.throttle[1]]).toEqual(corpse)
    expect([players.thrust[1], players.turn[1], players.shoot[1]]).toEqual([1, 1, 1])
    const back = run(world, 1)
    expect(back.map(({ kind }) => kind)).toEqual(['returned'])
    expect([players.thrust[1], players.turn[1], players.shoot[1]]).toEqual([0, 0, 0])
    // What is said in the tick of return itself is wiped too; the next word counts.
    const later = run(world, 1, { players: [{ seat: 1, shoot: true }] })
    expect(ofKind(later, 'shot')).toHaveLength(1)
  })

  test('[JR13] death stops throttle and gun; who returns may fire at once', () => {
    const world = arena([{ x: -300 }, { x: 0, hp: 30 }])
    const { things } = world.tables
    things.throttle[1] = 1
    things.readyAt[1] = 500
    bulletTo(world, 0, 0, -2.4)
    run(world, 1)
    expect([things.hp[1], things.throttle[1], things.readyAt[1]]).toEqual([0, 0, 0])
  })
})
