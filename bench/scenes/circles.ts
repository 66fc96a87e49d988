/**
 * Moving circles, the input of most workloads, as parallel arrays.
 *
 * A scene owns the truth: it moves, then every contender is asked what overlaps. Libraries that only index read the arrays.
 * Engines with bodies of their own integrate by themselves, which is their best case; they need only the
 * things whose velocity changed (`turned`) and of those that were put elsewhere (`placed`).
 */

import { createRandom, offLattice, onLattice, type Random } from './random.ts'

export type Circles = {
  readonly count: number
  /** Things bounce between 0 and these, in px. */
  readonly width: number
  readonly height: number
  readonly x: Float64Array
  readonly y: Float64Array
  /** px per step. */
  readonly vx: Float64Array
  readonly vy: Float64Array
  readonly radius: Float64Array
  readonly layer: Uint8Array
  /** `meets[layer]` is a bit mask of the layers it is tested against; symmetric. */
  readonly meets: Uint32Array
  readonly turned: ThingList
  readonly placed: ThingList
}

type ThingList = { count: number; readonly things: Int32Array }

/** Where the things of a scene may go: one box for all, or (clusters) one box each. */
type Fences = { readonly minX: Float64Array; readonly minY: Float64Array; readonly size: number }

export type CircleScene = { readonly circles: Circles; readonly move: (circles: Circles) => void }

/** Mean number of others that a thing overlaps in the `pairs` scenes. */
const OVERLAPS_PER_THING = 1.5
const MAX_SPEED = 2

/** Circles of radius 4..12 spread evenly, at the same density for every count. */
export function spreadScene(count: number, seed = 1): CircleScene {
  const random = createRandom(seed + count)
  return uniformScene(count, random, () => 4 + 8 * random())
}

/** Radii from 1 to 1,000, each decade equally likely: bullets, players, bosses and a moon or two. */
export function mixedScene(count: number, seed = 2): CircleScene {
  const random = createRandom(seed + count)
  return uniformScene(count, random, () => Math.exp(Math.log(1000) * random()))
}

/** `count` circles crowded on `points` places, each shaking inside a box of 8 px, so nearly all of a place overlap. */
export function clusteredScene(count: number, points: number, seed = 3): CircleScene {
  const random = createRandom(seed + count)
  const side = Math.ceil(Math.sqrt(points)) * 200
  const circles = createCircles(count, side, side)
  const fences: Fences = { minX: new Float64Array(count), minY: new Float64Array(count), size: 8 }
  const places = Array.from({ length: points }, () => [onLattice(random() * side), onLattice(random() * side)] as const)
  for (let thing = 0; thing < count; thing++) {
    const [placeX, placeY] = places[thing % points]
    fences.minX[thing] = placeX
    fences.minY[thing] = placeY
    circles.x[thing] = onLattice(placeX + random() * fences.size)
    circles.y[thing] = onLattice(placeY + random() * fences.size)
    circles.radius[thing] = offLattice(4 + 8 * random())
    setRandomVelocity(circles, thing, random)
  }
  return { circles, move: (moving) => moveInsideFences(moving, fences) }
}

/** `meets` defaults to one layer that meets itself. */
export function createCircles(count: number, width: number, height: number, meets: readonly number[] = [1]): Circles {
  return {
    count,
    width,
    height,
    x: new Float64Array(count),
    y: new Float64Array(count),
    vx: new Float64Array(count),
    vy: new Float64Array(count),
    radius: new Float64Array(count),
    layer: new Uint8Array(count),
    meets: Uint32Array.from(meets),
    turned: { count: 0, things: new Int32Array(count) },
    placed: { count: 0, things: new Int32Array(count) },
  }
}

export function copyCircles(from: Circles): Circles {
  const copy = createCircles(from.count, from.width, from.height, [...from.meets])
  restoreCircles(copy, from)
  copy.layer.set(from.layer)
  copy.radius.set(from.radius)
  return copy
}

/** Puts what moves back to where it was in `from`. */
export function restoreCircles(circles: Circles, from: Circles): void {
  circles.x.set(from.x)
  circles.y.set(from.y)
  circles.vx.set(from.vx)
  circles.vy.set(from.vy)
  circles.turned.count = 0
  circles.placed.count = 0
}

/** One step: a thing that has left the field turns back; it is not moved back, so velocity is all that changes. */
export function moveBouncing(circles: Circles): void {
  const { count, width, height, x, y, vx, vy, turned } = circles
  turned.count = 0
  for (let thing = 0; thing < count; thing++) {
    const newX = (x[thing] += vx[thing])
    const newY = (y[thing] += vy[thing])
    const turnsX = newX < 0 ? vx[thing] < 0 : newX > width && vx[thing] > 0
    const turnsY = newY < 0 ? vy[thing] < 0 : newY > height && vy[thing] > 0
    if (turnsX) vx[thing] = -vx[thing]
    if (turnsY) vy[thing] = -vy[thing]
    if (turnsX || turnsY) turned.things[turned.count++] = thing
  }
}

export function setRandomVelocity(circles: Circles, thing: number, random: Random, maxSpeed = MAX_SPEED): void {
  circles.vx[thing] = onLattice((random() * 2 - 1) * maxSpeed)
  circles.vy[thing] = onLattice((random() * 2 - 1) * maxSpeed)
}

function uniformScene(count: number, random: Random, randomRadius: () => number): CircleScene {
  const radius = Float64Array.from({ length: count }, () => offLattice(randomRadius()))
  const side = onLattice(Math.sqrt((count * meanReachArea(radius)) / OVERLAPS_PER_THING))
  const circles = createCircles(count, side, side)
  circles.radius.set(radius)
  for (let thing = 0; thing < count; thing++) {
    circles.x[thing] = onLattice(random() * side)
    circles.y[thing] = onLattice(random() * side)
    setRandomVelocity(circles, thing, random)
  }
  return { circles, move: moveBouncing }
}

/** Mean over all pairs of π (ra + rb)²: the area around a thing in which the centre of another one overlaps it. */
function meanReachArea(radius: Float64Array): number {
  let sum = 0
  let sumOfSquares = 0
  for (const r of radius) {
    sum += r
    sumOfSquares += r * r
  }
  const mean = sum / radius.length
  return Math.PI * ((2 * sumOfSquares) / radius.length + 2 * mean * mean)
}

function moveInsideFences(circles: Circles, { minX, minY, size }: Fences): void {
  const { count, x, y, vx, vy, turned } = circles
  turned.count = 0
  for (let thing = 0; thing < count; thing++) {
    x[thing] += vx[thing]
    y[thing] += vy[thing]
    const offX = x[thing] - minX[thing]
    const offY = y[thing] - minY[thing]
    const turnsX = (offX < 0 && vx[thing] < 0) || (offX > size && vx[thing] > 0)
    const turnsY = (offY < 0 && vy[thing] < 0) || (offY > size && vy[thing] > 0)
    if (turnsX) vx[thing] = -vx[thing]
    if (turnsY) vy[thing] = -vy[thing]
    if (turnsX || turnsY) turned.things[turned.count++] = thing
  }
}
