/** Contacts across the seam of a torus: the first image that is met, and laws of conservation that know of no seam. */

import { describe, expect, test } from 'vitest'
import { createRandom } from '../../../test/random.ts'
import { arcBand, box, circle, type Shape } from '../../geometry/shapes/index.ts'
import { type Topology, torus } from '../../geometry/space/index.ts'
import {
  addShape,
  type Boxes,
  collide,
  createWorld,
  declareGame,
  defineGame,
  each,
  spawn,
  step,
  sweepBox,
} from '../../index.ts'
import { contact, exchange, travel } from './index.ts'

const LONG = process.env.HURTBOX_LONG !== undefined
const [WIDTH, HEIGHT] = [200, 140]
const TORUS: Topology = torus(WIDTH, HEIGHT)

const declaration = declareGame({
  id: 'seams',
  tickRate: 60,
  layers: { ball: ['ball', 'other'], other: [] },
  things: { invMass: 'f64', facingX: 'f64', facingY: 'f64' },
  globals: { met: 'u32' },
})

type Placed = { x: number; y: number; vx: number; vy: number; facingX: number; facingY: number }

/** A world whose only contact is noted: on the torus or on the open plane. */
function meeting(shapes: readonly [Shape, Shape], topology: Topology | undefined) {
  const met: { time: number; normalX: number; normalY: number }[] = []
  const pose = (shape: Shape) => (thing: Placed, boxes: Boxes) => {
    addShape(boxes, shape, thing)
    sweepBox(boxes, thing.vx, thing.vy)
  }
  const phase = collide(
    declaration,
    {
      'ball meets other': {
        between: ['ball', 'other'],
        decide(_ball, _other, hit) {
          const { time, normalX, normalY } = contact(hit)
          met.push({ time, normalX, normalY })
        },
      },
    },
    { ...(topology && { topology }), pose: { ball: pose(shapes[0]), other: pose(shapes[1]) } },
  )
  return { world: createWorld(defineGame(declaration, { phases: { phase } })), met }
}

describe('across the seam', () => {
  test('[GE24] the first image that is met is met, while radii and half of both ways fit into half the world', () => {
    const random = createRandom(24)
    const shapes = [() => circle(3 + 9 * random()), () => box(2 + 8 * random(), 6), () => arcBand(8, 12, 2)]
    const between = (low: number, high: number) => low + (high - low) * random()
    const cases = LONG ? 5000 : 250
    let met = 0
    let across = 0
    for (let n = 0; n < cases; n++) {
      const pair = [shapes[n % 3](), shapes[Math.floor(n / 3) % 3]()] as const
      const placed = (half: number): Placed => {
        const [angle, turn] = [between(0, 7), between(0, 7)]
        return {
          x: between(-WIDTH, 2 * WIDTH),
          y: between(-HEIGHT, 2 * HEIGHT),
          vx: 2 * half * Math.cos(angle),
          vy: 2 * half * Math.sin(angle),
          facingX: Math.cos(turn),
          facingY: Math.sin(turn),
        }
      }
      // Two radii of at most 14 and two half ways make less than half of the shorter side.
      const [first, second] = [placed(between(5, 30)), placed(between(0, 11))]
      const torus = meeting(pair, TORUS)
      spawn(torus.world, 'ball', first)
      spawn(torus.world, 'other', second)
      step(torus.world)
      // The oracle: every image by itself on the open plane.
      const plane = meeting(pair, undefined)
      spawn(plane.world, 'ball', first)
      for (let i = -4; i <= 4; i++) {
        for (let j = -4; j <= 4; j++) {
          spawn(plane.world, 'other', { ...second, x: second.x + i * WIDTH, y: second.y + j * HEIGHT })
        }
      }
      step(plane.world)
      const [wanted] = plane.met
      expect(torus.met.length, `case ${n}`).toBe(wanted === undefined ? 0 : 1)
      if (wanted === undefined) continue
      met++
      if (Math.abs(first.x - second.x) > WIDTH / 2 || Math.abs(first.y - second.y) > HEIGHT / 2) across++
      expect(torus.met[0].time, `case ${n}`).toBeCloseTo(wanted.time, 9)
      expect(torus.met[0].normalX, `case ${n}`).toBeCloseTo(wanted.normalX, 6)
      expect(torus.met[0].normalY, `case ${n}`).toBeCloseTo(wanted.normalY, 6)
    }
    expect(met).toBeGreaterThan(cases / 20)
    expect(across).toBeGreaterThan(cases / 40)
  })

  test('[GE22] balls that travel on a torus keep momentum and energy, whole crowds of them', () => {
    for (let seed = 1; seed <= (LONG ? 200 : 10); seed++) {
      const random = createRandom(seed)
      const play = collide(
        declaration,
        {
          'balls meet': {
            between: ['ball', 'ball'],
            decide(one, other, hit) {
              if (exchange(one, other, contact(hit))) hit.world.globals.met += 1
            },
          },
        },
        { topology: TORUS, travel: travel(['ball'], { perTick: true, most: 64 }) },
      )
      const game = defineGame(declaration, {
        phases: {
          play,
          wrap({ tables: { things } }) {
            for (let row = 0; row < things.count; row++) {
              things.x[row] -= Math.floor(things.x[row] / WIDTH) * WIDTH
              things.y[row] -= Math.floor(things.y[row] / HEIGHT) * HEIGHT
            }
          },
        },
      })
      const world = createWorld(game)
      for (let i = 0; i < 12; i++) {
        const speed = { vx: 40 * (random() - 0.5), vy: 40 * (random() - 0.5) }
        const place = { x: 50 * (i % 4), y: 45 * Math.floor(i / 4) }
        spawn(world, 'ball', { ...place, ...speed, radius: 4 + 8 * random(), invMass: 0.2 + random() })
      }
      const sums = () => {
        const sum = [0, 0, 0]
        for (const { vx, vy, invMass } of each(world, 'ball')) {
          sum[0] += vx / invMass
          sum[1] += vy / invMass
          sum[2] += (vx * vx + vy * vy) / invMass
        }
        return sum
      }
      const before = sums()
      for (let tick = 0; tick < 100; tick++) step(world)
      expect(world.globals.met, `seed ${seed}`).toBeGreaterThan(50)
      const after = sums()
      for (const [i, value] of before.entries()) expect(after[i], `seed ${seed}`).toBeCloseTo(value, 6)
    }
  })
})
