/** The geometry of contacts against closed forms, swept or not, in the plane, in space and across a seam. */

import { describe, expect, test } from 'vitest'
import * as shapes from '../../geometry/shapes/index.ts'
import { type Topology, torus } from '../../geometry/space/index.ts'
import * as volumes from '../../geometry/volumes/index.ts'
import {
  addCircle,
  addShape,
  addVolume,
  type Boxes,
  collide,
  createWorld,
  declareGame,
  defineGame,
  defineStatics,
  spawn,
  step,
  sweepBox,
  turnBox,
} from '../../index.ts'
import { contact, contactInSpace } from './index.ts'

const declaration = declareGame({
  id: 'contacts',
  tickRate: 60,
  layers: { ball: ['ball', 'other', 'wall'], other: [], wall: [] },
  things: { z: 'f64', vz: 'f64', facingX: 'f64', facingY: 'f64' },
})

type Given = Readonly<Record<string, number>>
type Place = {
  x: number
  y: number
  z: number
  facingX: number
  facingY: number
  vx: number
  vy: number
  vz: number
  radius: number
}
type Poser = (thing: Place, boxes: Boxes) => void

const sweptCircle: Poser = (thing, boxes) => {
  addCircle(boxes, thing)
  sweepBox(boxes, thing.vx, thing.vy)
}

const standingCircle: Poser = (thing, boxes) => addCircle(boxes, thing)

type Setting = {
  ball?: Poser
  other?: Poser
  topology?: Topology
  inSpace?: boolean
  walls?: Parameters<typeof defineStatics>[1]
}

/** What the first contact of a tick is, for a ball and another thing or a map. */
function measure(ball: Given, other: Given | undefined, setting: Setting = {}) {
  const found: ReturnType<typeof contact>[] = []
  const note = (_first: unknown, _second: unknown, hit: never) =>
    void found.push({ ...(setting.inSpace ? contactInSpace(hit) : contact(hit)) })
  const statics = setting.walls === undefined ? {} : { statics: defineStatics(declaration, setting.walls) }
  const phase = collide(
    declaration,
    {
      'ball meets other': { between: ['ball', 'other'], touching: true, decide: note },
      'ball meets wall': { between: ['ball', 'wall'], touching: true, decide: note },
    },
    {
      ...statics,
      ...(setting.topology === undefined ? {} : { topology: setting.topology }),
      pose: {
        ball: setting.ball ?? sweptCircle,
        other: setting.other ?? standingCircle,
      } as never,
    },
  )
  const world = createWorld(defineGame(declaration, { phases: { phase } }))
  spawn(world, 'ball', ball)
  if (other !== undefined) spawn(world, 'other', other)
  step(world)
  return found[0]
}

const expectContact = (found: ReturnType<typeof contact> | undefined, wanted: Readonly<Record<string, number>>) => {
  expect(found).toBeDefined()
  for (const [name, value] of Object.entries(wanted)) {
    expect(found![name as 'x'], name).toBeCloseTo(value, 9)
  }
}

describe('contact', () => {
  test('[GE1] two circles on their way meet where their outlines touch, with the normal from the second to the first', () => {
    // From (-50, 3) by 100 to the right: touches the circle of radius 10 at the origin where the centres are 15 apart.
    const along = Math.sqrt(15 * 15 - 3 * 3)
    expectContact(measure({ x: 50, y: 3, radius: 5, vx: 100 }, { radius: 10 }), {
      time: (50 - along) / 100,
      normalX: -along / 15,
      normalY: 3 / 15,
      x: (-along / 15) * 10,
      y: (3 / 15) * 10,
      depth: 0,
      firstX: 100,
      secondX: 0,
      first: 1,
      second: 2,
    })
  })

  test('[GE1] circles that stand have a depth, and the middle of the overlap as their place', () => {
    expectContact(measure({ x: 12, radius: 5 }, { radius: 10 }, { ball: standingCircle }), {
      time: 1,
      depth: 3,
      normalX: 1,
      normalY: 0,
      x: 8.5,
      y: 0,
    })
  })

  test('[GE2] where both move, place and motions are those of the tick, and the place is where they are then', () => {
    const other: Poser = sweptCircle
    // From -30 and 60: 90 apart, 10 of it radii, closing by 100.
    expectContact(measure({ x: 30, radius: 5, vx: 60 }, { x: 20, vx: -40, radius: 5 }, { other }), {
      time: 0.8,
      firstX: 60,
      secondX: -40,
      x: 23,
    })
  })

  test('[GE3] every shape of a map is met on its outline: rectangle, circle, line, capsule, polygon', () => {
    const from = { x: 50, y: 0, radius: 5, vx: 100 }
    const wall = (piece: object) => [{ layer: 'wall', ...piece }] as never
    expectContact(measure(from, undefined, { walls: wall({ minX: 10, minY: -9, maxX: 20, maxY: 9 }) }), {
      time: 0.55,
      normalX: -1,
      x: 10,
      y: 0,
      second: 0,
    })
    expectContact(measure(from, undefined, { walls: wall({ x: 20, y: 0, radius: 10 }) }), {
      time: 0.55,
      normalX: -1,
      x: 10,
      y: 0,
    })
    expectContact(measure(from, undefined, { walls: wall({ from: [10, -9], to: [10, 9] }) }), {
      time: 0.55,
      normalX: -1,
      x: 10,
      y: 0,
    })
    expectContact(measure(from, undefined, { walls: wall({ from: [12, -9], to: [12, 9], radius: 2 }) }), {
      time: 0.55,
      normalX: -1,
      x: 10,
      y: 0,
    })
    const [side, foot] = [Math.SQRT1_2, 5]
    // A slope of 45°: the ball touches it with the side that faces it.
    expectContact(
      measure(from, undefined, {
        walls: wall({
          points: [
            [0, -40],
            [80, 40],
            [80, -40],
          ],
        }),
      }),
      {
        time: (50 + 40 - foot / side) / 100,
        normalX: -side,
        normalY: side,
      },
    )
  })

  test('[GE4] an arc that stands, moves or turns is met at its rim, its side and its hollow', () => {
    const shield =
      (x: number, turn?: [number, number]): Poser =>
      (_thing, boxes) => {
        addShape(boxes, shapes.arcBand(30, 40, 2), { x, y: 0, facingX: 1, facingY: 0 }, 'other')
        if (turn !== undefined) turnBox(boxes, turn[0], turn[1])
      }
    const fly: Given = { x: 0, y: 0, radius: 5, vx: -100 }
    expectContact(measure(fly, {}, { other: shield(0) }), { time: 0.55, normalX: 1, normalY: 0, x: 40, y: 0 })
    // From the hollow, to the right.
    expectContact(measure({ x: 100, y: 0, radius: 5, vx: 100 }, {}, { other: shield(0) }), {
      time: 0.25,
      normalX: -1,
      x: 30,
    })
    // Swinging up from a quarter turn below, it strikes what stands at its end position.
    const struck = measure({ x: 35, y: 0, radius: 5 }, {}, { other: shield(0, [0, -1]) })
    expect(struck!.time).toBeGreaterThan(0)
    expect(struck!.time).toBeLessThan(1)
    expect(struck!.secondY, 'the side comes upwards').toBeGreaterThan(10)
    expect(struck!.normalY).toBeGreaterThan(0.5)
  })

  test('[GE5] across the seam of a torus, swept or not, contacts are those of the nearest image', () => {
    const topology: Topology = torus(200, 200)
    const plain = measure({ x: 60, radius: 5, vx: 40 }, { x: 70, radius: 10 })
    const seam = measure({ x: 190, radius: 5, vx: 40 }, { x: 0, radius: 10 }, { topology })
    expect(seam!.time).toBeCloseTo(plain!.time, 9)
    expect(seam!.normalX).toBe(-1)
    expect(seam!.x).toBeCloseTo(190, 9)
  })

  test('[GE6] volumes in space have contacts with all three coordinates', () => {
    const sphere: Poser = (thing, boxes) => {
      addVolume(boxes, volumes.sphere(5), thing)
      sweepBox(boxes, thing.vx, thing.vy, thing.vz)
    }
    const other: Poser = (thing, boxes) => addVolume(boxes, volumes.box(10, 10, 10), thing)
    expectContact(measure({ z: 5, vz: -40 }, {}, { ball: sphere, other, inSpace: true }), {
      time: 0.75,
      normalZ: 1,
      z: 10,
      x: 0,
      firstZ: -40,
    })
    const still: Poser = (thing, boxes) => addVolume(boxes, volumes.sphere(5), thing)
    expectContact(measure({ z: 13 }, {}, { ball: still, other, inSpace: true }), { depth: 2, normalZ: 1, z: 10 })
  })

  test('[GE7] a contact can be asked of the hit of a rule only', () => {
    expect(() => contact({ time: 0, firstBox: 0, world: {} })).toThrow(/takes the hit that a rule is given/)
    expect(() => contact({ time: 0, firstBox: 0, world: undefined })).toThrow(/takes the hit that a rule is given/)
    expect(() => contact(undefined as never)).toThrow(/takes the hit that a rule is given/)
  })
})
