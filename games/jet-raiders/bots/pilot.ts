/**
 * A bot pilot: it flees from a bullet that is about to hit, and otherwise hunts.
 *
 * What it is good at is its style, so that aces and beginners differ in nothing else. It sees what
 * a player sees and keeps no memory; its hand trembles by the seed, the tick and its seat. A ship flies where it looks,
 * so there is one decision to make, a heading; throttle, trigger and slot follow from it.
 */

import { type Bot, each } from 'hurtbox'
import { atan2, clamp, length, purposeOf, unitAt, wrapAngle } from 'hurtbox/math'
import { DT, type declaration, HEIGHT, type JetThing, type JetWorld, WIDTH } from '../rules/declaration.ts'

export type Style = {
  /** Aims where its target will be when the bullet is there; otherwise where it is. */
  readonly aimsAhead: boolean
  /** How far its aim strays at most, radians. */
  readonly trembles: number
  /** How long before an impact it sees a bullet coming, seconds. 0: never. */
  readonly foresight: number
  /** Brakes when its target is nearer than this, px, so as not to fly past. */
  readonly keepsOff: number
  /** What it keeps in its slot. The shield is for a bullet that cannot be dodged, the dash for a target far ahead. */
  readonly secondary: 'shield' | 'dash'
}

type Pilot = Bot<typeof declaration>
type Move = ReturnType<Pilot['think']>

export function pilot(name: string, about: string, style: Style): Pilot {
  return {
    name,
    about,
    think(world, { thing: ship, seat }, seed) {
      if (ship === undefined || ship.hp <= 0) return IDLE
      if (style.foresight > 0 && seeBullet(world, ship, style.foresight)) return dodge(world, ship, style)
      const target = chooseTarget(world, ship)
      if (target === undefined) return CRUISE
      return attack(world, ship, target, style, tremble(world, seat, seed, style))
    },
  }
}

const IDLE: Move = {}
const CRUISE: Move = { thrust: 1, turn: 0.2 }

/** Within this many seconds of an impact only the shield helps. */
const TOO_LATE = 0.1
/** A near miss is dodged as well: by this many px. */
const SAFE_MISS = 8
/** Fires when the bullet would pass within this many radii of the target. */
const TRIGGER_HAPPY = 1.5
/** The dash is for targets that are at least this far, px. */
const FAR = 220
/** For how many ticks a hand trembles the same way. */
const TREMBLE_TICKS = 20
const TREMBLE = purposeOf('jet-raiders tremble')

/** Scratch, written by `seeBullet` and read by `dodge`: when the bullet comes closest, and where the ship is then seen from it. */
const danger = { seconds: 0, x: 0, y: 0 }

/** Finds the bullet that will hit first, or nearly, if neither ship turns. */
function seeBullet(world: JetWorld, ship: JetThing, foresight: number): boolean {
  danger.seconds = foresight
  let isSeen = false
  for (const bullet of each(world, 'bullet')) {
    if (bullet.owner === ship.id || (bullet.team !== 0 && bullet.team === ship.team)) continue
    const dx = across(world, ship.x - bullet.x, WIDTH)
    const dy = across(world, ship.y - bullet.y, HEIGHT)
    const closingX = bullet.vx - ship.vx
    const closingY = bullet.vy - ship.vy
    const along = dx * closingX + dy * closingY
    const squared = closingX * closingX + closingY * closingY
    if (along <= 0 || along >= danger.seconds * squared) continue
    const seconds = along / squared
    const missX = dx - closingX * seconds
    const missY = dy - closingY * seconds
    const reach = bullet.radius + ship.radius + SAFE_MISS
    if (missX * missX + missY * missY > reach * reach) continue
    danger.seconds = seconds
    // Dead on target there is no side to prefer; any one will do.
    danger.x = missX === 0 && missY === 0 ? -closingY : missX
    danger.y = missX === 0 && missY === 0 ? closingX : missY
    isSeen = true
  }
  return isSeen
}

/** Away from the line of the bullet, on the side where the ship is already. */
function dodge(world: JetWorld, ship: JetThing, { secondary }: Style): Move {
  const turn = turnTowards(world, ship, atan2(danger.x, -danger.y))
  const slot = secondary === 'shield' && danger.seconds < TOO_LATE && isSlotReady(world, ship) ? 1 : 0
  return { thrust: 1, turn, shoot: true, slot, secondary }
}

function attack(world: JetWorld, ship: JetThing, target: JetThing, style: Style, tremble: number): Move {
  const { bulletSpeed, turnRate } = world.tuning
  let aimX = across(world, target.x - ship.x, WIDTH)
  let aimY = across(world, target.y - ship.y, HEIGHT)
  const distance = length(aimX, aimY)
  if (style.aimsAhead) {
    // Two rounds of "where is it when the bullet is there" are near enough for ships a third as fast as bullets.
    const [nowX, nowY] = [aimX, aimY]
    for (let round = 0; round < 2; round++) {
      const seconds = Math.max(0, length(aimX, aimY) - ship.radius) / bulletSpeed
      aimX = nowX + target.vx * seconds
      aimY = nowY + target.vy * seconds
    }
  }
  const wanted = atan2(aimX, -aimY) + tremble
  const turn = turnTowards(world, ship, wanted)
  const missedBy = Math.abs(wrapAngle(wanted - ship.heading) - turn * turnRate * DT) * distance
  const isAimed = missedBy < target.radius * TRIGGER_HAPPY
  const slot = style.secondary === 'dash' && isAimed && distance > FAR && isSlotReady(world, ship) ? 1 : 0
  // A shot would end its protection: as long as that lasts it gets into position.
  const shoot = isAimed && ship.protectedUntil <= world.clock
  return { thrust: distance < style.keepsOff ? -1 : 1, turn, shoot, slot, secondary: style.secondary }
}

/** The nearest living enemy without a shield, where turning around counts as a way to go. */
function chooseTarget(world: JetWorld, ship: JetThing): JetThing | undefined {
  const { clock, tuning } = world
  const turningWay = tuning.shipSpeed / tuning.turnRate
  let best: JetThing | undefined
  let bestWay = Number.POSITIVE_INFINITY
  for (const other of each(world, 'ship')) {
    if (other === ship || other.hp <= 0 || other.invulnerableUntil > clock) continue
    if (other.team !== 0 && other.team === ship.team) continue
    const dx = across(world, other.x - ship.x, WIDTH)
    const dy = across(world, other.y - ship.y, HEIGHT)
    const bearing = atan2(dx, -dy)
    const way = length(dx, dy) + Math.abs(wrapAngle(bearing - ship.heading)) * turningWay
    if (way >= bestWay) continue
    best = other
    bestWay = way
  }
  return best
}

/** The stick that brings the heading to `wanted` as soon as can be. */
function turnTowards(world: JetWorld, ship: JetThing, wanted: number): number {
  return clamp(wrapAngle(wanted - ship.heading) / (world.tuning.turnRate * DT), -1, 1)
}

function isSlotReady(world: JetWorld, ship: JetThing): boolean {
  return ship.slotReadyAt <= world.clock
}

function tremble(world: JetWorld, seat: number, seed: number, { trembles }: Style): number {
  return (2 * unitAt(seed, Math.floor(world.tick / TREMBLE_TICKS), seat, 0, TREMBLE) - 1) * trembles
}

/** A distance along one axis; on a closed plane the short way round. */
function across(world: JetWorld, distance: number, period: number): number {
  return world.options.edges === 'torus' ? distance - Math.floor(distance / period + 0.5) * period : distance
}
