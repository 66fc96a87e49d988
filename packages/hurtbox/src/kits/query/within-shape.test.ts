import { describe, expect, test } from 'vitest'
import { createRandom } from '../../../test/random.ts'
import { arc, arcBand, box, capsule, circle, overlaps, polygon, pose, type Shape } from '../../geometry/shapes/index.ts'
import { OPEN, type Topology, torus } from '../../geometry/space/index.ts'
import { createWorld, declareGame, defineGame, spawn } from '../../index.ts'
import { createFilter, createSpatialIndex, found, rebuild, withinShape } from './index.ts'

const declaration = declareGame({ id: 'shapes', tickRate: 60, capacity: 512, layers: { slime: [], rock: [] } })

describe('withinShape', () => {
  test('[QU15] a cone, a band, a turned box, a capsule and a polygon find what overlaps them, oldest first', () => {
    let hits = 0
    for (let seed = 1; seed <= 60; seed++) {
      const random = createRandom(seed)
      const topology: Topology = seed % 3 === 0 ? torus(400, 300) : OPEN
      const world = createWorld(defineGame(declaration, { phases: {} }))
      for (let i = 0; i < 200; i++) {
        spawn(world, random() < 0.7 ? 'slime' : 'rock', { x: 400 * random(), y: 300 * random(), radius: 12 * random() })
      }
      const index = createSpatialIndex(world, topology)
      rebuild(index)
      const filter = seed % 2 === 0 ? createFilter(world, { layers: ['rock'] }) : undefined
      const shapes: Shape[] = [
        arc(20 + 60 * random(), 0.2 + 5 * random()),
        arcBand(20, 30 + 40 * random(), 0.2 + 5 * random()),
        box(60 * random(), 20),
        capsule([-40, 0], [50, 10], 10 * random()),
        polygon([
          [0, -30],
          [60 * random() + 5, 0],
          [0, 40],
        ]),
      ]
      for (const shape of shapes) {
        const angle = 6.3 * random()
        const frame = { x: 400 * random(), y: 300 * random(), facingX: Math.cos(angle), facingY: Math.sin(angle) }
        const { things } = world.tables
        const wanted: number[] = []
        for (let row = 0; row < things.count; row++) {
          if (filter !== undefined && things.layer[row] !== 1) continue
          const images = topology !== OPEN ? [-1, 0, 1] : [0]
          const isIn = images.some((i) =>
            images.some((j) =>
              overlaps(
                { shape, pose: pose(frame) },
                {
                  shape: circle(things.radius[row]),
                  pose: pose({ x: things.x[row] + 400 * i, y: things.y[row] + 300 * j }),
                },
                true,
              ),
            ),
          )
          if (isIn) wanted.push(row)
        }
        const count = withinShape(index, shape, frame, filter)
        expect([...index.answer.circle.subarray(0, count)], `seed ${seed}, ${shape.kind}`).toEqual(wanted)
        expect(Array.from(found(index)).length).toBe(count)
        hits += count
      }
    }
    expect(hits).toBeGreaterThan(500)
  })
})
