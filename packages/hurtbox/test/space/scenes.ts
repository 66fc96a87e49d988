/** Seeded scenes for the tests of space: small enough to search by hand, odd enough to hurt. */

import {
  type Circles,
  createPairFinder,
  createPairList,
  findPairs,
  type PairList,
  type PairOptions,
} from '../../src/geometry/space/index.ts'
import { type Random, randomOf } from '../random.ts'

/** Circles that can be written to, as [x, y, radius, layer]. */
export type Scene = Circles & { readonly count: number }

export function circlesOf(...circles: (readonly [x: number, y: number, radius: number, layer?: number])[]): Scene {
  return {
    count: circles.length,
    x: Float64Array.from(circles, ([x]) => x),
    y: Float64Array.from(circles, ([, y]) => y),
    radius: Float64Array.from(circles, ([, , radius]) => radius),
    layer: Uint8Array.from(circles, ([, , , layer = 0]) => layer),
  }
}

export function createScene(count: number): Scene {
  return {
    count,
    x: new Float64Array(count),
    y: new Float64Array(count),
    radius: new Float64Array(count),
    layer: new Uint8Array(count),
  }
}

/** Where the places of a scene come from. Never square, never centred: square grids hide swapped axes. */
export const placements = {
  /** Evenly spread, about one and a half neighbours each. */
  spread: (random) => [random() * 190 - 30, random() * 70 - 45],
  /** On a coarse lattice, so that many just touch and many coincide. */
  lattice: (random) => [2 * Math.floor(random() * 40) - 20, 2 * Math.floor(random() * 15) - 30],
  /** A handful of piles. */
  piles: (random) => [50 * Math.floor(random() * 4) + random(), 30 * Math.floor(random() * 2) + random()],
  point: () => [3, -7],
  line: (random) => [random() * 3000 - 1000, 5],
  /** A crowd, and some that have flown off in all directions. */
  outliers: (random) => {
    const near = [random() * 120, random() * 60] as const
    const flight = Math.floor(random() * 12)
    return flight === 0 ? [9e11, near[1]] : flight === 1 ? [-1e9 * random(), 1e6 * random()] : near
  },
  /** The same crowd where a float's last digits are scarce. */
  far: (random) => [1e7 + random() * 120, -1e7 - random() * 60],
} satisfies Record<string, (random: Random) => readonly [x: number, y: number]>

export const radii = {
  similar: (random) => 4 + 8 * random(),
  equal: () => 5,
  whole: (random) => Math.floor(random() * 5),
  points: () => 0,
  /** Each factor of ten equally likely, from 0.01 to 1000, and some points. */
  mixed: (random) => (random() < 0.1 ? 0 : 0.01 * 10 ** (5 * random())),
  boss: (random) => (random() < 0.02 ? 40 : 1),
} satisfies Record<string, (random: Random) => number>

/** Layer matrices, with the layer of each circle. */
export const layerings = {
  all: { meets: [1], layer: () => 0 },
  none: { meets: [0, 0], layer: (random) => Math.floor(random() * 2) },
  /** Bullets of layer 1 against enemies of layer 0. */
  bullets: { meets: [2, 1], layer: (random) => (random() < 0.8 ? 1 : 0) },
  /** Three teams, each meeting the others and not itself. */
  teams: { meets: [6, 5, 3], layer: (random) => Math.floor(random() * 3) },
  /** A chain with a self-meeting end, a lonely layer, and circles that take no part. */
  chain: { meets: [2, 5, 6, 0], layer: (random) => (random() < 0.1 ? 255 : Math.floor(random() * 4)) },
  /** The ends of the 32 bits. */
  ends: {
    meets: Array.from({ length: 32 }, (_, a) => (a === 0 ? 0x80000000 : a === 31 ? 0x80000001 : 0)),
    layer: (random) => [0, 31, 5, 255][Math.floor(random() * 4)],
  },
} satisfies Record<string, { meets: number[]; layer: (random: Random) => number }>

export type Placement = keyof typeof placements
export type Sizes = keyof typeof radii
export type Layering = keyof typeof layerings

export function randomScene(
  seed: number,
  count: number,
  placement: Placement = 'spread',
  sizes: Sizes = 'similar',
  layering: Layering = 'all',
): Scene {
  const random = randomOf(seed)
  const scene = createScene(count)
  for (let i = 0; i < count; i++) {
    const [x, y] = placements[placement](random)
    scene.x[i] = x
    scene.y[i] = y
    scene.radius[i] = radii[sizes](random)
    scene.layer[i] = layerings[layering].layer(random)
  }
  return scene
}

export function meetsOf(layering: Layering): Uint32Array {
  return Uint32Array.from(layerings[layering].meets)
}

/** What `findPairs` finds, with new buffers. */
export function pairsIn(circles: Circles, meets: Uint32Array, options: Partial<PairOptions> = {}): [number, number][] {
  const pairs = createPairList()
  findPairs(createPairFinder(), circles, pairs, { meets, ...options })
  return listPairs(pairs)
}

export function listPairs({ count, a, b }: PairList): [number, number][] {
  return Array.from({ length: count }, (_, i) => [a[i], b[i]])
}

/** Where two lists of pairs part, in words; empty if they never do. Quicker than comparing arrays of arrays. */
export function firstDifference(found: [number, number][], expected: [number, number][]): string {
  for (let i = 0; i < Math.max(found.length, expected.length); i++) {
    if (found[i]?.[0] === expected[i]?.[0] && found[i]?.[1] === expected[i]?.[1]) continue
    return `pair ${i} of ${found.length}: found ${found[i] ?? 'none'}, expected ${expected[i] ?? 'none'} of ${expected.length}`
  }
  return ''
}
