import { describe, expect, test } from 'vitest'
import { bytesOf, expectRefusal, worldWith } from '../../../test/support.ts'
import {
  addCircle,
  collide,
  declareGame,
  defineStatics,
  despawn,
  push,
  rememberHits,
  spawn,
  step,
  sweepBox,
  thing,
  wide,
} from '../../index.ts'
import { spawnFrom } from '../../kits/combat/index.ts'

const declaration = declareGame({
  id: 'walls',
  tickRate: 60,
  layers: { ball: ['wall', 'ball'], wall: [], moss: ['ball'] },
  capacity: 64,
  things: { touched: 'u32', hp: 'f64', slots: wide('u8', 2) },
  hits: rememberHits(8),
})
const statics = defineStatics(declaration, [
  { layer: 'wall', minX: 100, minY: -1000, maxX: 110, maxY: 1000 },
  { layer: 'moss', minX: 0, minY: 50, maxX: 100, maxY: 60 },
  { layer: 'wall', minX: -10, minY: -10, maxX: -5, maxY: 10 },
])

function play(
  balls: readonly { x: number; y?: number; vx?: number; radius?: number }[],
  options: { moving?: boolean; touching?: boolean; victim?: 'wall' | 'moss' } = {},
) {
  const { moving = false, touching = true, victim = 'wall' } = options
  const seen: string[] = []
  const phase = collide(
    declaration,
    {
      bump: {
        between: ['ball', victim],
        touching,
        gates: ['team', 'owner'],
        decide(ball, wall, { wall: place, time }) {
          seen.push(`${ball.id} met ${place} at ${time}`)
          expect([wall.id, wall.layer]).toEqual([0, victim])
          const out = { x: 0, y: 0 }
          if (statics.penetration(place, ball, out)) push(ball, out.x, out.y)
        },
      },
      meet: {
        between: ['ball', 'ball'],
        decide(_first, _second, { wall }) {
          expect(wall).toBe(-1)
          seen.push('balls')
          return 'no'
        },
      },
    },
    {
      statics,
      ...(moving && {
        pose(ball, boxes) {
          addCircle(boxes, ball)
          sweepBox(boxes, ball.vx, 0)
        },
      }),
    },
  )
  const world = worldWith(declaration, phase)
  const spawned = balls.map((ball) => spawn(world, 'ball', { radius: 4, ...ball }))
  step(world)
  return { seen, x: spawned.map(({ x }) => x), y: spawned.map(({ y }) => y) }
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

  test('[CO35] a wall is a thing with id 0 in the middle of its box; what is written to it is lost', () => {
    const walls: unknown[] = []
    const phase = collide(
      declaration,
      {
        bump: {
          between: ['ball', 'wall'],
          gates: ['team', 'owner', 'dead'],
          decide(ball, wall, hit) {
            walls.push([wall.id, wall.x, wall.y, wall.hp, wall.slots.get(1), wall.layer, wall.leaving])
            wall.hp = 5
            wall.touched += 3
            wall.slots.set(1, 9)
            despawn(wall)
            push(wall, 100, 100)
            ball.owner = wall.id
            ball.touched += 1
            if (hit.world.clock === 1) return 'not now'
          },
        },
      },
      { statics },
    )
    const world = worldWith(declaration, phase)
    // In the corner of two walls of the map: the first is asked before the third, and each sees an untouched wall.
    const ball = spawn(world, 'ball', { radius: 200, x: 50, owner: 7, team: 3, hp: 1 })
    const before = bytesOf(world)
    step(world)
    step(world)
    expect(walls).toEqual([
      [0, 105, 0, 0, 0, 'wall', 0],
      [0, -7.5, 0, 0, 0, 'wall', 0],
      [0, 105, 0, 0, 0, 'wall', 0],
      [0, -7.5, 0, 0, 0, 'wall', 0],
    ])
    expect([ball.touched, ball.owner, ball.x]).toEqual([2, 0, 50])
    ball.touched = 0
    ball.owner = 7
    expect(bytesOf(world).slice(8)).toEqual(before.slice(8))
  })

  test('[CO35] what is sent from a wall starts in the middle of its box', () => {
    const phase = collide(
      declaration,
      { bump: { between: ['ball', 'wall'], decide: (_ball, wall) => void spawnFrom(wall, 'moss', { hp: 2 }) } },
      { statics },
    )
    const world = worldWith(declaration, phase)
    spawn(world, 'ball', { radius: 4, x: 97 })
    step(world)
    const spark = thing(world, 2)!
    expect([spark.layer, spark.x, spark.y, spark.owner, spark.team, spark.hp]).toEqual(['moss', 105, 0, 0, 0, 2])
  })

  test('[CO35] walls are not remembered: once counts for things alone', () => {
    const met: number[] = []
    const phase = collide(
      declaration,
      { bump: { between: ['ball', 'wall'], once: true, decide: (_ball, _wall, { wall }) => void met.push(wall) } },
      { statics },
    )
    const world = worldWith(declaration, phase)
    spawn(world, 'ball', { radius: 200, x: 50 })
    step(world)
    step(world)
    expect([met, world.tables.hits.count]).toEqual([[0, 2, 0, 2], 0])
    // They take no room either: the game remembers 8 hits, and here are 10 walls.
    const wall = { layer: 'wall', minX: 0, minY: 0, maxX: 1, maxY: 1 } as const
    const many = collide(
      declaration,
      { bump: { between: ['ball', 'wall'], once: true, decide: (each) => void each.touched++ } },
      { statics: defineStatics(declaration, new Array(10).fill(wall)) },
    )
    const crowded = worldWith(declaration, many)
    const ball = spawn(crowded, 'ball', { radius: 4 })
    step(crowded)
    expect(ball.touched).toBe(10)
  })

  test("[CO35] a game's own gates and its order see a wall as a thing", () => {
    const met: number[] = []
    const phase = collide(
      declaration,
      {
        bump: {
          between: ['ball', 'wall'],
          gates: [{ name: 'left', refuses: (ball, wall) => ball.kind === 1 && wall.id === 0 && wall.x < 0 }],
          decide: (_ball, _wall, { wall }) => void met.push(wall),
        },
      },
      { statics, orderBy: (_ball, wall) => wall.x },
    )
    const world = worldWith(declaration, phase)
    const ball = spawn(world, 'ball', { radius: 200, x: 50 })
    step(world)
    ball.kind = 1
    step(world)
    expect(met).toEqual([2, 0, 0])
  })

  test('[CO23] a rule with the wall first, and a bad map, are refused', () => {
    const wrong = collide(declaration, { wrong: { between: ['wall', 'ball'], decide: () => {} } }, { statics })
    expectRefusal(() => worldWith(declaration, wrong), /Name the thing first and the wall second/)
    const map = (change: object) => () =>
      defineStatics(declaration, [{ layer: 'wall', minX: 0, minY: 0, maxX: 1, maxY: 1, ...change }])
    expect(map({ layer: 'lava' })).toThrow(/no layer "lava"/)
    expect(map({ maxX: -1 })).toThrow(/rectangle 0 must have min below max/)
    expect(map({ minY: Number.NaN })).toThrow(/rectangle 0 minY/)
  })
})
