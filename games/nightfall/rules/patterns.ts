/**
 * Patterns: the ways in which a weapon hurts. Each adds things that hit what they meet (`hits.ts`) and fly (`fly.ts`), and
 * returns whether the weapon went off. One that finds nothing to hit keeps its charge.
 */

import { exists } from 'hurtbox'
import { spawnFrom } from 'hurtbox/combat'
import { direction, length } from 'hurtbox/math'
import { type Pattern, WEAPONS } from './content/weapons.ts'
import { KIND, type NightPlayer, type NightThing, type NightWorld } from './declaration.ts'
import { nearestEnemy } from './enemies.ts'

/** Scratch: a weapon about to go off, with everything that level and perks do to it. */
export const attack = {
  count: 0,
  /** px per second. */
  speed: 0,
  /** Level of the perk that makes things larger. */
  size: 0,
  /** Columns of each thing that the weapon adds. */
  shot: { kind: 0, weapon: 0, damage: 0, doublePercent: 0, radius: 0, pierceLeft: 0, readyAt: 0, endsAt: 0 },
}
export type Attack = typeof attack

type Use = (world: NightWorld, player: NightPlayer, attack: Attack) => boolean

export const PATTERNS: Readonly<Record<Pattern, Use>> = {
  shot: sendVolley,
  returning: sendVolley,

  /** Adds an orb while one is missing. */
  orbit(_world, player, attack) {
    if (player.orbs >= attack.count) return false
    const orb = addShot(player, attack)
    if (!exists(orb)) return false
    orb.slot = player.orbs++
    return true
  },

  pulse: (world, player, attack) => exists(addBlow(world, player, attack)),

  /** Stands still; its velocity is only the direction it looks. */
  sweep(world, player, attack) {
    findAim(world, player, attack)
    const blow = addBlow(world, player, attack)
    blow.vx = aim.x
    blow.vy = aim.y
    blow.slot = attack.size
    return exists(blow)
  },

  /** From the survivor to the nearest enemy within reach, from there to the next, never twice to the same. */
  chain(world, player, attack) {
    const { reach = 0 } = WEAPONS[attack.shot.weapon]
    const struck: number[] = []
    let from = player.thing!
    while (struck.length < attack.count) {
      const enemy = nearestEnemy(world, from, reach, struck)
      if (enemy === undefined) break
      const blow = addBlow(world, player, attack)
      if (!exists(blow)) break
      blow.x = enemy.x
      blow.y = enemy.y
      blow.target = enemy.id
      struck.push(enemy.id)
      from = enemy
    }
    return struck.length > 0
  },
}

/** Scratch: unit vectors. */
const aim = { x: 1, y: 0 }
const turned = { x: 1, y: 0 }

/** Adds a thing that hurts, where the survivor is. */
function addShot(player: NightPlayer, { shot }: Attack): NightThing {
  return spawnFrom(player.thing!, shot.kind === KIND.projectile ? 'projectile' : 'strike', shot)
}

/** Adds a thing that is there for the hits of this tick only. */
function addBlow(world: NightWorld, player: NightPlayer, attack: Attack): NightThing {
  const blow = addShot(player, attack)
  blow.endsAt = world.clock + 1
  return blow
}

/** Adds a volley along the aim, fanned out around it. */
function sendVolley(world: NightWorld, player: NightPlayer, attack: Attack): boolean {
  const { count, speed, shot } = attack
  findAim(world, player, attack)
  for (let i = 0; i < count; i++) {
    const one = addShot(player, attack)
    direction((i - (count - 1) / 2) * WEAPONS[shot.weapon].spread, turned)
    one.vx = (aim.x * turned.x - aim.y * turned.y) * speed
    one.vy = (aim.x * turned.y + aim.y * turned.x) * speed
  }
  return true
}

/** Writes the weapon's direction into `aim`: its own kind of aim, or where the survivor looks when there is no enemy. */
function findAim(world: NightWorld, player: NightPlayer, { shot }: Attack): void {
  const by = WEAPONS[shot.weapon].aim
  const survivor = player.thing!
  aim.x = player.facingX
  aim.y = player.facingY
  if (by === 'facing' || (by === 'aim' && pointAlong(player.aimX, player.aimY))) return
  const enemy = nearestEnemy(world, survivor)
  if (enemy !== undefined) pointAlong(enemy.x - survivor.x, enemy.y - survivor.y)
}

/** Makes `aim` the direction of (x, y), if that has one. */
function pointAlong(x: number, y: number): boolean {
  const far = length(x, y)
  if (far === 0) return false
  aim.x = x / far
  aim.y = y / far
  return true
}
