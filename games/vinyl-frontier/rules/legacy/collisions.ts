/**
 * The old collision engine, bugs and all.
 *
 * Every living thing meets every ship and station, first the one asks, then the other, and whatever a handler decides
 * happens at once. So a rock breaks once for each ship that touches it, the second ship of a bump finds nobody there any
 * more, and the dead go on reacting until the pass is over. It is kept because the document compares with it; nothing
 * else uses it.
 */

import { KIND, type VinylWorld } from '../declaration.ts'
import { teamThings } from '../list.ts'
import { DOCKING, reportContact, seen } from '../report.ts'
import { placeOf } from '../setup.ts'
import { distance, hypot } from '../torus.ts'
import { rockMeets } from './rocks.ts'
import { shipMeets } from './ships.ts'

/** Things from row `listed` on are not in the list yet. */
export function collideLegacy(world: VinylWorld, listed: number): void {
  const { things } = world.tables
  const owned = teamThings(world)
  for (let row = 0; row < listed; row++) {
    if (things.leaving[row] !== 0 || things.dead[row] !== 0) continue
    for (const other of owned) {
      meet(world, row, other)
      meet(world, other, row)
    }
  }
}

/** `self` reacts to `other`, if they overlap. `isAnswer`: asked by the other's reaction, and not to answer again. */
export function meet(world: VinylWorld, self: number, other: number, isAnswer = false): void {
  const { kind, radius } = world.tables.things
  if (self === other || distance(placeOf(world, self), placeOf(world, other)) >= radius[self] + radius[other]) return
  log(world, self, other)
  if (kind[self] === KIND.ship) shipMeets(world, self, other, isAnswer)
  else if (kind[self] === KIND.asteroid) rockMeets(world, self, other)
}

/** One line per reaction, not per contact; ships at rest in a dock make none. The log measures across no seam. */
function log(world: VinylWorld, self: number, other: number): void {
  const { kind, docked, wasDocked, x, y } = world.tables.things
  const isDocking = kind[self] + kind[other] === KIND.ship + KIND.station
  if (isDocking && wasDocked[kind[self] === KIND.ship ? self : other] === 1) return
  const isShips = kind[self] === KIND.ship && kind[other] === KIND.ship
  if (isShips && (docked[self] === 1 || docked[other] === 1)) return
  const plain = hypot(x[self] - x[other], y[self] - y[other])
  reportContact(world, seen(world, self), seen(world, other), plain, DOCKING.none)
}
