import { createWorld, each, exists, HurtboxError, players, step } from 'hurtbox'
import { length } from 'hurtbox/math'
import { describe, expect, test } from 'vitest'
import { HEIGHT, KIND, WIDTH } from '../rules/declaration.ts'
import { jetRaiders } from '../rules/index.ts'
import { arena, bulletTo, ofKind, player, put, run, ship, ticksOf } from './support.ts'

const QUARTER_TURN = Math.PI / 2

describe('steering', () => {
  test('[JR2] a ship flies where it looks, without inertia: angle 0 is up, positive is clockwise', () => {
    const world = arena([{ x: 0 }])
    run(world, 40, { players: [{ seat: 0, thrust: 1 }] })
    const [x, y] = [ship(world, 0).x, ship(world, 0).y]
    run(world, 1)
    expect(ship(world, 0).x).toBe(x)
    expect(ship(world, 0).y).toBeCloseTo(y - 2.4, 12)
    // Turned by hand to the right: the very next step goes there, at full speed.
    ship(world, 0).heading = QUARTER_TURN
    const turnedAt = ship(world, 0).y
    run(world, 1)
    expect(ship(world, 0).x).toBeCloseTo(x + 2.4, 12)
    expect(ship(world, 0).y).toBeCloseTo(turnedAt, 12)
  })

  test('[JR2] full stick turns by 3 rad/s, to either side, also at rest', () => {
    const world = arena([{ x: 0 }, { x: 100 }])
    run(world, 10, {
      players: [
        { seat: 0, turn: 1 },
        { seat: 1, turn: -1 },
      ],
    })
    expect(ship(world, 0).heading).toBeCloseTo(0.48, 12)
    expect(ship(world, 1).heading).toBeCloseTo(-0.48, 12)
    expect([ship(world, 0).x, ship(world, 0).y]).toEqual([0, 0])
  })

  test('[JR3] full throttle after 32 ticks and not before; it stays between 0 and 1', () => {
    const world = arena([{ x: 0 }])
    run(world, 31, { players: [{ seat: 0, thrust: 1 }] })
    expect(ship(world, 0).throttle).toBeLessThan(1)
    run(world, 1)
    expect(ship(world, 0).throttle).toBe(1)
    run(world, 5)
    expect(ship(world, 0).throttle).toBe(1)
    run(world, 32, { players: [{ seat: 0, thrust: -1 }] })
    expect(ship(world, 0).throttle).toBe(0)
    run(world, 5)
    expect(ship(world, 0).throttle).toBe(0)
  })

  test('[JR4] over an edge a ship is exactly on the opposite one, each axis for itself', () => {
    // Two px from the right edge, and far from the upper one: 2.4 px a tick take it over the first only.
    const world = arena([{ x: WIDTH / 2 - 2, y: 50, heading: QUARTER_TURN }])
    ship(world, 0).throttle = 1
    run(world, 1)
    expect(ship(world, 0).x).toBe(-WIDTH / 2)
    expect(ship(world, 0).y).toBeCloseTo(50, 12)
    put(world, 0, { x: -100, y: -HEIGHT / 2 + 1 })
    run(world, 1)
    expect([ship(world, 0).x, ship(world, 0).y]).toEqual([-100, HEIGHT / 2])
    put(world, 0, { x: -100, y: HEIGHT / 2 - 1, heading: Math.PI })
    run(world, 1)
    expect(ship(world, 0).y).toBe(-HEIGHT / 2)
    // On the edge is not over it.
    put(world, 0, { x: WIDTH / 2 - 2.4, heading: QUARTER_TURN })
    run(world, 1)
    expect(ship(world, 0).x).toBe(WIDTH / 2)
  })

  test('[JR4] a jump is counted, so that views do not interpolate it', () => {
    const world = arena([{ x: WIDTH / 2 - 1, heading: QUARTER_TURN }])
    const before = ship(world, 0).teleports
    ship(world, 0).throttle = 1
    run(world, 3)
    expect(ship(world, 0).teleports).toBe(before + 1)
  })

  test('[JR5] an input is a level: it stays until replaced, sticks are held to −1 … 1, NaN is refused', () => {
    const world = arena([{ x: 0 }, { x: 100 }])
    run(world, 10, { players: [{ seat: 0, turn: 7, thrust: -7, shoot: true }] })
    expect([player(world, 0).turn, player(world, 0).thrust, player(world, 0).shoot]).toEqual([1, -1, 1])
    // What an input leaves out is idle.
    run(world, 1, { players: [{ seat: 0, turn: 0.5 }] })
    expect(player(world, 0).turn).toBeCloseTo(0.5, 2)
    expect([player(world, 0).thrust, player(world, 0).shoot]).toEqual([0, 0])
    expect(ship(world, 1).heading).toBe(0)
    expect(() => run(world, 1, { players: [{ seat: 0, turn: Number.NaN }] })).toThrow(HurtboxError)
  })
})

describe('coming and going', () => {
  test('[JR6] places come from the seed: equal for equal seeds, on the plane, x and y independent', () => {
    const placesOf = (seed: number) => {
      const world = createWorld(jetRaiders, { seed })
      step(world, { controls: Array.from({ length: 16 }, (_, seat) => ({ control: 'join', seat })) })
      return [...each(world)].map(({ x, y }) => [x, y])
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
    expect([ship(world, 0).hp, ship(world, 0).radius, ship(world, 0).heading, ship(world, 0).throttle]).toEqual([
      250, 30, 0, 0,
    ])
  })

  test('[JR7] the ship and all bullets of a leaving player leave too, and it fires no more', () => {
    const world = arena([{ x: -300 }, { x: 300 }])
    run(world, 20, {
      players: [
        { seat: 0, shoot: true },
        { seat: 1, shoot: true },
      ],
    })
    const leaver = ship(world, 0)
    const owners = () => [...each(world)].map(({ owner }) => owner)
    expect(owners()).toContain(1)
    // Tick 22: the trigger is held and the gun is ready.
    expect(ship(world, 0).readyAt).toBe(22)
    run(world, 1)
    const events = run(world, 1, { controls: [{ control: 'leave', seat: 0 }] })
    expect(ofKind(events, 'shot').map(({ shooter }) => shooter)).toEqual([2])
    expect(exists(leaver)).toBe(false)
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
    player(world, 0).score = 5
    run(world, 1, { controls: [{ control: 'leave', seat: 0 }] })
    run(world, 1, { controls: [{ control: 'join', seat: 0 }] })
    expect([...players(world)].map(({ seat }) => seat)).toEqual([1, 0])
    const { thing: jet, score } = player(world, 0)
    expect([jet?.id, jet?.kind, score]).toEqual([3, KIND.ship, 0])
  })
})

describe('death and return', () => {
  test('[JR16] a dead ship returns after 63 ticks: whole, elsewhere, at rest, and it does not move in that tick', () => {
    const world = arena([{ x: -300 }, { x: 0, hp: 30 }])
    bulletTo(world, 0, 0)
    const events = run(world, 70, { players: [{ seat: 1, thrust: 1, turn: 1 }] })
    const [died] = ticksOf(events, 'kill')
    expect(ticksOf(events, 'returned')).toEqual([died + 63])
    expect(died).toBe(1)
    const victim = ship(world, 1)
    // Inputs are wiped, so nothing has moved it since.
    expect([victim.throttle, victim.heading, victim.hp]).toEqual([0, 0, 100])
    expect([victim.x, victim.y]).not.toEqual([0, 0])
  })

  test('[JR17] a dead ship takes inputs but does nothing with them, and they are wiped when it returns', () => {
    const world = arena([{ x: -300 }, { x: 0, hp: 30 }])
    bulletTo(world, 0, 0)
    run(world, 1)
    const corpse = [ship(world, 1).x, ship(world, 1).y, ship(world, 1).heading, ship(world, 1).throttle]
    const held = run(world, 62, { players: [{ seat: 1, thrust: 1, turn: 1, shoot: true, slot: 1 }] })
    expect(held).toEqual([])
    expect([ship(world, 1).x, ship(world, 1).y, ship(world, 1).heading, ship(world, 1).throttle]).toEqual(corpse)
    expect([player(world, 1).thrust, player(world, 1).turn, player(world, 1).shoot]).toEqual([1, 1, 1])
    const back = run(world, 1)
    expect(back.map(({ kind }) => kind)).toEqual(['returned'])
    expect([player(world, 1).thrust, player(world, 1).turn, player(world, 1).shoot]).toEqual([0, 0, 0])
    // The input of the tick of return is wiped too; the next one counts.
    const later = run(world, 1, { players: [{ seat: 1, shoot: true }] })
    expect(ofKind(later, 'shot')).toHaveLength(1)
  })

  test('[JR13] death stops throttle and gun; a ship that returns may fire at once', () => {
    const world = arena([{ x: -300 }, { x: 0, hp: 30 }])
    ship(world, 1).throttle = 1
    ship(world, 1).readyAt = 500
    bulletTo(world, 0, 0, -2.4)
    run(world, 1)
    expect([ship(world, 1).hp, ship(world, 1).throttle, ship(world, 1).readyAt]).toEqual([0, 0, 0])
  })
})

describe('ships that appear', () => {
  /** Two ships, protected for 20 ticks when they appear. */
  const fair = (tuning = {}) => arena([{ x: -300 }, { x: 0 }], { tuning: { protection: 0.32, ...tuning } })

  test('[JR39] are protected when they join and when they return, from bullets and from ramming, and not longer', () => {
    const world = fair()
    expect(ship(world, 1).invulnerableUntil).toBe(20)
    bulletTo(world, 0, 0)
    expect(ofKind(run(world, 1), 'block')).toHaveLength(1)
    expect(ship(world, 1).hp).toBe(100)
    run(world, 18)
    // Tick 20 is the first in which it can be hit.
    ship(world, 1).hp = 30
    bulletTo(world, 0, 0)
    expect(ofKind(run(world, 1), 'kill')).toHaveLength(1)
    const back = run(world, 63).filter(({ kind }) => kind === 'returned')
    expect(back).toHaveLength(1)
    expect(ship(world, 1).invulnerableUntil - back[0].tick).toBe(20)
    const rams = arena([{ x: 0 }, { x: 10 }], { options: { ramming: true }, tuning: { protection: 0.32 } })
    expect(ofKind(run(rams, 19), 'damage')).toEqual([])
    expect(ofKind(run(rams, 1), 'damage')).toHaveLength(2)
  })

  test('[JR39] lose it by their first shot; a shield that they raised stays, and is never shortened', () => {
    const world = fair()
    run(world, 1, { players: [{ seat: 1, shoot: true }] })
    expect(ship(world, 1).invulnerableUntil).toBeLessThanOrEqual(world.clock)
    const shielded = fair()
    run(shielded, 1, { players: [{ seat: 1, slot: 1, secondary: 'shield', shoot: true }] })
    expect(ship(shielded, 1).invulnerableUntil).toBe(1 + 63)
    const long = fair({ protection: 10 })
    run(long, 1, { players: [{ seat: 1, slot: 1, secondary: 'shield' }] })
    expect(ship(long, 1).invulnerableUntil).toBe(625)
  })

  test('[JR40] take the place with the most room of so many: far from living foes, the dead and friends do not count', () => {
    const nearest = (spawnChoices: number, teams: readonly number[] = [], hp = 100) => {
      let sum = 0
      for (let seed = 1; seed <= 50; seed++) {
        const world = arena(
          [
            { x: 300, y: 200, hp },
            { x: 300, y: 200, hp },
          ],
          { seed, tuning: { spawnChoices }, teams },
        )
        for (const seat of [0, 1]) ship(world, seat).returnsAt = world.clock + 1000
        step(world, { controls: [{ control: 'join', seat: 2, team: teams[2] ?? 0 }] })
        const { x, y } = ship(world, 2)
        sum += length(x - 300, y - 200)
      }
      return sum / 50
    }
    expect(nearest(1)).toBeLessThan(500)
    expect(nearest(16)).toBeGreaterThan(650)
    // Among friends, and among wrecks, it is as if nobody were there.
    expect(nearest(16, [1, 1, 1])).toBeLessThan(500)
    expect(nearest(16, [], 0)).toBeLessThan(500)
  })

  test('[JR40] die early if they die within two seconds, and the figures count it', () => {
    const early = (ticks: number) => {
      const world = arena([{ x: -300 }, { x: 0, hp: 30 }])
      run(world, ticks)
      bulletTo(world, 0, 0)
      run(world, 1)
      expect(player(world, 1).deaths).toBe(1)
      return player(world, 1).earlyDeaths
    }
    expect([early(0), early(123), early(124)]).toEqual([1, 1, 0])
  })

  test('[JR41] a change of the radius counts at once, one of the health from the next return on', () => {
    const world = arena([{ x: -300 }, { x: 0, hp: 30 }])
    const tune = (name: string, value: number) => ({ control: 'tune', name, value }) as const
    step(world, { controls: [tune('shipRadius', 60), tune('shipHp', 250)] })
    expect([ship(world, 1).radius, ship(world, 1).maxHp]).toEqual([60, 100])
    bulletTo(world, 0, 0)
    run(world, 64)
    expect([ship(world, 1).radius, ship(world, 1).maxHp, ship(world, 1).hp]).toEqual([60, 250, 250])
    // What counts later is declared so: command line and studio say it.
    const { tuning } = world.game.declaration
    const later = Object.entries(tuning).filter(([, value]) => 'fromNextSpawn' in value && value.fromNextSpawn)
    expect(later.map(([name]) => name)).toEqual(['shipHp', 'protection'])
  })
})
