/** Survivors: how they come, walk, heal, and go. A survivor without health lies where it fell until somebody heals it. */

import { findRow, spawn } from 'hurtbox'
import { clamp } from 'hurtbox/math'
import { PERK } from './content/upgrades.ts'
import { DT, HEIGHT, KIND, LAYER, MARGIN, type NightWorld, TICK_RATE, WIDTH } from './declaration.ts'
import { grant, levelOf } from './upgrades.ts'

export function join(world: NightWorld, player: number): void {
  const { things, players } = world.tables
  const { tuning } = world
  players.thing[player] = spawn(things, {
    kind: KIND.survivor,
    layer: LAYER.survivor,
    // The first stands in the middle, the others around it.
    x: WIDTH / 2 + [0, 40, -40, 0][players.seat[player]],
    y: HEIGHT / 2 + [0, 0, 0, 40][players.seat[player]],
    radius: tuning.survivorRadius,
    hp: tuning.survivorHp,
    maxHp: tuning.survivorHp,
  })
  players.level[player] = 1
  players.facingX[player] = 1
  grant(world, player, STARTER)
}

const STARTER = 0

/** Whoever leaves takes along what is theirs. */
export function leave(world: NightWorld, player: number): void {
  const { things, players } = world.tables
  const id = players.thing[player]
  for (let row = 0; row < things.count; row++) {
    if (things.id[row] === id || things.owner[row] === id) things.leaving[row] = 1
  }
}

/** Walks where the player points, no faster across than along. */
export function walk(world: NightWorld): void {
  const { things, players } = world.tables
  const { tuning } = world
  for (let player = 0; player < players.count; player++) {
    const row = livingRow(world, player)
    if (row < 0) continue
    const moveX = players.moveX[player]
    const moveY = players.moveY[player]
    const length = Math.sqrt(moveX * moveX + moveY * moveY)
    if (length > 0) {
      players.facingX[player] = moveX / length
      players.facingY[player] = moveY / length
    }
    const speed = tuning.survivorSpeed * (1 + 0.15 * levelOf(world, player, PERK.swift))
    things.vx[row] = (moveX / Math.max(length, 1)) * speed
    things.vy[row] = (moveY / Math.max(length, 1)) * speed
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
    const row = findRow(things, players.thing[player])
    if (row < 0) continue
    things.x[row] = clamp(things.x[row], MARGIN, WIDTH - MARGIN)
    things.y[row] = clamp(things.y[row], MARGIN, HEIGHT - MARGIN)
  }
}

/** The row of a player's survivor, or -1 when it lies on the ground. */
export function livingRow(world: NightWorld, player: number): number {
  const { things, players } = world.tables
  const row = findRow(things, players.thing[player])
  return row >= 0 && things.leaving[row] === 0 && things.hp[row] > 0 ? row : -1
}

/** The row of the living survivor nearest to (x, y), or -1. */
export function nearestSurvivor(world: NightWorld, x: number, y: number): number {
  const { things, players } = world.tables
  let nearest = -1
  let nearestSquared = Number.POSITIVE_INFINITY
  for (let player = 0; player < players.count; player++) {
    const row = livingRow(world, player)
    if (row < 0) continue
    const dx = things.x[row] - x
    const dy = things.y[row] - y
    if (dx * dx + dy * dy >= nearestSquared) continue
    nearest = row
    nearestSquared = dx * dx + dy * dy
  }
  return nearest
}

/** The player whose survivor has this id, or -1: it has left, or nobody stands behind it. */
export function playerOf(world: NightWorld, id: number): number {
  const { players } = world.tables
  for (let player = 0; player < players.count; player++) if (players.thing[player] === id) return player
  return -1
}
