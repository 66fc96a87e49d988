/**
 * What a bot knows: its champion, and what its side sees around it.
 *
 * Everything about the enemy passes through `visible`; nothing of this file is remembered from one tick to the next.
 */

import { type Bot, each, thing } from 'hurtbox'
import { clamp, length } from 'hurtbox/math'
import { otherSide, type Place, STRUCTURES, WAYS } from '../rules/content/map.ts'
import { KIND } from '../rules/content/units.ts'
import type { declaration, SiegePlayer, SiegeThing, SiegeWorld } from '../rules/declaration.ts'
import { visible } from '../rules/fog.ts'
import { isProtected } from '../rules/structures.ts'

/** What a bot does in a tick. */
export type Thought = ReturnType<Bot<typeof declaration>['think']>

export type Sight = {
  readonly world: SiegeWorld
  readonly player: SiegePlayer
  /** The bot's champion, and everything alive that its side sees. */
  readonly self: SiegeThing
  readonly side: number
  readonly allies: readonly SiegeThing[]
  readonly enemies: readonly SiegeThing[]
}

/** What a player sees, or `undefined`: no champion, or a dead one. */
export function sightOf(world: SiegeWorld, player: SiegePlayer): Sight | undefined {
  const self = player.thing
  if (self === undefined || self.hp <= 0) return undefined
  const side = self.team
  const allies: SiegeThing[] = []
  const enemies: SiegeThing[] = []
  for (const body of each(world)) {
    if (body.kind > KIND.nexus || body.hp <= 0 || body === self) continue
    if (body.team === side) allies.push(body)
    else if (body.team === otherSide(side) && visible(world, side, body)) enemies.push(body)
  }
  return { world, player, self, side, allies, enemies }
}

export function distance(a: Place, b: Place): number {
  return length(b.x - a.x, b.y - a.y)
}

/** The nearest of some things. */
export function nearest(
  { self }: Sight,
  things: readonly SiegeThing[],
  isWanted: (thing: SiegeThing) => boolean,
): SiegeThing | undefined {
  let best: SiegeThing | undefined
  let least = Number.POSITIVE_INFINITY
  for (const each of things) {
    if (!isWanted(each)) continue
    const way = distance(self, each)
    if (way >= least) continue
    best = each
    least = way
  }
  return best
}

/** How far along its lane a place is, seen from the own nexus, and how far beside it. */
export function alongLane(side: number, lane: number, { x, y }: Place): { along: number; beside: number } {
  const way = WAYS[side][lane]
  let best = { along: 0, beside: Number.POSITIVE_INFINITY }
  let walked = 0
  for (let i = 1; i < way.length; i++) {
    const [dx, dy] = [way[i].x - way[i - 1].x, way[i].y - way[i - 1].y]
    const whole = length(dx, dy)
    const part = clamp(((x - way[i - 1].x) * dx + (y - way[i - 1].y) * dy) / whole, 0, whole)
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

/** The enemy structure that could be attacked next in a lane. */
export function nextStructure({ world, side }: Sight, lane: number): SiegeThing | undefined {
  for (let tier = 2; tier >= 0; tier--) {
    const place = STRUCTURES.findIndex(
      (each) => each.side === otherSide(side) && each.tier === tier && (tier === 0 || each.lane === lane),
    )
    const structure = thing(world, place + 1)
    if (structure !== undefined && !isProtected(world, structure)) return structure
  }
  return undefined
}

/** The place from which its champion would attack an enemy. */
export function standAgainst({ self }: Sight, enemy: SiegeThing): Place {
  const way = distance(self, enemy)
  const reach = Math.min(self.range + self.radius + enemy.radius, way)
  const part = way > 0 ? reach / way : 0
  return { x: enemy.x + (self.x - enemy.x) * part, y: enemy.y + (self.y - enemy.y) * part }
}

/** The enemy tower whose range reaches a place, with some margin. */
export function towerOver({ enemies }: Sight, { x, y }: Place, margin: number): SiegeThing | undefined {
  return enemies.find((tower) => {
    if (tower.kind !== KIND.tower) return false
    const [dx, dy] = [x - tower.x, y - tower.y]
    const reach = tower.range + tower.radius + margin
    return dx * dx + dy * dy < reach * reach
  })
}
