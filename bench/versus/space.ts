/**
 * The broad phase and the queries alone: pairs, bullets, regions and rays over 10,000 circles.
 *
 * `hurtbox/space` knows no worlds, and its functions have the same names in every checkout that has them. Questions were numbers in a row
 * before they were objects.
 */

import { spreadScene } from '../scenes/circles.ts'
import { randomRays, randomRegions } from '../scenes/queries.ts'
import { importEntry } from './engine.ts'

export const SPACE = ['pairs', 'bullets', 'regions', 'rays'] as const
export type SpaceName = (typeof SPACE)[number]

const CIRCLES = 10_000
const QUESTIONS = 1000

/** Makes a function that does the work once and returns how much was found, which both sides have to agree on. */
export async function createSpace(root: string, name: SpaceName): Promise<() => number> {
  const space: Space = await importEntry(root, './space')
  const { circles: scene } = spreadScene(CIRCLES)
  const { x, y, radius, width } = scene
  const layer = new Uint8Array(CIRCLES)
  // Every tenth circle is a bullet, which meets targets only.
  if (name === 'bullets') for (let i = 0; i < CIRCLES; i++) layer[i] = i % 10 === 0 ? 1 : 0
  const circles = { count: CIRCLES, x, y, radius, layer }
  if (name === 'pairs' || name === 'bullets') {
    const [finder, pairs] = [space.createPairFinder(), space.createPairList()]
    const meets = name === 'pairs' ? Uint32Array.of(1) : Uint32Array.of(0b10, 0b01)
    return () => {
      // `ALL` belongs to the API that took numbers in a row.
      if (space.ALL === undefined) space.findPairs(finder, circles, pairs, { meets })
      else space.findPairs(finder, circles, meets, pairs)
      return pairs.count
    }
  }
  const [index, answer] = [space.createIndex(), space.createAnswer()]
  const regions = randomRegions(QUESTIONS, width)
  const rays = randomRays(QUESTIONS, width)
  const query = { x: Number.NaN, y: Number.NaN, radius: Number.NaN, dx: Number.NaN, dy: Number.NaN, limit: 1 }
  const ask = name === 'rays' ? rayOf(space, index, answer) : regionOf(space, index, answer)
  return () => {
    space.buildIndex(index, circles, {})
    let found = 0
    for (let i = 0; i < QUESTIONS; i++) {
      query.x = name === 'rays' ? rays.x[i] : regions.x[i]
      query.y = name === 'rays' ? rays.y[i] : regions.y[i]
      query.radius = regions.radius[i]
      query.dx = rays.dx[i] * rays.length
      query.dy = rays.dy[i] * rays.length
      ask(query)
      found += answer.count
    }
    return found
  }
}

type Query = {
  readonly x: number
  readonly y: number
  readonly radius: number
  readonly dx: number
  readonly dy: number
}
// biome-ignore lint/suspicious/noExplicitAny: the module of a checkout with whatever API it has.
type Space = any

function rayOf({ raycast, ANYTHING }: Space, index: object, answer: object): (query: Query) => void {
  if (raycast.length <= 4) return (query) => raycast(index, query, answer)
  return ({ x, y, dx, dy }) => raycast(index, x, y, dx, dy, answer, ANYTHING, 1)
}

function regionOf({ overlapCircle }: Space, index: object, answer: object): (query: Query) => void {
  if (overlapCircle.length <= 4) return (query) => overlapCircle(index, query, answer)
  return ({ x, y, radius }) => overlapCircle(index, x, y, radius, answer)
}
