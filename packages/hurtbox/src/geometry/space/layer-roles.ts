/**
 * Layers do more than filter: they decide which things are entered into a grid and which only search it.
 *
 * Circles of a layer that does not meet itself need not be in a grid at all; they can look up the others. Of bullets and
 * enemies only the enemies are entered, and thousands of bullets each look into a few cells. So layers are divided into
 * *seekers*, no two of which meet, and *targets*, which are entered and may meet each other and the seekers.
 *
 * Any such division finds the same pairs. This one makes the most numerous layers seekers.
 */

import { type Circles, LAYERS, type Meets } from './circles.ts'

export type LayerRoles = {
  /** Layers that look, one bit each. */
  seekers: number
  /** Layers that are looked up. */
  targets: number
  /** Whether targets of this scene seem to meet each other. */
  targetsMeet: boolean
  /** A radius that most seekers of this scene do not exceed; 0 if there are none. */
  seekerRadius: number
  /** Scratch: a sample of each layer. */
  readonly count: Int32Array
  readonly sumOfRadii: Float64Array
  readonly maxRadius: Float64Array
}

/** As a signed word: 0xffffffff would not be a small integer, and slow. */
const ALL_LAYERS = -1

/** Circles looked at to choose the roles. */
const SAMPLE_BITS = 8

export function createLayerRoles(): LayerRoles {
  return {
    seekers: 0,
    targets: 0,
    targetsMeet: false,
    seekerRadius: 0,
    count: new Int32Array(LAYERS),
    sumOfRadii: new Float64Array(LAYERS),
    maxRadius: new Float64Array(LAYERS),
  }
}

export function divideLayers(roles: LayerRoles, circles: Circles, meets: Meets): void {
  sample(roles, circles)
  const { count } = roles
  roles.seekers = 0
  roles.targets = 0
  let undecided = thoseThatMeet(meets, ALL_LAYERS, ALL_LAYERS)
  while (undecided !== 0) {
    let most = 31 - Math.clz32(undecided)
    for (let layer = 0; layer < LAYERS; layer++) {
      if (((undecided >>> layer) & 1) === 1 && count[layer] > count[most]) most = layer
    }
    undecided &= ~(1 << most)
    const metByNoSeeker = (meets[most] & (roles.seekers | (1 << most))) === 0
    if (metByNoSeeker) roles.seekers |= 1 << most
    else roles.targets |= 1 << most
  }
  lookAtSample(roles, meets)
}

/** The layers of `some` that meet any of `others`. */
export function thoseThatMeet(meets: Meets, some: number, others: number): number {
  let meeting = 0
  for (let layer = 0; layer < meets.length; layer++) if ((meets[layer] & others) !== 0) meeting |= 1 << layer
  return some & meeting
}

function sample({ count, sumOfRadii, maxRadius }: LayerRoles, circles: Circles): void {
  count.fill(0)
  sumOfRadii.fill(0)
  maxRadius.fill(0)
  // An odd step, so that layers which alternate are all seen.
  const step = (circles.count >> SAMPLE_BITS) | 1
  for (let circle = 0; circle < circles.count; circle += step) {
    const layer = circles.layer[circle]
    if (layer >= LAYERS) continue
    const radius = circles.radius[circle]
    count[layer]++
    sumOfRadii[layer] += radius
    if (radius > maxRadius[layer]) maxRadius[layer] = radius
  }
}

function lookAtSample(roles: LayerRoles, meets: Meets): void {
  let targets = 0
  let seekers = 0
  let sum = 0
  let largest = 0
  for (let layer = 0; layer < LAYERS; layer++) {
    if (roles.count[layer] === 0) continue
    if (((roles.targets >>> layer) & 1) === 1) targets |= 1 << layer
    if (((roles.seekers >>> layer) & 1) === 0) continue
    seekers += roles.count[layer]
    sum += roles.sumOfRadii[layer]
    largest = Math.max(largest, roles.maxRadius[layer])
  }
  roles.targetsMeet = thoseThatMeet(meets, targets, targets) !== 0
  roles.seekerRadius = seekers === 0 ? 0 : Math.min(largest, (2 * sum) / seekers)
}
