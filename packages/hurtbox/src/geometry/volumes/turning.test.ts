/** Volumes that turn about their vertical axis on their way. */

import { describe, expect, test } from 'vitest'
import { createRandom } from '../../../test/random.ts'
import { addVolume, collide, createWorld, declareGame, defineGame, spawn, step, turnBox } from '../../index.ts'
import { contactInSpace } from '../../rules/contacts/index.ts'
import * as shapes from '../shapes/index.ts'
import { box, capsule, createImpact, pose, sphere, sweepTurning } from './index.ts'

const LONG = process.env.HURTBOX_LONG !== undefined

describe('turning volumes', () => {
  test('[GE18] agree with shapes of the plane wherever height decides nothing', () => {
    const random = createRandom(41)
    const [inSpace, inPlane] = [createImpact(), shapes.createImpact()]
    const cases = LONG ? 200_000 : 4000
    let met = 0
    for (let n = 0; n < cases; n++) {
      const [halfX, halfY, offsetX, offsetY] = [3 * random(), 3 * random(), 4 * random() - 2, 4 * random() - 2]
      const [radius, x, y] = [0.1 + random(), 12 * random() - 6, 12 * random() - 6]
      const [dx, dy, turn] = [6 * random() - 3, 6 * random() - 3, 6 * random() - 3]
      const [meetsInSpace, meetsInPlane] = [
        sweepTurning(
          { volume: box(halfX, halfY, 1, { offsetX, offsetY }), pose: pose({ x: 0, y: 0, z: 0 }), dx, dy, dz: 0, turn },
          { volume: sphere(radius), pose: pose({ x, y, z: 0 }), dx: 0, dy: 0, dz: 0, turn: 0 },
          inSpace,
        ),
        shapes.sweepTurning(
          { shape: shapes.box(halfX, halfY, { offsetX, offsetY }), pose: shapes.pose({ x: 0, y: 0 }), dx, dy, turn },
          { shape: shapes.circle(radius), pose: shapes.pose({ x, y }), dx: 0, dy: 0, turn: 0 },
          inPlane,
        ),
      ]
      expect(meetsInSpace, `case ${n}`).toBe(meetsInPlane)
      if (!meetsInSpace) continue
      met++
      // Both are at most 1e-6 early; the slowest of these approaches makes that a thousandth of the way.
      expect(inSpace.time, `case ${n}`).toBeCloseTo(inPlane.time, 3)
      expect(inSpace.z, `case ${n}`).toBeCloseTo(0, 9)
    }
    expect(met).toBeGreaterThan(cases / 10)
    expect(met).toBeLessThan((cases * 9) / 10)
  })

  test('[GE18] are not late, and at most 1e-6 early: a blade meets a ball after the angle that the cosine says', () => {
    const random = createRandom(42)
    const out = createImpact()
    for (let n = 0; n < 1000; n++) {
      const [radius, edge, distance] = [0.2 + random(), 0.05 + 0.2 * random(), 3 + 2 * random()]
      const angle = 1 + 1.5 * random()
      const blade = { volume: capsule(edge, 10, { axis: [1, 0, 0] }), pose: pose({ x: 0, y: 0, z: 7 }) }
      const ball = {
        volume: sphere(radius),
        pose: pose({ x: distance * Math.cos(angle), y: distance * Math.sin(angle), z: 7 }),
      }
      const at = { dx: 0, dy: 0, dz: 0 }
      expect(sweepTurning({ ...blade, ...at, turn: angle }, { ...ball, ...at, turn: 0 }, out)).toBe(true)
      // They touch when the ball's middle is as far off the axis of the blade as both are thick.
      const exact = (angle - Math.asin((radius + edge) / distance)) / angle
      const early = (exact - out.time) * angle * distance
      expect(early, `case ${n}`).toBeLessThan(2e-6)
      expect(early, `case ${n}`).toBeGreaterThan(-1e-9)
    }
  })

  test('[GE18] turnBox turns volumes too, and a contact knows how fast the surface turns', () => {
    const arena = declareGame({
      id: 'turning',
      tickRate: 60,
      layers: { knight: ['slime'], slime: [] },
      things: { z: 'f64' },
    })
    const met: number[][] = []
    const blade = capsule(0.5, 5, { axis: [1, 0, 0], offsetX: 5 })
    const hits = collide(
      arena,
      {
        'knight hits slime': {
          between: ['knight', 'slime'],
          decide(_knight, slime, hit) {
            const { firstX, firstY, x, y, z, time } = contactInSpace(hit)
            met.push([slime.id, firstX, firstY, x, y, z, time])
          },
        },
      },
      {
        pose: {
          knight(knight, boxes) {
            addVolume(boxes, blade, { x: knight.x, y: knight.y, z: knight.z, facingX: 0, facingY: 1 })
            turnBox(boxes, 1, 0)
          },
          slime: (slime, boxes) => addVolume(boxes, sphere(1), slime),
        },
      },
    )
    const world = createWorld(defineGame(arena, { phases: { hits } }))
    spawn(world, 'knight', { z: 3 })
    const slime = spawn(world, 'slime', { x: 4, y: 4, z: 3 })
    spawn(world, 'slime', { x: 4, y: 4, z: 6 })
    spawn(world, 'slime', { x: -4, y: 4, z: 3 })
    step(world)
    expect(met.map(([id]) => id)).toEqual([slime.id])
    const [, firstX, firstY, x, y, z, time] = met[0]
    const turn = Math.PI / 2
    expect([firstX, firstY]).toEqual([expect.closeTo(-turn * y, 6), expect.closeTo(turn * x, 6)])
    expect(z).toBeCloseTo(3, 9)
    expect(time).toBeCloseTo((Math.PI / 4 - Math.asin(1.5 / Math.sqrt(32))) / turn, 6)
  })
})
