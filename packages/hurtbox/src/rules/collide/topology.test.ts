import { describe, expect, test } from 'vitest'
import { worldWith } from '../../../test/support.ts'
import * as shapes from '../../geometry/shapes/index.ts'
import { OPEN, type Topology, torus } from '../../geometry/space/index.ts'
import * as volumes from '../../geometry/volumes/index.ts'
import {
  addCircle,
  addShape,
  addVolume,
  type Boxes,
  collide,
  declareGame,
  spawn,
  step,
  sweepBox,
  type Thing,
} from '../../index.ts'

const declaration = declareGame({ id: 'torus', tickRate: 60, layers: { a: ['b'], b: [] }, capacity: 4 })
type Pose = (thing: Thing<typeof declaration>, boxes: Boxes) => void

/** How often an `a` meets a `b` in one tick. */
function meetings(
  [a, b]: readonly { readonly x: number; readonly y: number }[],
  options: { readonly topology: Topology; readonly pose: Pose },
  touching: boolean,
): number {
  let count = 0
  const decide = () => void count++
  const phase = collide(declaration, { watch: { between: ['a', 'b'], touching, decide } }, options)
  const world = worldWith(declaration, phase)
  spawn(world, 'a', a)
  spawn(world, 'b', b)
  step(world)
  return count
}

describe('topology', () => {
  test.each(['circle', 'moving', 'shape', 'volume'])(
    '[CO21] on a torus a %s meets what is near across the seam',
    (sort) => {
      const met = (topology: 'open' | 'torus', bx: number, touching = true) =>
        meetings(
          [
            { x: 1, y: 40 },
            { x: bx, y: 40 },
          ],
          {
            topology: topology === 'open' ? OPEN : torus(100, 80),
            pose({ x, y, layer }, boxes) {
              if (sort === 'circle' || sort === 'moving') addCircle(boxes, { x, y, radius: 2 })
              if (sort === 'moving') sweepBox(boxes, layer === 'a' ? 1 : 0, 0)
              if (sort === 'shape') addShape(boxes, shapes.box(2, 2), { x, y })
              if (sort === 'volume') addVolume(boxes, volumes.sphere(2), { x, y, z: 0 })
            },
          },
          touching,
        )
      expect([met('torus', 98), met('torus', 98, false), met('open', 98)]).toEqual([1, 1, 0])
      expect([met('torus', 90), met('torus', 4), met('torus', 8)]).toEqual([0, 1, 0])
      // Exactly touching across the seam.
      if (sort === 'circle') expect([met('torus', 97), met('torus', 97, false)]).toEqual([1, 0])
    },
  )

  test('[CO19] on a torus a swept box meets what it passed across the seam', () => {
    const cases = [56, 70, 90].flatMap((end) => [
      { end, mover: 0 },
      { end, mover: 1 },
    ])
    for (const { end, mover } of cases) {
      const passed = { x: 5, y: 0 }
      const arrived = { x: end, y: 0 }
      const met = meetings(
        mover === 0 ? [arrived, passed] : [passed, arrived],
        {
          topology: torus(100, 100),
          pose({ x, y, id }, boxes) {
            addCircle(boxes, { x, y, radius: 1 })
            sweepBox(boxes, id === mover + 1 ? end : 0, 0)
          },
        },
        false,
      )
      expect(met, `thing ${mover} from 0 to ${end}`).toBe(1)
    }
  })
})
