/**
 * Patterns: the ways in which a weapon hurts. Each adds things to the world that hit what they meet; the hitting itself is
 * in `hits.ts`, the same for all, and moving them is in `fly.ts`.
 *
 * A pattern answers whether the weapon went off. One that finds nobody to hit keeps its charge.
 */

import { release } from 'hurtbox/combat'
import { direction, length } from 'hurtbox/math'
import { type Pattern, WEAPONS } from './content/weapons.ts'
import { KIND, LAYER, type NightWorld, TICK_RATE } from './declaration.ts'
import { nearestEnemy } from './enemies.ts'

/** A weapon about to go off, with everything that level and perks do to it. */
export type Attack = {
  player: number
  /** Row of the survivor. */
  survivor: number
  weapon: number
  damage: number
  doublePercent: number
  count: number
  /** px per second. */
  speed: number
  radius: number
  pierce: number
  /** Level of the perk that makes things larger. */
  size: number
}

export const PATTERNS: Readonly<Record<Pattern, (world: NightWorld, attack: Attack) => boolean>> = {
  shot(world, attack) {
    const { things } = world.tables
    const first = sendVolley(world, attack, KIND.projectile, LAYER.projectile)
    things.pierceLeft.fill(attack.pierce, first, things.count)
    return true
  },

  /** Turns after a quarter of its life, so that it has time to come home to somebody who runs. */
  returning(world, attack) {
    const { things } = world.tables
    const first = sendVolley(world, attack, KIND.strike, LAYER.strike)
    things.readyAt.fill(world.clock + (WEAPONS[attack.weapon].life / 4) * TICK_RATE, first, things.count)
    return true
  },

  /** Adds an orb while one is missing. */
  orbit(world, attack) {
    const { players, things } = world.tables
    if (players.orbs[attack.player] >= attack.count) return false
    const row = addShot(world, attack, KIND.strike, LAYER.strike)
    if (row < 0) return false
    things.slot[row] = players.orbs[attack.player]++
    return true
  },

  pulse(world, attack) {
    return addBlow(world, attack) >= 0
  },

  /** Stands still; its velocity only says where it looks. */
  sweep(world, attack) {
    const { things } = world.tables
    findAim(world, attack)
    const row = addBlow(world, attack)
    if (row < 0) return false
    things.vx[row] = aim.x
    things.vy[row] = aim.y
    things.slot[row] = attack.size
    return true
  },

  /** From the survivor to the nearest enemy within reach, from there to the next, never twice to the same. */
  chain(world, attack) {
    const { things } = world.tables
    const { reach = 0 } = WEAPONS[attack.weapon]
    const firstLink = things.count
    let from = attack.survivor
    for (let link = 0; link < attack.count; link++) {
      const next = nearestEnemy(world, things.x[from], things.y[from], reach, firstLink)
      if (next < 0) break
      const row = addBlow(world, attack)
      if (row < 0) break
      things.x[row] = things.x[next]
      things.y[row] = things.y[next]
      things.target[row] = things.id[next]
      from = next
    }
    return things.count > firstLink
  },
}

/** Scratch: unit vectors, written before they are read. */
const aim = { x: 1, y: 0 }
const turned = { x: 1, y: 0 }

/** Adds something that is there for the hits of this tick only. */
function addBlow(world: NightWorld, attack: Attack): number {
  const row = addShot(world, attack, KIND.strike, LAYER.strike)
  if (row >= 0) world.tables.things.endsAt[row] = world.clock + 1
  return row
}

/** Adds something that hurts, where the survivor is. -1 when the table is full. */
function addShot(world: NightWorld, attack: Attack, kind: number, layer: number): number {
  const { things } = world.tables
  const row = release(things, attack.survivor, kind, layer, attack.radius)
  if (row < 0) return -1
  const { life } = WEAPONS[attack.weapon]
  things.weapon[row] = attack.weapon
  things.damage[row] = attack.damage
  things.doublePercent[row] = attack.doublePercent
  if (life > 0) things.endsAt[row] = world.clock + life * TICK_RATE
  return row
}

/** Adds a volley along the aim, fanned out around it. Gives the row of its first; the others follow. */
function sendVolley(world: NightWorld, attack: Attack, kind: number, layer: number): number {
  const { things } = world.tables
  const first = things.count
  findAim(world, attack)
  for (let i = 0; i < attack.count; i++) {
    const row = addShot(world, attack, kind, layer)
    if (row < 0) break
    direction((i - (attack.count - 1) / 2) * WEAPONS[attack.weapon].spread, turned)
    things.vx[row] = (aim.x * turned.x - aim.y * turned.y) * attack.speed
    things.vy[row] = (aim.x * turned.y + aim.y * turned.x) * attack.speed
  }
  return first
}

/** Writes where the weapon is sent into `aim`: as it wants, or where the survivor looks when there is nobody. */
function findAim(world: NightWorld, { player, survivor, weapon }: Attack): void {
  const { things, players } = world.tables
  const by = WEAPONS[weapon].aim
  aim.x = players.facingX[player]
  aim.y = players.facingY[player]
  if (by === 'facing') return
  if (by === 'aim' && pointAlong(players.aimX[player], players.aimY[player])) return
  const nearest = nearestEnemy(world, things.x[survivor], things.y[survivor], Number.POSITIVE_INFINITY, things.count)
  if (nearest >= 0) pointAlong(things.x[nearest] - things.x[survivor], things.y[nearest] - things.y[survivor])
}

/** Makes `aim` the direction of (x, y), if that has one. */
function pointAlong(x: number, y: number): boolean {
  const far = length(x, y)
  if (far === 0) return false
  aim.x = x / far
  aim.y = y / far
  return true
}
