import { describe, expect, test } from 'vitest'
import { randomOf } from '../../../test/random.ts'
import {
  advance,
  createSession,
  createWorld,
  declareGame,
  defineGame,
  defineStatics,
  despawn,
  each,
  eventsOf,
  hashWorld,
  spawn,
  step,
  syncTest,
  type Thing,
  type World,
} from '../../index.ts'
import { recordPushes } from '../../rules/collide/pushes.ts'
import { type PixelBody, type PixelBox, type PixelPlatform, type PixelWorld, stepPixels } from './fixtures/pixels.ts'
import { dropThrough, jump, jumpArc, jumpSpeed, movePlatformer, platformer, run } from './index.ts'

const TICK_RATE = 64

const declaration = declareGame({
  id: 'towers',
  tickRate: TICK_RATE,
  layers: { hero: ['wall', 'ledge', 'lift', 'plank'], wall: [], ledge: [], lift: [], plank: [] },
  things: { ...platformer.columns },
  events: { ...platformer.events },
  globals: { open: 'u8' },
})
type Towers = typeof declaration
type Pieces = Parameters<typeof defineStatics<Towers, 'wall' | 'ledge'>>[1]

const HERO = { halfWidth: 5, halfHeight: 10 }

/** A world with a map, and what players do in each tick. */
function towers(
  pieces: Pieces,
  options: {
    gravity?: number
    steepest?: number | undefined
    fastestFall?: number | undefined
    act?: (world: World<Towers>) => void
  } = {},
): World<Towers> {
  const { gravity = 0, steepest = 1, fastestFall = Number.POSITIVE_INFINITY, act = () => {} } = options
  const move = movePlatformer(declaration, {
    bodies: ['hero'],
    statics: defineStatics(declaration, pieces),
    gravity: () => gravity,
    oneWay: ['ledge', 'plank'],
    platforms: ['lift', 'plank'],
    steepest,
    fastestFall,
  })
  return createWorld(defineGame(declaration, { phases: { act, move } }))
}

/** What a random world of whole numbers is made of. */
function randomTower(seed: number): { pixels: PixelWorld; world: World<Towers>; fall: number } {
  const random = randomOf(seed)
  const whole = (from: number, to: number) => from + Math.floor(random() * (to - from + 1))
  const boxOf = (id: number, isOneWay: boolean): PixelBox => ({
    id,
    x: whole(-60, 60),
    y: whole(-60, 60),
    halfWidth: whole(2, 20),
    halfHeight: isOneWay ? whole(0, 3) : whole(2, 15),
    isOneWay,
  })
  const walls = Array.from({ length: whole(1, 8) }, () => boxOf(0, random() < 0.4))
  // A floor, so that something is ridden and squashed.
  walls.push({ id: 0, x: 0, y: 90, halfWidth: 100, halfHeight: 10, isOneWay: false })
  const fall = 2 * whole(0, 2)
  const world = towers(
    walls.map(({ x, y, halfWidth, halfHeight, isOneWay }) => ({
      layer: isOneWay ? ('ledge' as const) : ('wall' as const),
      minX: x - halfWidth,
      maxX: x + halfWidth,
      minY: y - halfHeight,
      maxY: y + halfHeight,
    })),
    { gravity: fall * TICK_RATE * TICK_RATE, steepest: 0 },
  )
  const pixels: PixelWorld = { walls, platforms: [], bodies: [], squashed: [] }
  const place = ({ x, y, halfWidth, halfHeight }: PixelBox, stepX: number, stepY: number) => ({
    x,
    y,
    halfWidth,
    halfHeight,
    vx: stepX * TICK_RATE,
    vy: stepY * TICK_RATE,
  })
  const hits = (box: PixelBox) =>
    [...pixels.walls, ...pixels.platforms].some(
      (wall) =>
        Math.abs(box.x - wall.x) < box.halfWidth + wall.halfWidth &&
        Math.abs(box.y - wall.y) < box.halfHeight + wall.halfHeight,
    )
  for (let i = whole(0, 4); i > 0; i--) {
    const box = boxOf(0, random() < 0.3)
    const [stepX, stepY] = [whole(-3, 3), whole(-3, 3)]
    box.id = spawn(world, box.isOneWay ? 'plank' : 'lift', place(box, stepX, stepY)).id
    pixels.platforms.push({ ...box, stepX, stepY } satisfies PixelPlatform)
  }
  for (let i = 0; i < 6; i++) {
    const box = { ...boxOf(0, false), halfWidth: whole(1, 6), halfHeight: whole(1, 8) }
    if (hits(box)) continue
    const [stepX, stepY] = [whole(-6, 6), whole(-6, 6)]
    box.id = spawn(world, 'hero', place(box, stepX, stepY)).id
    const still = { grounded: false, standsOn: 0, wallSide: 0, isDropping: false }
    pixels.bodies.push({ ...box, stepX, stepY, ...still } satisfies PixelBody)
  }
  return { pixels, world, fall }
}

describe('movePlatformer', () => {
  const worlds = process.env.HURTBOX_LONG === undefined ? 400 : 40_000

  test('[PF1] moves bodies and who is carried exactly as a loop that goes pixel by pixel', () => {
    const seen = { grounded: 0, ridden: 0, walls: 0, squashed: 0, dropped: 0 }
    // The last one is of a rider whom another platform lifts off.
    for (const seed of [...Array(worlds).keys(), 1031]) {
      const { pixels, world, fall } = randomTower(seed)
      const random = randomOf(-seed)
      for (let tick = 0; tick < 60; tick++) {
        for (const body of pixels.bodies) {
          const hero = [...each(world, 'hero')].find(({ id }) => id === body.id)!
          // What a player might do: run, jump, drop.
          if (random() < 0.2) body.stepX = Math.floor(random() * 13) - 6
          if (body.grounded && random() < 0.1) body.stepY = -Math.floor(random() * 12)
          body.isDropping = random() < 0.1
          hero.vx = body.stepX * TICK_RATE
          hero.vy = body.stepY * TICK_RATE
          if (body.isDropping) dropThrough(hero, 1)
          seen.dropped += Number(body.isDropping && body.grounded)
        }
        stepPixels(pixels, fall)
        step(world)
        const told: [number, number][] = []
        for (const { thing, by } of eventsOf(world, 'squashed')) told.push([thing, by])
        expect(told, `seed ${seed}, tick ${tick}`).toEqual(pixels.squashed)
        // Who was squashed is in a platform: the game would remove it.
        const gone = new Set(pixels.squashed.map(([id]) => id))
        pixels.bodies = pixels.bodies.filter(({ id }) => !gone.has(id))
        for (const hero of each(world, 'hero')) if (gone.has(hero.id)) despawn(hero)
        seen.squashed += gone.size
        const bodies = [...each(world, 'hero')].map((hero) => ({
          id: hero.id,
          x: hero.x,
          y: hero.y,
          stepX: hero.vx / TICK_RATE,
          stepY: hero.vy / TICK_RATE,
          grounded: hero.grounded === 1,
          standsOn: hero.standsOn,
          wallSide: hero.wallSide,
        }))
        const wanted = pixels.bodies.map(({ id, x, y, stepX, stepY, grounded, standsOn, wallSide }) => ({
          id,
          x,
          y,
          stepX,
          stepY,
          grounded,
          standsOn,
          wallSide,
        }))
        expect(bodies, `seed ${seed}, tick ${tick}`).toEqual(wanted)
        for (const { grounded, standsOn, wallSide } of wanted) {
          seen.grounded += Number(grounded)
          seen.ridden += Number(standsOn > 0)
          seen.walls += Number(wallSide !== 0)
        }
      }
    }
    // The worlds have to reach what is compared.
    for (const [what, times] of Object.entries(seen)) expect(times, what).toBeGreaterThan(50)
  })
})

/** The top of the ground under a body: on a line of points, the highest between its sides. */
function groundUnder(points: readonly (readonly [number, number])[], x: number, halfWidth: number): number {
  const heightAt = (u: number) => {
    const i = Math.max(
      1,
      points.findIndex(([px]) => px >= u),
    )
    const [[x0, y0], [x1, y1]] = [points[i - 1], points[i]]
    return y0 + ((y1 - y0) * (u - x0)) / (x1 - x0)
  }
  const inside = points.filter(([px]) => px > x - halfWidth && px < x + halfWidth).map(([, y]) => y)
  return Math.min(heightAt(x - halfWidth), heightAt(x + halfWidth), ...inside)
}

/** One polygon for each stretch of the line. */
const hillsOf = (points: readonly (readonly [number, number])[]): Pieces =>
  points.slice(1).map(([x, y], i) => {
    const [fromX, fromY] = points[i]
    return fromY === y
      ? { layer: 'wall', minX: fromX, maxX: x, minY: y, maxY: 9999 }
      : {
          layer: 'wall',
          points: [
            [fromX, fromY],
            [x, y],
            [x, 9999],
            [fromX, 9999],
          ],
        }
  })

const onlyHero = (world: World<Towers>): Thing<Towers> => [...each(world, 'hero')][0]

describe('slopes', () => {
  test('[PF2] who runs over hills keeps the speed across and the feet on the ground, up, down and over seams', () => {
    const hills = process.env.HURTBOX_LONG === undefined ? 60 : 3000
    for (let seed = 1; seed <= hills; seed++) {
      const random = randomOf(seed)
      const points: (readonly [number, number])[] = [[-40, 0]]
      let height = 0
      for (let x = 0; x <= 1200; x += 10 + Math.floor(random() * 60)) {
        const [fromX] = points[points.length - 1]
        // At most 45°, often exactly that, often flat.
        const rise = (x + 1 - fromX) * Math.max(-1, Math.min(1, (random() - 0.5) * 4))
        height += random() < 0.3 ? 0 : rise
        points.push([x + 1, height])
      }
      points.push([1400, height])
      const speed = 100 + random() * 900
      const world = towers(hillsOf(points), { gravity: 1000 + random() * 4000 })
      const hero = spawn(world, 'hero', {
        ...HERO,
        x: -20,
        y: groundUnder(points, -20, 5) - 10,
        vx: speed,
        grounded: 1,
      })
      for (let tick = 1; hero.x < 1250; tick++) {
        step(world)
        const at = `seed ${seed}, tick ${tick}`
        expect(hero.grounded, at).toBe(1)
        expect(hero.vx, at).toBe(speed)
        expect(Math.abs(hero.x - (-20 + (speed / TICK_RATE) * tick)), at).toBeLessThan(1e-6)
        expect(Math.abs(hero.y + 10 - groundUnder(points, hero.x, 5)), at).toBeLessThan(1e-5)
      }
    }
  })

  test('[PF3] a slope steeper than `steepest` is slid off and cannot be climbed; one at the limit holds', () => {
    const hill = (rise: number): Pieces =>
      hillsOf([
        [-400, 0],
        [0, 0],
        [100, -100 * rise],
        [400, -100 * rise],
      ])
    const climb = (rise: number, steepest?: number) => {
      const world = towers(hill(rise), {
        gravity: 2000,
        steepest,
        act: (now) => run(onlyHero(now), 200, { acceleration: 1e9 }),
      })
      const hero = spawn(world, 'hero', { ...HERO, x: -60, y: -10, grounded: 1 })
      for (let tick = 0; tick < 128; tick++) step(world)
      return hero
    }
    expect(climb(1).x).toBeGreaterThan(300)
    expect(climb(1.01).x).toBeCloseTo(-5, 5)
    expect(climb(1.01).wallSide).toBe(1)
    expect(climb(1.5, 1.5).x).toBeGreaterThan(300)
    const rest = (rise: number) => {
      const world = towers(hill(rise), { gravity: 2000 })
      const hero = spawn(world, 'hero', { ...HERO, x: 50, y: -50 * rise - 10 - 40 })
      for (let tick = 0; tick < 256; tick++) step(world)
      return hero
    }
    expect(rest(1)).toMatchObject({ x: 50, vx: 0, grounded: 1 })
    // Between two that are too steep it stands.
    const pit = towers(
      hillsOf([
        [-100, -200],
        [0, 0],
        [100, -200],
      ]),
      { gravity: 2000 },
    )
    const stuck = spawn(pit, 'hero', { ...HERO, x: 3, y: -100 })
    for (let tick = 0; tick < 256; tick++) step(pit)
    expect(stuck).toMatchObject({ vx: 0, vy: 0, grounded: 1 })
    // Down to the foot, and on along the plain by what it has gained.
    expect(rest(1.2).x).toBeLessThan(-5)
  })
})

test('[PF13] running gains and loses speed by the second, less in the air, and never beyond the wish', () => {
  const options = { acceleration: 640, friction: 1280, inAir: 0.25 }
  const speeds = (vx: number, grounded: number, wish: number) => {
    const world = towers([])
    const hero = spawn(world, 'hero', { ...HERO, vx, grounded })
    run(hero, wish, options)
    return hero.vx
  }
  expect(speeds(0, 1, 100)).toBe(10)
  expect(speeds(0, 1, -100)).toBe(-10)
  expect(speeds(0, 0, 100)).toBe(2.5)
  expect(speeds(50, 1, 0)).toBe(30)
  expect(speeds(-50, 0, 0)).toBe(-45)
  expect(speeds(95, 1, 100)).toBe(100)
  expect(speeds(-4, 1, 0)).toBe(0)
})

describe('jumps', () => {
  const floor: Pieces = [{ layer: 'wall', minX: -9999, maxX: 9999, minY: 0, maxY: 50 }]
  const standing = { ...HERO, y: -10, grounded: 1 }

  test('[PF4] a jump flies the parabola that jumpArc tells, to the tick', () => {
    for (let seed = 1; seed <= 40; seed++) {
      const random = randomOf(seed)
      const gravity = 500 + random() * 4000
      const speed = jumpSpeed(20 + random() * 400, gravity)
      const across = random() * 500
      const fastestFall = random() < 0.5 ? undefined : speed * (0.2 + random())
      const held = random() < 0.5 ? undefined : Math.ceil(random() * (speed / gravity) * TICK_RATE)
      const cut = random()
      const arc = jumpArc({
        gravity,
        speed,
        run: across,
        cut,
        ...(held !== undefined && { held: held / TICK_RATE }),
        ...(fastestFall !== undefined && { fastestFall }),
      })
      let tick = 0
      const world = towers(floor, {
        gravity,
        fastestFall,
        act(now) {
          const isHeld = held === undefined || tick < held
          jump(onlyHero(now), { pressed: tick === 0, held: isHeld }, { speed, cut })
        },
      })
      const hero = spawn(world, 'hero', { ...standing, vx: across })
      let highest = 0
      do {
        step(world)
        tick++
        highest = Math.max(highest, -10 - hero.y)
      } while (hero.grounded === 0)
      const at = `seed ${seed}`
      // Between two ticks a flight can be higher by what is fallen in half a tick.
      expect(highest, at).toBeLessThanOrEqual(arc.height + 1e-6)
      expect(highest, at).toBeGreaterThan(arc.height - gravity / 8 / TICK_RATE / TICK_RATE - 1e-6)
      // The tick in which the fastest fall is reached is flown with the mean of its speeds.
      expect(Math.abs(tick - Math.ceil(arc.seconds * TICK_RATE - 1e-6)), at).toBeLessThanOrEqual(
        fastestFall === undefined ? 0 : 1,
      )
      expect(Math.abs(hero.x - arc.reach), at).toBeLessThanOrEqual((across / TICK_RATE) * 2)
    }
    expect(jumpArc({ speed: 400, gravity: 2000 })).toEqual({ height: 40, apex: 0.2, seconds: 0.4, reach: 0 })
    expect(jumpArc({ speed: 400, gravity: 2000, run: 100, landing: 30 }).reach).toBeCloseTo(30, 9)
    expect(jumpArc({ speed: 400, gravity: 2000, landing: 40.1 })).toMatchObject({ height: 40, reach: Number.NaN })
    expect(jumpArc({ speed: 400, gravity: 2000, landing: -50 }).seconds).toBeCloseTo(0.5, 9)
  })

  /** Ticks from the press to the jump, or −1; the ground is left or reached at a tick. */
  const jumpedAt = (
    pressAt: number,
    ground: (tick: number) => number,
    options: { buffer?: number; coyote?: number },
  ) => {
    let [tick, jumped] = [0, -1]
    const world = towers(floor, {
      act(now) {
        const hero = onlyHero(now)
        hero.grounded = ground(tick)
        if (jump(hero, { pressed: tick === pressAt, held: true }, { speed: 100, ...options })) jumped = tick
        hero.vy = 0
      },
    })
    spawn(world, 'hero', { ...HERO, y: -500 })
    for (; tick < 60; tick++) step(world)
    return jumped
  }

  test('[PF5] a press is remembered for `buffer` ticks, and the ground for `coyote` ticks, and not one longer', () => {
    const landsAt20 = (tick: number) => Number(tick >= 20)
    const edgeAt20 = (tick: number) => Number(tick < 20)
    for (const buffer of [0, 1, 6]) {
      expect(jumpedAt(20 - buffer, landsAt20, { buffer }), `buffer ${buffer}`).toBe(20)
      expect(jumpedAt(20 - buffer - 1, landsAt20, { buffer }), `buffer ${buffer}`).toBe(-1)
    }
    for (const coyote of [0, 1, 5]) {
      const last = 19 + coyote
      expect(jumpedAt(last, edgeAt20, { coyote }), `coyote ${coyote}`).toBe(last)
      expect(jumpedAt(last + 1, edgeAt20, { coyote, buffer: 0 }), `coyote ${coyote}`).toBe(-1)
    }
    // The defaults.
    expect([jumpedAt(14, landsAt20, {}), jumpedAt(13, landsAt20, {})]).toEqual([20, -1])
    expect([jumpedAt(24, edgeAt20, {}), jumpedAt(25, edgeAt20, {})]).toEqual([24, -1])
    // Nobody jumps before having stood, not even in the first tick of a match; and one press is one jump.
    expect(jumpedAt(0, () => 0, {})).toBe(-1)
  })

  test('[PF5] a jump that ends before the press is forgotten is not made twice', () => {
    let jumps = 0
    let tick = 0
    const world = towers(floor, {
      gravity: 8000,
      act(now) {
        jumps += Number(jump(onlyHero(now), { pressed: tick === 0, held: true }, { speed: 100, buffer: 60 }))
      },
    })
    const hero = spawn(world, 'hero', standing)
    for (; tick < 30; tick++) step(world)
    expect([jumps, hero.grounded]).toEqual([1, 1])
  })

  test('[PF5] one press is one jump, and one edge too', () => {
    let jumps = 0
    let tick = 0
    const world = towers(floor, {
      act(now) {
        const hero = onlyHero(now)
        hero.grounded = Number(tick < 3)
        jumps += Number(jump(hero, { pressed: tick === 3 || tick === 5, held: true }, { speed: 100 }))
      },
    })
    spawn(world, 'hero', { ...HERO, y: -500 })
    for (; tick < 20; tick++) step(world)
    expect(jumps).toBe(1)
  })
})

describe('one-way floors and platforms', () => {
  test('[PF6] a one-way floor lets through who comes from below and from the sides, holds who comes from above, and is dropped through', () => {
    const pieces: Pieces = [
      { layer: 'ledge', minX: -50, maxX: 50, minY: -60, maxY: -55 },
      { layer: 'ledge', from: [-50, -120], to: [50, -120] },
      { layer: 'wall', minX: -50, maxX: 50, minY: 0, maxY: 10 },
    ]
    const world = towers(pieces, { gravity: 2000 })
    const hero = spawn(world, 'hero', { ...HERO, y: -10, vy: -jumpSpeed(80, 2000) })
    const until = (isSo: () => boolean) => {
      for (let tick = 0; tick < 200 && !isSo(); tick++) step(world)
      return hero.y + 10
    }
    expect(until(() => hero.vy > 0)).toBeLessThan(-60)
    expect(until(() => hero.grounded === 1)).toBe(-60)
    dropThrough(hero)
    step(world)
    expect([hero.grounded, hero.y > -70]).toEqual([0, true])
    expect(until(() => hero.grounded === 1)).toBe(0)
    // A floor that is not one-way holds all the same.
    dropThrough(hero)
    for (let tick = 0; tick < 10; tick++) step(world)
    expect(hero.y).toBe(-10)
    const beside = spawn(world, 'hero', { ...HERO, x: -80, y: -57, vx: 640 })
    step(world)
    step(world)
    step(world)
    expect(beside.x).toBe(-50)
  })

  test('[PF7] who stands on a platform moves with it in the same tick, before moving itself, and keeps its speed when leaving', () => {
    const options = { gravity: 2000 }
    for (const [vx, vy] of [
      [128, 0],
      [-96, 0],
      [0, -160],
      [0, 224],
      [100.3, -77.7],
      [-31.9, 250],
    ]) {
      const world = towers([], options)
      const lift = spawn(world, 'lift', { halfWidth: 40, halfHeight: 5, vx, vy })
      const hero = spawn(world, 'hero', { ...HERO, y: -15, grounded: 1, standsOn: lift.id, x: 3 })
      for (let tick = 1; tick <= 100; tick++) {
        step(world)
        expect(hero.y + 10, `${vx} ${vy} ${tick}`).toBeCloseTo(lift.y - 5, 9)
        expect(hero.x - lift.x, `${vx} ${vy} ${tick}`).toBeCloseTo(3, 9)
        expect(hero).toMatchObject({ grounded: 1, standsOn: lift.id, vx: 0, vy: 0 })
      }
      hero.vx = 64
      step(world)
      expect(hero.x - lift.x).toBeCloseTo(4, 9)
      jump(hero, { pressed: true, held: true }, { speed: 300 })
      expect([hero.vx, hero.vy]).toEqual([64 + vx, vy - 300])
    }
    const world = towers([], { gravity: 640 })
    const lift = spawn(world, 'lift', { halfWidth: 40, halfHeight: 5, vx: 64, vy: -64 })
    const hero = spawn(world, 'hero', { ...HERO, y: -15, x: 44, vx: 640, grounded: 1, standsOn: lift.id })
    step(world)
    // Fallen for the tick in which it left, with the platform's speed on top.
    expect(hero).toMatchObject({ grounded: 0, standsOn: 0, vx: 704, vy: 10 - 64 })
  })

  test('[PF8] a door that closes puts a body out by the shortest way, and an open one is not there', () => {
    const door = { layer: 'wall', minX: 0, maxX: 20, minY: -200, maxY: 200, door: 'open' } as const
    const world = towers([door])
    world.globals.open = 1
    const hero = spawn(world, 'hero', { ...HERO, x: -20, y: 0, vx: 640 })
    step(world)
    step(world)
    expect(hero.x).toBe(0)
    world.globals.open = 0
    hero.vx = 0
    step(world)
    expect([hero.x, hero.y]).toEqual([-5, 0])
  })
})

describe('what the kit refuses and tells', () => {
  const statics = defineStatics(declaration, [{ layer: 'wall', minX: -10, maxX: 10, minY: 0, maxY: 10 }])
  const gravity = () => 10

  test('[PF9] mistakes are told where they are made', () => {
    const make = (options: object) => () =>
      movePlatformer(declaration, { bodies: ['hero'], statics, gravity, ...options } as never).create(
        createWorld(defineGame(declaration, { phases: {} })) as never,
      )
    expect(make({ bodies: ['heroo'] })).toThrow(/heroo.*hero/s)
    expect(make({ platforms: ['hero'] })).toThrow('a platform carries, and is never carried')
    expect(make({ fastestFall: 0 })).toThrow('fastestFall must be above 0, got 0.')
    expect(make({ steepest: -1 })).toThrow('steepest')
    expect(make({ statics: undefined })).toThrow('movePlatformer takes a map of defineStatics as statics.')
    const round = defineStatics(declaration, [{ layer: 'wall', x: 0, y: 0, radius: 3 }])
    expect(make({ statics: round })).toThrow('piece 0 of the map is round')
    expect(() => jumpArc({ speed: 0, gravity: 1 })).toThrow('got 0 and 1')
    expect(() => jumpSpeed(-1, 1)).toThrow('got -1 and 1')
  })

  test('[PF10] what stopped a body is recorded for `why`, and recording changes no bit', () => {
    const [plain, watched] = [0, 1].map(() => {
      const world = towers(
        [
          { layer: 'wall', minX: -50, maxX: 50, minY: 0, maxY: 10 },
          { layer: 'wall', minX: 30, maxX: 40, minY: -50, maxY: 0 },
        ],
        { gravity: 2000 },
      )
      spawn(world, 'hero', { ...HERO, y: -12, vx: 640 })
      return world
    })
    const record = recordPushes(watched)
    for (let tick = 0; tick < 4; tick++) {
      step(plain)
      step(watched)
      expect(hashWorld(watched)).toBe(hashWorld(plain))
    }
    expect(record.walls.map(({ thing, wall, x, y }) => ({ thing, wall, x, y }))).toEqual([
      { thing: 1, wall: 0, x: 0, y: -1 },
    ])
    expect(onlyHero(watched)).toMatchObject({ x: 25, grounded: 1 })
  })
})

test('[PF12] rolled back on every tick, bodies and platforms end with the same bits', () => {
  const declared = declareGame({
    id: 'rolled',
    tickRate: TICK_RATE,
    layers: { hero: ['wall', 'lift'], wall: [], lift: [] },
    things: { ...platformer.columns },
  })
  const pieces = [
    { layer: 'wall', minX: -200, maxX: 200, minY: 0, maxY: 20 },
    {
      layer: 'wall',
      points: [
        [-60, 0],
        [0, -40],
        [0, 0],
      ],
    },
  ] as const
  const move = movePlatformer(declared, {
    bodies: ['hero'],
    statics: defineStatics(declared, pieces),
    gravity: () => 1200,
    platforms: ['lift'],
  })
  const act = (world: World<typeof declared>) => {
    for (const lift of each(world, 'lift')) if (world.clock % 40 === 0) lift.vx = -lift.vx
    for (const hero of each(world, 'hero')) {
      run(hero, (world.clock + hero.id * 17) % 100 < 50 ? 150 : -150, { acceleration: 800 })
      jump(hero, { pressed: (world.clock + hero.id * 7) % 37 === 0, held: world.clock % 5 > 0 }, { speed: 420 })
    }
  }
  const game = defineGame(declared, {
    phases: { act, move },
    setup(world) {
      spawn(world, 'lift', { x: 80, y: -30, halfWidth: 30, halfHeight: 4, vx: 70 })
      for (let i = 0; i < 12; i++) spawn(world, 'hero', { x: -150 + i * 25, y: -60, halfWidth: 5, halfHeight: 8 })
    },
  })
  const session = createSession(game)
  for (let tick = 0; tick < 300; tick++) advance(session)
  for (const depth of [1, 9, 40]) expect(syncTest(session, depth).mismatch).toBeUndefined()
})
