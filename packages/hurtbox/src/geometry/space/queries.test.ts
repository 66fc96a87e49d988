import { describe, expect, test } from 'vitest'
import { type Random, randomOf } from '../../../test/random.ts'
import {
  circlesOf,
  type Layering,
  layerings,
  type Placement,
  placements,
  radii,
  randomScene,
  type Sizes,
} from './fixtures/scenes.ts'
import {
  type Answer,
  buildIndex,
  type Circles,
  createAnswer,
  createIndex,
  type Filter,
  type IndexOptions,
  NO_LAYER,
  nearest,
  OPEN,
  overlapBox,
  overlapCircle,
  raycast,
  sweepCircle,
  type Topology,
  type Traits,
  torus,
} from './index.ts'
import { distanceToInterval } from './overlap.ts'
import { NO_LIMIT } from './query.ts'
import { impactTime } from './sweep.ts'
import { nearestImage, wrap } from './topology.ts'

const round = torus(100, 40)

describe('overlap', () => {
  test('[QU1] a region finds what overlaps or touches it, by ascending index', () => {
    const circles = circlesOf([10, 0, 1], [0, 0, 1], [3, 4, 2], [0, 6, 1], [-6, 0, 1])
    expect(ask(circles, (index, answer) => overlapCircle(index, { x: 0, y: 0, radius: 3 }, answer))).toEqual([1, 2])
    expect(ask(circles, (index, answer) => overlapCircle(index, { x: 0, y: 0, radius: 5 }, answer))).toEqual([
      1, 2, 3, 4,
    ])
    expect(
      ask(circles, (index, answer) => overlapBox(index, { minX: -5, minY: -1, maxX: 1, maxY: 2 }, answer)),
    ).toEqual([1, 4])
    // A corner is further away than the sides: (3, 4) is 2.83 from (1, 2).
    expect(
      ask(circles, (index, answer) => overlapBox(index, { minX: 0, minY: 0, maxX: 1, maxY: 2.6 }, answer)),
    ).toEqual([1])
    expect(ask(circles, (index, answer) => overlapBox(index, { minX: 0, minY: 0, maxX: 3, maxY: 2 }, answer))).toEqual([
      1, 2,
    ])
  })

  test('[QU1] what touches only because a difference was rounded is found too', () => {
    // 1e-17 + 100 is 100, so the rims touch; yet the region ends at 0, before the first cell begins.
    expect(
      ask(circlesOf([1e-17, 0, 50]), (index, answer) => overlapCircle(index, { x: -100, y: 0, radius: 50 }, answer)),
    ).toEqual([0])
    // The square of 1e-170 is 0.
    expect(
      ask(circlesOf([0, 0, 0]), (index, answer) => overlapCircle(index, { x: -1e-170, y: 0, radius: 0 }, answer)),
    ).toEqual([0])
    expect(
      ask(circlesOf([0, 0, 0]), (index, answer) =>
        overlapBox(index, { minX: -5, minY: -5, maxX: -1e-170, maxY: 5 }, answer),
      ),
    ).toEqual([0])
  })

  test('[QU2] on a torus regions reach across the seam', () => {
    const circles = circlesOf([1, 1, 1], [99, 39, 1], [50, 20, 1])
    const options = { topology: round }
    expect(ask(circles, (index, answer) => overlapCircle(index, { x: 0, y: 0, radius: 1 }, answer), options)).toEqual([
      0, 1,
    ])
    expect(
      ask(
        circles,
        (index, answer) => overlapBox(index, { minX: 98.5, minY: 39, maxX: 101, maxY: 41 }, answer),
        options,
      ),
    ).toEqual([0, 1])
    expect(
      ask(
        circles,
        (index, answer) => overlapBox(index, { minX: -1.5, minY: -1, maxX: 0.5, maxY: 0.5 }, answer),
        options,
      ),
    ).toEqual([0, 1])
    // Just before the low side, which is nearly once around behind the high side.
    expect(
      ask(circles, (index, answer) => overlapBox(index, { minX: 51, minY: 10, maxX: 60, maxY: 30 }, answer), options),
    ).toEqual([2])
    expect(ask(circles, (index, answer) => nearest(index, { x: 99.5, y: 0.25, limit: 2 }, answer), options)).toEqual([
      1, 0,
    ])
  })
})

describe('nearest', () => {
  const line = circlesOf([0, 0, 9], [4, 0, 1], [-4, 0, 1], [100, 0, 1], [1e9, 0, 1])

  test('[QU3] centres by distance, equally near ones by index', () => {
    const answer = createAnswer()
    expect(ask(line, (index) => nearest(index, { x: 0, y: 0, limit: 3 }, answer), {}, answer)).toEqual([0, 1, 2])
    expect([...answer.measure.subarray(0, 3)]).toEqual([0, 16, 16])
    expect(ask(line, (index, out) => nearest(index, { x: 0, y: 0, limit: 2 }, out))).toEqual([0, 1])
    expect(ask(line, (index, out) => nearest(index, { x: -1e9, y: 0, limit: 9 }, out))).toEqual([2, 0, 1, 3, 4])
    expect(ask(line, (index, out) => nearest(index, { x: 0, y: 0, limit: 0 }, out))).toEqual([])
    expect(ask(circlesOf(), (index, out) => nearest(index, { x: 0, y: 0, limit: 3 }, out))).toEqual([])
  })

  test('[QU4] none further away than asked for; at that very distance it counts', () => {
    const within = (distance: number) =>
      ask(line, (index, out) => nearest(index, { x: 0, y: 0, limit: 9, maxDistance: distance }, out))
    expect([within(0), within(3.9), within(4), within(1000)]).toEqual([[0], [0], [0, 1, 2], [0, 1, 2, 3]])
  })
})

describe('rays and sweeps', () => {
  test('[QU5] hits by time, then by index; the way ends where it ends', () => {
    const answer = createAnswer()
    const circles = circlesOf([30, 0, 5], [10, 0, 5], [10, 3, 5], [20, 4.5, 4], [51, 0, 1], [-9, 0, 1])
    expect(ask(circles, (index) => raycast(index, { x: 0, y: 0, dx: 50, dy: 0 }, answer), {}, answer)).toEqual([
      1, 2, 0, 4,
    ])
    expect(answer.measure[0]).toBe(5 / 50)
    expect(answer.measure[1]).toBe(6 / 50)
    expect(answer.measure[3]).toBe(1)
    const twins = circlesOf([10, 0, 5], [10, 0, 5])
    expect(ask(twins, (index, out) => raycast(index, { x: 0, y: 0, dx: 50, dy: 0 }, out))).toEqual([0, 1])
    expect(ask(twins, (index, out) => raycast(index, { x: 0, y: 0, dx: 50, dy: 0, limit: 1 }, out))).toEqual([0])
  })

  test('[QU6] what the start is inside of, or touches, is hit at time 0', () => {
    const answer = createAnswer()
    const circles = circlesOf([1, 0, 5], [-5, 0, 5], [20, 0, 1])
    // Away from the second, which it only touches; through the first.
    expect(ask(circles, (index) => raycast(index, { x: 0, y: 0, dx: 10, dy: 0 }, answer), {}, answer)).toEqual([0, 1])
    expect([...answer.measure.subarray(0, 2)]).toEqual([0, 0])
    expect(ask(circles, (index, out) => raycast(index, { x: 0, y: 0, dx: 0, dy: 0 }, out))).toEqual([0, 1])
  })

  test('[QU7] grazing counts, missing by a little does not', () => {
    const graze = (y: number) =>
      ask(circlesOf([50, 3, 3]), (index, out) => raycast(index, { x: 0, y, dx: 100, dy: 0 }, out))
    expect([graze(0), graze(-1e-9), graze(6), graze(6.000001)]).toEqual([[0], [], [0], []])
  })

  test('[QU8] a moving circle meets others when their rims touch', () => {
    const answer = createAnswer()
    const circles = circlesOf([10, 0, 2], [10, 5, 2], [10, 5.1, 2])
    expect(
      ask(circles, (index) => sweepCircle(index, { x: 0, y: 0, radius: 3, dx: 10, dy: 0 }, answer), {}, answer),
    ).toEqual([0, 1])
    expect(answer.measure[0]).toBe(0.5)
    expect(answer.measure[1]).toBe(1)
  })

  test('[QU9] on a torus a ray goes on across the seam, and meets a circle once', () => {
    const circles = circlesOf([5, 20, 1], [95, 20, 1])
    expect(
      ask(circles, (index, out) => raycast(index, { x: 90, y: 20, dx: 20, dy: 0 }, out), { topology: round }),
    ).toEqual([1, 0])
    expect(
      ask(circles, (index, out) => raycast(index, { x: 190, y: 20, dx: -1000, dy: 0 }, out), { topology: round }),
    ).toEqual([0, 1])
    expect(
      ask(circles, (index, out) => sweepCircle(index, { x: 50, y: 39, radius: 21, dx: 50, dy: 0 }, out), {
        topology: round,
      }),
      'it reaches down across the seam',
    ).toEqual([1, 0])
    // The start is on the circle's rim as seen across the seam.
    expect(
      ask(circles, (index, out) => raycast(index, { x: 4, y: 20, dx: 1, dy: 0, limit: 1 }, out), { topology: round }),
    ).toEqual([0])
  })
})

describe('filters', () => {
  const circles = circlesOf([0, 0, 1, 0], [0, 0, 1, 1], [0, 0, 1, 2], [0, 0, 1, 31], [0, 0, 1, NO_LAYER])
  // Circles 0 and 1 belong to row 0, the others to rows 1 to 3.
  const traits: Traits = {
    owner: Uint32Array.of(0, 0, 1, 2, 3),
    kind: Uint8Array.of(7, 8, 7, 7),
    team: Uint8Array.of(1, 1, 2, 2),
  }
  const everyQuery = (filter: Filter) => {
    const found = [
      ask(circles, (index, out) => overlapCircle(index, { x: 0, y: 0, radius: 5 }, out, filter), { traits }),
      ask(circles, (index, out) => overlapBox(index, { minX: -1, minY: -1, maxX: 1, maxY: 1 }, out, filter), {
        traits,
      }),
      ask(circles, (index, out) => nearest(index, { x: 3, y: 0, limit: 9 }, out, filter), { traits }),
      ask(circles, (index, out) => raycast(index, { x: -9, y: 0, dx: 99, dy: 0 }, out, filter), { traits }),
      ask(circles, (index, out) => sweepCircle(index, { x: -9, y: 0, radius: 2, dx: 99, dy: 0 }, out, filter), {
        traits,
      }),
    ]
    for (const list of found) expect(list).toEqual(found[0])
    return found[0]
  }

  test('[QU10] a filter names layers, kind, team, and rows to leave out', () => {
    expect(everyQuery({})).toEqual([0, 1, 2, 3])
    expect(everyQuery({ layers: 0b101 })).toEqual([0, 2])
    expect(everyQuery({ layers: 1 << 31 })).toEqual([3])
    expect(everyQuery({ layers: 0 })).toEqual([])
    expect(everyQuery({ kind: 7 })).toEqual([0, 1, 3])
    expect(everyQuery({ team: 1 })).toEqual([0, 1, 2])
    expect(everyQuery({ notTeam: 1 })).toEqual([3])
    expect(everyQuery({ exclude: [0] })).toEqual([2, 3])
    expect(everyQuery({ exclude: [] })).toEqual([0, 1, 2, 3])
    expect(everyQuery({ layers: 0b1111, kind: 7, team: 1, exclude: [2] })).toEqual([0, 1])
  })

  test('[QU11] a circle is its own row where owners are not given, and a filter for a missing column is refused', () => {
    expect(
      ask(circles, (index, out) => overlapCircle(index, { x: 0, y: 0, radius: 5 }, out, { exclude: [1, 3] })),
    ).toEqual([0, 2])
    expect(() =>
      ask(circles, (index, out) => overlapCircle(index, { x: 0, y: 0, radius: 5 }, out, { team: 1 })),
    ).toThrow('A filter asks for team, but the index was built without that column.')
  })

  test('[QU12] numbers that are none are refused by name', () => {
    const bad = (question: (index: ReturnType<typeof createIndex>, out: Answer) => void) => () => ask(circles, question)
    expect(bad((index, out) => overlapCircle(index, { x: Number.NaN, y: 0, radius: 1 }, out))).toThrow(
      'x must be a finite number, got NaN.',
    )
    expect(bad((index, out) => overlapCircle(index, { x: 0, y: 0, radius: -1 }, out))).toThrow(
      'radius must not be negative, got -1.',
    )
    expect(bad((index, out) => overlapBox(index, { minX: 0, minY: 0, maxX: 1, maxY: 1e13 }, out))).toThrow(
      'maxY must lie within',
    )
    expect(bad((index, out) => overlapBox(index, { minX: 5, minY: 0, maxX: 1, maxY: 1 }, out))).toThrow(
      'The corners of a box must ascend',
    )
    expect(bad((index, out) => raycast(index, { x: 0, y: 0, dx: 1, dy: Number.NaN }, out))).toThrow(
      'dy must be a finite number, got NaN.',
    )
    expect(bad((index, out) => nearest(index, { x: 0, y: 0, limit: 1.5 }, out))).toThrow('limit must be a whole number')
    expect(bad((index, out) => nearest(index, { x: 0, y: 0, limit: 1, maxDistance: Number.NaN }, out))).toThrow(
      'maxDistance must be a finite number',
    )
  })
})

describe('against brute force', () => {
  const QUESTIONS = process.env.HURTBOX_LONG === undefined ? 20_000 : 1_000_000
  const PER_SCENE = 100

  test('[QU13] overlapCircle', () => {
    everyScene(1, (scene, random) => {
      const { x, y } = placeIn(scene, random)
      const radius = sizeFor(random)
      overlapCircle(scene.index, { x, y, radius }, scene.answer, scene.filter)
      const found = scene.candidates.filter((i) => {
        const reach = radius + scene.circles.radius[i]
        return scene.distanceSquared(x, y, i) <= reach * reach
      })
      return [`circle at ${x}, ${y} of ${radius}`, found]
    })
  })

  test('[QU13] overlapBox', () => {
    everyScene(2, (scene, random) => {
      const { x, y } = placeIn(scene, random)
      const width = sizeFor(random)
      const height = sizeFor(random)
      overlapBox(scene.index, { minX: x, minY: y, maxX: x + width, maxY: y + height }, scene.answer, scene.filter)
      const { radius } = scene.circles
      const [periodOfX, periodOfY] = [scene.topology.width, scene.topology.height]
      const left = wrap(x, periodOfX)
      const top = wrap(y, periodOfY)
      const right = scene.topology !== OPEN ? left + (x + width - x) : x + width
      const bottom = scene.topology !== OPEN ? top + (y + height - y) : y + height
      const found = scene.candidates.filter((i) => {
        const dx = distanceToInterval(scene.wrappedX[i], left, right, periodOfX)
        const dy = distanceToInterval(scene.wrappedY[i], top, bottom, periodOfY)
        return dx * dx + dy * dy <= radius[i] * radius[i]
      })
      return [`box at ${x}, ${y} of ${width} × ${height}`, found]
    })
  })

  test('[QU13] nearest', () => {
    everyScene(3, (scene, random) => {
      const { x, y } = placeIn(scene, random)
      const limit = Math.floor(random() * 8)
      const maxDistance = random() < 0.5 ? Number.POSITIVE_INFINITY : sizeFor(random)
      nearest(scene.index, { x, y, limit, maxDistance }, scene.answer, scene.filter)
      const found = scene.candidates
        .map((i) => ({ i, squared: scene.distanceSquared(x, y, i) }))
        .filter(({ squared }) => squared <= maxDistance * maxDistance)
        .sort((a, b) => a.squared - b.squared || a.i - b.i)
        .slice(0, limit)
      return [
        `${limit} nearest to ${x}, ${y} within ${maxDistance}`,
        found.map(({ i }) => i),
        found.map((f) => f.squared),
      ]
    })
  })

  test.each([
    ['all', NO_LIMIT],
    ['first', 1],
    ['first three', 3],
  ])('[QU13] raycast and sweepCircle, %s', (_, limit) => {
    everyScene(
      4 + limit,
      (scene, random) => {
        const { x, y } = placeIn(scene, random)
        const radius = random() < 0.5 ? 0 : sizeFor(random)
        const { topology } = scene
        const [wayX, wayY] = wayFor(random)
        // Once round a torus is enough: asking every image takes its time.
        const [dx, dy] = topology !== OPEN ? [wayX % topology.width, wayY % topology.height] : [wayX, wayY]
        if (radius === 0) raycast(scene.index, { x, y, dx, dy, limit }, scene.answer, scene.filter)
        else sweepCircle(scene.index, { x, y, radius, dx, dy, limit }, scene.answer, scene.filter)
        const fromX = wrap(x, scene.topology.width)
        const fromY = wrap(y, scene.topology.height)
        const found = scene.candidates
          .map((i) => {
            const reach = radius + scene.circles.radius[i]
            const [offX, offY] = [fromX - scene.wrappedX[i], fromY - scene.wrappedY[i]]
            return { i, time: firstTime(topology, offX, offY, dx, dy, reach) }
          })
          .filter(({ time }) => time <= 1)
          .sort((a, b) => a.time - b.time || a.i - b.i)
          .slice(0, limit)
        return [`circle ${radius} from ${x}, ${y} by ${dx}, ${dy}`, found.map(({ i }) => i), found.map((f) => f.time)]
      },
      QUESTIONS / 3,
    )
  })

  /** When a way of at most once round meets any image of a circle. Images that it cannot reach are not worth a division. */
  function firstTime(topology: Topology, x: number, y: number, dx: number, dy: number, reach: number): number {
    if (topology === OPEN) return impactTime(x, y, dx, dy, reach)
    const { width, height } = topology
    const [farX, farY] = [2 + Math.ceil(reach / width), 2 + Math.ceil(reach / height)]
    let first = Number.POSITIVE_INFINITY
    for (let imageX = -farX; imageX <= farX; imageX++) {
      const atX = x - imageX * width
      if (Math.min(atX, atX + dx) > reach + 1e-6 || Math.max(atX, atX + dx) < -reach - 1e-6) continue
      for (let imageY = -farY; imageY <= farY; imageY++) {
        const atY = y - imageY * height
        if (Math.min(atY, atY + dy) > reach + 1e-6 || Math.max(atY, atY + dy) < -reach - 1e-6) continue
        first = Math.min(first, impactTime(atX, atY, dx, dy, reach))
      }
    }
    return first
  }

  /** Asks questions of many scenes and compares each answer with what `question` says it should be. */
  function everyScene(
    salt: number,
    question: (scene: IndexedScene, random: Random) => [label: string, circles: number[], measures?: number[]],
    questions = QUESTIONS,
  ): void {
    const index = createIndex()
    const answer = createAnswer()
    for (let seed = 1; seed <= questions / PER_SCENE; seed++) {
      const random = randomOf(salt * 1_000_003 + seed)
      const scene = indexedScene(random, seed, index, answer)
      for (let i = 0; i < PER_SCENE; i++) {
        const [label, circles, measures = []] = question(scene, random)
        const isRight =
          answer.count === circles.length &&
          circles.every((circle, place) => answer.circle[place] === circle) &&
          measures.every((measure, place) => answer.measure[place] === measure)
        if (isRight) continue
        const found = [...answer.circle.subarray(0, answer.count)]
        expect(found, `${scene.label}, question ${i}: ${label}`).toEqual(circles)
        expect([...answer.measure.subarray(0, answer.count)], `${scene.label}, question ${i}: ${label}`).toEqual(
          measures,
        )
      }
    }
  }
})

type IndexedScene = {
  readonly label: string
  readonly index: ReturnType<typeof createIndex>
  readonly answer: Answer
  readonly circles: Circles
  readonly topology: Topology
  readonly filter: Filter
  readonly wrappedX: Float64Array
  readonly wrappedY: Float64Array
  /** Indexes of the circles that the filter lets through. */
  readonly candidates: number[]
  readonly distanceSquared: (x: number, y: number, circle: number) => number
}

function indexedScene(
  random: Random,
  seed: number,
  index: ReturnType<typeof createIndex>,
  answer: Answer,
): IndexedScene {
  const pick = <T>(list: readonly T[]) => list[Math.floor(random() * list.length)]
  const placement = pick(Object.keys(placements) as Placement[])
  const sizes = pick(Object.keys(radii) as Sizes[])
  const layering = pick(Object.keys(layerings) as Layering[])
  const count = Math.floor(random() * 120)
  const circles = randomScene(seed, count, placement, sizes, layering)
  const topology = random() < 0.3 ? torus(77, 45) : OPEN
  const cellSize = pick([undefined, 1, 10, 200])
  const traits: Traits = {
    owner: Uint32Array.from({ length: count }, (_, i) => i >> 1),
    kind: Uint8Array.from({ length: count }, () => Math.floor(random() * 3)),
    team: Uint8Array.from({ length: count }, () => Math.floor(random() * 2)),
  }
  buildIndex(index, circles, { topology, traits, ...(cellSize === undefined ? {} : { cellSize }) })
  const filter = pick<Filter>([{}, {}, { layers: 0b11 }, { team: 1 }, { kind: 2, exclude: [1, 3] }, { notTeam: 0 }])
  const wrappedX = circles.x.map((x) => wrap(x, topology.width))
  const wrappedY = circles.y.map((y) => wrap(y, topology.height))
  const candidates = [...circles.x.keys()].filter((i) => {
    const row = i >> 1
    return (
      circles.layer[i] <= 31 &&
      (((filter.layers ?? -1) >>> circles.layer[i]) & 1) === 1 &&
      (filter.kind === undefined || traits.kind?.[row] === filter.kind) &&
      (filter.team === undefined || traits.team?.[row] === filter.team) &&
      (filter.notTeam === undefined || traits.team?.[row] !== filter.notTeam) &&
      ![...(filter.exclude ? Array.from(filter.exclude) : [])].includes(row)
    )
  })
  return {
    label: `seed ${seed}: ${count} ${placement}, radii ${sizes}, layers ${layering}, ${topology === OPEN ? 'plane' : 'torus'}, cell ${cellSize}`,
    index,
    answer,
    circles,
    topology,
    filter,
    wrappedX,
    wrappedY,
    candidates,
    distanceSquared: (x, y, i) =>
      distanceSquared(wrap(x, topology.width), wrap(y, topology.height), wrappedX[i], wrappedY[i], topology),
  }
}

/** On a circle, near one, or anywhere. */
function placeIn({ circles }: IndexedScene, random: Random): { x: number; y: number } {
  if (circles.count === 0 || random() < 0.1) return { x: random() * 400 - 200, y: random() * 200 - 100 }
  const i = Math.floor(random() * circles.count)
  const off = random() < 0.3 ? 0 : 60
  return { x: circles.x[i] + off * (random() - 0.5), y: circles.y[i] + off * (random() - 0.5) }
}

function sizeFor(random: Random): number {
  return random() < 0.2 ? Math.floor(random() * 6) : 10 ** (5 * random() - 2)
}

/** Along an axis, along a diagonal, or any way; from nothing to very far. */
function wayFor(random: Random): [dx: number, dy: number] {
  const length = random() < 0.05 ? 0 : 10 ** (6 * random() - 2)
  const kind = random()
  if (kind < 0.2) return [random() < 0.5 ? length : -length, 0]
  if (kind < 0.4) return [0, random() < 0.5 ? length : -length]
  if (kind < 0.5) return [length, -length]
  return [length * (random() * 2 - 1), length * (random() * 2 - 1)]
}

/** What a question finds, with a new index. */
function ask(
  circles: Circles,
  question: (index: ReturnType<typeof createIndex>, answer: Answer) => void,
  options: IndexOptions = {},
  answer: Answer = createAnswer(),
): number[] {
  const index = createIndex()
  buildIndex(index, circles, options)
  question(index, answer)
  return [...answer.circle.subarray(0, answer.count)]
}

/** Squared distance of two places that are already wrapped. */
function distanceSquared(ax: number, ay: number, bx: number, by: number, topology: Topology): number {
  const dx = nearestImage(ax, bx, topology.width)
  const dy = nearestImage(ay, by, topology.height)
  return dx * dx + dy * dy
}
