/**
 * What a body of a side view wants, said before `movePlatformer` moves it: running, jumping, dropping through a floor.
 *
 * A jump forgives what fingers do: a press shortly before landing still jumps, one shortly after an edge does too, and letting go
 * early makes it lower. Speeds are per second, times are ticks of the world's clock.
 */

import { FOREVER } from '../../rules/collide/decide.ts'
import { findRow } from '../../state/table.ts'
import { requireHandle, worldOf } from '../../world/handles/require.ts'

/** What `run` needs of a thing. */
type Runner = { readonly id: number; readonly grounded: number; vx: number }

export type RunOptions = {
  /** How much speed is gained per second. */
  readonly acceleration: number
  /** How much is lost per second when nothing is wished for. Default: as much as is gained. */
  readonly friction?: number
  /** The part of both that is left in the air, 0 to 1. Default: 1. */
  readonly inAir?: number
}

/** Brings the speed across nearer to `wish`, both per second; 0 is stopping. Call it once per tick. */
export function run(thing: Runner, wish: number, options: RunOptions): void {
  const { acceleration, friction = acceleration, inAir = 1 } = options
  const { tickRate } = worldOf(requireHandle(thing)).game.declaration
  const most = ((wish === 0 ? friction : acceleration) * (thing.grounded === 0 ? inAir : 1)) / tickRate
  const missing = wish - thing.vx
  thing.vx = Math.abs(missing) <= most ? wish : thing.vx + (missing < 0 ? -most : most)
}

/** What `jump` needs of a thing: the columns of `platformer`. */
type Jumper = {
  readonly id: number
  readonly standsOn: number
  grounded: number
  vx: number
  vy: number
  jumpWantedUntil: number
  jumpAllowedUntil: number
  jumping: number
}

export type JumpOptions = {
  /** The speed upwards at the start, per second. `jumpSpeed` says which one reaches a height. */
  readonly speed: number
  /** For how many ticks a press in the air is remembered. Default: 6. */
  readonly buffer?: number
  /** For how many ticks after an edge a press still jumps. Default: 5. */
  readonly coyote?: number
  /** The part of the speed that is kept when the button is let go on the way up, 0 to 1. Default: 0.5; 1 makes all jumps equal. */
  readonly cut?: number
}

/** What a player's button says: a field `press()` and a field `button()` of the input, or one's own. */
export type JumpButton = { readonly pressed: number | boolean; readonly held: number | boolean }

/** Jumps, now or when it can. Call it in every tick, also when nothing is pressed. Returns whether it left the ground now. */
export function jump(thing: Jumper, { pressed, held }: JumpButton, options: JumpOptions): boolean {
  const { speed, buffer = 6, coyote = 5, cut = 0.5 } = options
  const world = worldOf(requireHandle(thing))
  const { clock } = world
  if (thing.grounded !== 0) thing.jumpAllowedUntil = Math.min(clock + coyote + 1, FOREVER)
  if (pressed) thing.jumpWantedUntil = Math.min(clock + buffer + 1, FOREVER)
  if (thing.jumpWantedUntil > clock && thing.jumpAllowedUntil > clock) {
    takeSpeedAlong(world.tables.things, thing)
    thing.vy -= speed
    thing.grounded = 0
    thing.jumping = 1
    thing.jumpWantedUntil = 0
    thing.jumpAllowedUntil = 0
    return true
  }
  if (thing.jumping === 0) return false
  if (thing.vy >= 0) thing.jumping = 0
  else if (!held) {
    thing.vy *= cut
    thing.jumping = 0
  }
  return false
}

/** A jump begins with the speed of what it is made from: the ground, or a platform. */
function takeSpeedAlong(things: Parameters<typeof findRow>[0] & Speeds, thing: Jumper): void {
  thing.vy = 0
  if (thing.grounded === 0 || thing.standsOn === 0) return
  const platform = findRow(things, thing.standsOn)
  if (platform < 0) return
  thing.vx += things.vx[platform]
  thing.vy = things.vy[platform]
}
type Speeds = { readonly vx: Float64Array; readonly vy: Float64Array }

/** Lets a body fall through the one-way floor it stands on; other floors hold it all the same. `ticks`: how long it passes them. */
export function dropThrough(thing: { readonly id: number; dropUntil: number }, ticks = 6): void {
  thing.dropUntil = Math.min(worldOf(requireHandle(thing)).clock + ticks, FOREVER)
}
