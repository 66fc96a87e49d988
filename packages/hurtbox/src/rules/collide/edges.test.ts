import { describe, expect, test } from 'vitest'
import { expectRefusal, worldWith } from '../../../test/support.ts'
import * as shapes from '../../geometry/shapes/index.ts'
import { type Topology, torus } from '../../geometry/space/index.ts'
import * as volumes from '../../geometry/volumes/index.ts'
import { collisionsOf, type Declaration } from '../../host/tools/index.ts'
import {
  addCircle,
  addShape,
  addVolume,
  advance,
  type Boxes,
  collide,
  createSession,
  declareGame,
  defineGame,
  defineStatics,
  despawn,
  each,
  type Phase,
  rememberHits,
  spawn,
  step,
  sweepBox,
  type Thing,
  turnBox,
  type World,
  why,
  wide,
} from '../../index.ts'

// Limits of what other tests of this folder prove in the middle.

const declaration = declareGame({
  id: 'edges',
  tickRate: 60,
  layers: { bullet: ['target'], target: [], wall: ['bullet', 'target'] },
  capacity: 128,
  things: { hp: 'f64', z: 'f64' },
  hits: rememberHits(1),
})
interface Posed extends Thing<typeof declaration> {}
type Pose = (thing: Posed, boxes: Boxes) => void
type Options = { readonly pose?: Pose | { readonly bullet?: Pose }; readonly topology?: Topology }

/** Bullets and targets that meet in one tick, as "id met id at time". */
function met(things: readonly ['bullet' | 'target', number, number][], options: Options, touching = true): string[] {
  const seen: string[] = []
  const phase = collide(
    declaration,
    {
      watch: {
        between: ['bullet', 'target'],
        touching,
        decide: (bullet, target, { time }) => void seen.push(`${bullet.id} met ${target.id} at ${time}`),
      },
    },
    options,
  )
  const world = worldWith(declaration, phase)
  for (const [layer, x, y] of things) spawn(world, layer, { x, y, radius: 5 })
  step(world)
  return seen
}

describe('sweeps', () => {
  test('[CO19] a sweep ends where it ends: what lies further on, to the side, is not met', () => {
    for (const touching of [true, false]) {
      for (const [dx, dy] of [
        [100, 0],
        [0, 100],
        [-60, 80],
      ]) {
        const pose: Pose = (thing, boxes) => {
          addCircle(boxes, { ...thing, x: thing.x, y: thing.y, radius: 5 })
          if (thing.layer === 'bullet') sweepBox(boxes, dx, dy)
        }
        // 9 ahead of the end and 9 to the side: 12.7 away, and 10 would touch.
        const [x, y] = [(9 * dx - 9 * dy) / 100, (9 * dy + 9 * dx) / 100]
        expect(
          met(
            [
              ['bullet', 0, 0],
              ['target', x, y],
            ],
            { pose },
            touching,
          ),
          `${dx}, ${dy}`,
        ).toEqual([])
        expect(
          met(
            [
              ['bullet', 0, 0],
              ['target', x / 2, y / 2],
            ],
            { pose },
            touching,
          ),
        ).toHaveLength(1)
      }
    }
  })

  test('[CO19] a circle that would meet another only beyond its sweep does not, whether touching counts or not', () => {
    const pose: Pose = (thing, boxes) => {
      addCircle(boxes, { x: thing.x, y: thing.y, radius: 5 })
      if (thing.layer === 'bullet') sweepBox(boxes, 10, 0)
    }
    // At its end the bullet is at (10, 0); it would meet the first of these after 1.08 sweeps, it meets the second.
    for (const touching of [true, false]) {
      expect(
        met(
          [
            ['bullet', 10, 0],
            ['target', 18, 6.9],
          ],
          { pose },
          touching,
        ),
      ).toEqual([])
      expect(
        met(
          [
            ['bullet', 10, 0],
            ['target', 17, 6.9],
          ],
          { pose },
          touching,
        ),
      ).toHaveLength(1)
    }
  })

  test('[CO37] a standing bar beside a blade that turns does not turn with it', () => {
    const bar = shapes.box(20, 1)
    const pose: Pose = ({ x, y, layer }, boxes) => {
      if (layer === 'target') {
        addShape(boxes, bar, { x, y })
        return
      }
      addShape(boxes, shapes.capsule([5, 0], [15, 0], 1), { x, y, facingX: 0.8, facingY: 0.6 })
      turnBox(boxes, 1, 0)
    }
    // The blade sweeps from (15, 0) to (12, 9) and is 10 short of the bar; the bar on end would reach far below it.
    expect(
      met(
        [
          ['bullet', 0, 0],
          ['target', 12, -14],
        ],
        { pose },
      ),
    ).toEqual([])
    expect(
      met(
        [
          ['bullet', 0, 0],
          ['target', 12, 21],
        ],
        { pose },
      ),
    ).toEqual([])
    expect(
      met(
        [
          ['bullet', 0, 0],
          ['target', 12, 9],
        ],
        { pose },
      ),
    ).toHaveLength(1)
  })

  test('[CO19] what stands meets at 1, also beside boxes that move', () => {
    const pose: Pose = (thing, boxes) => {
      addCircle(boxes, { x: thing.x, y: thing.y, radius: 5 })
      if (thing.id === 1) sweepBox(boxes, 50, 0)
    }
    expect(
      met(
        [
          ['bullet', 0, 200],
          ['bullet', 0, 0],
          ['target', 3, 0],
        ],
        { pose },
      ),
    ).toEqual(['2 met 3 at 1'])
  })

  test('[CO20] shapes that move alike meet where they are now', () => {
    const pose: Pose = ({ x, y }, boxes) => {
      addShape(boxes, shapes.box(5, 5), { x, y })
      sweepBox(boxes, 300, -200)
    }
    expect(
      met(
        [
          ['bullet', 0, 0],
          ['target', 6, 4],
        ],
        { pose },
      ),
    ).toEqual(['1 met 2 at 1'])
    expect(
      met(
        [
          ['bullet', 0, 0],
          ['target', 12, 0],
        ],
        { pose },
      ),
    ).toEqual([])
    expect(
      met(
        [
          ['bullet', 0, 0],
          ['target', 0, 12],
        ],
        { pose },
      ),
    ).toEqual([])
  })

  test('[CO21] on a torus what moves meets across the lower seam as across the right one', () => {
    const topology = torus(100, 80)
    for (const shape of [undefined, shapes.box(2, 2)]) {
      const pose: Pose = ({ x, y, layer }, boxes) => {
        if (shape === undefined) addCircle(boxes, { x, y, radius: 2 })
        else addShape(boxes, shape, { x, y })
        if (layer === 'bullet') sweepBox(boxes, 0, 1)
      }
      expect(
        met(
          [
            ['bullet', 50, 1],
            ['target', 50, 78],
          ],
          { pose, topology },
        ),
      ).toHaveLength(1)
      expect(
        met(
          [
            ['bullet', 50, 78],
            ['target', 50, 1],
          ],
          { pose, topology },
        ),
      ).toHaveLength(1)
      expect(
        met(
          [
            ['bullet', 50, 1],
            ['target', 50, 70],
          ],
          { pose, topology },
        ),
      ).toEqual([])
    }
  })

  test('[CO37] a shape that turns on a long way meets what lies on the way; the next tick forgets the turn', () => {
    const blade = shapes.capsule([10, 0], [60, 0], 2)
    let isTurning = true
    const seen: number[] = []
    const phase = collide(
      declaration,
      { cut: { between: ['bullet', 'target'], decide: (_knight, target) => void seen.push(target.id) } },
      {
        pose: {
          bullet(knight, boxes) {
            addShape(boxes, blade, { x: knight.x, y: knight.y, facingX: 0, facingY: 1 })
            if (!isTurning) return
            sweepBox(boxes, 400, 0)
            turnBox(boxes, 1, 0)
          },
        },
      },
    )
    const world = worldWith(declaration, phase)
    spawn(world, 'bullet', {})
    spawn(world, 'target', { x: -200, y: 20, radius: 5 })
    spawn(world, 'target', { x: 40, y: 40, radius: 5 })
    step(world)
    expect(seen).toContain(2)
    seen.length = 0
    isTurning = false
    step(world)
    expect(seen).toEqual([])
    // Down and around: it comes from (0, -60), where it lay along x.
    const falling: Pose = ({ x, y, layer }, boxes) => {
      if (layer === 'target') {
        addCircle(boxes, { x, y, radius: 2 })
        return
      }
      addShape(boxes, shapes.capsule([5, 0], [15, 0], 1), { x, y, facingX: 0, facingY: 1 })
      sweepBox(boxes, 0, 60)
      turnBox(boxes, 1, 0)
    }
    const fall = (x: number, y: number) =>
      met(
        [
          ['bullet', 0, 0],
          ['target', x, y],
        ],
        { pose: falling },
      ).length
    expect([fall(13, -58), fall(13, 2)]).toEqual([1, 0])
    const turnsNowhere: Pose = (knight, boxes) => {
      addShape(boxes, blade, knight)
      turnBox(boxes, Number.NaN, 0)
    }
    expectRefusal(() => met([['bullet', 0, 0]], { pose: turnsNowhere }), /turnBox needs a direction, got \(NaN, 0\)/)
  })
})

describe('room', () => {
  test('[CO26] a thing may have more boxes than there are things, and circles may follow them', () => {
    const pose = {
      bullet({ x, y }: { x: number; y: number }, boxes: Boxes) {
        for (let i = 0; i < 1015; i++) addCircle(boxes, { x: x + 20 * i, y, radius: 5 })
      },
    }
    const targets = Array.from({ length: 30 }, (_, i): ['target', number, number] => ['target', 20 * (985 + i), 3])
    expect(met([['bullet', 0, 0], ...targets], { pose })).toHaveLength(30)
  })

  test('[CO12] hundreds of contacts of one tick are all decided, in order', () => {
    const things = Array.from({ length: 60 }, (_, i): ['bullet' | 'target', number, number] => [
      i < 30 ? 'bullet' : 'target',
      i % 30,
      0,
    ])
    // 30 bullets and 30 targets in a row, each within 10 of another.
    const wanted = things
      .slice(0, 30)
      .flatMap((_, b) => Array.from({ length: 30 }, (_none, t) => [b, t]).filter(([, t]) => Math.abs(b - t) <= 10))
    expect(wanted.length).toBeGreaterThan(512)
    expect(met(things, {})).toEqual(wanted.map(([b, t]) => `${b + 1} met ${t + 31} at 1`))
  })

  test('[CO23] a thing that meets hundreds of walls meets each of them; a wall that two things meet is one box', () => {
    const statics = defineStatics(
      declaration,
      Array.from({ length: 600 }, (_, i) => ({ layer: 'wall' as const, minX: i, minY: 0, maxX: i + 1, maxY: 1 })),
    )
    const walls: number[] = []
    const phase = collide(
      declaration,
      { bump: { between: ['bullet', 'wall'], touching: true, decide: (_bullet, wall) => void walls.push(wall.x) } },
      { statics, pose: { bullet: ({ x }, boxes) => addShape(boxes, shapes.box(300, 1), { x, y: 0 }) } },
    )
    const world = worldWith(declaration, phase)
    spawn(world, 'bullet', { x: 300 })
    step(world)
    expect(walls).toEqual(Array.from({ length: 600 }, (_, i) => i + 0.5))
    spawn(world, 'bullet', { x: 300 })
    step(world)
    expect(collisionsOf(world).get('phase')!.boxes.count).toBe(2 + 600)
  })
})

describe('gates and the ledger', () => {
  test('[CO15] a thing with a little health left is not dead', () => {
    const hit = (hp: number) => {
      let count = 0
      const phase = collide(declaration, {
        bite: { between: ['bullet', 'target'], gates: ['dead', 'attacker-dead'], decide: () => void count++ },
      })
      const world = worldWith(declaration, phase)
      spawn(world, 'bullet', { radius: 5, hp })
      spawn(world, 'target', { radius: 5, hp })
      step(world)
      return count
    }
    expect([hit(0.5), hit(1), hit(0), hit(-1)]).toEqual([1, 1, 0, 0])
  })

  test('[CO29] a hit is forgotten with the thing that made it', () => {
    const phase = collide(declaration, { bite: { between: ['bullet', 'target'], once: true, decide: () => {} } })
    const world = worldWith(declaration, phase)
    const bullet = spawn(world, 'bullet', { radius: 5 })
    spawn(world, 'target', { radius: 5 })
    step(world)
    expect(world.tables.hits.count).toBe(1)
    despawn(bullet)
    step(world)
    expect(world.tables.hits.count).toBe(0)
  })
})

describe('why, to the last word', () => {
  /** A session of one tick, and what `why` answers about it. */
  function session<D extends Declaration>(
    of: D,
    phases: Readonly<Record<string, Phase<NoInfer<D>>>>,
    setup: (world: World<D>) => void,
  ) {
    const started = createSession(defineGame(of, { setup, phases }))
    advance(started)
    return (a: number, b: number | { readonly wall: number }) => why(started, 0, a, b)
  }

  test('[SE4] a refusal is told by its own reason, even where another box has hit', () => {
    const hits = collide(
      declaration,
      { bite: { between: ['bullet', 'target'], gates: ['dead'], decide: (_b, target) => void (target.hp = 0) } },
      {
        pose: {
          bullet({ x, y }, boxes) {
            addCircle(boxes, { x, y, radius: 5 })
            addCircle(boxes, { x: x + 1, y, radius: 5 })
          },
        },
      },
    )
    const ask = session(declaration, { hits }, (world) => {
      spawn(world, 'bullet', {})
      spawn(world, 'target', { radius: 5, hp: 9 })
    })
    expect(ask(1, 2).map(({ verdict }) => verdict)).toEqual(['accepted', 'dead'])
  })

  test('[SE4] changes are those of the hit that is asked about, to a thousandth', () => {
    const hits = collide(declaration, {
      bite: { between: ['bullet', 'target'], decide: (_b, target) => void (target.hp = target.id === 3 ? 0.001 : 7) },
    })
    const ask = session(declaration, { hits }, (world) => {
      spawn(world, 'bullet', { radius: 5 })
      for (const x of [1, 2]) spawn(world, 'target', { x, radius: 5, hp: 9 })
    })
    expect(ask(1, 2)[0].changes).toEqual(['hp of things id 2: 9 → 7'])
    expect(ask(1, 3)[0].changes).toEqual(['hp of things id 3: 9 → 0.001'])
  })

  test('[SE4] a hit that cannot be remembered says what to do', () => {
    const hits = collide(declaration, { bite: { between: ['bullet', 'target'], once: true, decide: () => {} } })
    const ask = session(declaration, { hits }, (world) => {
      spawn(world, 'bullet', { radius: 5 })
      for (const x of [1, 2]) spawn(world, 'target', { x, radius: 5 })
    })
    expect(ask(1, 2)[0].verdict).toBe('accepted')
    expect(ask(1, 3)[0].text).toBe(
      'bite: 1 and 3: refused, there is no room to remember the hit: give once a number of ticks, or declare more hits',
    )
  })

  test('[SE4] touching is told as touching, also of boxes that move; how much is missing of volumes and across a seam', () => {
    const ask = (options: Options, targetX: number) => {
      const hits = collide(declaration, { bite: { between: ['bullet', 'target'], decide: () => {} } }, options)
      return session(declaration, { hits }, (world) => {
        spawn(world, 'bullet', { x: 2, radius: 5 })
        spawn(world, 'target', { x: targetX, radius: 5 })
      })(1, 2)[0].text
    }
    const moving: Pose = (thing, boxes) => {
      addCircle(boxes, { x: thing.x, y: thing.y, radius: 5 })
      if (thing.layer === 'bullet') sweepBox(boxes, 0, 3)
    }
    expect(ask({ pose: moving }, 12)).toBe('they only touch, and no rule about them counts that')
    expect(ask({ pose: (ball, boxes) => addVolume(boxes, volumes.sphere(5), ball) }, 15)).toBe('apart: 3 were missing')
    expect(ask({ topology: torus(100, 80) }, 88)).toBe('apart: 4 were missing')
    // Circles around them overlap, and they do not.
    const flat: Pose = ({ x, layer }, boxes) => addShape(boxes, shapes.box(5, 1), { x, y: layer === 'bullet' ? 0 : 4 })
    expect(ask({ pose: flat }, 2)).toBe('apart: their shapes do not meet in this tick')
    const aside: Pose = ({ x, layer }, boxes) => addCircle(boxes, { x, y: layer === 'bullet' ? 0 : 12, radius: 5 })
    expect(ask({ pose: aside }, 11)).toBe('apart: 5 were missing')
  })

  test('[SE4] what no rule is about: which layer would be hit, if any', () => {
    const layers = { sword: ['slime'], slime: [], gate: ['key', 'slime'], key: [] } as const
    const fields = declareGame({ id: 'fields', tickRate: 60, layers })
    const ask = (between: readonly ['sword' | 'gate', 'slime' | 'key'], ...who: ('sword' | 'slime')[]) =>
      session(fields, { hits: collide(fields, { only: { between, decide: () => {} } }) }, (world) => {
        for (const layer of who) spawn(world, layer, { radius: 5 })
      })(1, 2)[0].text
    const nothing = 'this phase has no rule about their layers: 1 is sword, 2 is slime'
    expect(ask(['gate', 'slime'], 'sword', 'slime')).toBe(`${nothing}; a hit would take a box on gate`)
    expect(ask(['gate', 'key'], 'sword', 'slime')).toBe(nothing)
  })

  test('[SE4] of a wall: what has no box, what has no rule, and how much was missing beside, above and below', () => {
    const statics = defineStatics(declaration, [
      { layer: 'wall', minX: 0, minY: 0, maxX: 40, maxY: 40 },
      { layer: 'bullet', minX: 500, minY: 0, maxX: 540, maxY: 40 },
    ])
    const hits = collide(
      declaration,
      { bump: { between: ['bullet', 'wall'], decide: () => {} } },
      { statics, pose: { target: () => {} } },
    )
    const ask = session(declaration, { hits }, (world) => {
      const places = [
        [-5.5, 20],
        [20, -6],
        [20, 47],
        [53, 20],
        [46, 48],
      ]
      for (const [x, y] of places) spawn(world, 'bullet', { x, y, radius: 5 })
      spawn(world, 'target', { radius: 5 })
    })
    const missing = [1, 2, 3, 4, 5].map((id) => ask(id, { wall: 0 })[0].text)
    expect(missing).toEqual([0.5, 1, 2, 8, 5].map((gap) => `apart: ${gap} were missing`))
    expect(ask(6, { wall: 0 })[0]).toMatchObject({ verdict: 'no-box', text: '6 has no box in this tick' })
    expect(ask(1, { wall: 1 })[0].text).toBe('this phase has no rule about bullet and bullet')
  })

  test('[SP18] what a phase of code changed is told value by value, also of columns with two', () => {
    const pairs = declareGame({
      id: 'pairs',
      tickRate: 60,
      layers: { one: [] },
      things: { ammo: wide('u8', 2) },
    })
    const shoot = (world: World<typeof pairs>) => {
      for (const one of each(world)) one.ammo.set(1, 3)
    }
    const ask = session(pairs, { shoot }, (world) => {
      for (let i = 0; i < 2; i++) spawn(world, 'one', {})
    })
    expect(ask(1, 2)[0].changes).toEqual(['ammo[1] of things id 1: 0 → 3', 'ammo[1] of things id 2: 0 → 3'])
  })
})
