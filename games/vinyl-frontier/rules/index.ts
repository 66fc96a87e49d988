/**
 * Vinyl Frontier, seed 003: the snapshot and command engine, with the server it was written for beside it.
 *
 * A tick is one step of a turn. The first of a turn takes the orders; every step everything drifts and meets; the last
 * one ends with the lasers.
 */

import { defineGame, type Result } from 'hurtbox'
import { DT, declaration, legacy, STEPS, type VinylWorld } from './declaration.ts'
import { collideLegacy } from './legacy/collisions.ts'
import { fireLegacy } from './legacy/lasers.ts'
import { sweepOne } from './list.ts'
import { drift } from './motion.ts'
import { takeOrders } from './orders.ts'
import { collideOriginal } from './original/collisions.ts'
import { fireOriginal } from './original/lasers.ts'
import { setup, stationRow, TEAMS } from './setup.ts'
import { clearAnnouncer } from './text.ts'

export { declaration, type VinylWorld } from './declaration.ts'

/** The orders of a turn. The original then lets the world run for no time at all: launches and shields happen here. */
export function beginTurn(world: VinylWorld): void {
  takeOrders(world)
  world.globals.ordersTaken = 1
  if (world.options.preset === 'original') physics(world, 0, 0)
}

/** One physics call of the original. */
function physics(world: VinylWorld, dt: number, phase: number): void {
  const listed = world.tables.things.count
  drift(world, dt, phase)
  if (legacy(world.options).collisions) collideLegacy(world, listed)
  else collideOriginal(world, listed)
  sweepOne(world)
  world.globals.time += dt
}

function simulate(world: VinylWorld): void {
  const { globals } = world
  physics(world, DT, globals.step / STEPS)
  if (globals.step === STEPS - 1) {
    if (legacy(world.options).collisions) fireLegacy(world)
    else fireOriginal(world)
    sweepOne(world)
  }
}

function hush(world: VinylWorld): void {
  if (world.globals.step > 0 || world.globals.ordersTaken === 0) clearAnnouncer(world)
}

function orders(world: VinylWorld): void {
  if (world.globals.step === 0 && world.globals.ordersTaken === 0) beginTurn(world)
}

function countStep(world: VinylWorld): void {
  const { globals } = world
  globals.step++
  if (globals.step < STEPS) return
  globals.step = 0
  globals.turn++
  globals.ordersTaken = 0
}

export const vinylFrontier = defineGame(declaration, {
  setup,
  phases: () => ({ hush, orders, simulate, countStep }),
  result,
})

/** Most vinyl at home wins; there is no winner among equals. */
function result(world: VinylWorld): Result {
  const { globals, options, tables } = world
  const scores = Array.from({ length: options.teams }, (_, team) => tables.things.vinyl[stationRow(world, team)] ?? 0)
  const best = Math.max(...scores)
  const leaders = scores.flatMap((score, team) => (score === best ? [team] : []))
  const over = globals.turn >= options.maxTurns
  const summary = scores.map((score, team) => `${TEAMS[team].name} ${score.toFixed(2)}`).join(', ')
  return leaders.length === 1 ? { over, winner: TEAMS[leaders[0]].name, summary } : { over, summary }
}
