/**
 * The new collision engine of the original, as measured: snapshots, pairs by overlap, commands by priority.
 *
 * It differs from its own document in many details, all of which show in the traces: pairs are taken largest overlap
 * first, every rule reads what was true when the frame began, and a ship about to die still meets everybody. The document's
 * engine stands in `../document` on the engine's own `collide`; this one is here to be compared with. Where the original
 * asks its operating system for chance, this asks a stream of the world.
 */

import { PI, range, shuffle } from 'hurtbox/math'
import { KIND, legacy, type VinylWorld } from '../declaration.ts'
import { teamThings } from '../list.ts'
import { dockingOf, reportContact, seen } from '../report.ts'
import { distance } from '../torus.ts'
import { addFragments, applyCommands, type Command, type Fragment, sortCommands } from './commands.ts'
import { onContact, type Snapshot, snapshotOf } from './handlers.ts'

/** Things from row `listed` on are not in the list yet: they were made in this step. */
export function collideOriginal(world: VinylWorld, listed: number): void {
  const { things } = world.tables
  const snapshots: Snapshot[] = []
  for (let row = 0; row < listed; row++) snapshots.push(snapshotOf(world, row))
  const old = legacy(world.options)
  const commands: Command[] = []
  const fragments: Fragment[] = []
  const killed = new Set<number>()
  const docking = new Set<number>()
  const isDocked = (row: number) => things.kind[row] === KIND.ship && (things.docked[row] === 1 || docking.has(row))

  for (const { a, b } of orderedPairs(world, listed)) {
    if (things.dead[a] === 1 || things.dead[b] === 1 || killed.has(a) || killed.has(b)) continue
    const isDockingPair = things.kind[a] + things.kind[b] === KIND.ship + KIND.station
    if (!isDockingPair && (isDocked(a) || isDocked(b))) continue
    const angle = range(world.random.ties, -PI, PI)
    const outcomes = [
      onContact(world, snapshots[a], snapshots[b], angle, old),
      onContact(world, snapshots[b], snapshots[a], angle, old),
    ]
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

type Pair = { readonly a: number; readonly b: number; readonly overlap: number }

/** Overlaps this close count as equal, and chance decides. */
const TIE = 0.001

/** Largest overlap first; runs of equals are shuffled. */
function orderedPairs(world: VinylWorld, listed: number): Pair[] {
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

/** Every thing with every thing of a team, each pair once, touching included. The one met first in the list stands first. */
function findPairs(world: VinylWorld, listed: number): Pair[] {
  const { things } = world.tables
  const owned = teamThings(world)
  const pairs: Pair[] = []
  const found = new Set<number>()
  for (let a = 0; a < listed; a++) {
    if (things.leaving[a] !== 0 || things.dead[a] !== 0) continue
    for (const b of owned) {
      const key = Math.min(a, b) * things.capacity + Math.max(a, b)
      if (a === b || found.has(key) || isOutOfReach(world, a, b) || isOutOfReach(world, b, a)) continue
      const away = distance({ x: things.x[a], y: things.y[a] }, { x: things.x[b], y: things.y[b] })
      const overlap = things.radius[a] + things.radius[b] - away
      if (overlap < 0) continue
      found.add(key)
      pairs.push({ a, b, overlap })
      reportContact(world, seen(world, a), seen(world, b), away, dockingOf(world, a, b))
    }
  }
  return pairs
}

/** A ship that was docked when the turn's orders came and still is meets nothing but stations. */
function isOutOfReach({ tables: { things } }: VinylWorld, row: number, other: number): boolean {
  if (things.kind[row] !== KIND.ship || things.kind[other] === KIND.station) return false
  return things.docked[row] === 1 && things.wasDocked[row] === 1
}
