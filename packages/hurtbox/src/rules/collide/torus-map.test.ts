/** The static map on a torus: what happens at the seam is what happens on an open plane that is tiled with the same map. */

import { describe, expect, test } from 'vitest'
import { createRandom } from '../../../test/random.ts'
import { expectRefusal } from '../../../test/support.ts'
import { arcBand, box } from '../../geometry/shapes/index.ts'
import { type Topology, torus } from '../../geometry/space/index.ts'
import { sphere } from '../../geometry/volumes/index.ts'
import { collisionsOf } from '../../host/tools/index.ts'
import {
  addCircle,
  addShape,
  addVolume,
  advance,
  collide,
  createSession,
  createWorld,
  declareGame,
  defineBlocks,
  defineGame,
  defineStatics,
  each,
  type StaticShape,
  type StaticVolume,
  spawn,
  step,
  sweepBox,
  turnBox,
  why,
} from '../../index.ts'
import { ground } from '../../kits/motion/index.ts'
import {
  canSee,
  canSeeInSpace,
  createMapIndex,
  createSpaceMapIndex,
  raycastMap,
  raycastMapInSpace,
  sweepMap,
  sweepMapInSpace,
  wallsWithin,
} from '../../kits/query/index.ts'
import { bounce, contact, contactInSpace, travel } from '../contacts/index.ts'

const LONG = process.env.HURTBOX_LONG !== undefined
const [WIDTH, HEIGHT] = [200, 140]
const TORUS: Topology = torus(WIDTH, HEIGHT)

const declaration = declareGame({
  id: 'round-map',
  tickRate: 60,
  layers: { ball: ['wall'], wall: [] },
  things: { facingX: 'f64', facingY: 'f64', z: 'f64' },
  globals: { open: 'u8' },
})

/** Pieces on the seam, at both its sides, across a corner, beside the torus, and one that goes round it. */
const MAP: readonly StaticShape[] = [
  { layer: 'wall', minX: 190, minY: 20, maxX: 210, maxY: 50 },
  { layer: 'wall', x: 2, y: 138, radius: 9 },
  { layer: 'wall', from: [150, 130], to: [230, 160], radius: 3 },
  {
    layer: 'wall',
    points: [
      [-20, 90],
      [6, 84],
      [10, 110],
    ],
  },
  { layer: 'wall', minX: 0, minY: 66, maxX: WIDTH, maxY: 70 },
  { layer: 'wall', minX: 80, minY: -10, maxX: 90, maxY: 12, door: 'open' },
  { layer: 'wall', from: [120, 20], to: [140, 44] },
]

/** The same map, so often that no ball of a test sees its end. Piece p of image k is at k * MAP.length + p. */
const IMAGES = [-4, -3, -2, -1, 0, 1, 2, 3, 4, 5]
const TILED = IMAGES.flatMap((j) => IMAGES.flatMap((i) => MAP.map((piece) => moved(piece, i * WIDTH, j * HEIGHT))))

function moved(piece: StaticShape, dx: number, dy: number): StaticShape {
  if ('minX' in piece) {
    const { minX, minY, maxX, maxY } = piece
    return { ...piece, minX: minX + dx, minY: minY + dy, maxX: maxX + dx, maxY: maxY + dy }
  }
  if ('points' in piece) return { ...piece, points: piece.points.map(([x, y]) => [x + dx, y + dy] as const) }
  if ('from' in piece) {
    const [[fromX, fromY], [toX, toY]] = [piece.from, piece.to]
    return { ...piece, from: [fromX + dx, fromY + dy], to: [toX + dx, toY + dy] }
  }
  return { ...piece, x: piece.x + dx, y: piece.y + dy }
}

const shapes = [undefined, box(9, 3), arcBand(10, 14, 2)]

/** A world whose contacts with the map are noted: as a torus, or as an open plane with the tiled map. */
function meeting(isTorus: boolean, sort: number) {
  const met: { wall: number; time: number; normalX: number; normalY: number; x: number; y: number; depth: number }[] =
    []
  const shape = shapes[sort % 3]
  const phase = collide(
    declaration,
    {
      'ball meets wall': {
        between: ['ball', 'wall'],
        touching: true,
        decide(_ball, _wall, hit) {
          const { time, normalX, normalY, x, y, depth } = contact(hit)
          met.push({ wall: hit.wall % MAP.length, time, normalX, normalY, x, y, depth })
        },
      },
    },
    {
      statics: defineStatics(declaration, isTorus ? MAP : TILED),
      ...(isTorus && { topology: TORUS }),
      pose: {
        ball(ball, boxes) {
          if (shape === undefined) addCircle(boxes, ball)
          else addShape(boxes, shape, ball)
          sweepBox(boxes, ball.vx, ball.vy)
          if (sort >= 3 && shape !== undefined) turnBox(boxes, ball.facingY, 0 - ball.facingX)
        },
      },
    },
  )
  return { world: createWorld(defineGame(declaration, { phases: { phase } })), met }
}

describe('a static map on a torus', () => {
  test('[SM12] boxes of every shape, standing, swept or turning, meet the walls behind the seam', () => {
    const random = createRandom(12)
    const between = (low: number, high: number) => low + (high - low) * random()
    let met = 0
    for (let sort = 0; sort < 6; sort++) {
      const [torus, plane] = [meeting(true, sort), meeting(false, sort)]
      for (let n = 0; n < (LONG ? 3000 : 60); n++) {
        const [angle, turn, way] = [between(0, 7), between(0, 7), n % 3 === 0 ? 0 : between(0, 150)]
        const start = {
          ...{ x: between(-WIDTH, 2 * WIDTH), y: between(-HEIGHT, 2 * HEIGHT), radius: between(0, 12) },
          ...{ vx: way * Math.cos(angle), vy: way * Math.sin(angle) },
          ...{ facingX: Math.cos(turn), facingY: Math.sin(turn) },
        }
        for (const { world } of [torus, plane]) {
          const ball = [...each(world)][0] ?? spawn(world, 'ball')
          Object.assign(ball, start)
          world.globals.open = n % 2
          step(world)
        }
        // One hit a wall, whichever of its images was met first.
        const wanted = plane.met.filter((hit, i) => plane.met.findIndex(({ wall }) => wall === hit.wall) === i)
        const message = `sort ${sort}, case ${n}`
        const walls = torus.met.map(({ wall }) => wall)
        // What neither moves nor turns meets all at once: in the order of the map, whichever images they are.
        if (way === 0 && sort < 3) expect(walls, message).toEqual([...walls].sort())
        expect(walls.sort(), message).toEqual(wanted.map(({ wall }) => wall).sort())
        for (const hit of torus.met) {
          const other = wanted.find(({ wall }) => wall === hit.wall)!
          expect(hit.time, message).toBeCloseTo(other.time, 9)
          if (way === 0) continue
          for (const name of ['normalX', 'normalY', 'x', 'y', 'depth'] as const)
            expect(hit[name], `${message} ${name}`).toBeCloseTo(other[name], 6)
          met++
        }
        torus.met.length = 0
        plane.met.length = 0
      }
    }
    expect(met).toBeGreaterThan(200)
  })

  test('[SM12] balls that travel on a torus bounce as on the tiled plane, also at twice its width a tick', () => {
    for (let seed = 1; seed <= (LONG ? 300 : 12); seed++) {
      const random = createRandom(seed)
      const flown = [true, false].map((isTorus) => {
        const fly = collide(
          declaration,
          {
            'ball meets wall': {
              between: ['ball', 'wall'],
              decide: (ball, _wall, hit) => void bounce(ball, contact(hit)),
            },
          },
          {
            statics: defineStatics(declaration, isTorus ? MAP : TILED),
            ...(isTorus && { topology: TORUS }),
            travel: travel(['ball'], { perTick: true, most: 40 }),
          },
        )
        return createWorld(defineGame(declaration, { phases: { fly } }))
      })
      const speed = 400 * random()
      const angle = 7 * random()
      const start = { x: 40 + 60 * random(), y: 25 + 15 * random(), radius: 1 + 4 * random() }
      const balls = flown.map((world) =>
        spawn(world, 'ball', { ...start, vx: speed * Math.cos(angle), vy: speed * Math.sin(angle) }),
      )
      for (let tick = 0; tick < 3; tick++) {
        for (const world of flown) step(world)
        const [torus, plane] = balls
        // Chaos: each bounce off something round makes a difference larger.
        const [dx, dy] = [torus.x - plane.x, torus.y - plane.y]
        expect([Math.abs(dx) < 1e-3, Math.abs(dy) < 1e-3], `seed ${seed}, tick ${tick}: off by ${dx}, ${dy}`).toEqual([
          true,
          true,
        ])
        if (Math.abs(plane.x) > 3 * WIDTH || Math.abs(plane.y) > 3 * HEIGHT) break
      }
    }
  })

  test('[QU17] rays, sweeps, sight and walls near a circle go on across the seam', () => {
    const random = createRandom(17)
    const between = (low: number, high: number) => low + (high - low) * random()
    const world = createWorld(defineGame(declaration, { phases: {} }))
    const round = createMapIndex(world, defineStatics(declaration, MAP), TORUS)
    const plane = createMapIndex(world, defineStatics(declaration, TILED))
    let met = 0
    let hidden = 0
    for (let n = 0; n < (LONG ? 20_000 : 600); n++) {
      world.globals.open = n % 2
      const from = { x: between(-WIDTH, 2 * WIDTH), y: between(-HEIGHT, 2 * HEIGHT), radius: between(0, 20) }
      const along = { x: between(-400, 400), y: between(-300, 300) }
      const ask = n % 2 === 0 ? raycastMap : sweepMap
      const isMet = ask(round, from, along)
      expect(isMet, `case ${n}`).toBe(ask(plane, from, along))
      if (isMet) {
        met++
        expect(round.wall.time, `case ${n}`).toBeCloseTo(plane.wall.time, 9)
        // What the start is in may be left by several ways.
        if (plane.wall.time > 0) {
          for (const name of ['x', 'y', 'normalX', 'normalY'] as const)
            expect(round.wall[name], `case ${n} ${name}`).toBeCloseTo(plane.wall[name], 6)
        }
      }
      const near = [...round.answer.circle.subarray(0, wallsWithin(round, from))]
      const wanted = [...plane.answer.circle.subarray(0, wallsWithin(plane, from))].map((place) => place % MAP.length)
      expect(near, `case ${n}`).toEqual([...new Set(wanted)].sort((a, b) => a - b))
      // The view is along the shorter way: to the nearest image.
      const far = { x: from.x + along.x, y: from.y + along.y }
      const image = {
        x: far.x - Math.round(along.x / WIDTH) * WIDTH,
        y: far.y - Math.round(along.y / HEIGHT) * HEIGHT,
      }
      const isSeen = canSee(plane, from, image)
      expect(canSee(round, from, far), `case ${n}`).toBe(isSeen)
      if (!isSeen) hidden++
    }
    expect(met).toBeGreaterThan(300)
    expect(hidden).toBeGreaterThan(100)
  })

  const BLOCKS: readonly StaticVolume[] = [
    { layer: 'wall', minX: 190, minY: 20, minZ: 0, maxX: 210, maxY: 50, maxZ: 30 },
    { layer: 'wall', x: 2, y: 138, z: 10, radius: 9 },
    { layer: 'wall', ...ground(0) },
  ]
  const tiledBlocks = IMAGES.flatMap((j) =>
    IMAGES.flatMap((i) =>
      BLOCKS.map((piece): StaticVolume => {
        const [dx, dy] = [i * WIDTH, j * HEIGHT]
        if ('x' in piece) return { ...piece, x: piece.x + dx, y: piece.y + dy }
        if (!('minX' in piece) || piece.maxX > 1000) return piece
        const { minX, minY, maxX, maxY } = piece
        return { ...piece, minX: minX + dx, minY: minY + dy, maxX: maxX + dx, maxY: maxY + dy }
      }),
    ),
  )

  test('[QU17] the same in space, above ground that goes round', () => {
    const random = createRandom(18)
    const between = (low: number, high: number) => low + (high - low) * random()
    const world = createWorld(defineGame(declaration, { phases: {} }))
    const round = createSpaceMapIndex(world, defineBlocks(declaration, BLOCKS), TORUS)
    const plane = createSpaceMapIndex(world, defineBlocks(declaration, tiledBlocks))
    let met = 0
    for (let n = 0; n < (LONG ? 5000 : 200); n++) {
      const from = { x: between(-WIDTH, WIDTH), y: between(-HEIGHT, HEIGHT), z: between(1, 40), radius: between(0, 9) }
      const along = { x: between(-300, 300), y: between(-200, 200), z: between(-20, 20) }
      const ask = n % 2 === 0 ? raycastMapInSpace : sweepMapInSpace
      const isMet = ask(round, from, along)
      expect(isMet, `case ${n}`).toBe(ask(plane, from, along))
      if (isMet) {
        met++
        expect(round.wall.time, `case ${n}`).toBeCloseTo(plane.wall.time, 9)
        // Of several that the start is in, the first of the map counts: another one where the map is tiled.
        if (plane.wall.time > 0) expect(round.wall.place, `case ${n}`).toBe(plane.wall.place % BLOCKS.length)
      }
      const image = {
        x: from.x + along.x - Math.round(along.x / WIDTH) * WIDTH,
        y: from.y + along.y - Math.round(along.y / HEIGHT) * HEIGHT,
        z: from.z + along.z,
      }
      const far = { x: from.x + along.x, y: from.y + along.y, z: image.z }
      expect(canSeeInSpace(round, from, far), `case ${n}`).toBe(canSeeInSpace(plane, from, image))
    }
    expect(met).toBeGreaterThan(50)
  })

  test('[SM12] volumes meet blocks behind the seam, and ground that goes round once', () => {
    const met: string[] = []
    const body = sphere(4)
    const phase = collide(
      declaration,
      {
        'ball meets wall': {
          between: ['ball', 'wall'],
          decide(_ball, _wall, hit) {
            const { normalX, normalZ } = contactInSpace(hit)
            met.push(`${hit.wall}: ${normalX}, ${normalZ}`)
          },
        },
      },
      {
        topology: TORUS,
        statics: defineBlocks(declaration, BLOCKS),
        pose: { ball: (ball, boxes) => addVolume(boxes, body, ball) },
      },
    )
    const world = createWorld(defineGame(declaration, { phases: { phase } }))
    spawn(world, 'ball', { x: 13, y: 30, z: 3 })
    step(world)
    expect(met).toEqual(['0: 1, 0', '2: 0, 1'])
    // The ball, the block and the ground: of what goes round, only the nearest image.
    expect(collisionsOf(world as never).get('phase')!.boxes.count).toBe(3)
  })

  test('[SM12] what stands meets walls in the order of the map, also where a later one is in an earlier image', () => {
    const walls: number[] = []
    const phase = collide(
      declaration,
      { 'ball meets wall': { between: ['ball', 'wall'], decide: (_ball, _wall, { wall }) => void walls.push(wall) } },
      {
        topology: TORUS,
        statics: defineStatics(declaration, [
          { layer: 'wall', minX: 0, minY: 0, maxX: 10, maxY: 20 },
          { layer: 'wall', minX: 190, minY: 0, maxX: 196, maxY: 20 },
        ]),
      },
    )
    const world = createWorld(defineGame(declaration, { phases: { phase } }))
    spawn(world, 'ball', { x: 198, y: 10, radius: 5 })
    step(world)
    expect(walls).toEqual([0, 1])
  })

  test('[SM12] why measures from the nearest image of a wall', () => {
    const phase = collide(
      declaration,
      { 'ball meets wall': { between: ['ball', 'wall'], decide: () => undefined } },
      { topology: TORUS, statics: defineStatics(declaration, [MAP[0]]) },
    )
    const game = defineGame(declaration, {
      setup(world) {
        spawn(world, 'ball', { x: 18, y: 30, radius: 5 })
      },
      phases: { phase },
    })
    const session = createSession(game)
    advance(session)
    expect(why(session, 0, 1, { wall: 0 }).map(({ text }) => text)).toEqual(['apart: 3 were missing'])
  })

  test('[SM12] a piece far outside of the torus is refused by its place', () => {
    const far = [MAP[0], { layer: 'wall', x: 900, y: 20, radius: 5 }]
    const statics = defineStatics(declaration, far)
    const world = createWorld(defineGame(declaration, { phases: {} }))
    expectRefusal(
      () => createMapIndex(world, statics, TORUS),
      /piece 1 of the map .* bring it between 0, 0 and 200, 140/,
    )
    const phase = collide(
      declaration,
      { 'ball meets wall': { between: ['ball', 'wall'], decide: () => undefined } },
      { topology: TORUS, statics },
    )
    const round = createWorld(defineGame(declaration, { phases: { phase } }))
    spawn(round, 'ball')
    expectRefusal(() => step(round), /piece 1 of the map/)
  })
})
