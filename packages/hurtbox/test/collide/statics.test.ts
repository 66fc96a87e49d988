import { describe, expect, test } from 'vitest'
import {
  addMovingCircle,
  type Boxes,
  collide,
  createCollision,
  declareGame,
  defineLayers,
  defineStatics,
  rule,
  spawn,
  step,
  type World,
  wayOut,
} from '../../src/index.ts'
import { worldWith } from '../support.ts'

const declaration = declareGame({
  id: 'walls',
  rulesVersion: 1,
  tickRate: 60,
  seats: { min: 0, max: 1 },
  layers: { ball: ['wall', 'ball'], wall: [], moss: ['ball'] },
  tables: { things: { capacity: 64, columns: { touched: 'u32' } } },
})
const layers = defineLayers(declaration.layers)
const statics = defineStatics(layers, [
  { layer: 'wall', minX: 100, minY: -1000, maxX: 110, maxY: 1000 },
  { layer: 'moss', minX: 0, minY: 50, maxX: 100, maxY: 60 },
  { layer: 'wall', minX: -10, minY: -10, maxX: -5, maxY: 10 },
])
type Walls = World<typeof declaration>

function play(
  balls: readonly { x: number; y?: number; vx?: number; radius?: number }[],
  options: { moving?: boolean; touching?: boolean; victim?: 'wall' | 'moss' } = {},
) {
  const { moving = false, touching = true, victim = 'wall' } = options
  const seen: string[] = []
  const bump = rule(declaration, {
    name: 'bump',
    attacker: 'ball',
    victim,
    touching,
    gates: ['team', 'owner'],
    decide(view, { attacker, victim: nobody, static: place, time }, outcome) {
      const { id, x, y, radius } = view.tables.things
      seen.push(`${id[attacker]} met ${place} at ${time}`)
      expect(nobody).toBe(-1)
      const out = { x: 0, y: 0 }
      if (wayOut(statics, place, x[attacker], y[attacker], radius[attacker], out)) outcome.push(attacker, out.x, out.y)
      return 'hit'
    },
  })
  const meet = rule(declaration, {
    name: 'meet',
    attacker: 'ball',
    victim: 'ball',
    decide() {
      seen.push('balls')
      return 'no'
    },
  })
  const pose = ({ tables: { things } }: Walls, row: number, boxes: Boxes) => {
    addMovingCircle(boxes, row, 0, things.x[row], things.y[row], things.radius[row], things.vx[row], 0)
  }
  const phase = collide([bump, meet], { statics, ...(moving && { pose }) })
  const world = worldWith(declaration, phase)
  for (const ball of balls) spawn(world.tables.things, { layer: 0, radius: 4, ...ball })
  step(world)
  return {
    seen,
    x: [...world.tables.things.x.subarray(0, balls.length)],
    y: [...world.tables.things.y.subarray(0, balls.length)],
  }
}

describe('the static map', () => {
  test('[CO23] a thing meets the statics it overlaps, by box, then by their place in the map', () => {
    const { seen, x } = play([{ x: 97 }, { x: 50, y: 20 }, { x: -8, y: 0 }, { x: 112 }, { x: 1e9 }])
    expect(seen).toEqual(['1 met 0 at 1', '3 met 2 at 1', '4 met 0 at 1'])
    // Out by the shortest way; one that stands in the middle of a wall goes to the nearest side.
    expect(x).toEqual([96, 50, -14, 114, 1e9])
  })

  test('[CO23] layers decide, touching counts where the rule says so, and balls still meet balls', () => {
    expect(play([{ x: 50, y: 47 }], { victim: 'moss' }).seen).toEqual(['1 met 1 at 1'])
    expect(play([{ x: 50, y: 47 }]).seen).toEqual([])
    expect(play([{ x: 96 }]).seen).toEqual(['1 met 0 at 1'])
    expect(play([{ x: 96 }], { touching: false }).seen).toEqual([])
    expect(play([{ x: 97 }, { x: 98 }]).seen).toEqual(['1 met 0 at 1', '2 met 0 at 1', 'balls'])
  })

  test('[CO23] nothing flies through a wall, at any speed', () => {
    for (const vx of [50, 1e3, 1e6]) {
      const { seen } = play([{ x: 60 + vx, vx, radius: 1 }], { moving: true })
      expect(seen).toHaveLength(1)
      expect(Number(seen[0].split(' ')[4])).toBeCloseTo(39 / vx, 9)
    }
    expect(play([{ x: 80, vx: 10, radius: 1 }], { moving: true }).seen).toEqual([])
  })

  test('[CO23] a rule with the static as attacker, and a bad map, are refused', () => {
    const wrong = rule(declaration, { name: 'wrong', attacker: 'wall', victim: 'ball', decide: () => 'hit' })
    const world = worldWith(declaration)
    expect(() => createCollision(world, [wrong], { statics })).toThrow(/Let the thing be the attacker/)
    const map = (change: object) => () =>
      defineStatics(layers, [{ layer: 'wall', minX: 0, minY: 0, maxX: 1, maxY: 1, ...change }])
    expect(map({ layer: 'lava' })).toThrow(/no layer "lava"/)
    expect(map({ maxX: -1 })).toThrow(/rectangle 0 must have min below max/)
    expect(map({ minY: Number.NaN })).toThrow(/rectangle 0 minY/)
  })
})
