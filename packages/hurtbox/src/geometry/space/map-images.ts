/**
 * The static map on a torus: it repeats with the plane.
 *
 * Image (i, j) of a map is the map moved by i widths and j heights. What is near the seam is tested with every image that it can reach, so a
 * wall is met with the end that is near, and no answer depends on where the seam is.
 */

import { HurtboxError } from '../../base/errors.ts'
import { growColumns } from '../../base/grow.ts'
import { type Circles, LAYERS } from './circles.ts'
import { createPairList, type PairList, reservePairs } from './pair-list.ts'
import { findStaticPairs, type StaticMap } from './statics.ts'

/** The sides of a torus. */
export type Periods = { readonly width: number; readonly height: number }

/** What is asked: the rectangle around a place. Numbers in an object: V8 would put each on the heap to hand it to a function. */
const n = Number.NaN
export const asked = { x: n, y: n, reachX: n, reachY: n }

/** The images that the last question can reach. */
export const images = { firstX: 0, lastX: 0, firstY: 0, lastY: 0 }

/** Finds the images that the rectangle in `asked` can reach. */
export function findImages(map: StaticMap, { width, height }: Periods): void {
  const { minX, minY, maxX, maxY } = boundsOf(map)
  const { x, y, reachX, reachY } = asked
  images.firstX = Math.max(Math.ceil((x - reachX - maxX) / width), homeOf(x, width) - aroundOf(reachX, width))
  images.lastX = Math.min(Math.floor((x + reachX - minX) / width), homeOf(x, width) + aroundOf(reachX, width))
  images.firstY = Math.max(Math.ceil((y - reachY - maxY) / height), homeOf(y, height) - aroundOf(reachY, height))
  images.lastY = Math.min(Math.floor((y + reachY - minY) / height), homeOf(y, height) + aroundOf(reachY, height))
}

/** The image of the torus that a coordinate is in. */
function homeOf(at: number, period: number): number {
  return Math.floor(at / period)
}

/** How many images around that one can have a piece within reach: pieces lie on the torus or beside it. */
function aroundOf(reach: number, period: number): number {
  return 2 + Math.ceil(reach / period)
}

/** Whether a piece goes round the torus, and another image of it is the one to be met: the nearest. */
function isSpare({ rectangles }: StaticMap, place: number, i: number, j: number, periods: Periods): boolean {
  const { minX, minY, maxX, maxY } = rectangles
  const { x, y, reachX, reachY } = asked
  const { width, height } = periods
  return (
    ((maxX[place] - minX[place]) / 2 >= width / 2 + reachX &&
      i !== Math.round((x - (minX[place] + maxX[place]) / 2) / width)) ||
    ((maxY[place] - minY[place]) / 2 >= height / 2 + reachY &&
      j !== Math.round((y - (minY[place] + maxY[place]) / 2) / height))
  )
}

/** Refuses a map with a piece that is neither on the torus nor beside it: it would be met far from where it is drawn. */
export function requireOnTorus({ rectangles }: StaticMap, { width, height }: Periods): void {
  const { count, minX, minY, maxX, maxY } = rectangles
  for (let i = 0; i < count; i++) {
    if (maxX[i] >= -width && minX[i] <= 2 * width && maxY[i] >= -height && minY[i] <= 2 * height) continue
    throw new HurtboxError(
      'bad-declaration',
      `piece ${i} of the map lies from ${minX[i]}, ${minY[i]} to ${maxX[i]}, ${maxY[i]}, far outside of the torus: bring it between 0, 0 and ${width}, ${height}.`,
    )
  }
}

/** The image of the piece of each pair. */
export type PairImages = { readonly imageX: Int32Array; readonly imageY: Int32Array }

/** Scratch: each is written before it is read. */
const probe = {
  count: 1,
  x: new Float64Array(1),
  y: new Float64Array(1),
  radius: new Float64Array(1),
  layer: new Uint8Array(1),
}
const near = createPairList()
const layers: { meets: Uint32Array } = { meets: new Uint32Array(0) }
const found = { imageX: new Int32Array(64), imageY: new Int32Array(64) }

/** `findStaticPairs` on a torus: ordered by circle, then by rectangle, then by image. The images are returned beside the pairs. */
export function findImagePairs(
  map: StaticMap,
  circles: Circles & Periods,
  pairs: PairList,
  { meets, from = 0 }: { readonly meets: Uint32Array; readonly from?: number },
): PairImages {
  const { width, height, x, y, radius, layer } = circles
  pairs.count = 0
  pairs.checks = 0
  layers.meets = meets
  for (let circle = from; circle < circles.count; circle++) {
    if (layer[circle] >= LAYERS || (meets[layer[circle]] & map.layers) === 0) continue
    probe.layer[0] = layer[circle]
    probe.radius[0] = radius[circle]
    asked.x = x[circle]
    asked.y = y[circle]
    asked.reachX = radius[circle]
    asked.reachY = radius[circle]
    findImages(map, circles)
    const first = pairs.count
    for (let j = images.firstY; j <= images.lastY; j++) {
      for (let i = images.firstX; i <= images.lastX; i++) {
        probe.x[0] = x[circle] - i * width
        probe.y[0] = y[circle] - j * height
        findStaticPairs(map, probe, near, layers)
        pairs.checks += near.checks
        for (let k = 0; k < near.count; k++) {
          if (!isSpare(map, near.b[k], i, j, circles)) addImage(pairs, first, circle, near.b[k], i, j)
        }
      }
    }
  }
  return found
}

/** Behind the pieces of the same circle that come before it in the map. */
function addImage(pairs: PairList, first: number, circle: number, place: number, i: number, j: number): void {
  reservePairs(pairs, pairs.count + 1)
  if (found.imageX.length < pairs.a.length) growColumns(found, ['imageX', 'imageY'], pairs.a.length)
  const { imageX, imageY } = found
  let at = pairs.count++
  for (; at > first && pairs.b[at - 1] > place; at--) {
    pairs.b[at] = pairs.b[at - 1]
    imageX[at] = imageX[at - 1]
    imageY[at] = imageY[at - 1]
  }
  pairs.a[pairs.count - 1] = circle
  pairs.b[at] = place
  imageX[at] = i
  imageY[at] = j
}

type Bounds = Readonly<Record<'minX' | 'minY' | 'maxX' | 'maxY', number>>
const known = new WeakMap<StaticMap, Bounds>()

/** The rectangle around all pieces, also those that are in no cell. */
function boundsOf(map: StaticMap): Bounds {
  let bounds = known.get(map)
  if (bounds === undefined) {
    const { minX, minY, maxX, maxY } = map.rectangles
    const least = (column: Float64Array) => column.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY)
    const most = (column: Float64Array) => column.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY)
    bounds = { minX: least(minX), minY: least(minY), maxX: most(maxX), maxY: most(maxY) }
    known.set(map, bounds)
  }
  return bounds
}
