/** Watches a match from outside for units that want to walk and do not get anywhere. */

import { each } from 'hurtbox'
import type { SiegeThing, SiegeWorld } from '../rules/declaration.ts'
import { gap } from '../rules/units.ts'

export type Stuck = {
  readonly tick: number
  readonly id: number
  readonly kind: number
  readonly x: number
  readonly y: number
}

/** Nearer than this, one unit stands in the other's way. */
const NEXT_TO = 12
/** A unit that was this far away has walked, and come back. */
const AWAY = 60

/**
 * Notes where walkers are. A unit that has wanted to walk for 5 s, is within 5 units of where it was then and has not been
 * anywhere else in between is stuck: standing, or turning back and forth.
 */
export function createWatch(world: SiegeWorld): {
  readonly stuck: Stuck[]
  readonly queueing: { count: number }
  look(): void
} {
  const window = 5 * world.game.declaration.tickRate
  const tracks = new Map<number, number[]>()
  const stuck: Stuck[] = []
  const queueing = { count: 0 }
  const look = () => {
    for (const unit of each(world, 'unit')) {
      const { id, kind, x, y } = unit
      if (unit.hp <= 0 || unit.walks === 0) {
        tracks.delete(id)
        continue
      }
      const track = tracks.get(id) ?? []
      tracks.set(id, track)
      track.push(x, y)
      if (track.length <= 2 * window) continue
      const [fromX, fromY] = track.splice(0, 2)
      if (Math.hypot(x - fromX, y - fromY) >= 5 || hasBeenAway(track, fromX, fromY)) continue
      if (isQueueing(world, unit)) queueing.count++
      else stuck.push({ tick: world.tick, id, kind, x, y })
      tracks.delete(id)
    }
  }
  return { stuck, queueing, look }
}

function hasBeenAway(track: readonly number[], x: number, y: number): boolean {
  for (let i = 0; i < track.length; i += 2) if (Math.hypot(track[i] - x, track[i + 1] - y) > AWAY) return true
  return false
}

/** Next to an ally that fights, or to one that queues itself. */
function isQueueing(world: SiegeWorld, unit: SiegeThing): boolean {
  const queue = [unit]
  for (const member of queue) {
    for (const other of each(world, 'unit')) {
      if (other.hp <= 0 || other.team !== unit.team) continue
      if (queue.includes(other) || gap(member, other) > NEXT_TO) continue
      if (other.walks === 0 && other.target !== 0) return true
      if (other.walks === 1) queue.push(other)
    }
  }
  return false
}
