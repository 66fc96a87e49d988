import { describe, expect, test } from 'vitest'
import {
  addCircle,
  addMovingCircle,
  addShape,
  addVolume,
  type CollideOptions,
  collide,
  declareGame,
  rule,
  spawn,
  step,
} from '../../src/index.ts'
import * as shapes from '../../src/shapes/index.ts'
import * as volumes from '../../src/volumes/index.ts'
import { worldWith } from '../support.ts'

const declaration = declareGame({
  id: 'torus',
  rulesVersion: 1,
  tickRate: 60,
  seats: { min: 0, max: 1 },
  layers: { a: ['b'], b: [] },
  tables: { things: { capacity: 4, columns: {} } },
})

/** How often an `a` meets a `b` in one tick. */
function meetings(
  [a, b]: readonly { readonly x: number; readonly y: number }[],
  options: CollideOptions<typeof declaration>,
  touching: boolean,
): number {
  let count = 0
  const watch = rule(declaration, {
    name: 'watch',
    attacker: 'a',
    victim: 'b',
    touching,
    decide: () => {
      count++
      return 'hit'
    },
  })
  const world = worldWith(declaration, collide([watch], options))
  spawn(world.tables.things, { layer: 0, ...a })
  spawn(world.tables.things, { layer: 1, ...b })
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
            topology: topology === 'open' ? { kind: 'open' } : { kind: 'torus', width: 100, height: 80 },
            pose({ tables: { things } }, row, boxes) {
              const [layer, x, y] = [things.layer[row], things.x[row], things.y[row]]
              if (sort === 'circle') addCircle(boxes, row, layer, x, y, 2)
              if (sort === 'moving') addMovingCircle(boxes, row, layer, x, y, 2, layer === 0 ? 1 : 0, 0)
              if (sort === 'shape') addShape(boxes, row, layer, shapes.box(2, 2), x, y)
              if (sort === 'volume') addVolume(boxes, row, layer, volumes.sphere(2), x, y, 0)
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

  test('[CO19] on a torus a box on its way meets what it passed across the seam', () => {
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
          topology: { kind: 'torus', width: 100, height: 100 },
          pose({ tables: { things } }, row, boxes) {
            const { x, y, layer } = things
            addMovingCircle(boxes, row, layer[row], x[row], y[row], 1, row === mover ? end : 0, 0)
          },
        },
        false,
      )
      expect(met, `thing ${mover} from 0 to ${end}`).toBe(1)
    }
  })
})
