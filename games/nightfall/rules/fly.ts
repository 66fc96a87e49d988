/** What is in the air moves: projectiles and bullets straight on, thrown axes home again, books in circles. */

import { despawn, playerOf, thing } from 'hurtbox'
import { direction, length, TAU } from 'hurtbox/math'
import { WEAPONS } from './content/weapons.ts'
import { DT, LAYER, type NightThing, type NightWorld, TICK_RATE } from './declaration.ts'
import { survivorOf } from './survivors.ts'

export function fly(world: NightWorld): void {
  const { layer, x, y, vx, vy, id, count } = world.tables.things
  for (let row = 0; row < count; row++) {
    if (layer[row] === LAYER.strike) moveStrike(world, thing(world, id[row])!)
    if (layer[row] !== LAYER.projectile && layer[row] !== LAYER.bullet) continue
    x[row] += vx[row] * DT
    y[row] += vy[row] * DT
  }
}

function moveStrike(world: NightWorld, strike: NightThing): void {
  const { pattern } = WEAPONS[strike.weapon]
  if (pattern === 'orbit') circle(world, strike)
  if (pattern === 'returning') goOutAndBack(world, strike)
}

/** Flies straight until it turns, then to its owner, and is caught. */
function goOutAndBack(world: NightWorld, axe: NightThing): void {
  const owner = axe.readyAt <= world.clock ? thing(world, axe.owner) : undefined
  if (owner !== undefined) {
    const { speed } = WEAPONS[axe.weapon]
    const dx = owner.x - axe.x
    const dy = owner.y - axe.y
    const distance = length(dx, dy)
    if (distance <= speed * DT) despawn(axe)
    axe.vx = (dx / distance) * speed
    axe.vy = (dy / distance) * speed
  }
  axe.x += axe.vx * DT
  axe.y += axe.vy * DT
}

/** Scratch. */
const spoke = { x: 1, y: 0 }

/** Books share the circle evenly. Where they are follows from the clock, so there is no angle to keep. */
function circle(world: NightWorld, book: NightThing): void {
  const player = playerOf(world, book.owner)
  const survivor = player && survivorOf(player)
  // Without a survivor the book leaves in this tick.
  if (player === undefined || survivor === undefined) return
  const { speed, reach = 0 } = WEAPONS[book.weapon]
  direction(((world.clock * speed) / TICK_RATE + (book.slot * TAU) / player.orbs) % TAU, spoke)
  book.x = survivor.x + spoke.x * reach
  book.y = survivor.y + spoke.y * reach
}
