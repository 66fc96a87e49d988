import { describe, expect, test } from 'vitest'
import {
  addCircle,
  addMovingCircle,
  addShape,
  addVolume,
  type Boxes,
  type CollideOptions,
  collide,
  createCollision,
  declareGame,
  pose,
  rule,
  spawn,
  step,
  type World,
} from '../../src/index.ts'
import * as shapes from '../../src/shapes/index.ts'
import * as volumes from '../../src/volumes/index.ts'
import { expectRefusal, worldWith } from '../support.ts'

const declaration = declareGame({
  id: 'ways',
  rulesVersion: 1,
  tickRate: 60,
  seats: { min: 0, max: 1 },
  layers: { target: ['bullet'], bullet: [] },
  tables: { things: { capacity: 16, columns: { z: 'f64' } } },
})
type Ways = World<typeof declaration>

/** Steps once with the given poses; gives "id met id at time" in the order decided. */
function meetings(
  things: readonly { layer: number; x: number; y?: number; z?: number; radius?: number }[],
  pose: NonNullable<CollideOptions<typeof declaration>['pose']>,
  touching = true,
): string[] {
  const seen: string[] = []
  const watch = rule(declaration, {
    name: 'watch',
    attacker: 'bullet',
    victim: 'target',
    touching,
    decide(view, { attacker, victim, time }, outcome) {
      const { id } = view.tables.things
      seen.push(`${id[attacker]} met ${id[victim]} at ${time}`)
      outcome.despawn(attacker)
      return 'hit'
    },
  })
  const phase = collide([watch], { pose, orderKey: (_view, { time }) => time })
  const world = worldWith(declaration, phase)
  for (const values of things) spawn(world.tables.things, values)
  step(world)
  return seen
}

describe('shapes on their way', () => {
  test.each([1, 1e3, 1e9])('[CO19] a bullet that flew %d widths meets what it passed; the earliest wins', (speed) => {
    const flight = 100 * speed
    const seen = meetings(
      [
        { layer: 0, x: 0.75 * flight, radius: 1 },
        { layer: 0, x: 0.25 * flight, radius: 1 },
        { layer: 0, x: 0.25 * flight, y: 5, radius: 1 },
        { layer: 1, x: flight },
      ],
      ({ tables: { things } }, row, boxes) => {
        if (things.layer[row] === 1) addMovingCircle(boxes, row, 1, things.x[row], 0, 1, flight, 0)
        else addCircle(boxes, row, 0, things.x[row], things.y[row], things.radius[row])
      },
    )
    expect(seen).toEqual([`4 met 2 at ${(0.25 * flight - 2) / flight}`])
  })

  test('[CO19] both on their way: what counts is the way between them', () => {
    const pose = (wayX: number) => (world: Ways, row: number, boxes: Boxes) => {
      const { things } = world.tables
      addMovingCircle(boxes, row, things.layer[row], things.x[row], 0, 1, row === 0 ? 10 : wayX, 0)
    }
    // Side by side at the same speed they never meet; head on they do.
    expect(
      meetings(
        [
          { layer: 0, x: 10 },
          { layer: 1, x: 14 },
        ],
        pose(10),
      ),
    ).toEqual([])
    expect(
      meetings(
        [
          { layer: 0, x: 10 },
          { layer: 1, x: 4 },
        ],
        pose(-10),
      ),
    ).toEqual(['2 met 1 at 0.6'])
  })

  test('[CO26] posed by layer, things of other layers are their circles, before and after what is posed otherwise', () => {
    const circles = [
      { layer: 0, x: 3, radius: 0.5 },
      { layer: 1, x: 0, radius: 1 },
      { layer: 0, x: -3, radius: 0.5 },
      { layer: 0, x: 0, y: 3, radius: 0.5 },
    ]
    const plank = (world: Ways, row: number, boxes: Boxes) => {
      const { x, y, layer } = world.tables.things
      addShape(boxes, row, layer[row], shapes.box(5, 0.5), x[row], y[row])
    }
    expect(meetings(circles, { bullet: plank })).toEqual(['2 met 1 at 1'])
    expect(meetings(circles.slice(1), { bullet: plank })).toEqual(['1 met 2 at 1'])
    expect(meetings([circles[1], circles[3]], { bullet: plank })).toEqual([])
    expect(meetings(circles, {})).toEqual([])
    expect(meetings([{ ...circles[0], x: 1.2 }, circles[1]], {})).toEqual(['2 met 1 at 1'])
    const world = worldWith(declaration)
    for (const values of circles) spawn(world.tables.things, values)
    world.tables.things.leaving[2] = 1
    const collision = createCollision(world, [], {})
    pose(collision)
    expect([...collision.boxes.owner.subarray(0, collision.boxes.count)]).toEqual([0, 1, 3])
    expectRefusal(() => meetings(circles, { bulet: plank } as never), /layer "bulet"/)
  })

  test('[CO20] an oriented box, an arc and a swept capsule meet by their true shape', () => {
    const blade = shapes.box(5, 0.5)
    const standing = (shape: shapes.Shape, facingX: number, facingY: number) =>
      meetings(
        [
          { layer: 0, x: 3, y: 3, radius: 0.5 },
          { layer: 1, x: 0 },
        ],
        (world, row, boxes) => {
          const { x, y, radius, layer } = world.tables.things
          if (layer[row] === 1) addShape(boxes, row, 1, shape, x[row], y[row], facingX, facingY)
          else addCircle(boxes, row, 0, x[row], y[row], radius[row])
        },
      )
    expect(standing(blade, 1, 0)).toEqual([])
    expect(standing(blade, Math.SQRT1_2, Math.SQRT1_2)).toEqual(['2 met 1 at 1'])
    expect(standing(shapes.arc(5, 1), 1, 0)).toEqual([])
    expect(standing(shapes.arc(5, 1), Math.SQRT1_2, Math.SQRT1_2)).toEqual(['2 met 1 at 1'])
    const swept = meetings(
      [
        { layer: 0, x: 50, radius: 1 },
        { layer: 1, x: 100 },
      ],
      (world, row, boxes) => {
        const { x, layer } = world.tables.things
        if (layer[row] === 1) addShape(boxes, row, 1, shapes.capsule(0, -3, 0, 3, 1), x[row], 0, 1, 0, 100, 0)
        else addCircle(boxes, row, 0, x[row], 0, 1)
      },
    )
    expect(swept).toEqual(['2 met 1 at 0.48'])
  })

  test('[CO20] volumes meet by height too, and phases do not mix plane and space', () => {
    const character = volumes.capsule(0.5, 2)
    const punch = volumes.box(0.5, 0.75, 1)
    const at = (z: number) =>
      meetings(
        [
          { layer: 0, x: 0.9, z },
          { layer: 1, x: 0 },
        ],
        (world, row, boxes) => {
          const { x, y, z: height, layer } = world.tables.things
          addVolume(boxes, row, layer[row], layer[row] === 1 ? punch : character, x[row], y[row], height[row])
        },
      )
    // The round lower end of the capsule: 0.45 from the edge of the punch, then 0.57.
    expect([at(0).length, at(3.2).length, at(3.4).length]).toEqual([1, 1, 0])
    expect(() =>
      meetings(
        [
          { layer: 0, x: 0 },
          { layer: 1, x: 0 },
        ],
        (_world, row, boxes) => {
          if (row === 0) addVolume(boxes, row, 0, punch, 0, 0, 0)
          else addShape(boxes, row, 1, shapes.box(1, 1), 0, 0)
        },
      ),
    ).toThrow(/not both/)
  })

  test('[CO14] an oriented box that only touches counts only for rules that say so', () => {
    for (const touching of [false, true]) {
      const seen = meetings(
        [
          { layer: 0, x: 3, radius: 1 },
          { layer: 1, x: 0 },
        ],
        (world, row, boxes) => {
          const { x, layer } = world.tables.things
          if (layer[row] === 1) addShape(boxes, row, 1, shapes.box(2, 1), x[row], 0)
          else addCircle(boxes, row, 0, x[row], 0, 1)
        },
        touching,
      )
      expect(seen).toHaveLength(touching ? 1 : 0)
    }
  })
})
