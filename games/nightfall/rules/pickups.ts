/** Gems fly to survivors who come near; what was taken in this tick takes effect. */

import { findRow, playerOf, spawn, thingOf } from 'hurtbox'
import { length } from 'hurtbox/math'
import { PERK } from './content/upgrades.ts'
import { BLAST } from './content/weapons.ts'
import { DT, KIND, LAYER, type NightWorld } from './declaration.ts'
import { listLiving, nearestOf } from './survivors.ts'
import { levelOf } from './upgrades.ts'

export function magnet(world: NightWorld): void {
  const { things } = world.tables
  const { tuning } = world
  const step = tuning.magnetSpeed * DT
  const living = listLiving(world)
  if (living.count === 0) return
  for (let row = 0, { count } = things; row < count; row++) {
    if (things.kind[row] !== KIND.gem) continue
    const survivor = nearestOf(world, living, things.x[row], things.y[row])
    const reach = tuning.magnetReach + 40 * levelOf(world, playerOf(world, things.id[survivor]), PERK.magnetism)
    const dx = things.x[survivor] - things.x[row]
    const dy = things.y[survivor] - things.y[row]
    const distance = length(dx, dy)
    if (distance >= reach || distance === 0) continue
    const share = Math.min(step / distance, 1)
    things.x[row] += dx * share
    things.y[row] += dy * share
  }
}

export function useTaken(world: NightWorld): void {
  const { taken } = world.events
  for (let n = 0; n < taken.count; n++) {
    if (taken.pickupKind[n] === KIND.gem) share(world, taken.worth[n])
    if (taken.pickupKind[n] === KIND.heal) heal(world, taken.survivor[n])
    if (taken.pickupKind[n] === KIND.clear) clear(world, taken.survivor[n])
    if (taken.pickupKind[n] === KIND.flame) ignite(world, taken.survivor[n])
  }
}

/** Whoever takes a gem, everybody learns, an equal part: four of them kill four times as many, and level like one. */
function share(world: NightWorld, experience: number): void {
  const { players } = world.tables
  for (let player = 0; player < players.count; player++) players.experience[player] += experience / players.count
}

/** Heals the taker, and the fallen rise again. */
function heal(world: NightWorld, taker: number): void {
  const { things, players } = world.tables
  for (let player = 0; player < players.count; player++) {
    const row = thingOf(world, player)
    if (row < 0 || (players.thing[player] !== taker && things.hp[row] > 0)) continue
    if (things.hp[row] === 0) things.hittableFrom[row] = world.clock + world.tuning.iframes
    things.hp[row] = Math.min(things.hp[row] + world.tuning.healing, things.maxHp[row])
  }
}

/** A blast as large as the screen; it kills by the rules, so nobody walks on with no health. */
function clear(world: NightWorld, taker: number): void {
  const { things } = world.tables
  const row = findRow(things, taker)
  spawn(things, {
    kind: KIND.strike,
    layer: LAYER.strike,
    owner: taker,
    x: things.x[row],
    y: things.y[row],
    radius: 600,
    damage: 999,
    weapon: BLAST,
    endsAt: world.clock + 2,
  })
}

function ignite(world: NightWorld, taker: number): void {
  world.tables.players.flamesUntil[playerOf(world, taker)] = world.clock + world.tuning.flameTime
}
