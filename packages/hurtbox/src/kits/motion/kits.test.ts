/** Kits in the plane and in space: moving by speed, braking, dashing, being invulnerable. */

import { describe, expect, test } from 'vitest'
import { torus } from '../../geometry/space/index.ts'
import { createWorld, declareGame, defineGame, despawn, spawn, step } from '../../index.ts'
import { arena, cast, enter, press, row, tick } from '../abilities/fixtures/arena.ts'
import { defineCombat, type KnockbackMode, knockback } from '../combat/index.ts'
import { brake, move, steer } from './index.ts'
import { dash } from './walk.ts'

const flat = declareGame({
  id: 'flat',
  tickRate: 60,
  layers: { ball: [], rock: [] },
  things: { facingX: 'f64', facingY: 'f64' },
})

describe('kits', () => {
  test('[KT1] move moves the layers it names by their speed, per second or per tick, in the plane, on a torus and in space', () => {
    const topology = torus(100, 50)
    const world = createWorld(defineGame(flat, { phases: { move: move(['ball'], { perTick: true, topology }) } }))
    const ball = spawn(world, 'ball', { x: 90, y: 5, vx: 20, vy: -10 })
    const rock = spawn(world, 'rock', { x: 1, vx: 20 })
    step(world)
    expect([ball.x, ball.y, rock.x]).toEqual([10, 45, 1])
    const space = declareGame({ id: 'space', tickRate: 60, layers: { ball: [] }, things: { z: 'f64', vz: 'f64' } })
    const slow = createWorld(defineGame(space, { phases: { move: move(['ball']) } }))
    const bird = spawn(slow, 'ball', { vx: 60, vz: 120 })
    step(slow)
    expect([bird.x, bird.y, bird.z]).toEqual([1, 0, 2])
    // What leaves in this tick stays where it was.
    let left = Number.NaN
    const leaving = createWorld(
      defineGame(flat, {
        phases: {
          move: move(['ball']),
          look({ tables: { things } }) {
            left = things.x[0]
          },
        },
      }),
    )
    despawn(spawn(leaving, 'ball', { x: 7, vx: 60 }))
    step(leaving)
    expect(left).toBe(7)
    const wrong = createWorld(defineGame(flat, { phases: { move: move(['bal' as 'ball']) } }))
    expect(() => step(wrong)).toThrow(/no layer "bal"/)
    expect(() => move(['ball'], { topology: torus(Number.NaN, 1) })).toThrow(/width must be a finite number/)
  })

  test('[KT2] steer and brake need no third dimension; what is in the air does not brake', () => {
    const walker = { vx: 3, vy: 4 }
    brake(walker, 1)
    expect([walker.vx, walker.vy]).toEqual([3 - 0.6, 4 - 0.8])
    brake(walker, 100)
    expect(walker).toEqual({ vx: 0, vy: 0 })
    steer(walker, 10, 0, 2)
    expect(walker).toEqual({ vx: 2, vy: 0 })
    const flying = { vx: 3, vy: 4, grounded: 0 }
    brake(flying, 1)
    expect(flying.vx).toBe(3)
  })

  test('[KT5] in space knockback goes away from a height in all three dimensions, from a place in the plane along the ground', () => {
    const things = { ...defineCombat({ damageTypes: ['blow'] }).columns, z: 'f64', vz: 'f64' } as const
    const space = declareGame({ id: 'space', tickRate: 60, layers: { monk: [] }, things })
    const world = createWorld(defineGame(space, { phases: {} }))
    const after = (from: { x: number; y: number; z?: number }, mode: KnockbackMode) => {
      const monk = spawn(world, 'monk', { x: 1, y: 2, z: 5, invMass: 0.5, knockbackResistance: 0.5 })
      knockback(monk, from, 18, mode)
      return [monk.x, monk.y, monk.z, monk.vx, monk.vy, monk.vz]
    }
    const below = { x: 0, y: 0, z: 3 }
    expect(after(below, 'displace')).toEqual([4, 8, 11, 0, 0, 0])
    expect(after(below, 'velocity')).toEqual([1, 2, 5, 3, 6, 6])
    expect(after(below, 'impulse')).toEqual([1, 2, 5, 1.5, 3, 3])
    expect(after({ x: 1, y: 0 }, 'velocity')).toEqual([1, 2, 5, 0, 9, 0])
    expect(() => after(below, 'speed' as never)).toThrow(/no mode of knockback "speed"/)
  })

  test('[KT3] a dash goes the way it is given, or along the facing', () => {
    const thing = { vx: 1, vy: 0, facingX: 0, facingY: -1 }
    dash(thing, 10, 3, 4)
    expect([thing.vx, thing.vy]).toEqual([6, 8])
    dash(thing, 10)
    expect([thing.vx, thing.vy]).toEqual([0, -10])
  })

  test('[KT3] the effect dash goes along the facing or the move', () => {
    const speedAfter = (along: 'facing' | 'move', vx: number, vy: number) => {
      const stage = arena({ dash: cast({ on: 'cast', dash: { speed: 10, along } }) }, { plane: true })
      const runner = enter(stage, 0)
      const { things } = stage.world.tables
      things.vx[row(stage, runner)] = vx
      things.vy[row(stage, runner)] = vy
      press(stage, runner, 'dash')
      tick(stage)
      return [things.vx[row(stage, runner)], things.vy[row(stage, runner)]]
    }
    expect(speedAfter('move', 0, 3)).toEqual([0, 10])
    expect(speedAfter('facing', 0, 3)).toEqual([10, 0])
    expect(speedAfter('move', 0, 0), 'standing, it faces +x').toEqual([10, 0])
  })

  test('[KT4] the effect protect makes invulnerable for so many ticks, and never shortens a longer protection', () => {
    const stage = arena({ roll: cast({ on: 'cast', protect: { ticks: 12 } }) }, { plane: true })
    const runner = enter(stage, 0)
    const { things } = stage.world.tables
    press(stage, runner, 'roll')
    const before = stage.world.clock
    tick(stage)
    expect(things.invulnerableUntil[row(stage, runner)] - before).toBe(12)
    const long = arena({ roll: cast({ on: 'cast', protect: { ticks: 12 } }) }, { plane: true })
    const boss = enter(long, 0)
    long.world.tables.things.invulnerableUntil[row(long, boss)] = 500
    press(long, boss, 'roll')
    tick(long)
    expect(long.world.tables.things.invulnerableUntil[row(long, boss)]).toBe(500)
  })
})
