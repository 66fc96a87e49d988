/** The static map of any pieces: one for hits, separation, queries and lines of sight, with doors as state. */

import { describe, expect, test } from 'vitest'
import { createRandom, type Random } from '../../../test/random.ts'
import { expectRefusal, worldWith } from '../../../test/support.ts'
import { circle, createImpact, overlaps, pose, sweep } from '../../geometry/shapes/index.ts'
import { sphere } from '../../geometry/volumes/index.ts'
import {
  advance,
  border,
  collide,
  createSession,
  createWorld,
  declareGame,
  defineBlocks,
  defineGame,
  defineStatics,
  hashWorld,
  restore,
  type StaticShape,
  snapshot,
  spawn,
  step,
  tiles,
  why,
} from '../../index.ts'
import { separate } from '../../kits/motion/index.ts'
import {
  canSee,
  canSeeInSpace,
  createFilter,
  createMapIndex,
  createSpaceMapIndex,
  createSpatialIndex,
  nearest,
  nearestOf,
  raycast,
  raycastMap,
  raycastMapInSpace,
  rebuild,
  sweepCircle,
  sweepMap,
  sweepMapInSpace,
  wallsWithin,
  within,
  withinShape,
} from '../../kits/query/index.ts'
import { fingerprint } from '../../record/replay/index.ts'

const declaration = declareGame({
  id: 'maps',
  tickRate: 60,
  layers: { ball: ['wall', 'glass'], wall: [], glass: [] },
  things: { invMass: 'f64', met: 'u32' },
  globals: { gateOpen: 'u8' },
  arrays: { doors: { type: 'u8', length: 4 } },
})

function meeting(pieces: readonly StaticShape[]) {
  const statics = defineStatics(declaration, pieces)
  const hits = collide(
    declaration,
    { 'ball meets wall': { between: ['ball', 'wall'], decide: (ball) => void ball.met++ } },
    { statics },
  )
  return { statics, world: createWorld(defineGame(declaration, { phases: { hits } })) }
}

const wall = (piece: object) => ({ layer: 'wall', ...piece }) as StaticShape

/** Seeded pieces of every kind, scattered over a square of 1000. */
function randomPieces(random: Random, count: number): StaticShape[] {
  return Array.from({ length: count }, (_, i) => {
    const [x, y, size] = [1000 * random() - 500, 1000 * random() - 500, 2 + 30 * random()]
    const layer = random() < 0.8 ? 'wall' : 'glass'
    const kinds = [
      { minX: x, minY: y, maxX: x + size, maxY: y + 40 * random() },
      { x, y, radius: size },
      { from: [x, y], to: [x + 60 * random() - 30, y + 60 * random() - 30], radius: random() < 0.5 ? 0 : size / 4 },
      {
        points: [
          [x, y],
          [x + size, y + 3],
          [x + size / 2, y + size],
        ],
        rounding: random() < 0.5 ? 0 : 2,
      },
    ]
    return { layer, ...kinds[i % 4] } as StaticShape
  })
}

describe('the static map', () => {
  test('[SM1] pieces of every kind are met by their true shape', () => {
    const met = (piece: object, ball: { x: number; y: number }) => {
      const { world } = meeting([wall(piece)])
      const thing = spawn(world, 'ball', { ...ball, radius: 5 })
      step(world)
      return thing.met === 1
    }
    expect([
      met({ x: 0, y: 0, radius: 10 }, { x: 10, y: 10 }),
      met({ x: 0, y: 0, radius: 10 }, { x: 11, y: 11 }),
    ]).toEqual([true, false])
    const slope = {
      points: [
        [0, 0],
        [40, 40],
        [40, 0],
      ],
    }
    expect([met(slope, { x: 10, y: 17 }), met(slope, { x: 10, y: 18 })]).toEqual([true, false])
    const line = { from: [0, 0], to: [40, 40] }
    expect([met(line, { x: 10, y: 17 }), met(line, { x: 10, y: 18 })]).toEqual([true, false])
    expect([met({ ...line, radius: 2 }, { x: 10, y: 19 }), met({ ...line, radius: 2 }, { x: 10, y: 20 })]).toEqual([
      true,
      false,
    ])
    expect(() => meeting([wall({ x: 1, y: 2 })])).toThrow(/piece 0 of the map must have minX/)
    expect(() => meeting([wall({ x: Number.NaN, y: 0, radius: 1 })])).toThrow(/finite/)
    expect(() => meeting([{ layer: 'lava', x: 0, y: 0, radius: 1 }])).toThrow(/no layer "lava"/)
  })

  test('[SM2] a door is there while its state is 0, and is rolled back with it', () => {
    const { world, statics } = meeting([
      wall({ x: 0, y: 0, radius: 10, door: 'gateOpen' }),
      wall({ x: 100, y: 0, radius: 10, door: ['doors', 2] }),
    ])
    const [one, two] = [spawn(world, 'ball', { radius: 5 }), spawn(world, 'ball', { x: 100, radius: 5 })]
    const map = createMapIndex(world, statics)
    const sight = () => [canSee(map, { x: -20, y: 0 }, { x: 20, y: 0 }), canSee(map, { x: 80, y: 0 }, { x: 120, y: 0 })]
    step(world)
    expect([one.met, two.met, ...sight()]).toEqual([1, 1, false, false])
    const closed = snapshot(world)
    world.globals.gateOpen = 1
    step(world)
    expect([one.met, two.met, ...sight()]).toEqual([1, 2, true, false])
    world.arrays.doors[2] = 1
    step(world)
    expect([one.met, two.met, ...sight()]).toEqual([1, 2, true, true])
    restore(world, closed)
    step(world)
    expect([one.met, two.met, ...sight()]).toEqual([2, 2, false, false])
    expect(() => meeting([wall({ x: 0, y: 0, radius: 1, door: 'gate' })])).toThrow(
      /global for the door of piece 0.*"gate"/,
    )
    expect(() => meeting([wall({ x: 0, y: 0, radius: 1, door: ['door', 0] })])).toThrow(/array for the door of piece 0/)
  })

  test('[SM3] separation keeps things out of pieces of every kind, and lets them into open doors', () => {
    const pieces = [
      wall({ x: 0, y: 0, radius: 20 }),
      wall({
        points: [
          [100, 0],
          [140, 40],
          [140, -40],
        ],
      }),
      wall({ x: -100, y: 0, radius: 20, door: 'gateOpen' }),
    ]
    const statics = defineStatics(declaration, pieces)
    const world = createWorld(defineGame(declaration, { phases: { makeRoom: separate({ statics }) } }))
    world.globals.gateOpen = 1
    const units = [
      spawn(world, 'ball', { x: 15, y: 0, radius: 5, invMass: 1 }),
      spawn(world, 'ball', { x: 120, y: 22, radius: 5, invMass: 1 }),
      spawn(world, 'ball', { x: -100, y: 0, radius: 5, invMass: 1 }),
    ]
    step(world)
    expect(units[0].x).toBeCloseTo(25, 9)
    expect((units[1].y - (units[1].x - 100)) / Math.SQRT2, 'off the slope by its radius').toBeCloseTo(5, 9)
    expect(units[2].x).toBe(-100)
  })

  test('[SM3] a map says how far, and which way, a circle is out of each of its pieces', () => {
    const { penetration } = defineStatics(declaration, [
      wall({ minX: 0, minY: 0, maxX: 40, maxY: 60 }),
      wall({ x: 200, y: 0, radius: 20 }),
      wall({ from: [300, 0], to: [300, 100], radius: 0 }),
    ])
    const out = { x: Number.NaN, y: Number.NaN }
    const way = (piece: number, x: number, y: number, radius = 5) => {
      const isIn = penetration(piece, { x, y, radius }, out)
      return [isIn, Math.round(out.x * 1e6) / 1e6 + 0, Math.round(out.y * 1e6) / 1e6 + 0]
    }
    // Beside each side, only touching, and at a corner: along the diagonal.
    expect([way(0, -3, 30), way(0, 43, 30), way(0, 20, -3), way(0, 20, 63)]).toEqual([
      [true, -2, 0],
      [true, 2, 0],
      [true, 0, -2],
      [true, 0, 2],
    ])
    expect([way(0, -5, 30), way(0, 45.1, 30), way(0, 20, 65)]).toEqual(Array(3).fill([false, 0, 0]))
    expect(way(0, 43, 64, 10)).toEqual([true, 3, 4])
    expect(way(0, -4, 63)).toEqual([false, 0, 0])
    // With its centre inside it leaves through the nearest side, left and right before up and down.
    expect([way(0, 3, 30), way(0, 38, 30), way(0, 20, 4), way(0, 20, 53)]).toEqual([
      [true, -8, 0],
      [true, 7, 0],
      [true, 0, -9],
      [true, 0, 12],
    ])
    expect([way(0, 10, 10), way(0, 30, 50)]).toEqual([
      [true, -15, 0],
      [true, 15, 0],
    ])
    // Other shapes: away from their surface.
    expect([way(1, 200, 22), way(1, 180, 0, 1), way(1, 200, 26)]).toEqual([
      [true, 0, 3],
      [true, -1, 0],
      [false, 0, 0],
    ])
    expect([way(2, 297, 50), way(2, 300, 103), way(2, 295, 50)]).toEqual([
      [true, -2, 0],
      [true, 0, 2],
      [false, 0, 0],
    ])
  })

  test('[SM4] a map in the content of a game is part of its fingerprint', () => {
    const game = (radius: number) =>
      defineGame(
        declareGame({
          id: 'printed',
          tickRate: 60,
          layers: { wall: [] },
          content: { map: [{ layer: 'wall', x: 0, y: 0, radius }] },
        }),
        { phases: {} },
      )
    expect(fingerprint(game(10)).hash).toBe(fingerprint(game(10)).hash)
    expect(fingerprint(game(10)).parts.content).not.toBe(fingerprint(game(11)).parts.content)
  })

  test('[SM10] a border is four rectangles around one, without a gap at its corners', () => {
    const inner = { layer: 'wall', minX: -30, minY: 10, maxX: 70, maxY: 50 }
    expect(border({ ...inner, thickness: 5 })).toEqual([
      { layer: 'wall', minX: -35, minY: 5, maxX: -30, maxY: 55 },
      { layer: 'wall', minX: 70, minY: 5, maxX: 75, maxY: 55 },
      { layer: 'wall', minX: -35, minY: 5, maxX: 75, maxY: 10 },
      { layer: 'wall', minX: -35, minY: 50, maxX: 75, maxY: 55 },
    ])
    expect(border(inner)[3], 'as thick as the longer side').toEqual({
      ...inner,
      minX: -130,
      minY: 50,
      maxX: 170,
      maxY: 150,
    })
    expect(() => border({ ...inner, thickness: 0 })).toThrow('thickness of a border must be more than 0')
  })

  test('[SM5] tiles become few rectangles, which cover exactly the solid tiles', () => {
    for (let seed = 1; seed <= 50; seed++) {
      const random = createRandom(seed)
      const rows = Array.from({ length: 12 }, () =>
        Array.from({ length: 15 }, () => (random() < 0.5 ? '#' : '.')).join(''),
      )
      const found = tiles({ layer: 'wall', rows, size: 8, x: -3, y: 5 })
      for (const [r, row] of rows.entries()) {
        for (const [c, tile] of [...row].entries()) {
          const [x, y] = [-3 + 8 * c + 4, 5 + 8 * r + 4]
          const over = found.filter(({ minX, minY, maxX, maxY }) => x > minX && x < maxX && y > minY && y < maxY).length
          if (over !== (tile === '#' ? 1 : 0)) expect.fail(`seed ${seed}: tile ${c}, ${r} is covered ${over} times`)
        }
      }
    }
    expect(tiles({ layer: 'wall', rows: ['~~', '~~', '..'], size: 1, solid: '~' })).toEqual([
      { layer: 'wall', minX: 0, minY: 0, maxX: 2, maxY: 2 },
    ])
    expect(() => tiles({ layer: 'wall', rows: [], size: 0 })).toThrow(/size of tiles/)
  })

  test('[SM5] a large board of tiles takes as long as its tiles, not as their square', () => {
    const rows = Array.from({ length: 700 }, (_, r) => (r % 2 === 0 ? '#.' : '.#').repeat(350))
    expect(tiles({ layer: 'wall', rows, size: 1 }).length).toBe(245_000)
  })

  test('[SM13] mistakes in a map are told by the place of the piece, and what is wanted', () => {
    const good = { layer: 'wall', minX: 0, minY: 0, maxX: 1, maxY: 1 }
    const refuse = (piece: unknown, mention: RegExp) =>
      expectRefusal(() => defineStatics(declaration, [good, piece] as never), mention)
    refuse(null, /piece 1 of the map must be an object, got null/)
    refuse(
      { layer: 'wall', from: { x: 1, y: 2 }, to: [3, 4] },
      /from of piece 1 must be 2 numbers, as \[10, 20\], got object/,
    )
    refuse({ layer: 'wall', from: [1, 2] }, /to of piece 1 must be 2 numbers.*got undefined/)
    refuse({ layer: 'wall', from: [1, 2], to: [3, Number.NaN] }, /to of piece 1\[1\] must be a finite number/)
    refuse({ layer: 'wall', points: 'abc' }, /points of piece 1 must be a list/)
    refuse({ layer: 'wall', points: [[0, 0], 5, [1, 1]] }, /points\[1\] of piece 1 must be 2 numbers/)
    refuse({ layer: 'wall', x: Number.NaN, y: 0, radius: 3 }, /x and y of piece 1\[0\] must be a finite number/)
    refuse({ ...good, door: 5 }, /door of piece 1 must name a global, or an array and a place/)
    refuse({ ...good, door: ['doors', 4] }, /place of the door of piece 1 in doors must be a whole number from 0 to 3/)
    refuse({ ...good, door: ['doors'] }, /place of the door of piece 1 in doors must be a number/)
    expectRefusal(() => defineStatics(declaration, {} as never), /a map is a list of pieces, got object/)
    expectRefusal(() => defineBlocks(declaration, undefined as never), /a map is a list of pieces, got undefined/)
    expectRefusal(
      () => defineBlocks(declaration, [{ layer: 'wall', from: [0, 0], to: [1, 1], radius: 1 }] as never),
      /from of piece 0 must be 3 numbers, as \[10, 20, 30\]/,
    )
    expectRefusal(() => tiles({ layer: 'wall', size: 4, rows: '##' as never }), /rows of tiles must be a list of texts/)
    expectRefusal(() => tiles({ layer: 'wall', size: 4, rows: ['#'], x: Number.NaN }), /x of tiles/)
    expectRefusal(
      () => tiles({ layer: 'wall', size: 4, rows: ['#'], solid: ['#'] as never }),
      /solid of tiles must be a text, as '#%', got an array/,
    )
    expectRefusal(() => tiles(undefined as never), /tiles must be \{ layer, rows, size, .*got undefined/)
    expectRefusal(() => border({ layer: 'wall', minX: 5, minY: 0, maxX: 1, maxY: 1 }), /border must have min below max/)
    expectRefusal(() => border(null as never), /border must be \{ layer, minX, .*got null/)
    expectRefusal(
      () => border({ layer: 'wall', minX: 0, minY: 0, maxX: 1 } as never),
      /maxY of a border must be a number/,
    )
    for (const define of [defineStatics, defineBlocks]) {
      expectRefusal(() => define(undefined as never, []), /takes the declaration first, got undefined/)
    }
  })

  test('[QU12] a question about nowhere is refused by name, in the plane and in space', () => {
    const world = worldWith(declaration)
    const index = createSpatialIndex(world)
    rebuild(index)
    const map = createMapIndex(world, defineStatics(declaration, []))
    const space = createSpaceMapIndex(world, defineBlocks(declaration, []))
    const [nowhere, here] = [undefined as never, { x: 0, y: 0, z: 0, radius: 1 }]
    const x = /^x must be a number, got undefined/
    expectRefusal(() => within(index, nowhere, 5), x)
    expectRefusal(() => nearest(index, nowhere), x)
    expectRefusal(() => nearestOf(index, nowhere, 2), x)
    expectRefusal(() => withinShape(index, circle(3), nowhere), x)
    expectRefusal(() => wallsWithin(map, nowhere), x)
    type Point = typeof here
    for (const cast of [
      (from: Point, along: Point) => raycast(index, from, along),
      (from: Point, along: Point) => raycastMap(map, from, along),
    ]) {
      expectRefusal(() => cast(nowhere, here), x)
      expectRefusal(() => cast(here, nowhere), /^dx must be a number, got undefined/)
    }
    expectRefusal(() => raycastMapInSpace(space, nowhere, here), x)
    expectRefusal(() => raycastMapInSpace(space, here, nowhere), /^dx must be a number, got undefined/)
    for (const sweeping of [
      () => sweepCircle(index, nowhere, here),
      () => sweepMap(map, nowhere, here),
      () => sweepMapInSpace(space, nowhere, here),
    ]) {
      expectRefusal(sweeping, x)
    }
    expectRefusal(() => canSee(map, nowhere, here), x)
    expectRefusal(() => canSee(map, here, nowhere), /^to\.x must be a number/)
    expectRefusal(() => canSeeInSpace(space, nowhere, here), x)
    expectRefusal(() => canSeeInSpace(space, here, nowhere), /^to\.x must be a number/)
    expectRefusal(
      () => createFilter(world, { layers: 'wall' as never }),
      /layers of a filter must be a list, as \['slime'\]/,
    )
  })

  test('[SM13] a map of the plane and one of space are told apart where they are asked', () => {
    const world = worldWith(declaration)
    const flat = defineStatics(declaration, [])
    const blocks = defineBlocks(declaration, [])
    expectRefusal(() => createMapIndex(world, blocks), /takes a map of defineStatics; .* createSpaceMapIndex/)
    expectRefusal(() => createMapIndex(world, undefined as never), /takes a map of defineStatics/)
    expectRefusal(() => createSpaceMapIndex(world, flat as never), /takes a map of defineBlocks; .* createMapIndex/)
    const index = createSpatialIndex(world)
    rebuild(index)
    expectRefusal(() => withinShape(index, sphere(3) as never, { x: 0, y: 0 }), /takes a shape of hurtbox\/shapes/)
  })

  test('[QU14] rays, sweeps, sight and walls near a circle agree with asking every piece', () => {
    const seen = { met: 0, missed: 0 }
    for (let seed = 1; seed <= 40; seed++) {
      const random = createRandom(seed)
      const pieces = randomPieces(random, 10 + Math.floor(300 * random()))
      // Half of the maps have a wall so wide that it is in no cell.
      if (seed % 2 === 0) pieces.unshift(wall({ minX: -1e6, minY: 300, maxX: 1e6, maxY: 320 }))
      const { world, statics } = meeting(pieces)
      expect(statics.map.wide.length).toBe(seed % 2 === 0 ? 1 : 0)
      const map = createMapIndex(world, statics)
      const filter = random() < 0.3 ? createFilter(world, { layers: ['glass'] }) : undefined
      for (let question = 0; question < 25; question++) {
        const from = { x: 1200 * random() - 600, y: 1200 * random() - 600, radius: random() < 0.5 ? 0 : 20 * random() }
        const along = { x: 1000 * (random() - 0.5), y: random() < 0.1 ? 0 : 1000 * (random() - 0.5) }
        const where = `seed ${seed}, question ${question}: ${JSON.stringify([from, along])}`
        const asked = statics.pieces.map(({ shape, x, y }, place) => {
          const impact = createImpact()
          const target = { shape: shape as never, pose: pose({ x, y }) }
          const moving = { shape: circle(from.radius), pose: pose(from), dx: along.x, dy: along.y }
          const isAsked = filter === undefined || pieces[place].layer === 'glass'
          const time = isAsked && sweep(moving, target, impact) ? impact.time : 2
          return { place, time, near: isAsked && overlaps(moving, target, true) }
        })
        const [first] = asked.toSorted((a, b) => a.time - b.time || a.place - b.place)
        const met = sweepMap(map, from, along, filter)
        if (met !== first.time <= 1) expect.fail(`${met}, should be ${first.time}: ${where}`)
        if (met && (map.wall.time !== first.time || map.wall.place !== first.place))
          expect.fail(`${JSON.stringify(map.wall)}, should be ${JSON.stringify(first)}: ${where}`)
        seen[met ? 'met' : 'missed']++
        if (from.radius === 0) {
          const to = { x: from.x + along.x, y: from.y + along.y }
          expect(canSee(map, from, to, filter), where).toBe(!met)
          expect(raycastMap(map, from, along, filter), where).toBe(met)
        }
        const near = wallsWithin(map, from, filter)
        expect([...map.answer.circle.subarray(0, near)], where).toEqual(
          asked.filter(({ near }) => near).map(({ place }) => place),
        )
      }
    }
    expect(Math.min(seen.met, seen.missed)).toBeGreaterThan(200)
  })

  test('[QU14] what a ray meets has a place and a normal towards the ray', () => {
    const { world, statics } = meeting([
      wall({ minX: 10, minY: -5, maxX: 20, maxY: 5 }),
      wall({ x: 40, y: 0, radius: 5 }),
    ])
    const map = createMapIndex(world, statics)
    expect(raycastMap(map, { x: 0, y: 0 }, { x: 100, y: 0 })).toBe(true)
    expect(map.wall).toMatchObject({ time: 0.1, x: 10, y: 0, normalX: -1, normalY: 0, place: 0 })
    expect(raycastMap(map, { x: 30, y: 0 }, { x: 100, y: 0 })).toBe(true)
    expect(map.wall).toMatchObject({ time: 0.05, x: 35, place: 1 })
    const before = hashWorld(world)
    expect(canSee(map, { x: 0, y: 20 }, { x: 100, y: 20 })).toBe(true)
    expect(hashWorld(world)).toBe(before)
  })

  test('[SM6] why answers about a wall: what its rule decided, that it is open, or how far away it was', () => {
    const pieces = [
      wall({ x: 0, y: 0, radius: 10 }),
      wall({ x: 100, y: 0, radius: 10, door: 'gateOpen' }),
      { layer: 'glass', x: 0, y: 0, radius: 5 },
    ]
    const hits = collide(
      declaration,
      {
        'ball meets wall': {
          between: ['ball', 'wall'],
          decide(ball) {
            if (ball.met > 0) return 'met before'
            ball.met++
          },
        },
      },
      { statics: defineStatics(declaration, pieces as StaticShape[]) },
    )
    const session = createSession(
      defineGame(declaration, {
        phases: { hits },
        setup(world) {
          spawn(world, 'ball', { x: 8, radius: 5 })
          spawn(world, 'ball', { x: 100, radius: 5 })
          world.globals.gateOpen = 1
        },
      }),
    )
    advance(session)
    advance(session)
    expect(why(session, 0, 1, { wall: 0 })).toEqual([
      {
        phase: 'hits',
        rule: 'ball meets wall',
        first: 1,
        second: 0,
        wall: 0,
        verdict: 'accepted',
        text: 'ball meets wall: 1 and wall 0: accepted',
        changes: ['met of things id 1: 0 → 1'],
      },
    ])
    expect(why(session, 1, 1, { wall: 0 })[0]).toMatchObject({ verdict: 'met before', wall: 0 })
    expect(why(session, 0, 2, { wall: 1 })[0]).toMatchObject({ verdict: 'open', text: 'wall 1 is a door, and open' })
    expect(why(session, 0, 2, { wall: 0 })[0]).toMatchObject({ verdict: 'apart', text: 'apart: 85 were missing' })
    expect(why(session, 0, 1, { wall: 2 })[0]).toMatchObject({ verdict: 'no-rule' })
    expect(why(session, 0, 1, { wall: 9 })[0].text).toBe(
      'the map of this phase has no wall 9: it has 3, counted from 0',
    )
    expect(why(session, 0, 7, { wall: 0 })[0]).toMatchObject({ verdict: 'gone' })
  })
})
