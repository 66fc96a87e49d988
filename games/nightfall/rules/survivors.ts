/** Survivors: how they come, walk, heal, and go. A survivor without health lies where it fell until somebody heals it. */

import { spawn, thingOf } from 'hurtbox'
import { clamp, length } from 'hurtbox/math'
import { PERK } from './content/upgrades.ts'
import { DT, HEIGHT, KIND, LAYER, MARGIN, type NightWorld, TICK_RATE, WIDTH } from './declaration.ts'
import { catchUp } from './draft.ts'
import { grant, levelOf } from './upgrades.ts'

export function join(world: NightWorld, player: number): void {
  const { things, players } = world.tables
  const { clock, tuning } = world
  players.thing[player] = spawn(things, {
    kind: KIND.survivor,
    layer: LAYER.survivor,
    // The first stands in the middle, the others around it.
    x: WIDTH / 2 + [0, 40, -40, 0][players.seat[player]],
    y: HEIGHT / 2 + [0, 0, 0, 40][players.seat[player]],
    radius: tuning.survivorRadius,
    hp: tuning.survivorHp,
    maxHp: tuning.survivorHp,
    // Who comes into the middle of a fight has a moment to look around.
    hittableFrom: clock === 0 ? 0 : clock + tuning.iframes,
  })
  players.level[player] = 1
  players.facingX[player] = 1
  grant(world, player, STARTER)
  catchUp(world, player)
}

const STARTER = 0

/** Walks where the player points, no faster across than along. */
export function walk(world: NightWorld): void {
  const { things, players } = world.tables
  const { tuning } = world
  for (let player = 0; player < players.count; player++) {
    const row = livingRow(world, player)
    if (row < 0) continue
    const moveX = players.moveX[player]
    const moveY = players.moveY[player]
    const push = length(moveX, moveY)
    if (push > 0) {
      players.facingX[player] = moveX / push
      players.facingY[player] = moveY / push
    }
    const speed = tuning.survivorSpeed * (1 + 0.15 * levelOf(world, player, PERK.swift))
    things.vx[row] = (moveX / Math.max(push, 1)) * speed
    things.vy[row] = (moveY / Math.max(push, 1)) * speed
    things.x[row] += things.vx[row] * DT
    things.y[row] += things.vy[row] * DT
    const regeneration = levelOf(world, player, PERK.regeneration) / TICK_RATE
    things.hp[row] = Math.min(things.hp[row] + regeneration, things.maxHp[row])
  }
}

/** Nobody leaves the field, whether walking or thrown. */
export function fence(world: NightWorld): void {
  const { things, players } = world.tables
  for (let player = 0; player < players.count; player++) {
    const row = thingOf(world, player)
    if (row < 0) continue
    things.x[row] = clamp(things.x[row], MARGIN, WIDTH - MARGIN)
    things.y[row] = clamp(things.y[row], MARGIN, HEIGHT - MARGIN)
  }
}

/** The row of a player's survivor, or -1 when it lies on the ground. */
export function livingRow(world: NightWorld, player: number): number {
  const row = thingOf(world, player)
  return row >= 0 && world.tables.things.hp[row] > 0 ? row : -1
}

/** The rows of those who stand. */
export type Living = { count: number; readonly rows: Uint32Array }

/** Scratch of `listLiving`, written whole by every call. */
const living: Living = { count: 0, rows: new Uint32Array(4) }

/** Who stands now, in the order of their rows. One list, used again by the next call. */
export function listLiving(world: NightWorld): Living {
  living.count = 0
  for (let player = 0; player < world.tables.players.count; player++) {
    const row = livingRow(world, player)
    if (row >= 0) living.rows[living.count++] = row
  }
  return living
}

/** The row of the nearest of those who stand; there must be somebody. */
export function nearestOf({ tables: { things } }: NightWorld, { count, rows }: Living, x: number, y: number): number {
  let nearest = rows[0]
  let nearestSquared = Number.POSITIVE_INFINITY
  for (let i = 0; i < count; i++) {
    const dx = things.x[rows[i]] - x
    const dy = things.y[rows[i]] - y
    const squared = dx * dx + dy * dy
    if (squared >= nearestSquared) continue
    nearest = rows[i]
    nearestSquared = squared
  }
  return nearest
}
