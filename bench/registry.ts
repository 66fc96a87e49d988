/**
 * The contenders. The list is data, so that the table can be laid out without loading a single library; each contender is
 * loaded in its own process by `load`.
 */

import type { Contender } from './contender.ts'

export const OURS = 'hurtbox'

/** `index` finds candidates, `detection` tests shapes, `engine` moves and resolves as well. */
export type Family = 'ours' | 'index' | 'detection' | 'engine'

export type Entry = {
  readonly name: string
  readonly family: Family
  readonly space: '2d' | '3d'
  /** Latency and garbage are measured for these. */
  readonly isMain?: boolean
  /** Never near the front and slow to set up: left out of quick runs. */
  readonly isSlow?: boolean
  /** Largest size worth the wait, by workload; beyond it a step or the set-up takes tens of seconds. */
  readonly limits?: Readonly<Record<string, number>>
  readonly load: () => Promise<Contender>
}

/** What engines with a set of pairs need for the 500,000 pairs of a big cluster is minutes of set-up and gigabytes. */
const EVENT_LIMITS = { pairs: 100_000, bullets: 50_000, clustered: 2000, pile: 0 }

export const contenders: readonly Entry[] = [
  {
    name: OURS,
    family: 'ours',
    space: '2d',
    isMain: true,
    load: async () => (await import('./peers/hurtbox.ts')).hurtbox,
  },
  {
    name: 'kdbush',
    family: 'index',
    space: '2d',
    isMain: true,
    load: async () => (await import('./peers/trees.ts')).kdbush,
  },
  {
    name: 'flatbush',
    family: 'index',
    space: '2d',
    isMain: true,
    load: async () => (await import('./peers/trees.ts')).flatbush,
  },
  {
    name: 'rbush',
    family: 'index',
    space: '2d',
    isMain: true,
    limits: { pairs: 100_000 },
    load: async () => (await import('./peers/trees.ts')).rbush,
  },
  {
    name: 'check2d',
    family: 'detection',
    space: '2d',
    isMain: true,
    limits: { pairs: 100_000, pile: 0 },
    load: async () => (await import('./peers/check2d.ts')).check2d,
  },
  {
    name: 'rapier2d',
    family: 'engine',
    space: '2d',
    limits: EVENT_LIMITS,
    load: async () => (await import('./peers/rapier.ts')).rapier2d(),
  },
  {
    name: 'rapier2d-simd',
    family: 'engine',
    space: '2d',
    limits: EVENT_LIMITS,
    load: async () => (await import('./peers/rapier.ts')).rapier2dSimd(),
  },
  {
    name: 'rapier2d-deterministic',
    family: 'engine',
    space: '2d',
    isMain: true,
    limits: EVENT_LIMITS,
    load: async () => (await import('./peers/rapier.ts')).rapier2dDeterministic(),
  },
  {
    name: 'box2d3-wasm',
    family: 'engine',
    space: '2d',
    isMain: true,
    limits: EVENT_LIMITS,
    load: async () => (await import('./peers/box2d.ts')).box2d(),
  },
  {
    name: 'planck',
    family: 'engine',
    space: '2d',
    isSlow: true,
    limits: { pairs: 10_000, bullets: 10_000, crowd: 1000 },
    load: async () => (await import('./peers/planck.ts')).planck,
  },
  {
    name: 'matter-js',
    family: 'engine',
    space: '2d',
    isSlow: true,
    limits: { pairs: 10_000, bullets: 10_000, crowd: 1000, clustered: 2000, pile: 0 },
    load: async () => (await import('./peers/matter.ts')).matter,
  },
  {
    name: 'p2-es',
    family: 'engine',
    space: '2d',
    isSlow: true,
    // It tests every body for every ray: a minute for 10,000.
    limits: { pairs: 10_000, bullets: 10_000, crowd: 5000, rays: 0 },
    load: async () => (await import('./peers/p2.ts')).p2,
  },
  {
    name: 'rapier3d',
    family: 'engine',
    space: '3d',
    isSlow: true,
    limits: { ...EVENT_LIMITS, pairs: 10_000, bullets: 10_000, crowd: 1000 },
    load: async () => (await import('./peers/rapier.ts')).rapier3d(),
  },
  {
    name: 'crashcat',
    family: 'engine',
    space: '3d',
    isSlow: true,
    limits: { ...EVENT_LIMITS, pairs: 10_000, bullets: 10_000, crowd: 1000 },
    load: async () => (await import('./peers/crashcat.ts')).crashcat,
  },
]

export function isWithinLimits({ limits }: Entry, workload: string, n: number): boolean {
  return n <= (limits?.[workload] ?? Number.POSITIVE_INFINITY)
}
