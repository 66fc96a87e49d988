/**
 * What a bot knows: its champion, and what its side sees around it.
 *
 * Everything about the enemy passes through `visible`; nothing of this file is remembered from one tick to the next.
 */

import { findRow, seatRow, thingOf } from 'hurtbox'
import { length } from 'hurtbox/math'
import { otherSide, type Place, STRUCTURES, WAYS } from '../rules/content/map.ts'
import { KIND } from '../rules/content/units.ts'
import { LAYER, type SiegeWorld } from '../rules/declaration.ts'
import { visible } from '../rules/fog.ts'
import { isProtected } from '../rules/structures.ts'
import { isMinion } from '../rules/units.ts'

export type Sight = {
  readonly world: SiegeWorld
  /** Rows of the player, its champion, and everything alive that the side sees. */
  readonly player: number
  readonly self: number
  readonly side: number
  readonly allies: readonly number[]
  readonly enemies: readonly number[]
}

/** What the player in this seat sees, or `undefined`: no champion, or a dead one. */
export function lookFrom(world: SiegeWorld, seat: number): Sight | undefined {
  const { things } = world.tables
  const player = seatRow(world, seat)
  const self = thingOf(world, player)
  if (self < 0 || things.hp[self] <= 0) return undefined
  const side = things.team[self]
  const allies: number[] = []
  const enemies: number[] = []
  for (let row = 0; row < things.count; row++) {
    if (things.layer[row] > LAYER.structure || things.hp[row] <= 0 || row === self) continue
    if (things.team[row] === side) allies.push(row)
    else if (things.team[row] === otherSide(side) && visible(world, side, row)) enemies.push(row)
  }
  return { world, player, self, side, allies, enemies }
}

export function distance({ world }: Sight, a: number, b: number): number {
  const { x, y } = world.tables.things
  return length(x[b] - x[a], y[b] - y[a])
}

export function isMinionRow({ world }: Sight, row: number): boolean {
  return isMinion(world.tables.things.kind[row])
}

/** The nearest of some rows, or −1. */
export function nearest(sight: Sight, rows: readonly number[], isWanted: (row: number) => boolean): number {
  let best = -1
  let least = Number.POSITIVE_INFINITY
  for (const row of rows) {
    if (!isWanted(row)) continue
    const way = distance(sight, sight.self, row)
    if (way >= least) continue
    best = row
    least = way
  }
  return best
}

/** How far along its lane a place is, seen from the own nexus, and how far beside it. */
export function alongLane(side: number, lane: number, x: number, y: number): { along: number; beside: number } {
  const way = WAYS[side][lane]
  let best = { along: 0, beside: Number.POSITIVE_INFINITY }
  let walked = 0
  for (let i = 1; i < way.length; i++) {
    const [dx, dy] = [way[i].x - way[i - 1].x, way[i].y - way[i - 1].y]
    const whole = length(dx, dy)
    const part = Math.min(Math.max(((x - way[i - 1].x) * dx + (y - way[i - 1].y) * dy) / whole, 0), whole)
    const [offX, offY] = [x - way[i - 1].x - (dx / whole) * part, y - way[i - 1].y - (dy / whole) * part]
    const beside = length(offX, offY)
    if (beside < best.beside) best = { along: walked + part, beside }
    walked += whole
  }
  return best
}

/** The place so far along a lane. */
export function placeOnLane(side: number, lane: number, along: number): Place {
  const way = WAYS[side][lane]
  let left = Math.max(along, 0)
  for (let i = 1; i < way.length; i++) {
    const [dx, dy] = [way[i].x - way[i - 1].x, way[i].y - way[i - 1].y]
    const whole = length(dx, dy)
    if (left <= whole) return { x: way[i - 1].x + (dx / whole) * left, y: way[i - 1].y + (dy / whole) * left }
    left -= whole
  }
  return way[way.length - 1]
}

/** The enemy structure that could be attacked next in a lane, or −1. */
export function nextStructure({ world, side }: Sight, lane: number): number {
  const { things } = world.tables
  for (let tier = 2; tier >= 0; tier--) {
    const place = STRUCTURES.findIndex(
      (each) => each.side === otherSide(side) && each.tier === tier && (tier === 0 || each.lane === lane),
    )
    const row = findRow(things, place + 1)
    if (row >= 0 && !isProtected(world, row)) return row
  }
  return -1
}

/** The tower whose range reaches a place (with some margin), or −1. */
export function towerOver({ world, enemies }: Sight, x: number, y: number, margin: number): number {
  const { things } = world.tables
  for (const row of enemies) {
    if (things.kind[row] !== KIND.tower) continue
    const [dx, dy] = [x - things.x[row], y - things.y[row]]
    const reach = things.range[row] + things.radius[row] + margin
    if (dx * dx + dy * dy < reach * reach) return row
  }
  return -1
}
