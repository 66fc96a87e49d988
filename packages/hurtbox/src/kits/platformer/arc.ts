/** How high and how far a jump goes, for who designs levels. `movePlatformer` flies exactly these parabolas, at any tick rate. */

import { HurtboxError } from '../../base/errors.ts'

export type JumpArcOptions = {
  /** The speed upwards at the start, and what falling gains, per second. */
  readonly speed: number
  readonly gravity: number
  /** The speed across, per second. Default: 0. */
  readonly run?: number
  /** How much higher the place to land on is; below 0 for a lower one. Default: 0. */
  readonly landing?: number
  /** For how many seconds the button is held, and the part of the speed that is kept then. Default: all the way up. */
  readonly held?: number
  readonly cut?: number
  /** As in `movePlatformer`. */
  readonly fastestFall?: number
}

export type JumpArc = {
  /** How much higher the feet get. */
  readonly height: number
  /** Seconds to the highest point, and to the landing; NaN where it does not get so high. */
  readonly apex: number
  readonly seconds: number
  /** How far it gets across until it lands; NaN where it does not get so high. */
  readonly reach: number
}

/** Height, time and reach of a jump. */
export function jumpArc(options: JumpArcOptions): JumpArc {
  const { speed, gravity, run = 0, landing = 0, held, cut = 0.5, fastestFall = Number.POSITIVE_INFINITY } = options
  if (!(speed > 0) || !(gravity > 0)) {
    throw new HurtboxError('out-of-range', `jumpArc takes a speed and a gravity above 0, got ${speed} and ${gravity}.`)
  }
  // Until the button is let go, and from there on with what is left of the speed.
  const first = Math.min(held ?? Number.POSITIVE_INFINITY, speed / gravity)
  const begun = speed * first - (gravity * first * first) / 2
  const left = (speed - gravity * first) * (held === undefined ? 1 : cut)
  const apex = first + left / gravity
  const height = begun + (left * left) / (2 * gravity)
  if (height < landing) return { height, apex, seconds: Number.NaN, reach: Number.NaN }
  const drop = height - landing
  const untilFastest = fastestFall / gravity
  const fastDrop = (fastestFall * untilFastest) / 2
  const down = drop <= fastDrop ? Math.sqrt((2 * drop) / gravity) : untilFastest + (drop - fastDrop) / fastestFall
  return { height, apex, seconds: apex + down, reach: run * (apex + down) }
}

/** The speed per second at the start of a jump that gets so high. `gravity`: the speed that falling gains per second. */
export function jumpSpeed(height: number, gravity: number): number {
  if (!(height >= 0) || !(gravity > 0)) {
    throw new HurtboxError(
      'out-of-range',
      `jumpSpeed takes a height from 0 on and a gravity above 0, got ${height} and ${gravity}.`,
    )
  }
  return Math.sqrt(2 * gravity * height)
}
