/** Things that go on after a contact: several passes, in the order of time, and laws of conservation. */

import { describe, expect, test } from 'vitest'
import { createRandom } from '../../../test/random.ts'
import { capsule } from '../../geometry/shapes/index.ts'
import { sphere } from '../../geometry/volumes/index.ts'
import {
  addShape,
  addVolume,
  collide,
  createWorld,
  declareGame,
  defineBlocks,
  defineGame,
  defineStatics,
  despawn,
  each,
  emit,
  hashWorld,
  listEvents,
  push,
  restore,
  snapshot,
  spawn,
  step,
} from '../../index.ts'
import {
  bounce,
  contact,
  contactInSpace,
  exchange,
  pushOut,
  reflect,
  slide,
  stop,
  travel,
  travelInSpace,
} from './index.ts'

const declaration = declareGame({
  id: 'travel',
  tickRate: 60,
  layers: { ball: ['ball', 'wall', 'bat', 'zone'], bat: [], wall: [], zone: [] },
  things: { invMass: 'f64', facingX: 'f64', facingY: 'f64', spin: 'f64', seen: 'u32' },
  events: { met: { first: 'id', second: 'id', time: 'f64' } },
})

const BOX = [
  { layer: 'wall', minX: -300, minY: -300, maxX: 300, maxY: -100 },
  { layer: 'wall', minX: -300, minY: 100, maxX: 300, maxY: 300 },
  { layer: 'wall', minX: -300, minY: -100, maxX: -100, maxY: 100 },
  { layer: 'wall', minX: 100, minY: -100, maxX: 300, maxY: 100 },
] as const

type Options = { most?: number; perTick?: boolean }
type Decide = (ball: never, other: never, hit: never) => string | undefined

/** A world of balls in a box; `decide` is what a ball does at a wall, balls exchange their momentum. */
function court(decide: unknown = bouncing, options: Options = { perTick: true }, ballsMeet: unknown = exchanging) {
  const play = collide(
    declaration,
    {
      'ball meets wall': { between: ['ball', 'wall'], decide: decide as Decide },
      'balls meet': { between: ['ball', 'ball'], decide: ballsMeet as Decide },
      'ball meets bat': { between: ['ball', 'bat'], decide: bouncing as Decide },
      'ball in zone': {
        between: ['ball', 'zone'],
        decide(ball) {
          ball.seen += 1
        },
      },
    },
    {
      statics: defineStatics(declaration, BOX),
      travel: travel(['ball', 'bat'], options),
      pose: { bat: (bat, boxes) => addShape(boxes, capsule([10, 0], [60, 0], 3), bat) },
    },
  )
  return createWorld(defineGame(declaration, { phases: { play } }))
}

const bouncing = (ball: never, _other: never, hit: never) => void bounce(ball, contact(hit))
const exchanging = (first: never, second: never, hit: never) => {
  exchange(first, second, contact(hit))
  const { world, time } = hit as { world: never; time: number }
  emit(world as never, 'met' as never, { first, second, time } as never)
}

describe('travel', () => {
  test('[GE10] a ball between two walls goes on with what is left of its tick, and again', () => {
    const world = court()
    // Room for its centre from -90 to 90: 100 to the wall, then three lengths of 180, then 60.
    const ball = spawn(world, 'ball', { x: -10, radius: 10, vx: 700 })
    step(world)
    expect(ball.x).toBeCloseTo(-90 + 60, 4)
    expect(ball.vx).toBe(700)
  })

  test('[GE10] speeds are per second unless they are said to be per tick', () => {
    const world = court(bouncing, {})
    const ball = spawn(world, 'ball', { radius: 10, vx: 60, vy: -30 })
    step(world)
    expect([ball.x, ball.y]).toEqual([1, -0.5])
  })

  test('[GE11] contacts are decided by time across rules and things, and a deflected thing meets what its new way leads to', () => {
    const world = court()
    // The first ball turns back at the wall and meets the second, which follows it.
    const first = spawn(world, 'ball', { x: 60, radius: 10, vx: 100, invMass: 1 })
    const second = spawn(world, 'ball', { x: 0, radius: 10, vx: 60, invMass: 1 })
    step(world)
    // 30 to the wall at time 0.3; then from 90 and 18 towards each other by 160 a tick, 20 of the way being radii.
    const met = 0.3 + (90 - 18 - 20) / 160
    expect(listEvents(world).map((event) => event.kind === 'met' && event.time)).toEqual([expect.closeTo(met, 6)])
    expect([first.vx, second.vx]).toEqual([60, -100])
    expect(first.x).toBeCloseTo(90 - 100 * (met - 0.3) + 60 * (1 - met), 4)
    expect(second.x).toBeCloseTo(60 * met - 100 * (1 - met), 4)
  })

  test('[GE11] what lay on a way that was not gone to its end is not met', () => {
    const world = court()
    const ball = spawn(world, 'ball', { x: 60, radius: 10, vx: 100, invMass: 1 })
    // In the wall, where the ball would have come to later in the tick.
    spawn(world, 'zone', { x: 150, radius: 10 })
    step(world)
    expect(ball.seen).toBe(0)
    expect(ball.x).toBeCloseTo(90 - 70, 4)
  })

  test('[GE11] while a rule decides, both things stand where they are at that time', () => {
    const seen: number[] = []
    const world = court((ball: { x: number }, _wall: never, hit: never) => {
      seen.push(ball.x, contact(hit).time)
      bounce(ball as never, contact(hit))
    })
    spawn(world, 'ball', { x: 50, radius: 10, vx: 80 })
    step(world)
    expect(seen).toEqual([90, 0.5])
  })

  test('[GE12] a thing is deflected at most so many times in a tick, then stays, and so does what runs into it', () => {
    const world = court(bouncing, { perTick: true, most: 3 })
    const ball = spawn(world, 'ball', { x: 0, radius: 10, vx: 10_000 })
    step(world)
    // Right, left, right: there it waits for the next tick.
    expect(ball.x).toBeCloseTo(90, 4)
    expect(ball.vx).toBe(-10_000)
    const pinched = court(bouncing, { perTick: true, most: 3 }, (one: never, other: never, hit: never) => {
      bounce(one, contact(hit))
      void other
    })
    const small = spawn(pinched, 'ball', { x: 89, radius: 10, vx: 400 })
    const heavy = spawn(pinched, 'ball', { x: 67, radius: 10, vx: 30 })
    for (let tick = 0; tick < 20; tick++) {
      heavy.vx = 30
      step(pinched)
      expect(small.x).toBeLessThanOrEqual(90 + 1e-5)
      expect(small.x - heavy.x).toBeGreaterThanOrEqual(20 - 1e-5)
    }
  })

  test('[GE12] a push out of one thing ends at the next: nothing is pushed into a wall', () => {
    // Deflected once at most, so that no wall can put right what the push did.
    const pushing = (one: never, _other: never, hit: never) => pushOut(one, contact(hit))
    const world = court(bouncing, { perTick: true, most: 1 }, pushing)
    const ball = spawn(world, 'ball', { x: 88, radius: 10 })
    spawn(world, 'ball', { x: 80, radius: 10 })
    step(world)
    expect(ball.x).toBeGreaterThan(89.9)
    expect(ball.x).toBeLessThanOrEqual(90 + 1e-5)
  })

  test('[GE13] what a ball only passes hits once a tick, also if the ball is deflected in it', () => {
    const world = court()
    const ball = spawn(world, 'ball', { x: 80, radius: 10, vx: 40 })
    spawn(world, 'zone', { x: 90, radius: 30 })
    step(world)
    expect(ball.vx).toBe(-40)
    expect(ball.seen).toBe(1)
  })

  test('[GE14] a thing with a facing and a spin turns on its way and strikes what it swings across', () => {
    const world = court()
    const bat = spawn(world, 'bat', { facingX: 1, spin: Math.PI / 2 })
    const ball = spawn(world, 'ball', { x: 25, y: 25, radius: 3 })
    const missed = spawn(world, 'ball', { x: 25, y: -25, radius: 3 })
    step(world)
    expect([bat.facingX, bat.facingY]).toEqual([expect.closeTo(0, 9), expect.closeTo(1, 9)])
    // Struck at about an eighth turn, at a right angle to the bat.
    expect(ball.vx).toBeLessThan(-10)
    expect(ball.vy).toBeGreaterThan(10)
    expect([missed.vx, missed.vy]).toEqual([0, 0])
  })

  test('[GE15] if a rule throws, everything is where it was', () => {
    const world = court(() => {
      throw new Error('no')
    })
    const ball = spawn(world, 'ball', { x: 50, radius: 10, vx: 80, facingX: 1, spin: 1 })
    const before = hashWorld(world)
    expect(() => step(world)).toThrow('no')
    expect([ball.x, ball.facingX]).toEqual([50, 1])
    expect(hashWorld(world)).toBe(before)
  })

  test('[GE15] a rule that refuses changes nothing, and the ball flies on', () => {
    const world = court(() => 'a ghost')
    const ball = spawn(world, 'ball', { x: 50, radius: 10, vx: 80 })
    step(world)
    expect([ball.x, ball.vx]).toEqual([130, 80])
  })

  test('[GE16] travelling is a function of the state alone: rolled back or in a fresh world, it comes out the same', () => {
    const random = createRandom(16)
    const world = court()
    for (let i = 0; i < 12; i++) {
      const place = { x: -75 + 50 * (i % 4), y: -60 + 60 * Math.floor(i / 4), radius: 8, invMass: 1 }
      spawn(world, 'ball', { ...place, vx: 200 * (random() - 0.5), vy: 200 * (random() - 0.5) })
    }
    const saved = snapshot(world)
    for (let tick = 0; tick < 60; tick++) step(world)
    const hash = hashWorld(world)
    restore(world, saved)
    for (let tick = 0; tick < 60; tick++) step(world)
    expect(hashWorld(world)).toBe(hash)
    // A fresh world has none of the scratch that the phase has gathered.
    const fresh = createWorld(world.game)
    restore(fresh, saved)
    for (let tick = 0; tick < 60; tick++) step(fresh)
    expect(hashWorld(fresh)).toBe(hash)
  })

  test('[GE16] what a rule spawns or pushes in this phase stays where it was put, whichever thing had its row before', () => {
    const shooting = declareGame({ id: 'shooting', tickRate: 60, layers: { shot: ['post'], post: [], chip: [] } })
    const hits = collide(
      shooting,
      {
        'shot hits post': {
          between: ['shot', 'post'],
          decide(shot, post, { world }) {
            despawn(shot)
            const chip = spawn(world, 'chip', { x: post.x, y: post.y, radius: 2, vx: 7 })
            push(chip, 3, 0)
          },
        },
      },
      { travel: travel(['shot'], { perTick: true }) },
    )
    const LEAVES = 1
    const game = defineGame(shooting, {
      phases: {
        hits,
        end(world) {
          for (const shot of each(world, 'shot')) if (shot.kind === LEAVES) despawn(shot)
        },
      },
    })
    const world = createWorld(game)
    spawn(world, 'post', { x: 100, radius: 5 })
    spawn(world, 'shot', { x: 40, radius: 1, vx: 30 })
    // The row behind these belongs to a shot that leaves at the end of the tick; then the chip takes it.
    spawn(world, 'shot', { x: -500, radius: 1, vx: -30, kind: LEAVES })
    step(world)
    const saved = snapshot(world)
    step(world)
    expect([...each(world, 'chip')].map(({ x, y }) => [x, y])).toEqual([[103, 0]])
    const fresh = createWorld(game)
    restore(fresh, saved)
    step(fresh)
    expect(hashWorld(fresh)).toBe(hashWorld(world))
  })

  test('[GE17] in space a ball bounces between a floor and a ceiling', () => {
    const space = declareGame({
      id: 'space',
      tickRate: 60,
      layers: { ball: ['wall'], wall: [] },
      things: { z: 'f64', vz: 'f64' },
    })
    const block = (minZ: number, maxZ: number) => ({
      layer: 'wall',
      minX: -50,
      minY: -50,
      maxX: 50,
      maxY: 50,
      minZ,
      maxZ,
    })
    const round = sphere(5)
    const play = collide(
      space,
      {
        'ball meets wall': {
          between: ['ball', 'wall'],
          decide: (ball, _wall, hit) => void bounce(ball, contactInSpace(hit)),
        },
      },
      {
        statics: defineBlocks(space, [block(-20, 0), block(100, 120)]),
        travel: travelInSpace(['ball'], { perTick: true }),
        pose: { ball: (ball, boxes) => addVolume(boxes, round, ball) },
      },
    )
    const world = createWorld(defineGame(space, { phases: { play } }))
    const ball = spawn(world, 'ball', { z: 50, vz: -200 })
    step(world)
    // 45 down, 90 up, 65 down again.
    expect(ball.z).toBeCloseTo(95 - 65, 4)
    expect(ball.vz).toBe(-200)
  })
})

describe('responses', () => {
  const meetWall = (respond: unknown, speed: { vx: number; vy: number }) => {
    const world = court(
      (ball: never, _wall: never, hit: never) => void (respond as (a: never, b: unknown) => void)(ball, contact(hit)),
    )
    const ball = spawn(world, 'ball', { x: 80, radius: 10, ...speed })
    step(world)
    return [ball.vx, ball.vy, ball.x]
  }

  test('[GE25] responses take the thing that met, and the contact of its hit', () => {
    const refused = (decide: (ball: never, wall: never, hit: never) => unknown) => {
      const world = court((...given: [never, never, never]) => void decide(...given))
      spawn(world, 'ball', { radius: 5, vx: 500 })
      return () => step(world)
    }
    expect(refused((ball, _wall, hit) => bounce(ball, hit))).toThrow(/take the contact of a hit, as in bounce/)
    expect(refused((ball) => slide(ball, undefined as never))).toThrow(/take the contact of a hit/)
    expect(refused((_ball, wall, hit) => bounce(wall, contact(hit)))).toThrow(/a wall does not move: name the thing/)
    expect(refused((_ball, _wall, hit) => bounce(undefined as never, contact(hit)))).toThrow(/take the thing of a hit/)
    expect(refused((ball, _wall, hit) => exchange(ball, null as never, contact(hit)))).toThrow(
      /take the thing of a hit, as in bounce\(ball, contact\(hit\)\), got null/,
    )
    expect(() => travel('ball' as never)).toThrow(/travel takes a list of layers/)
  })

  test('[GE20] bounce, reflect, slide and stop do to a speed what they say', () => {
    expect(meetWall(bounce, { vx: 20, vy: 5 })).toEqual([-20, 5, expect.closeTo(80, 4)])
    const half = (ball: never, met: never) => bounce(ball, met, { restitution: 0.5 })
    expect(meetWall(half, { vx: 20, vy: 5 })).toEqual([-10, 5, expect.closeTo(85, 4)])
    const faster = (ball: never, met: never) => bounce(ball, met, { faster: 2, atMost: 30 })
    expect(meetWall(faster, { vx: 20, vy: 0 })).toEqual([-30, 0, expect.closeTo(75, 4)])
    expect(meetWall(reflect, { vx: 20, vy: 5 })).toEqual([-20, 5, expect.closeTo(80, 4)])
    expect(meetWall(slide, { vx: 20, vy: 5 })).toEqual([0, 5, expect.closeTo(90, 4)])
    expect(meetWall(stop, { vx: 20, vy: 5 })).toEqual([0, 0, expect.closeTo(90, 4)])
  })

  test('[GE21] a surface that moves hands on its speed; what already leaves is left alone', () => {
    const met = {
      normalX: 1,
      normalY: 0,
      normalZ: 0,
      depth: 0,
      secondX: 3,
      secondY: 0,
      secondZ: 0,
      firstX: 0,
      firstY: 0,
      firstZ: 0,
      speedPerWay: 1,
      first: 1,
      second: 2,
    }
    const world = court()
    const ball = spawn(world, 'ball', { radius: 1 })
    const other = spawn(world, 'ball', { x: 50, radius: 1 })
    const back = { backX: 0, backY: 0, backZ: 0, secondBackX: 0, secondBackY: 0, secondBackZ: 0 }
    const whole = { ...met, ...back, x: 0, y: 0, z: 0, time: 0 }
    expect(bounce(ball, whole)).toBe(true)
    expect(ball.vx).toBe(6)
    expect(bounce(ball, whole), 'faster than the surface').toBe(false)
    expect(ball.vx).toBe(6)
    ball.vx = -4
    expect(reflect(ball, whole)).toBe(true)
    expect(ball.vx, 'its own speed, which is more than the 3 of the surface').toBe(4)
    // The second sees the same contact from the other side.
    other.vx = 1
    expect(bounce(other, { ...whole, firstX: -2 })).toBe(true)
    expect(other.vx).toBe(-5)
  })

  test('[GE22] balls keep their momentum and, at restitution 1, their energy, in every crowd of them', () => {
    for (let seed = 1; seed <= 20; seed++) {
      const random = createRandom(seed)
      const world = court(bouncing, { perTick: true, most: 64 })
      for (let i = 0; i < 16; i++) {
        const place = { x: -75 + 50 * (i % 4), y: -75 + 50 * Math.floor(i / 4) }
        const speed = { vx: 60 * (random() - 0.5), vy: 60 * (random() - 0.5) }
        spawn(world, 'ball', { ...place, ...speed, radius: 4 + 8 * random(), invMass: 0.2 + random() })
      }
      const energy = () =>
        Array.from(each(world, 'ball'), ({ vx, vy, invMass }) => (vx * vx + vy * vy) / invMass).reduce((a, b) => a + b)
      const before = energy()
      let meetings = 0
      for (let tick = 0; tick < 60; tick++) {
        step(world)
        meetings += listEvents(world).length
        for (const { x, y, radius } of each(world, 'ball')) {
          const room = 100 - radius + 1e-4
          if (Math.abs(x) > room || Math.abs(y) > room) expect.fail(`seed ${seed}, tick ${tick}: out at (${x}, ${y})`)
        }
      }
      expect(meetings, `seed ${seed}`).toBeGreaterThan(50)
      expect(energy() / before, `seed ${seed}`).toBeCloseTo(1, 9)
    }
  })

  test('[GE22] the momentum of two balls is the same before and after, at every restitution', () => {
    for (let seed = 1; seed <= 200; seed++) {
      const random = createRandom(seed)
      const restitution = random()
      const world = court(bouncing, { perTick: true }, (one: never, other: never, hit: never) => {
        exchange(one, other, contact(hit), { restitution })
      })
      const one = spawn(world, 'ball', {
        x: -30,
        y: 10 * random(),
        radius: 10,
        invMass: 0.1 + random(),
        vx: 50,
        vy: 5 * random(),
      })
      const two = spawn(world, 'ball', { x: 30, y: 0, radius: 10, invMass: 0.1 + random(), vx: -40 * random() })
      const momentum = () => [one.vx / one.invMass + two.vx / two.invMass, one.vy / one.invMass + two.vy / two.invMass]
      const before = momentum()
      const closing = one.vx - two.vx
      step(world)
      expect(momentum()[0], `seed ${seed}`).toBeCloseTo(before[0], 9)
      expect(momentum()[1], `seed ${seed}`).toBeCloseTo(before[1], 9)
      expect(two.vx - one.vx, `seed ${seed} met`).toBeGreaterThan(-closing)
    }
  })
})
