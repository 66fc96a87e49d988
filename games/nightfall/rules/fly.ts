/** What is in the air moves: projectiles and bullets straight on, thrown axes home again, books in circles. */

import { findRow, playerOf } from 'hurtbox'
import { direction, length, TAU } from 'hurtbox/math'
import { WEAPONS } from './content/weapons.ts'
import { DT, LAYER, type NightWorld, TICK_RATE } from './declaration.ts'
import { livingRow } from './survivors.ts'

export function fly(world: NightWorld): void {
  const { layer, x, y, vx, vy, count } = world.tables.things
  for (let row = 0; row < count; row++) {
    if (layer[row] === LAYER.strike) moveStrike(world, row)
    if (layer[row] !== LAYER.projectile && layer[row] !== LAYER.bullet) continue
    x[row] += vx[row] * DT
    y[row] += vy[row] * DT
  }
}

function moveStrike(world: NightWorld, row: number): void {
  const { things } = world.tables
  const { pattern } = WEAPONS[things.weapon[row]]
  if (pattern === 'orbit') circle(world, row)
  if (pattern !== 'returning') return
  if (things.readyAt[row] <= world.clock) comeHome(world, row)
  things.x[row] += things.vx[row] * DT
  things.y[row] += things.vy[row] * DT
}

/** Flies back to its owner, wherever that is now, and is caught. */
function comeHome(world: NightWorld, row: number): void {
  const { things } = world.tables
  const owner = findRow(things, things.owner[row])
  if (owner < 0) return
  const { speed } = WEAPONS[things.weapon[row]]
  const dx = things.x[owner] - things.x[row]
  const dy = things.y[owner] - things.y[row]
  const distance = length(dx, dy)
  if (distance <= speed * DT) {
    things.leaving[row] = 1
    return
  }
  things.vx[row] = (dx / distance) * speed
  things.vy[row] = (dy / distance) * speed
}

/** Scratch: written before it is read. */
const spoke = { x: 1, y: 0 }

/** Books share the circle evenly. Where they are follows from the clock, so there is no angle to keep. */
function circle(world: NightWorld, row: number): void {
  const { things, players } = world.tables
  const player = playerOf(world, things.owner[row])
  const survivor = player < 0 ? -1 : livingRow(world, player)
  // It leaves with its survivor in this very tick.
  if (survivor < 0) return
  const { speed, reach = 0 } = WEAPONS[things.weapon[row]]
  direction(((world.clock * speed) / TICK_RATE + (things.slot[row] * TAU) / players.orbs[player]) % TAU, spoke)
  things.x[row] = things.x[survivor] + spoke.x * reach
  things.y[row] = things.y[survivor] + spoke.y * reach
}
