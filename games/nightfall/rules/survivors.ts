/** Survivors: how they join, walk and heal. A survivor without health lies where it fell until another survivor heals it. */

import { players, spawn } from 'hurtbox'
import { clamp, length } from 'hurtbox/math'
import { PERK } from './content/upgrades.ts'
import {
  DT,
  HEIGHT,
  KIND,
  MARGIN,
  type NightPlayer,
  type NightThing,
  type NightWorld,
  TICK_RATE,
  WIDTH,
} from './declaration.ts'
import { catchUp } from './draft.ts'
import { grant, levelOf } from './upgrades.ts'

export function join(world: NightWorld, player: NightPlayer): void {
  const { clock, tuning } = world
  player.thing = spawn(world, 'survivor', {
    kind: KIND.survivor,
    // The first stands in the middle, the others around it.
    x: WIDTH / 2 + [0, 40, -40, 0][player.seat],
    y: HEIGHT / 2 + [0, 0, 0, 40][player.seat],
    radius: tuning.survivorRadius,
    hp: tuning.survivorHp,
    maxHp: tuning.survivorHp,
    // Joining in the middle of a fight, it is safe for a moment.
    invulnerableUntil: clock === 0 ? 0 : clock + tuning.iframes,
  })
  player.level = 1
  player.facingX = 1
  grant(world, player, STARTER)
  catchUp(world, player)
}

const STARTER = 0

/** Walks where the player points, no faster across than along. */
export function walk(world: NightWorld): void {
  for (const player of players(world)) {
    const survivor = survivorOf(player)
    if (survivor === undefined) continue
    survivor.radius = world.tuning.survivorRadius
    const { moveX, moveY } = player
    const push = length(moveX, moveY)
    if (push > 0) {
      player.facingX = moveX / push
      player.facingY = moveY / push
    }
    const speed = world.tuning.survivorSpeed * (1 + 0.15 * levelOf(player, PERK.swift))
    survivor.vx = (moveX / Math.max(push, 1)) * speed
    survivor.vy = (moveY / Math.max(push, 1)) * speed
    survivor.x += survivor.vx * DT
    survivor.y += survivor.vy * DT
    const regeneration = levelOf(player, PERK.regeneration) / TICK_RATE
    survivor.hp = Math.min(survivor.hp + regeneration, survivor.maxHp)
  }
}

/** Keeps survivors on the field, walking or knocked back. */
export function fence(world: NightWorld): void {
  for (const { thing: survivor } of players(world)) if (survivor !== undefined) keepInside(survivor)
}

/** As far from the edge of the field as survivors stay. */
export function keepInside(place: { x: number; y: number }): void {
  place.x = clamp(place.x, MARGIN, WIDTH - MARGIN)
  place.y = clamp(place.y, MARGIN, HEIGHT - MARGIN)
}

/** The survivor of a player; `undefined` when it lies on the ground. */
export function survivorOf({ thing: survivor }: NightPlayer): NightThing | undefined {
  return survivor !== undefined && survivor.hp > 0 ? survivor : undefined
}

/** Scratch, written whole by every call of `standing`. */
const list: NightThing[] = []

/** The standing survivors, oldest first. One list, used again by the next call. */
export function standing(world: NightWorld): readonly NightThing[] {
  let count = 0
  for (const player of players(world)) {
    const survivor = survivorOf(player)
    if (survivor !== undefined) list[count++] = survivor
  }
  // Only when it changes: an array that is emptied and filled again is garbage.
  if (list.length !== count) list.length = count
  return list
}

/** The nearest of the survivors, of which there must be one. */
export function nearestOf(survivors: readonly NightThing[], x: number, y: number): NightThing {
  let nearest = survivors[0]
  let nearestSquared = Number.POSITIVE_INFINITY
  for (let i = 0; i < survivors.length; i++) {
    const dx = survivors[i].x - x
    const dy = survivors[i].y - y
    const squared = dx * dx + dy * dy
    if (squared >= nearestSquared) continue
    nearest = survivors[i]
    nearestSquared = squared
  }
  return nearest
}
