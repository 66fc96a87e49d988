import { describe, expect, test } from 'vitest'
import { each, hashWorld } from '../../index.ts'
import { addFighter, arena, type Body, bodyAt, FIGHTER, run, smallestGap, terrainOf } from './fixtures/arena.ts'
import { ground, jump, steer } from './index.ts'

const STANDING = FIGHTER.radius + FIGHTER.halfLength
const flat = terrainOf([ground(0)])

describe('bodies that take up room', () => {
  test('[MT30] overlapping bodies part by mass until they touch; one that cannot be pushed stays', () => {
    const world = arena(flat)
    addFighter(world, { z: STANDING, invMass: 1 / 100 })
    addFighter(world, { z: STANDING, invMass: 1 / 50, x: 1.4 })
    addFighter(world, { z: STANDING, invMass: 0, y: 20 })
    addFighter(world, { z: STANDING, y: 21 })
    run(world, 1)
    const { x, y } = world.tables.things
    expect(x[0]).toBeCloseTo(-0.2, 9)
    expect(x[1]).toBeCloseTo(1.8, 9)
    expect(y[2]).toBe(20)
    expect(y[3]).toBeCloseTo(22, 9)
  })

  test('[MT31] a collision shares the speed by mass; momentum is kept and no body bounces', () => {
    const world = arena(flat)
    addFighter(world, { z: STANDING, invMass: 1 / 100, vx: 9, vy: 2 })
    addFighter(world, { z: STANDING, invMass: 1 / 50, x: 1.95 })
    run(world, 1)
    const { vx, vy } = world.tables.things
    expect(vx[0] * 100 + vx[1] * 50).toBeCloseTo(900, 9)
    // Nearly head on: along the line between them both have the same speed now.
    expect(vx[0]).toBeCloseTo(6, 1)
    expect(vx[1]).toBeCloseTo(6, 1)
    expect(vy[0] * 100 + vy[1] * 50).toBeCloseTo(200, 9)
    // Bodies that are already moving apart keep their speed.
    const parting = arena(flat)
    addFighter(parting, { z: STANDING, vx: -3 })
    addFighter(parting, { z: STANDING, x: 1.5 })
    run(parting, 1)
    expect([...parting.tables.things.vx.slice(0, 2)]).toEqual([-3, 0])
  })

  test('[MT32] a heavy runner pushes a light one along', () => {
    const world = arena(flat, { act: (world) => steer(bodyAt(world, 0), 5, 0, 20 / 64) })
    addFighter(world, { z: STANDING, invMass: 1 / 100 })
    addFighter(world, { z: STANDING, invMass: 1 / 50, x: 3 })
    run(world, 128)
    const { x } = world.tables.things
    expect(x[0]).toBeGreaterThan(5)
    expect(x[1] - x[0]).toBeGreaterThanOrEqual(2 - 1e-9)
    expect(x[1] - x[0]).toBeLessThan(2.1)
  })

  test('[MT33] no body is pushed into a wall or through a floor, however many push', () => {
    const terrain = terrainOf([ground(0), { minX: 4, minY: -9, minZ: 0, maxX: 4, maxY: 9, maxZ: 9 }])
    const world = arena(terrain, {
      act(world) {
        for (const body of each(world)) steer(body, 8, 0, 1)
      },
    })
    for (let i = 0; i < 8; i++) addFighter(world, { z: STANDING, x: 2.9 - 1.5 * i, y: (i % 3) * 0.1 })
    for (let tick = 0; tick < 200; tick++) {
      run(world, 1)
      expect(smallestGap(terrain, world), `tick ${tick}`).toBeGreaterThan(-1e-6)
      const { x, count } = world.tables.things
      for (let row = 0; row < count; row++) expect(x[row], `tick ${tick}, row ${row}`).toBeLessThan(3 + 1e-6)
    }
  })

  test.each([0, 1])(
    '[MT34] one can land on a head, stand there and jump off; row %i below stays on the ground',
    (below) => {
      const world = arena(flat)
      const above = 1 - below
      for (const row of [0, 1]) addFighter(world, { z: row === below ? STANDING : STANDING + 5 })
      run(world, 100)
      const { things } = world.tables
      expect(things.z[below]).toBeCloseTo(STANDING, 6)
      expect(things.z[above]).toBeCloseTo(STANDING + 3, 6)
      expect(jump(bodyAt(world, above), 5)).toBe(true)
      run(world, 20)
      expect(things.z[above]).toBeGreaterThan(STANDING + 3.9)
      expect(things.z[below]).toBeCloseTo(STANDING, 6)
    },
  )

  test('[MT35] bodies in one place part in a random direction that the seed and the tick repeat', () => {
    const play = (seed: number) => {
      const world = arena(flat, { seed })
      for (let i = 0; i < 3; i++) addFighter(world, { z: STANDING })
      run(world, 60)
      const { x, y, count } = world.tables.things
      for (let a = 0; a < count; a++) {
        for (let b = a + 1; b < count; b++) expect(Math.hypot(x[a] - x[b], y[a] - y[b])).toBeGreaterThan(1.99)
      }
      return hashWorld(world)
    }
    expect(play(1)).toBe(play(1))
    expect(play(1)).not.toBe(play(2))
  })

  test('[MT36] bodies that the game leaves out are neither moved nor in the way, and neither are leaving ones', () => {
    const isBody = ({ layer }: Body) => layer === 'body'
    const world = arena(flat, { moves: isBody, takesRoom: isBody })
    addFighter(world, { z: STANDING })
    addFighter(world, { z: STANDING, x: 0.5, vx: 7 }, 'ghost')
    addFighter(world, { z: STANDING, x: -0.5, vx: 7 })
    world.tables.things.leaving[2] = 1
    const { x } = world.tables.things
    // The phases by themselves: a whole step would close up the row that leaves.
    for (const { phase } of world.memory.phases) phase.run(world as never)
    expect([...x.slice(0, 3)]).toEqual([0, 0.5, -0.5])
  })

  test('[MT35] only bodies nearer than 0.001 count as in one place; others part along their line', () => {
    const aside = (x: number) => {
      const world = arena(flat)
      for (const at of [0, x]) addFighter(world, { z: STANDING, x: at })
      run(world, 1)
      return world.tables.things.y[1]
    }
    expect([aside(0.3), aside(0.0011)]).toEqual([0, 0])
    expect(aside(0.0009)).not.toBe(0)
  })

  test('[MT37] what touches in the air stands on nothing: neither beside another body nor below it', () => {
    const grounded = (x: number, z: number) => {
      const world = arena(flat, { gravity: 0 })
      addFighter(world, { z: 20, invMass: 1 / 50 })
      addFighter(world, { x, z: 20 + z, invMass: 1 / 100 })
      run(world, 1)
      const { things } = world.tables
      return [things.grounded[0], things.grounded[1], things.x[1] - things.x[0], things.z[1] - things.z[0]]
    }
    const near = (x: number, z: number, expected: readonly number[]) => {
      for (const [n, value] of grounded(x, z).entries()) expect(value, `${x}, ${z}: ${n}`).toBeCloseTo(expected[n], 9)
    }
    near(1.5, 0, [0, 0, 2, 0])
    near(1.5, 0.9, [0, 0, 2, 0.9])
    // The one on top stands, whichever of the two it is.
    near(0, 2.4, [0, 1, 0, 3])
    near(0, -2.4, [1, 0, 0, -3])
  })

  test('[MT37] a body that flies against a wall stands on nothing', () => {
    const wall = terrainOf([ground(0), { minX: 2, minY: -9, minZ: 0, maxX: 3, maxY: 9, maxZ: 99 }])
    const world = arena(wall)
    addFighter(world, { z: 30, vx: 200 })
    run(world, 3)
    expect([world.tables.things.x[0], world.tables.things.grounded[0]]).toEqual([expect.closeTo(1, 6), 0])
  })
})
