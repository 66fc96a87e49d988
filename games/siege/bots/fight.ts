/**
 * Fighting champions: whether a fight is worth it, how to fight it, when to run to one, and how to dodge.
 *
 * A fight is weighed by health times damage of both sides near by, towers and minions included. Each bot is bolder at some
 * times than at others, by chance of the seed: two equals that both wait would never meet.
 */

import { each, thing } from 'hurtbox'
import { clamp, lerp, unitAt } from 'hurtbox/math'
import { readyAtOf } from '../rules/abilities.ts'
import { type Ability, CHAMPIONS } from '../rules/content/champions.ts'
import { HALF, type Place } from '../rules/content/map.ts'
import { KIND, UNITS } from '../rules/content/units.ts'
import type { SiegeThing } from '../rules/declaration.ts'
import { visible } from '../rules/fog.ts'
import { gap, isMinion } from '../rules/units.ts'
import { distance, nearest, type Sight, standAgainst, type Thought, towerOver } from './sight.ts'

/** Champions this near take part in a fight. */
const FIGHT = 800
/** How much stronger its side must be to begin a fight, and to go on with one; bold and cautious. */
const BEGIN_BOLD = 0.75
const BEGIN_CAUTIOUS = 1.5
const GO_ON = 0.7
/** Ticks for which a bot is as bold as it is. */
const MOOD = 450
/** How far beyond its range it goes for a champion, and for one that is nearly dead. */
const REACH = 350
const HUNT = 700
/** A champion with less than this part of its health is weak. */
export const WEAK = 0.4
/** How far it runs to help, and how far from a tower of its own a victim must be. */
const GANK = 1500
const EXPOSED = 450
/** Seconds before a blow lands in which it dodges, and how many of them it sees in time. */
const DODGE_SECONDS = 0.7
const DODGES = 0.65

/** Fights the champions near by, if its side is likely to win. */
export function fight(sight: Sight, seed: number): Thought | undefined {
  const { self, enemies } = sight
  const foe = pickFoe(sight)
  if (foe === undefined) return undefined
  const space = gap(self, foe)
  const isDying = foe.hp <= blowsOf(self) || foe.hp < 0.25 * foe.maxHp
  if (space > self.range + (isDying ? HUNT : REACH)) return undefined
  const isFighting = self.target === foe.id
  const odds = oddsOf(sight, foe)
  const tower = towerOver(sight, standAgainst(sight, foe), self.radius + 10)
  const isSafe = tower === undefined || (isDying && self.hp > 0.5 * self.maxHp)
  const isWorthIt = odds > (isFighting ? GO_ON : lerp(BEGIN_BOLD, BEGIN_CAUTIOUS, caution(sight, seed)))
  if (isSafe && (isWorthIt || (isDying && odds > 0.4))) {
    return { order: 'attack', target: foe.id, ...strike(sight, foe, space) }
  }
  // In reach anyway: what can be thrown is thrown, from where it stands.
  const isOutnumbered = odds < 0.5 && enemies.length > 0
  return isOutnumbered ? undefined : poke(sight, foe, space)
}

/** Kills a foe in reach whose next blow is its last, hurt or not, under a tower or not. */
export function finish(sight: Sight): Thought | undefined {
  const { self } = sight
  const foe = pickFoe(sight)
  if (foe === undefined || foe.hp > blowsOf(self)) return undefined
  const space = gap(self, foe)
  const isInReach =
    space < self.range + 60 ||
    CHAMPIONS[self.champion].abilities.some((ability, which) => {
      return ability.effect !== 'shield' && isReady(sight, which) && space < ability.range - 60
    })
  return isInReach ? { order: 'attack', target: foe.id, ...strike(sight, foe, space) } : undefined
}

/** The weakest of those in reach: one that dies soon no longer strikes. */
function pickFoe({ self, enemies }: Sight): SiegeThing | undefined {
  let best: SiegeThing | undefined
  let least = Number.POSITIVE_INFINITY
  for (const foe of enemies) {
    if (foe.kind !== KIND.champion) continue
    const score = foe.hp + 1.2 * Math.max(gap(self, foe) - self.range, 0)
    if (score >= least) continue
    best = foe
    least = score
  }
  return best
}

/** How strong its side is near a foe, as a multiple of the other side. */
function oddsOf({ self, allies, enemies }: Sight, foe: SiegeThing): number {
  const own = { hp: self.hp + self.shield, damage: perSecond(self) }
  const other = { hp: 0, damage: 0 }
  for (const [things, side] of [
    [allies, own],
    [enemies, other],
  ] as const) {
    for (const body of things) {
      const isNear = distance(body, foe) < (body.kind === KIND.champion ? FIGHT : 350)
      if (body.kind === KIND.champion && isNear) {
        side.hp += body.hp + body.shield
        side.damage += perSecond(body)
      } else if (isMinion(body) && isNear) side.damage += 0.5 * perSecond(body)
      else if (body.kind === KIND.tower && gap(body, foe) < body.range) side.damage += perSecond(body)
    }
  }
  return (own.hp * own.damage) / Math.max(other.hp * other.damage, 1)
}

function perSecond({ kind, damage, champion, level }: SiegeThing): number {
  if (kind !== KIND.champion) return damage / UNITS[kind].cooldown
  const { attackSpeed, abilities } = CHAMPIONS[champion]
  return abilities.reduce((sum, ability) => sum + damageAt(ability, level) / 8, damage * attackSpeed)
}

function damageAt(ability: Ability, level: number): number {
  return ability.effect === 'shield' ? 0 : ability.damage + ability.damagePerLevel * (level - 1)
}

/** What two blows and everything that is ready would take off, without armour. */
function blowsOf({ damage, champion, level }: SiegeThing): number {
  return CHAMPIONS[champion].abilities.reduce((sum, ability) => sum + 0.5 * damageAt(ability, level), 1.6 * damage)
}

function caution({ world, player }: Sight, seed: number): number {
  return unitAt(seed, Math.floor(world.tick / MOOD), player.seat, 0, 11)
}

/** Casts what can reach, a dash also to get there. */
function strike(sight: Sight, foe: SiegeThing, space: number): Thought {
  const { self } = sight
  for (let which = 0; which < 2; which++) {
    const ability = CHAMPIONS[self.champion].abilities[which]
    if (!isReady(sight, which)) continue
    if (ability.effect === 'dash') {
      // One that does not hurt is kept for escapes.
      if (ability.radius > 0 && space > 0 && space < ability.range) return castAt(which, onMap(foe))
    } else if (ability.effect === 'shield') {
      if (space < 200) return castAt(which, onMap(foe))
    } else if (ability.effect === 'burst') {
      const reach = Math.max(ability.range, ability.radius) - 20
      if (space < reach) return castAt(which, lead(foe, ability.delay))
    } else if (space < ability.range - 30 && isOpen(sight, foe, ability)) {
      return castAt(which, lead(foe, space / ability.speed))
    }
  }
  return {}
}

/** Throws what it can at a foe it does not want to fight, and keeps its place. */
function poke(sight: Sight, foe: SiegeThing, space: number): Thought | undefined {
  const { self } = sight
  for (let which = 0; which < 2; which++) {
    const ability = CHAMPIONS[self.champion].abilities[which]
    if (ability.effect !== 'missile' || !isReady(sight, which)) continue
    if (space > ability.range - 30 || !isOpen(sight, foe, ability)) continue
    return { order: 'move', go: onMap(self), ...castAt(which, lead(foe, space / ability.speed)) }
  }
  return undefined
}

/** Whether no minion stands between, for missiles that end at the first unit they meet. */
function isOpen({ self, enemies }: Sight, foe: SiegeThing, ability: Extract<Ability, { effect: 'missile' }>): boolean {
  if ((ability.pierce ?? 0) > 0) return true
  const way = distance(self, foe)
  const [x, y] = [(foe.x - self.x) / Math.max(way, 1), (foe.y - self.y) / Math.max(way, 1)]
  return enemies.every((enemy) => {
    if (enemy === foe || enemy.kind >= KIND.tower) return true
    const [dx, dy] = [enemy.x - self.x, enemy.y - self.y]
    const along = dx * x + dy * y
    const beside = Math.abs(dx * y - dy * x)
    return along < 0 || along > way || beside > enemy.radius + ability.radius
  })
}

/** Where a walking unit will be. */
function lead({ x, y, headX, headY, speed }: SiegeThing, seconds: number): Place {
  return onMap({ x: x + headX * speed * seconds, y: y + headY * speed * seconds })
}

/** Runs to a fight of an ally, or to a foe that is hurt and far from its towers. */
export function gank(sight: Sight): Thought | undefined {
  const { self, allies, enemies } = sight
  if (self.hp < 0.6 * self.maxHp) return undefined
  const victim = nearest(sight, enemies, (foe) => {
    if (foe.kind !== KIND.champion || distance(self, foe) > GANK || distance(self, foe) < REACH) return false
    const isHelped = allies.some((ally) => ally.kind === KIND.champion && distance(ally, foe) < FIGHT)
    const isExposed = enemies.every((tower) => tower.kind !== KIND.tower || gap(tower, foe) > EXPOSED)
    return isExposed && (isHelped || foe.hp < WEAK * foe.maxHp) && oddsOf(sight, foe) > 1.1
  })
  return victim === undefined ? undefined : { order: 'move', go: onMap(victim) }
}

/** Steps out of the way of missiles, and out of bursts that are about to land. */
export function dodge(sight: Sight, seed: number): Thought | undefined {
  const { world, player, self, side } = sight
  const { tickRate } = world.game.declaration
  for (const blow of each(world, 'blow')) {
    if (blow.team === side || !visible(world, side, blow)) continue
    if (unitAt(seed, blow.id, player.seat, 0, 13) > DODGES) continue
    const [dx, dy] = [self.x - blow.x, self.y - blow.y]
    const reach = blow.radius + self.radius + 15
    if (blow.kind === KIND.burst) {
      // A burst hits in the last of its ticks.
      const left = blow.endsAt - 1 - world.clock
      const isComing = left > 0 && left < DODGE_SECONDS * tickRate
      const way = distance(self, blow)
      if (isComing && way < reach) return { order: 'move', go: stepAway(self, dx, dy, reach - way + 30) }
      continue
    }
    const speed = Math.sqrt(blow.vx * blow.vx + blow.vy * blow.vy)
    const [x, y] = [blow.vx / speed, blow.vy / speed]
    const along = dx * x + dy * y
    const beside = dx * y - dy * x
    if (along < 0 || along > DODGE_SECONDS * speed || Math.abs(beside) > reach) continue
    const away = beside >= 0 ? 1 : -1
    return { order: 'move', go: stepAway(self, y * away, -x * away, reach + 20) }
  }
  return undefined
}

function stepAway({ x, y }: Place, dx: number, dy: number, far: number): Place {
  const way = Math.sqrt(dx * dx + dy * dy)
  const part = way > 0 ? far / way : 0
  return onMap({ x: x + dx * part, y: y + (way > 0 ? dy * part : far) })
}

export function isReady({ world, self }: Sight, which: number): boolean {
  return readyAtOf(self, which) <= world.clock
}

/** The press that casts an ability. */
export function castAt(which: number, aim: Place): Thought {
  return which === 0 ? { first: 1, aim } : { second: 1, aim }
}

export function onMap({ x, y }: Place): Place {
  return { x: clamp(x, -HALF, HALF), y: clamp(y, -HALF, HALF) }
}

/** How many champions of the other side are dead now. That is known to all. */
export function fallenFoes({ world, side }: Sight): number {
  let fallen = 0
  const { players } = world.tables
  for (let row = 0; row < players.count; row++) {
    const champion = thing(world, players.thing[row])
    if (champion !== undefined && champion.team !== side && champion.hp <= 0) fallen++
  }
  return fallen
}
