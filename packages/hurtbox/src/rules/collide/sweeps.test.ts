import { describe, expect, test } from 'vitest'
import { expectRefusal, worldWith } from '../../../test/support.ts'
import * as shapes from '../../geometry/shapes/index.ts'
import * as volumes from '../../geometry/volumes/index.ts'
import { collisionsOf } from '../../host/tools/index.ts'
import {
  addCircle,
  addShape,
  addVolume,
  type Boxes,
  collide,
  declareGame,
  despawn,
  spawn,
  step,
  sweepBox,
  type Thing,
  turnBox,
} from '../../index.ts'

const declaration = declareGame({
  id: 'ways',
  tickRate: 60,
  layers: { target: ['bullet'], bullet: [] },
  capacity: 16,
  things: { z: 'f64' },
})
interface Swept extends Thing<typeof declaration> {}
type Pose = (thing: Swept, boxes: Boxes) => void
type Posers = { readonly target?: Pose; readonly bullet?: Pose }
type Given = { layer: 'target' | 'bullet'; x: number; y?: number; z?: number; radius?: number }

function filled(things: readonly Given[], pose: Pose | Posers, touching: boolean, seen: string[], options = {}) {
  const phase = collide(
    declaration,
    {
      watch: {
        between: ['bullet', 'target'],
        touching,
        decide(bullet, target, { time }) {
          seen.push(`${bullet.id} met ${target.id} at ${time}`)
          despawn(bullet)
        },
      },
    },
    { pose, ...options },
  )
  const world = worldWith(declaration, phase)
  for (const { layer, ...values } of things) spawn(world, layer, values)
  return world
}

/** Steps once with the given poses; gives "id met id at time" in the order decided. */
function meetings(things: readonly Given[], pose: Pose | Posers, touching = true): string[] {
  const seen: string[] = []
  step(filled(things, pose, touching, seen))
  return seen
}

describe('swept shapes', () => {
  test.each([1, 1e3, 1e9])('[CO19] a bullet that flew %d widths meets what it passed; the earliest wins', (speed) => {
    const flight = 100 * speed
    const seen = meetings(
      [
        { layer: 'target', x: 0.75 * flight, radius: 1 },
        { layer: 'target', x: 0.25 * flight, radius: 1 },
        { layer: 'target', x: 0.25 * flight, y: 5, radius: 1 },
        { layer: 'bullet', x: flight, radius: 1 },
      ],
      (thing, boxes) => {
        addCircle(boxes, thing)
        if (thing.layer === 'bullet') sweepBox(boxes, flight, 0)
      },
    )
    expect(seen).toEqual([`4 met 2 at ${(0.25 * flight - 2) / flight}`])
  })

  /** A bullet that came 100 along an axis, and two targets on its way: the older one is the farther one. */
  function flown(axis: 'x' | 'y' | 'z', pose: (boxes: Boxes, thing: Swept) => void, options = {}): string[] {
    const seen: string[] = []
    const at = (place: number) => ({ x: 0, y: 0, z: 0, radius: 1, [axis]: place })
    const things: Given[] = [
      { layer: 'target', ...at(80) },
      { layer: 'target', ...at(40) },
      { layer: 'bullet', ...at(100) },
    ]
    const sweep = { x: 0, y: 0, z: 0, [axis]: 100 }
    const posed: Pose = (thing, boxes) => {
      pose(boxes, thing)
      if (thing.layer === 'bullet') sweepBox(boxes, sweep.x, sweep.y, sweep.z)
    }
    step(filled(things, posed, true, seen, options))
    return seen.map((line) => line.split(' at ')[0])
  }

  test('[CO36] the earliest impact is decided first unless a key says otherwise: circles, shapes, volumes', () => {
    const circle = (boxes: Boxes, thing: Swept) => addCircle(boxes, thing)
    const shape = (boxes: Boxes, thing: Swept) => addShape(boxes, shapes.box(1, 1), thing)
    const volume = (boxes: Boxes, thing: Swept) => addVolume(boxes, volumes.sphere(1), thing)
    for (const axis of ['x', 'y'] as const) {
      for (const pose of [circle, shape, volume]) {
        expect(flown(axis, pose)).toEqual(['3 met 2'])
        expect(flown(axis, pose, { orderBy: () => 0 })).toEqual(['3 met 1'])
      }
    }
    expect(flown('z', volume)).toEqual(['3 met 2'])
    expect(flown('z', volume, { orderBy: () => 0 })).toEqual(['3 met 1'])
  })

  test('[CO36] impacts at the same time are decided older first', () => {
    const seen = meetings(
      [
        { layer: 'target', x: 50, y: 1, radius: 1 },
        { layer: 'target', x: 50, y: -1, radius: 1 },
        { layer: 'bullet', x: 100, radius: 1 },
      ],
      (thing, boxes) => {
        addCircle(boxes, thing)
        if (thing.layer === 'bullet') sweepBox(boxes, 100, 0)
      },
    )
    expect(seen.map((line) => line.split(' at ')[0])).toEqual(['3 met 1'])
  })

  test('[CO19] [CO14] swept circles along any axis, grazing, and ending in touch: with and without touching', () => {
    // The target stands at the origin, 1 px large, and so is the bullet; the bullet comes along `sweep` and ends at `at`.
    const meets = (
      at: readonly [number, number],
      sweep: readonly [number, number],
      own = [0, 0] as readonly number[],
    ) =>
      [true, false].map(
        (touching) =>
          meetings(
            [
              { layer: 'target', x: 0, radius: 1 },
              { layer: 'bullet', x: at[0], y: at[1], radius: 1 },
            ],
            (thing, boxes) => {
              addCircle(boxes, thing)
              if (thing.layer === 'bullet') sweepBox(boxes, sweep[0], sweep[1])
              else if (own[0] !== 0 || own[1] !== 0) sweepBox(boxes, own[0], own[1])
            },
            touching,
          ).length,
      )
    for (const swap of [false, true]) {
      const turn = ([a, b]: readonly [number, number]): [number, number] => (swap ? [b, a] : [a, b])
      const along = (
        at: readonly [number, number],
        sweep: readonly [number, number],
        own?: readonly [number, number],
      ) => meets(turn(at), turn(sweep), own && turn(own))
      // Straight through, past it at 2 px (a graze), past it at 2.1.
      expect([along([10, 0], [20, 0]), along([10, 2], [20, 0]), along([10, 2.1], [20, 0])]).toEqual([
        [1, 1],
        [1, 0],
        [0, 0],
      ])
      // It ends in touch, and began in touch and went away.
      expect([along([-2, 0], [10, 0]), along([12, 0], [10, 0])]).toEqual([
        [1, 0],
        [1, 0],
      ])
      // Away from it, and towards it but not far enough.
      expect([along([20, 0], [10, 0]), along([-5, 0], [10, 0])]).toEqual([
        [0, 0],
        [0, 0],
      ])
      // Both moved alike: only where they are counts, in touch and a hair apart; and head on.
      expect([along([2, 0], [7, 0], [7, 0]), along([2.001, 0], [7, 0], [7, 0])]).toEqual([
        [1, 0],
        [0, 0],
      ])
      expect(along([-6, 0], [-10, 0], [10, 0])).toEqual([1, 1])
    }
  })

  test('[CO36] the time of impact stays with its pair when boxes of one thing are brought together', () => {
    // Two targets of two boxes each. By boxes, the near box of the second comes before the far box of the first.
    const seen: string[] = []
    const phase = collide(
      declaration,
      {
        watch: {
          between: ['bullet', 'target'],
          perBox: true,
          decide: (_bullet, target, { time, secondBox }) =>
            void seen.push(`${target.id}.${secondBox} ${time.toFixed(2)}`),
        },
      },
      {
        pose: {
          bullet(bullet, boxes) {
            for (const y of [0, 50]) {
              addCircle(boxes, { x: bullet.x, y, radius: 1 })
              sweepBox(boxes, 100, 0)
            }
          },
          target(target, boxes) {
            addCircle(boxes, { x: target.x, y: 0, radius: 1 })
            addCircle(boxes, { x: 100 - target.x, y: 50, radius: 1 })
          },
        },
      },
    )
    const world = worldWith(declaration, phase)
    spawn(world, 'bullet', { x: 100 })
    spawn(world, 'target', { x: 22 })
    spawn(world, 'target', { x: 42 })
    step(world)
    expect(seen).toEqual(['2.0 0.20', '3.0 0.40', '3.1 0.56', '2.1 0.76'])
  })

  test('[CO19] both swept: what counts is their relative motion', () => {
    const pose = (sweepX: number) => (thing: Swept, boxes: Boxes) => {
      addCircle(boxes, { x: thing.x, y: 0, radius: 1 })
      sweepBox(boxes, thing.id === 1 ? 10 : sweepX, 0)
    }
    const pair = (x: number): Given[] => [
      { layer: 'target', x: 10 },
      { layer: 'bullet', x },
    ]
    // Side by side at the same speed they never meet; head on they do.
    expect(meetings(pair(14), pose(10))).toEqual([])
    expect(meetings(pair(4), pose(-10))).toEqual(['2 met 1 at 0.6'])
  })

  test('[CO26] posed by layer, things of other layers are their circles, before and after what is posed otherwise', () => {
    const circles: Given[] = [
      { layer: 'target', x: 3, radius: 0.5 },
      { layer: 'bullet', x: 0, radius: 1 },
      { layer: 'target', x: -3, radius: 0.5 },
      { layer: 'target', x: 0, y: 3, radius: 0.5 },
    ]
    const plank = (thing: Swept, boxes: Boxes) => addShape(boxes, shapes.box(5, 0.5), { x: thing.x, y: thing.y })
    expect(meetings(circles, { bullet: plank })).toEqual(['2 met 1 at 1'])
    expect(meetings(circles.slice(1), { bullet: plank })).toEqual(['1 met 2 at 1'])
    expect(meetings([circles[1], circles[3]], { bullet: plank })).toEqual([])
    expect(meetings(circles, {})).toEqual([])
    expect(meetings([{ ...circles[0], x: 1.2 }, circles[1]], {})).toEqual(['2 met 1 at 1'])
    const world = filled(circles, {}, true, [])
    world.tables.things.leaving[2] = 1
    step(world)
    const { boxes } = collisionsOf(world).get('phase')!
    expect([...boxes.owner.subarray(0, boxes.count)]).toEqual([0, 1, 3])
    expectRefusal(() => meetings(circles, { bulet: plank } as never), /layer "bulet"/)
  })

  test('[CO26] a box is on the layer of its thing unless another is named', () => {
    const circle: Given = { layer: 'bullet', x: 0, radius: 1 }
    const asTarget = (thing: Swept, boxes: Boxes) => addCircle(boxes, thing, thing.id === 1 ? 'target' : undefined)
    expect(meetings([circle, circle], (thing, boxes) => addCircle(boxes, thing))).toEqual([])
    expect(meetings([circle, circle], asTarget)).toEqual(['2 met 1 at 1'])
    expectRefusal(
      () => meetings([circle], (thing, boxes) => addCircle(boxes, thing, 'targt')),
      /no layer "targt". Known: target/,
    )
  })

  test('[CO20] an oriented box, an arc and a swept capsule meet by their true shape', () => {
    const blade = shapes.box(5, 0.5)
    const standing = (shape: shapes.Shape, facingX: number, facingY: number) =>
      meetings(
        [
          { layer: 'target', x: 3, y: 3, radius: 0.5 },
          { layer: 'bullet', x: 0 },
        ],
        {
          bullet: ({ x, y }, boxes) => addShape(boxes, shape, { x, y, facingX, facingY }),
        },
      )
    expect(standing(blade, 1, 0)).toEqual([])
    expect(standing(blade, Math.SQRT1_2, Math.SQRT1_2)).toEqual(['2 met 1 at 1'])
    expect(standing(shapes.arc(5, 1), 1, 0)).toEqual([])
    expect(standing(shapes.arc(5, 1), Math.SQRT1_2, Math.SQRT1_2)).toEqual(['2 met 1 at 1'])
    const swept = meetings(
      [
        { layer: 'target', x: 50, radius: 1 },
        { layer: 'bullet', x: 100 },
      ],
      {
        bullet({ x }, boxes) {
          addShape(boxes, shapes.capsule([0, -3], [0, 3], 1), { x, y: 0 })
          sweepBox(boxes, 100, 0)
        },
      },
    )
    expect(swept).toEqual(['2 met 1 at 0.48'])
  })

  test('[CO37] a swept arc meets what it passed, and a shape that turned what it swung across', () => {
    const given: Given[] = [
      { layer: 'target', x: 30, radius: 1 },
      { layer: 'bullet', x: 100 },
    ]
    const passes = meetings(given, {
      bullet: ({ x, y }, boxes) => {
        addShape(boxes, shapes.arc(5, 1), { x, y })
        sweepBox(boxes, 100, 0)
      },
    })
    // Its rim is 6 ahead of the target's centre when they touch: 24 of 100.
    expect(passes).toEqual(['2 met 1 at 0.24'])
    const swings = (turn: boolean) =>
      meetings(
        [
          { layer: 'target', x: 20, y: 20, radius: 1 },
          { layer: 'bullet', x: 0 },
        ],
        {
          bullet: ({ x, y }, boxes) => {
            addShape(boxes, shapes.capsule([5, 0], [40, 0], 1), { x, y, facingX: 0, facingY: 1 })
            if (turn) turnBox(boxes, 2, 0)
          },
        },
      )
    expect(swings(false)).toEqual([])
    // From 0 to a quarter turn, less what the two radii take off at a distance of 20√2.
    const time = (Math.PI / 4 - Math.asin(2 / Math.hypot(20, 20))) / (Math.PI / 2)
    expect(swings(true)).toEqual([expect.stringContaining(`2 met 1 at ${time.toFixed(4)}`)])
    const turnCircle = () =>
      meetings(given, (thing, boxes) => {
        addCircle(boxes, thing)
        turnBox(boxes, 1, 0)
      })
    expectRefusal(turnCircle, /call addShape or addVolume first/)
  })

  test('[CO20] volumes meet by height too, and phases do not mix plane and space', () => {
    const character = volumes.capsule(0.5, 2)
    const punch = volumes.box(0.5, 0.75, 1)
    const at = (z: number) =>
      meetings(
        [
          { layer: 'target', x: 0.9, z },
          { layer: 'bullet', x: 0 },
        ],
        (thing, boxes) => addVolume(boxes, thing.layer === 'bullet' ? punch : character, thing),
      )
    // The round lower end of the capsule: 0.45 from the edge of the punch, then 0.57.
    expect([at(0).length, at(3.2).length, at(3.4).length]).toEqual([1, 1, 0])
    expect(() =>
      meetings(
        [
          { layer: 'target', x: 0 },
          { layer: 'bullet', x: 0 },
        ],
        (thing, boxes) => {
          if (thing.id === 1) addVolume(boxes, punch, thing)
          else addShape(boxes, shapes.box(1, 1), thing)
        },
      ),
    ).toThrow(/not both/)
  })

  test('[CO14] an oriented box that only touches counts only for rules that say so', () => {
    for (const touching of [false, true]) {
      const seen = meetings(
        [
          { layer: 'target', x: 3, radius: 1 },
          { layer: 'bullet', x: 0 },
        ],
        { bullet: ({ x }, boxes) => addShape(boxes, shapes.box(2, 1), { x, y: 0 }) },
        touching,
      )
      expect(seen).toHaveLength(touching ? 1 : 0)
    }
  })
})
