/**
 * What a contender can be asked, one capability per workload. A library that cannot do something simply lacks the
 * function, and the table shows "–".
 *
 * The rule for adapters: use the library as its best user would. Preparing (creating bodies, warming up) is not timed; whatever
 * a game would have to do every step is.
 */

import type { BulletScene, HitList } from './scenes/bullets.ts'
import type { Circles } from './scenes/circles.ts'
import type { CrowdScene } from './scenes/crowd.ts'
import type { Pairs } from './scenes/pair-list.ts'
import type { Rays, Regions, Swings } from './scenes/queries.ts'
import type { TowerScene } from './scenes/tower.ts'
import type { Walls } from './scenes/walls.ts'

export type Contender = {
  readonly pairs?: (circles: Circles) => PairFinder
  readonly history?: (circles: Circles) => PairHistory
  readonly bullets?: (scene: BulletScene) => HitFinder
  readonly crowd?: (scene: CrowdScene) => Crowd
  readonly queries?: (circles: Circles) => QueryIndex
  readonly walls?: (walls: Walls) => WallMap
  readonly runners?: (scene: TowerScene) => Crowd
}

export type PairFinder = {
  /** Called after `circles` moved. The pairs may be in any order; each is in the list once. */
  find(): Pairs
}

/** A pair finder whose whole state can be saved and restored. */
export type PairHistory = PairFinder & {
  /** The circles to move: those given, or where a contender keeps the state in memory of its own, those. */
  readonly circles: Circles
  /** Everything a later `restore` needs. `into` is an earlier result that is no longer wanted and may be written over. */
  save(into?: unknown): unknown
  restore(saved: unknown): void
  savedBytes(saved: unknown): number
}

export type HitFinder = {
  /** Called after the scene moved, before bullets are fired again. Bullets may be in any order. */
  find(): HitList
}

export type Crowd = {
  /** Everyone walks one tick, and is kept from overlapping others or walls. */
  tick(): void
  /** Writes where everyone is now. */
  read(x: Float64Array, y: Float64Array): void
}

/** Finds things near places. `update` is called after the circles moved and is not part of the timed queries. */
export type QueryIndex = {
  update(): void
  regions?(regions: Regions, out: Matches): void
  rays?(rays: Rays, out: RayHits): void
  swings?(swings: Swings, out: Matches): void
  /** The same ways for a band of an arc, see `oracles/arcs.ts`. */
  arcs?(swings: Swings, out: Matches): void
  /** The things whose centres are nearest to the middles of the regions, `limit` of them. */
  nearest?(places: Regions, limit: number, out: Matches): void
}

/** A map that never moves: entering it is not timed. */
export type WallMap = { rays(rays: Rays, out: RayHits): void }

/** The things found by question q are `things[start[q]] .. things[start[q + 1] - 1]`, in any order. */
export type Matches = { readonly start: Int32Array; things: Int32Array }

/** First thing on each ray (-1 if none) and the distance along it, in px. */
export type RayHits = { readonly thing: Int32Array; readonly distance: Float64Array }

export function createMatches(questions: number): Matches {
  return { start: new Int32Array(questions + 1), things: new Int32Array(1024) }
}

export function createRayHits(rays: number): RayHits {
  return { thing: new Int32Array(rays), distance: new Float64Array(rays) }
}

/** Stores one match and returns the next free place. */
export function addMatch(matches: Matches, place: number, thing: number): number {
  if (place === matches.things.length) {
    const grown = new Int32Array(place * 2)
    grown.set(matches.things)
    matches.things = grown
  }
  matches.things[place] = thing
  return place + 1
}
