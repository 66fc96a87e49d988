import { expect, test } from 'vitest'
import { createWorld, declareGame, defineGame, defineStatics, each, spawn, step, type World } from '../../index.ts'
import { recordPushes } from '../../rules/collide/pushes.ts'
import { dropThrough, jump, jumpArc, jumpSpeed, movePlatformer, platformer, run } from './index.ts'

// Every number of the kit against what follows from it by a formula. Rules PF14 to PF18; see docs/spec.md, "Side view".

const TICK_RATE = 64
/** The platform has the first layer and the hero the last: nothing may depend on their order. */
const declaration = declareGame({
  id: 'numbers',
  tickRate: TICK_RATE,
  layers: { lift: [], wall: [], ledge: [], crate: ['lift'], ghost: ['wall'], hero: ['wall', 'ledge', 'lift'] },
  capacity: 64,
  things: { ...platformer.columns },
  events: { ...platformer.events },
  globals: { open: 'u8' },
})
type Numbers = typeof declaration
type Pieces = Parameters<typeof defineStatics<Numbers, 'wall' | 'ledge'>>[1]
type Options = Partial<Parameters<typeof movePlatformer<Numbers, World<Numbers>, unknown>>[1]>

const HERO = { halfWidth: 5, halfHeight: 10 }
const FLOOR: Pieces = [{ layer: 'wall', minX: -9999, maxX: 9999, minY: 0, maxY: 50 }]

/** A world where only what a test names is not left out. */
function worldOf(pieces: Pieces, gravity = 0, options: Options = {}, act: (world: World<Numbers>) => void = () => {}) {
  const statics = defineStatics(declaration, pieces)
  const move = movePlatformer(declaration, {
    ...{ bodies: ['hero', 'ghost'], statics, gravity: () => gravity, oneWay: ['ledge'], platforms: ['lift'] },
    ...options,
  })
  return createWorld(defineGame(declaration, { phases: { act, move } }))
}

function play(world: World<Numbers>, ticks: number): void {
  for (let tick = 0; tick < ticks; tick++) step(world)
}

/** A slope that rises to the right by `rise` per unit; its corners may be told from any of them on, either way round. */
const slope = (rise: number, turn = 0): Pieces => {
  const corners = [
    [0, 0],
    [400, -400 * rise],
    [400, 0],
  ] as const
  const points = [0, 1, 2].map((i) => corners[(i + turn) % 3])
  return [...FLOOR, { layer: 'wall', points }]
}

test('[PF14] what is left out: a press counts for 6 ticks, an edge for 5, a cut leaves half, a drop lasts 6, slopes up to 1 hold', () => {
  const pressed = { pressed: true, held: true }
  const fresh = (values: object) => spawn(worldOf([]), 'hero', { ...HERO, ...values })
  const inAir = fresh({})
  jump(inAir, pressed, { speed: 100 })
  expect([inAir.jumpWantedUntil, inAir.vy]).toEqual([7, 0])
  const grounded = fresh({ grounded: 1 })
  jump(grounded, { pressed: false, held: false }, { speed: 100 })
  expect(grounded.jumpAllowedUntil).toBe(6)
  jump(grounded, pressed, { speed: 100 })
  jump(grounded, { pressed: false, held: false }, { speed: 100 })
  expect(grounded.vy).toBe(-50)
  dropThrough(grounded)
  expect(grounded.dropUntil).toBe(6)
  // As quick in the air and when stopping as on the ground.
  for (const isGrounded of [0, 1]) {
    const runner = fresh({ grounded: isGrounded, vx: 50 })
    run(runner, 100, { acceleration: 640 })
    expect(runner.vx).toBe(60)
    run(runner, 0, { acceleration: 640 })
    expect(runner.vx).toBe(50)
  }
  const climbed = (rise: number) => {
    const world = worldOf(slope(rise), 2000, {}, (now) => {
      for (const hero of each(now, 'hero')) hero.vx = 200
    })
    const hero = spawn(world, 'hero', { ...HERO, x: -20, y: -10, grounded: 1 })
    play(world, 64)
    return hero.x
  }
  expect([climbed(1), climbed(1.0001)]).toEqual([expect.closeTo(180, 5), expect.closeTo(-5, 5)])
  expect(jumpArc({ speed: 400, gravity: 2000, held: 0.1 })).toEqual(
    jumpArc({ speed: 400, gravity: 2000, held: 0.1, cut: 0.5 }),
  )
})

test('[PF15] speeds and flights are the closed forms: run, jumpSpeed, jumpArc at its edges', () => {
  const world = worldOf(FLOOR, 0, {}, (now) => {
    for (const hero of each(now, 'hero'))
      run(hero, now.tick < 20 ? 12 : 0, { acceleration: 40, friction: 16, inAir: 1 })
  })
  const hero = spawn(world, 'hero', { ...HERO, y: -10, grounded: 1 })
  for (let tick = 1; tick <= 80; tick++) {
    step(world)
    // The last steps are smaller than a unit.
    const wanted = tick <= 20 ? Math.min(12, (40 / 64) * tick) : Math.max(0, 12 - (16 / 64) * (tick - 20))
    expect(hero.vx, `tick ${tick}`).toBeCloseTo(wanted, 9)
  }
  expect([jumpSpeed(40, 2000), jumpSpeed(0, 2000), jumpSpeed(0.25, 0.5)]).toEqual([400, 0, 0.5])
  // Onto a step as high as the jump: there at the highest point.
  expect(jumpArc({ speed: 400, gravity: 2000, run: 100, landing: 40 })).toMatchObject({ seconds: 0.2, reach: 20 })
  expect(jumpArc({ speed: 0.5, gravity: 0.5 })).toMatchObject({ height: 0.25, apex: 1, seconds: 2 })
  expect(() => jumpArc({ speed: 1, gravity: 0 })).toThrow('got 1 and 0')
  expect(() => jumpSpeed(1, 0)).toThrow('got 1 and 0')
})

test('[PF15] what slides off a steep slope gains g·sin by the second, as without friction', () => {
  for (const [rise, length] of [
    [4 / 3, 5 / 3],
    [2.4, 2.6],
  ]) {
    const gravity = 600
    const world = worldOf(slope(rise), gravity)
    // Only its right foot touches the slope.
    const hero = spawn(world, 'hero', { ...HERO, x: 200, y: -205 * rise - 10 })
    const [sin, cos] = [rise / length, 1 / length]
    for (let tick = 1; tick <= 40; tick++) {
      step(world)
      const seconds = tick / TICK_RATE
      const [along, speed] = [(gravity * sin * seconds * seconds) / 2, gravity * sin * seconds]
      const at = `rise ${rise}, tick ${tick}`
      expect(hero.x, at).toBeCloseTo(200 - along * cos, 5)
      expect(hero.y, at).toBeCloseTo(-205 * rise - 10 + along * sin, 5)
      expect([hero.vx, hero.vy, hero.grounded], at).toEqual([
        expect.closeTo(-speed * cos, 5),
        expect.closeTo(speed * sin, 5),
        0,
      ])
    }
  }
})

test('[PF15] who runs onto the edge of a steep slope falls; who comes to rest is at rest, on the face to the bit', () => {
  const edge: Pieces = [
    { layer: 'wall', minX: -100, maxX: 0, minY: 0, maxY: 900 },
    {
      layer: 'wall',
      points: [
        [0, 0],
        [500, 750],
        [0, 750],
      ],
    },
  ]
  const world = worldOf(edge, 64)
  // In this tick its left foot gets 1 beyond the edge, where the slope is 1.5 below it.
  const hero = spawn(world, 'hero', { ...HERO, x: 2, y: -10, vx: 256, grounded: 1 })
  step(world)
  expect([hero.x, hero.grounded, hero.vy]).toEqual([6, 0, 1])

  const floor = 0.1
  const corner = worldOf([{ layer: 'wall', minX: -99, maxX: 99, minY: floor, maxY: 50 }], 1000 / 3)
  const still = spawn(corner, 'hero', { ...HERO, y: -37.7 })
  const down = spawn(corner, 'hero', { ...HERO, x: 50, y: floor - 10, grounded: 1, vy: 9 })
  play(corner, 64)
  expect([still.vy, down.vy, still.y]).toEqual([0, 0, expect.closeTo(floor - 10, 12)])
  expect(still.y).toBe(down.y)

  // From a slope onto the plain, held to the ground: no speed downwards is left, and no height.
  const hill = worldOf(
    [
      ...FLOOR,
      {
        layer: 'wall',
        points: [
          [-90, -30],
          [0.1, 0],
          [-90, 0],
        ],
      },
    ],
    1000,
  )
  const runner = spawn(hill, 'hero', { ...HERO, x: -60, y: -32, vx: 100 })
  for (let tick = 0; tick < 60; tick++) {
    step(hill)
    if (runner.grounded === 1) expect(runner.vy).toBe(0)
  }
  expect([runner.y, runner.grounded]).toEqual([-10, 1])
})

test('[PF15] in a wedge that is too steep it stands; in one above its head it does not', () => {
  const wedge = (sign: 1 | -1): Pieces =>
    [-1, 1].map((side) => ({
      layer: 'wall' as const,
      points: [
        [0, 0],
        [100 * side, -200 * sign],
        [100 * side, 0],
      ] as const,
    }))
  const above = worldOf(wedge(-1), 0)
  const hero = spawn(above, 'hero', { ...HERO, x: 0, y: 100, vy: -6400 })
  step(above)
  expect([hero.vx, hero.vy, hero.grounded]).toEqual([0, 0, 0])
  expect(hero.y).toBeGreaterThan(10)
})

/** A line of slopes from (x, y) on: how far each goes across, and how far up per unit. Each is as thin as a plank. */
function planks(x: number, y: number, parts: readonly (readonly [across: number, rise: number])[]): Pieces {
  return parts.map(([across, rise]) => {
    const [fromX, fromY] = [x, y]
    x += across
    y -= across * rise
    const points = [
      [fromX, fromY],
      [x, y],
      [x, y + 1],
      [fromX, fromY + 1],
    ] as const
    return { layer: 'wall', points }
  })
}

test('[PF15] a slope as steep as `steepest` is run over at full speed, whatever the number, up, down, and far from the origin', () => {
  for (const steepest of [0.3, 0.7, 1, 1.1, 1.3, 1.7, 2.3, 2.9]) {
    for (const farX of [0, 900_000.3]) {
      for (const side of [1, -1]) {
        const parts = Array.from({ length: 400 }, (_, i) => [2, i < 20 ? 0 : side * steepest] as const)
        const world = worldOf(planks(farX, 0.7, parts), 64, { steepest })
        // Its foremost foot is on the way up, its hindmost one on the way down.
        const hero = spawn(world, 'hero', { ...HERO, x: farX + 10, y: -9.3, vx: 640, grounded: 1 })
        const foot = side * HERO.halfWidth
        for (let tick = 1; tick <= 40; tick++) {
          step(world)
          const x = 10 + 10 * tick
          const at = `steepest ${steepest}, from ${farX}, side ${side}, tick ${tick}`
          expect([hero.vx, hero.vy, hero.grounded], at).toEqual([640, 0, 1])
          expect(hero.x - farX, at).toBeCloseTo(x, 5)
          expect(hero.y, at).toBeCloseTo(-9.3 - side * steepest * Math.max(0, x + foot - 40), 4)
        }
      }
    }
  }
})

test('[PF15] three slopes that each rise more are run over within one tick', () => {
  const parts = [
    [40, 0],
    [3, 0.25],
    [3, 0.5],
    [90, 1],
  ] as const
  const world = worldOf(planks(0, 0, parts), 64)
  const hero = spawn(world, 'hero', { ...HERO, x: 34, y: -10, vx: 640, grounded: 1 })
  step(world)
  expect([hero.x, hero.vx, hero.grounded]).toEqual([expect.closeTo(44, 6), 640, 1])
  // Its foot is 3 beyond the third bend.
  expect(hero.y).toBeCloseTo(-10 - 0.75 - 1.5 - 3, 6)
})

test('[PF16] a jump after an edge is as high as one from the ground, is cut on its way up alone, and leaves a platform at once', () => {
  // Four ticks of falling are forgotten.
  const world = worldOf([], 640)
  const hero = spawn(world, 'hero', { ...HERO, grounded: 1 })
  const button = { pressed: false, held: true }
  jump(hero, button, { speed: 100 })
  play(world, 4)
  expect(hero.vy).toBe(40)
  expect(jump(hero, { ...button, pressed: true }, { speed: 100 })).toBe(true)
  expect(hero.vy).toBe(-100)
  // Let go while it falls, nothing is cut.
  for (let tick = 0; tick < 12; tick++) {
    step(world)
    jump(hero, button, { speed: 100 })
  }
  expect([hero.vy, hero.jumping]).toEqual([20, 0])
  jump(hero, { pressed: false, held: false }, { speed: 100 })
  expect(hero.vy).toBe(20)
  // At the highest point there is nothing left to cut.
  Object.assign(hero, { vy: 0.5, jumping: 1 })
  jump(hero, { pressed: false, held: false }, { speed: 100 })
  expect([hero.vy, hero.jumping]).toEqual([0.5, 0])
  // Nor is what throws it up later, by a spring.
  hero.vy = -80
  jump(hero, { pressed: false, held: false }, { speed: 100 })
  expect(hero.vy).toBe(-80)

  const ride = worldOf([], 0)
  // The hero is older than the platform.
  const rider = spawn(ride, 'hero', { ...HERO, x: 3, y: -15, grounded: 1 })
  const lift = spawn(ride, 'lift', { halfWidth: 40, halfHeight: 5, vx: 128 })
  rider.standsOn = lift.id
  step(ride)
  expect(rider.x).toBe(5)
  jump(rider, { pressed: true, held: true }, { speed: 64 })
  step(ride)
  expect([rider.x, rider.y, rider.vx, rider.grounded]).toEqual([7, -16, 128, 0])
  // From a platform that has gone since: from the ground.
  const left = spawn(ride, 'hero', { ...HERO, grounded: 1, standsOn: 999, vx: 7 })
  jump(left, { pressed: true, held: true }, { speed: 64 })
  expect([left.vx, left.vy]).toEqual([7, -64])
})

test('[PF17] a platform moves bodies that meet it, and nothing else', () => {
  const world = worldOf([], 0)
  const [hero, ghost, crate] = (['hero', 'ghost', 'crate'] as const).map((layer) =>
    spawn(world, layer, { ...HERO, x: 30 }),
  )
  spawn(world, 'lift', { halfWidth: 10, halfHeight: 10, vx: 64 * 20 })
  step(world)
  expect([hero.x, ghost.x, crate.x]).toEqual([35, 30, 30])
})

test('[PF17] who is carried up a slope is held by what is above it, however far that is', () => {
  const pieces: Pieces = [...planks(5, -5, [[40, 2]]), { layer: 'wall', minX: -60, maxX: 60, minY: -38, maxY: -37 }]
  const world = worldOf(pieces, 0, { steepest: 2 })
  const lift = spawn(world, 'lift', { halfWidth: 40, halfHeight: 5, vx: 640 })
  const rider = spawn(world, 'hero', { ...HERO, y: -15, grounded: 1, standsOn: lift.id })
  step(world)
  // Its head was 12 below the ceiling: 6 across on a slope of 2.
  expect([rider.x, rider.y]).toEqual([expect.closeTo(6, 5), expect.closeTo(-27, 5)])
})

test('[PF18] the map may have any number of pieces of any size, and slopes begin at any corner', () => {
  const pieces: Pieces = [
    { layer: 'wall', minX: -5000, maxX: 5000, minY: 40, maxY: 60 },
    ...Array.from({ length: 300 }, (_, i) => ({ layer: 'wall' as const, minX: i, maxX: i + 1, minY: 0, maxY: 2 })),
    { layer: 'wall', minX: 300, maxX: 301, minY: -50, maxY: 0 },
  ]
  const world = worldOf(pieces, 1000)
  const wide = spawn(world, 'hero', { halfWidth: 140, halfHeight: 5, x: 145, y: -5, vx: 64 * 30 })
  const low = spawn(world, 'hero', { ...HERO, x: -1000, y: 20 })
  play(world, 40)
  expect([wide.x, wide.y, wide.wallSide, wide.grounded]).toEqual([160, -5, 0, 1])
  expect([low.y, low.grounded]).toEqual([30, 1])
  for (const turn of [0, 1, 2]) {
    const hill = worldOf(slope(0.5, turn), 1000)
    const hero = spawn(hill, 'hero', { ...HERO, x: 100, y: -80 })
    play(hill, 64)
    expect([hero.y, hero.grounded], `from corner ${turn}`).toEqual([expect.closeTo(-62.5, 5), 1])
  }
  // Slower than a unit per tick over the foot of a slope.
  const slow = worldOf(slope(1), 1000)
  const hero = spawn(slow, 'hero', { ...HERO, x: -6, y: -10, vx: 10, grounded: 1 })
  play(slow, 64)
  expect([hero.x, hero.y, hero.grounded]).toEqual([expect.closeTo(4, 5), expect.closeTo(-19, 5), 1])
  const round = defineStatics(declaration, [{ layer: 'wall', from: [0, 0], to: [9, 0], radius: 0.5 }])
  expect(() => worldOf(FLOOR, 0, { statics: round })).toThrow('piece 0 of the map is round')
})

test('[PF10] why has what stopped a body and what put it out, and no platform', () => {
  const world = worldOf([{ layer: 'wall', minX: 0, maxX: 20, minY: -200, maxY: 200, door: 'open' }], 640)
  world.globals.open = 1
  spawn(world, 'hero', { ...HERO, x: 4 })
  spawn(world, 'hero', { ...HERO, x: 300, y: -16 })
  spawn(world, 'lift', { x: 300, halfWidth: 40, halfHeight: 5 })
  const record = recordPushes(world)
  for (let tick = 0; tick < 20; tick++) {
    step(world)
    expect(record.walls, `tick ${tick}`).toEqual([])
  }
  world.globals.open = 0
  step(world)
  expect(record.walls).toMatchObject([{ thing: 1, wall: 0, x: -1, y: 0, z: 0, depth: 0, isOut: false }])
})
