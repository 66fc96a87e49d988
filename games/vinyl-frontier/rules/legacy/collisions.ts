/**
 * The old collision engine, bugs and all.
 *
 * Every living thing meets every ship and station, first the one asks, then the other, and what a handler decides
 * happens at once. So a rock breaks once for each ship that touches it, the second ship of a bump finds the first one gone
 * already, and the dead go on reacting until the pass is over. It is kept because the document compares with it; nothing
 * else uses it.
 */

import { KIND, type VinylThing, type VinylWorld } from '../declaration.ts'
import { noteMeeting } from '../meetings.ts'
import { teamThings } from '../original/list.ts'
import { DOCKING, reportContact } from '../report.ts'
import { distance, hypot } from '../torus.ts'
import { rockMeets } from './rocks.ts'
import { shipMeets } from './ships.ts'

/** `listed`: what was in the list before this step. */
export function collideLegacy(world: VinylWorld, listed: readonly VinylThing[]): void {
  const owned = teamThings(world)
  for (const thing of listed) {
    if (thing.dead !== 0) continue
    for (const other of owned) {
      meet(world, thing, other)
      meet(world, other, thing)
    }
  }
}

/** `self` reacts to `other`, if they overlap. `isAnswer`: asked by the other's reaction, and not to answer again. */
export function meet(world: VinylWorld, self: VinylThing, other: VinylThing, isAnswer = false): void {
  if (self === other) return
  const overlap = self.radius + other.radius - distance(self, other)
  if (distance(self, other) >= self.radius + other.radius) return
  noteMeeting(world, self, other, overlap)
  log(world, self, other)
  if (self.kind === KIND.ship) shipMeets(world, self, other, isAnswer)
  else if (self.kind === KIND.asteroid) rockMeets(world, self, other)
}

/** One line per reaction, not per contact; ships at rest in a dock make none. The log measures across no seam. */
function log(world: VinylWorld, self: VinylThing, other: VinylThing): void {
  const isDocking = self.kind + other.kind === KIND.ship + KIND.station
  if (isDocking && (self.kind === KIND.ship ? self : other).wasDocked === 1) return
  const isShips = self.kind === KIND.ship && other.kind === KIND.ship
  if (isShips && (self.docked === 1 || other.docked === 1)) return
  const plain = hypot(self.x - other.x, self.y - other.y)
  reportContact(world, self, other, plain, DOCKING.none)
}
