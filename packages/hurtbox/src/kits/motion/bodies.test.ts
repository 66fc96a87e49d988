import { describe, expect, test } from 'vitest'
import { range, seedStream } from '../../geometry/math/random.ts'
import { each, hashWorld, restore, snapshot } from '../../index.ts'
import {
  type Arena,
  addFighter,
  arena,
  type Box,
  bodyAt,
  FIGHTER,
  GRAVITY,
  gapTo,
  run,
  smallestGap,
  terrainOf,
} from './fixtures/arena.ts'
import { brake, face, ground, jump, steer } from './index.ts'

const MATCHES = process.env.HURTBOX_LONG ? 2000 : 60
/** The centre of a fighter that stands at height 0. */
const STANDING = FIGHTER.radius + FIGHTER.halfLength

const flat = terrainOf([ground(0)])
const nothing = terrainOf([])
const box = (minX: number, minY: number, minZ: number, maxX: number, maxY: number, maxZ: number): Box => ({
  minX,
  minY,
  minZ,
  maxX,
  maxY,
  maxZ,
})

describe('bodies', () => {
  test.each([10, 30, 64, 125])('[MT10] a flight is the exact parabola at %i ticks a second', (tickRate) => {
    const world = arena(nothing, { tickRate })
    const row = addFighter(world, { z: 100, vx: 3, vy: -4, vz: 12 })
    run(world, tickRate * 2)
    const { x, y, z, vz } = world.tables.things
    expect([x[row], y[row]]).toEqual([expect.closeTo(6, 9), expect.closeTo(-8, 9)])
    expect(z[row]).toBeCloseTo(100 + 12 * 2 - (GRAVITY / 2) * 4, 9)
    expect(vz[row]).toBeCloseTo(12 - GRAVITY * 2, 9)
  })

  test('[MT11] a jump rises by speed² / 2 g, works from the ground only, and ends where it began', () => {
    const jumps: boolean[] = []
    const world = arena(flat, { act: (world) => jumps.push(jump(bodyAt(world, 0), 6.8)) })
    const row = addFighter(world, { z: STANDING })
    const { z, grounded } = world.tables.things
    run(world, 2)
    let highest = 0
    for (let tick = 2; tick < 100; tick++) {
      run(world, 1)
      highest = Math.max(highest, z[row] - STANDING)
    }
    expect(highest).toBeCloseTo((6.8 * 6.8) / 2 / GRAVITY, 3)
    // On the first tick it has not yet stood; then once per flight of 2 v / g seconds.
    expect(jumps.slice(0, 3)).toEqual([false, true, false])
    const again = jumps.indexOf(true, 2)
    expect(again).toBe(1 + Math.ceil(((2 * 6.8) / GRAVITY) * 64))
    expect(jumps.slice(2, again)).not.toContain(true)
    expect(grounded[row]).toBe(0)
  })

  test('[MT12] a standing body stays: no sinking, no drift, no speed, for an hour', () => {
    const terrain = terrainOf([ground(0), box(-5, -5, 0, 5, 5, 1.25)])
    const world = arena(terrain)
    const rows = [addFighter(world, { z: 4, x: 20 }), addFighter(world, { z: 4 }), addFighter(world, { z: 4, x: 5.6 })]
    run(world, 200)
    const { x, z, vx, vz, grounded } = world.tables.things
    const before = rows.map((row) => [x[row], z[row]])
    expect(z[rows[0]]).toBeCloseTo(STANDING, 7)
    expect(z[rows[1]]).toBeCloseTo(STANDING + 1.25, 7)
    // Past the edge by 0.6 of its radius: it stands on the edge, less high by the roundness of its foot.
    expect(z[rows[2]]).toBeCloseTo(1.25 + FIGHTER.halfLength + 0.8, 6)
    run(world, process.env.HURTBOX_LONG ? 64 * 3600 : 64 * 60)
    expect(rows.map((row) => [x[row], z[row]])).toEqual(before)
    for (const row of rows) expect([vx[row], vz[row], grounded[row]]).toEqual([0, 0, 1])
  })

  test('[MT13] walking off an edge ends in a fall and a landing below, with the speed kept on the way', () => {
    const terrain = terrainOf([ground(0), box(-5, -5, 0, 5, 5, 4)])
    const world = arena(terrain, {
      act(world) {
        const walker = bodyAt(world, 0)
        if (walker.grounded !== 0) steer(walker, 5, 0, 20 / 64)
      },
    })
    const row = addFighter(world, { z: STANDING + 4 })
    const { x, z, vx, grounded } = world.tables.things
    run(world, 1)
    while (grounded[row] === 1) run(world, 1)
    expect(x[row]).toBeGreaterThan(5)
    expect(x[row]).toBeLessThan(5 + FIGHTER.radius)
    let ticks = 0
    while (grounded[row] === 0 && ticks++ < 100) run(world, 1)
    expect(z[row]).toBeCloseTo(STANDING, 7)
    expect(vx[row]).toBeGreaterThan(4)
    expect(vx[row]).toBeLessThanOrEqual(5.0001)
  })

  test('[MT14] a slide with friction a ends after speed² / 2 a, and friction does not work in the air', () => {
    const world = arena(flat, { act: (world) => brake(bodyAt(world, 0), 4 / 64) })
    const row = addFighter(world, { z: STANDING })
    const { x, vx, vz, grounded } = world.tables.things
    run(world, 1)
    vx[row] = 10
    run(world, 200)
    expect(vx[row]).toBe(0)
    // The sum over ticks instead of the integral: half a tick of the first speed less.
    expect(x[row]).toBeCloseTo(100 / 8 - 10 / 64 / 2, 6)
    vx[row] = 10
    vz[row] = 20
    run(world, 1)
    expect([grounded[row], vx[row]]).toEqual([0, 10 - 4 / 64])
    run(world, 100)
    expect([grounded[row], vx[row]]).toEqual([0, 10 - 4 / 64])
  })

  test('[MT15] steering brings the speed to the wish by at most so much, in a straight line', () => {
    const world = arena(nothing)
    const row = addFighter(world, { vx: 3, vy: 4 })
    const body = bodyAt(world, row)
    steer(body, 0, 0, 2)
    expect([body.vx, body.vy]).toEqual([expect.closeTo(1.8, 12), expect.closeTo(2.4, 12)])
    steer(body, 5, -5, 100)
    expect([body.vx, body.vy]).toEqual([5, -5])
  })

  test('[MT16] facing follows the wish as a unit vector and stays when there is none', () => {
    const world = arena(nothing)
    const body = bodyAt(world, addFighter(world, {}))
    face(body, -3, 4)
    face(body, 0, 0)
    expect([body.facingX, body.facingY]).toEqual([-0.6, 0.8])
  })

  test('[MT17] a wall stops speed into it and nothing else; a step of 0.29 radius is walked up, a higher one is a wall', () => {
    const walk = (terrain: readonly Box[]) => {
      const world = arena(terrainOf(terrain), {
        act: (world) => steer(bodyAt(world, 0), 3, 1, 20 / 64),
      })
      addFighter(world, { z: STANDING })
      run(world, 64 * 4)
      return world.tables.things
    }
    const wall = walk([ground(0), box(4, -50, 0, 5, 50, 10)])
    expect(wall.x[0]).toBeCloseTo(3, 6)
    expect(wall.y[0]).toBeCloseTo(walk([ground(0)]).y[0], 6)
    expect(walk([ground(0), box(4, -50, 0, 50, 50, 0.28)]).z[0]).toBeCloseTo(STANDING + 0.28, 6)
    const blocked = walk([ground(0), box(4, -50, 0, 50, 50, 0.5)])
    expect(blocked.x[0]).toBeLessThan(4)
    expect(blocked.z[0]).toBeCloseTo(STANDING, 6)
  })

  test('[MT18] a body that begins inside terrain is moved out of it by the shortest move', () => {
    const terrain = terrainOf([ground(0), box(10, 10, 0, 20, 20, 6)])
    const world = arena(terrain)
    const sunk = addFighter(world, { z: -3 })
    const walled = addFighter(world, { x: 10.5, y: 15, z: 3 })
    run(world, 1)
    expect(world.tables.things.z[sunk]).toBeCloseTo(STANDING, 3)
    expect(world.tables.things.x[walled]).toBeCloseTo(9, 7)
    expect(gapTo(terrain, 1, world, walled)).toBeGreaterThan(-1e-6)
    const floating = terrainOf([box(10, 10, 10, 20, 20, 20)])
    const leaves = (x: number, y: number, z: number) => {
      const world = arena(floating, { gravity: 0 })
      const row = addFighter(world, { x, y, z })
      run(world, 1)
      const { things } = world.tables
      return [things.x[row], things.y[row], things.z[row]].map((at) => Math.round(at * 1e6) / 1e6)
    }
    expect(leaves(11, 15, 16)).toEqual([9, 15, 16])
    expect(leaves(19, 15, 16)).toEqual([21, 15, 16])
    expect(leaves(14, 11, 16)).toEqual([14, 9, 16])
    expect(leaves(14, 19, 16)).toEqual([14, 21, 16])
    expect(leaves(14, 16, 19)).toEqual([14, 16, 20 + STANDING])
    expect(leaves(14, 16, 11)).toEqual([14, 16, 10 - STANDING])
  })

  // A closed room with boxes in it: no body ever leaves it, at any speed, with walls and floors of no thickness.
  test(`[MT19] no speed tunnels and no body is ever inside a box, in ${MATCHES} seeded rooms`, () => {
    for (let seed = 1; seed <= MATCHES; seed++) {
      const { terrain, draw } = room(seed)
      const world = arena(terrain, { seed })
      const { things } = world.tables
      for (let i = 0; i < 6; i++) addFighter(world, { x: i * 3 - 8, z: 5, vx: draw(-9, 9), vy: draw(-9, 9) })
      for (let tick = 0; tick < 120; tick++) {
        if (tick % 10 === 0) {
          const speed = [20, 200, 5000][Math.floor(draw(0, 3))]
          const row = Math.floor(draw(0, 6))
          things.vx[row] = draw(-speed, speed)
          things.vy[row] = draw(-speed, speed)
          things.vz[row] = draw(-speed, speed)
        }
        run(world, 1)
        expect(smallestGap(terrain, world), `seed ${seed}, tick ${tick}`).toBeGreaterThan(-1e-6)
        for (let row = 0; row < 6; row++) {
          const furthest = Math.max(Math.abs(things.x[row]), Math.abs(things.y[row]), Math.abs(things.z[row] - 10))
          expect(furthest, `seed ${seed}, tick ${tick}, row ${row}`).toBeLessThan(10)
        }
      }
    }
  })

  test(`[MT20] without steps of their own, bodies never gain energy from terrain, in ${MATCHES} seeded rooms`, () => {
    for (let seed = 1; seed <= MATCHES; seed++) {
      const { terrain, draw } = room(seed + 1000)
      const world = arena(terrain, { seed })
      const { things } = world.tables
      const row = addFighter(world, { z: 15, vx: draw(-30, 30), vy: draw(-30, 30), vz: draw(-30, 30) })
      run(world, 1)
      let before = energy(things, row)
      for (let tick = 0; tick < 200; tick++) {
        run(world, 1)
        const after = energy(things, row)
        expect(after, `seed ${seed}, tick ${tick}`).toBeLessThan(before + 1e-6 + 1e-12 * before)
        before = after
      }
    }
  })

  test('[MT21] a tick is as good as sixteen small ones: on floors and along walls both end at the same place', () => {
    const terrain = terrainOf([ground(0), box(8, -40, 0, 9, 40, 30), box(-40, 6, 0, 40, 7, 30)])
    for (const [vx, vy, vz] of [
      [12, 3, 9],
      [2, 11, 14],
      [7, 7, 0],
      [-3, 9, 4],
    ]) {
      const places = [1, 16].map((parts) => {
        const world = arena(terrain, { tickRate: 62.5 * parts })
        const row = addFighter(world, { z: STANDING + 2, vx, vy, vz })
        run(world, 200 * parts)
        const { x, y, z } = world.tables.things
        return [x[row], y[row], z[row]]
      })
      for (let axis = 0; axis < 3; axis++) expect(places[0][axis]).toBeCloseTo(places[1][axis], 5)
    }
  })

  test('[MT23] between a wall and an edge it slides along both; in a notch it comes to rest, stands, and can jump out', () => {
    const wedge = terrainOf([ground(0), box(-10, -50, 0, -10, 50, 20), box(-8.5, -4.06, 0, -8.4, -3.63, 1.37)])
    const sliding = arena(wedge)
    const row = addFighter(sliding, { x: -9, y: -4.3, z: 4, vy: -3.8, vz: -15 })
    let before = energy(sliding.tables.things, row)
    for (let tick = 0; tick < 64; tick++) {
      run(sliding, 1)
      const after = energy(sliding.tables.things, row)
      expect(after, `tick ${tick}`).toBeLessThan(before + 1e-9)
      before = after
    }
    expect(sliding.tables.things.y[row]).toBeLessThan(-6)

    const notch = arena(terrainOf([ground(-50), box(-9, -9, 0, -0.9, 9, 2), box(0.9, -9, 0, 9, 9, 2)]))
    const { things } = notch.tables
    const wedged = addFighter(notch, { x: 0.1, z: 6 })
    run(notch, 128)
    const { x, z, vx, vz } = things
    expect([x[wedged], vx[wedged], vz[wedged]].map(Math.abs)).toEqual(
      [0, 0, 0].map((value) => expect.closeTo(value, 6)),
    )
    expect(z[wedged]).toBeCloseTo(2 + FIGHTER.halfLength + Math.sqrt(1 - 0.81), 5)
    expect(jump(bodyAt(notch, wedged), 5)).toBe(true)
    run(notch, 20)
    expect(z[wedged]).toBeGreaterThan(3.5)

    const side = 0.85
    const hole = arena(
      terrainOf([
        box(-9, -9, 0, -side, 9, 2),
        box(side, -9, 0, 9, 9, 2),
        box(-9, -9, 0, 9, -side, 2),
        box(-9, side, 0, 9, 9, 2),
      ]),
    )
    const plug = addFighter(hole, { x: 0.05, y: -0.03, z: 4 })
    run(hole, 128)
    const still = hole.tables.things
    expect([still.vx, still.vy, still.vz, still.grounded].map((of) => Math.abs(of[plug]))).toEqual([0, 0, 0, 1])
  })

  test('[MT38] one that walks up the edge of a box works against all of gravity, and stands there, fall or not', () => {
    // Its foot touches the edge where the slope is 3 in 5.
    const edge = terrainOf([box(0, -9, -9, 9, 9, 0)])
    const climb = (gravity: number) => {
      const world = arena(edge, { gravity })
      const row = addFighter(world, { x: -0.6, z: 0.8 + FIGHTER.halfLength, vx: 2 })
      run(world, 1)
      const { x, z, grounded } = world.tables.things
      return [x[row] + 0.6, z[row] - 0.8 - FIGHTER.halfLength, grounded[row]]
    }
    for (const gravity of [GRAVITY, 0]) {
      const [dx, dz] = [2 / 64, -gravity / 2 / 64 / 64]
      const into = -0.6 * dx + 0.8 * dz
      const [movedX, movedZ, grounded] = climb(gravity)
      expect([movedX, movedZ]).toEqual([expect.closeTo(dx + 0.6 * into, 9), expect.closeTo(dz - 0.8 * into, 9)])
      expect(grounded, `gravity ${gravity}`).toBe(1)
    }
  })

  test('[MT38] along a round wall it slides from post to post; at the fifth in one tick it stops', () => {
    /** Posts on a circle of radius 5 around the origin, every 20 degrees from below on, against the clock. */
    const slide = (posts: number) => {
      const places = Array.from({ length: posts }, (_, n) => (-90 + 20 * n) * (Math.PI / 180))
      const terrain = terrainOf(
        places.map((turn) => {
          const [x, y] = [5 * Math.cos(turn), 5 * Math.sin(turn)]
          return box(x, y, -50, x, y, 50)
        }),
      )
      const world = arena(terrain, { gravity: 0 })
      // Its rim is a little deeper than the first post, which therefore turns it in.
      const row = addFighter(world, { x: -2, y: -4.1, vx: 64 * 30 })
      run(world, 1)
      const { vx, vy, vz } = world.tables.things
      return { world, terrain, row, speed: Math.hypot(vx[row], vy[row], vz[row]) }
    }
    const few = slide(8)
    expect(few.speed).toBeGreaterThan(64 * 9)
    expect(few.world.tables.things.y[few.row], 'turned back by four posts, and gone on').toBeGreaterThan(4.3)
    const many = slide(12)
    expect(many.speed).toBe(0)
    expect(gapTo(many.terrain, 9, many.world, many.row)).toBeCloseTo(0, 6)
  })

  test('[MT11] a body jumps once, not twice in a tick', () => {
    const world = arena(flat)
    const body = bodyAt(world, addFighter(world, { z: STANDING, grounded: 1 }))
    expect([jump(body, 5), jump(body, 9), body.vz]).toEqual([true, false, 5])
  })

  test('[MT22] rolled back on every tick, a fight of bodies ends with the same bits', () => {
    const play = (rollBack: boolean) => {
      const { terrain } = room(5)
      const world = arena(terrain, { seed: 5, act: brawl })
      for (let i = 0; i < 6; i++) addFighter(world, { x: i * 2.5 - 6, y: i % 2, z: 4 })
      for (let tick = 0; tick < 300; tick++) {
        if (rollBack) {
          const before = snapshot(world)
          run(world, 3)
          restore(world, before)
        }
        run(world, 1)
      }
      return hashWorld(world)
    }
    expect(play(true)).toBe(play(false))
  })
})

/** All bodies run in circles, jump and are thrown about. */
function brawl(world: Arena): void {
  for (const body of each(world)) {
    const turn = (world.tick + (body.id - 1) * 40) % 256
    steer(body, turn < 128 ? 6 : -6, turn % 128 < 64 ? 6 : -6, 20 / 64)
    if (turn === 17) jump(body, 7)
    if (turn === 99) body.vx += 20
    brake(body, 2 / 64)
  }
}

function energy(things: Arena['tables']['things'], row: number): number {
  const { z, vx, vy, vz } = things
  return (vx[row] * vx[row] + vy[row] * vy[row] + vz[row] * vz[row]) / 2 + GRAVITY * z[row]
}

/** A room of 20 × 20 × 20 with walls that have no thickness and some boxes on the floor and in the air. */
function room(seed: number) {
  const random = new Uint32Array(4)
  seedStream(random, seed, 'room')
  const draw = (min: number, max: number) => range(random, min, max)
  const boxes = [
    box(-10, -10, 0, 10, 10, 0),
    box(-10, -10, 20, 10, 10, 20),
    box(-10, -10, 0, -10, 10, 20),
    box(10, -10, 0, 10, 10, 20),
    box(-10, -10, 0, 10, -10, 20),
    box(-10, 10, 0, 10, 10, 20),
  ]
  for (let i = 0; i < 5; i++) {
    // Below where the fighters begin, and far enough from each other and the walls to pass between.
    const [x, y] = [(i - 2) * 4 - 0.5, i % 2 === 0 ? draw(-7, -4) : draw(3, 6)]
    const z = i < 3 ? 0 : draw(8, 12)
    boxes.push(box(x, y, z, x + draw(0, 1), y + draw(0, 1), z + draw(0, 1.5)))
  }
  return { terrain: terrainOf(boxes), draw }
}
