/** A turn: five ticks. The first of them takes the orders. */

import { DT, STEPS, type VinylWorld } from './declaration.ts'
import { drift } from './motion.ts'
import { takeOrders } from './orders.ts'
import { physics } from './original/physics.ts'
import { clearAnnouncer } from './text.ts'

/** Clears the announcer, unless it holds messages about the orders of this turn. */
export function clearMessages(world: VinylWorld): void {
  const { step, ordersTaken } = world.globals
  if (step > 0 || ordersTaken === 0) clearAnnouncer(world)
}

export function orders(world: VinylWorld): void {
  if (world.globals.step === 0 && world.globals.ordersTaken === 0) beginTurn(world)
}

/** The orders of a turn. The original then lets the world run for no time at all: launches and shields happen here. */
export function beginTurn(world: VinylWorld): void {
  takeOrders(world)
  world.globals.ordersTaken = 1
  if (world.options.preset === 'original') physics(world, 0)
}

export function move(world: VinylWorld): void {
  drift(world, DT)
}

export function keepTime(world: VinylWorld): void {
  world.globals.time += DT
}

export function countStep(world: VinylWorld): void {
  const { globals } = world
  globals.step++
  if (globals.step < STEPS) return
  globals.step = 0
  globals.turn++
  globals.ordersTaken = 0
}
