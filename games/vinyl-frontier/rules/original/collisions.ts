/**
 * The new collision engine of the original, as measured: snapshots, pairs by overlap, commands by priority.
 *
 * It differs from its own document in many details, all of which show in the traces: pairs are taken largest overlap
 * first, every rule reads what was true when the frame began, and a ship about to die still meets everybody. The document's
 * engine stands in `../document` on the engine's own `collide`; this one is here to be compared with. Where the original
 * asks its operating system for chance, this asks a stream of the world.
 */

import { PI, range, shuffle } from 'hurtbox/math'
import { KIND, legacy, type VinylThing, type VinylWorld } from '../declaration.ts'
import { noteMeeting } from '../meetings.ts'
import { DOCKING, reportContact } from '../report.ts'
import { distance } from '../torus.ts'
import { addFragments, applyCommands, type Command, type Fragment, sortCommands } from './commands.ts'
import { onContact, type Snapshot, snapshotOf } from './handlers.ts'
import { teamThings } from './list.ts'

/** `listed`: what was in the list before this step. */
export function collideOriginal(world: VinylWorld, listed: readonly VinylThing[]): void {
  const snapshots = new Map<VinylThing, Snapshot>()
  for (const thing of listed) snapshots.set(thing, snapshotOf(thing))
  const old = legacy(world.options)
  const commands: Command[] = []
  const fragments: Fragment[] = []
  const killed = new Set<VinylThing>()
  const docking = new Set<VinylThing>()
  const isDocked = (thing: VinylThing) => thing.kind === KIND.ship && (thing.docked === 1 || docking.has(thing))

  for (const { a, b } of orderedPairs(world, listed)) {
    if (a.dead === 1 || b.dead === 1 || killed.has(a) || killed.has(b)) continue
    const isDockingPair = a.kind + b.kind === KIND.ship + KIND.station
    if (!isDockingPair && (isDocked(a) || isDocked(b))) continue
    const angle = range(world.random.ties, -PI, PI)
    const [one, other] = [snapshots.get(a)!, snapshots.get(b)!]
    const outcomes = [onContact(one, other, angle, old), onContact(other, one, angle, old)]
    for (const outcome of outcomes) {
      for (const command of outcome.commands) {
        if (command.kind === 'kill') killed.add(command.target)
        if (command.kind === 'dock') docking.add(command.target)
        commands.push(command)
      }
      fragments.push(...outcome.fragments)
    }
  }
  sortCommands(commands)
  applyCommands(world, commands)
  addFragments(world, fragments)
}

type Pair = { readonly a: VinylThing; readonly b: VinylThing; readonly overlap: number }

/** Overlaps this close count as equal, and chance decides. */
const TIE = 0.001

/** Largest overlap first; runs of equals are shuffled. */
function orderedPairs(world: VinylWorld, listed: readonly VinylThing[]): Pair[] {
  const pairs = findPairs(world, listed).sort((one, other) => other.overlap - one.overlap)
  for (let first = 0; first < pairs.length; ) {
    let end = first + 1
    while (end < pairs.length && Math.abs(pairs[end].overlap - pairs[first].overlap) < TIE) end++
    if (end - first > 1) {
      const run = pairs.slice(first, end)
      shuffle(world.random.ties, run)
      pairs.splice(first, run.length, ...run)
    }
    first = end
  }
  return pairs
}

/** Two ids fit into one number. */
const MAX_ID = 0x4000000

/** Every thing with every thing of a team, each pair once, touching included. The one met first in the list stands first. */
function findPairs(world: VinylWorld, listed: readonly VinylThing[]): Pair[] {
  const owned = teamThings(world)
  const pairs: Pair[] = []
  const found = new Set<number>()
  for (const a of listed) {
    if (a.dead !== 0) continue
    for (const b of owned) {
      const key = Math.min(a.id, b.id) * MAX_ID + Math.max(a.id, b.id)
      if (a === b || found.has(key) || isOutOfReach(a, b) || isOutOfReach(b, a)) continue
      const away = distance(a, b)
      const overlap = a.radius + b.radius - away
      if (overlap < 0) continue
      found.add(key)
      pairs.push({ a, b, overlap })
      noteMeeting(world, a, b, overlap)
      reportContact(world, a, b, away, dockingOf(a, b))
    }
  }
  return pairs
}

/** A ship that was docked when the turn's orders came and still is meets nothing but stations. */
function isOutOfReach(ship: VinylThing, other: VinylThing): boolean {
  if (ship.kind !== KIND.ship || other.kind === KIND.station) return false
  return ship.docked === 1 && ship.wasDocked === 1
}

/** Whether a contact of ship and station is new. */
function dockingOf(a: VinylThing, b: VinylThing): number {
  if (a.kind + b.kind !== KIND.ship + KIND.station) return DOCKING.none
  const ship = a.kind === KIND.ship ? a : b
  if (ship.docked === 0) return DOCKING.none
  return ship.wasDocked === 1 ? DOCKING.alreadyDocked : DOCKING.justDocked
}
