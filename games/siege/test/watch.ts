/** Watches a match from outside: who wants to walk and does not get anywhere, and whether every number is one. */

import type { SiegeWorld } from '../rules/declaration.ts'
import { LAYER } from '../rules/declaration.ts'
import { gap } from '../rules/units.ts'

export type Stuck = {
  readonly tick: number
  readonly id: number
  readonly kind: number
  readonly x: number
  readonly y: number
}

type Walker = { since: number; readonly track: number[] }

/** Nearer than this, one stands in the other's way. */
const NEXT_TO = 12
/** Whoever was this far away has walked, and come back. */
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
  const { things } = world.tables
  const window = 5 * world.game.declaration.tickRate
  const walkers = new Map<number, Walker>()
  const stuck: Stuck[] = []
  const queueing = { count: 0 }
  const look = () => {
    for (let row = 0; row < things.count; row++) {
      const id = things.id[row]
      if (things.layer[row] !== LAYER.unit || things.hp[row] <= 0 || things.walks[row] === 0) {
        walkers.delete(id)
        continue
      }
      const walker = walkers.get(id) ?? { since: world.tick, track: [] }
      walkers.set(id, walker)
      walker.track.push(things.x[row], things.y[row])
      if (walker.track.length <= 2 * window) continue
      const [fromX, fromY] = walker.track.splice(0, 2)
      if (Math.hypot(things.x[row] - fromX, things.y[row] - fromY) >= 5 || hasBeenAway(walker.track, fromX, fromY))
        continue
      if (isQueueing(world, row)) queueing.count++
      else stuck.push({ tick: world.tick, id, kind: things.kind[row], x: things.x[row], y: things.y[row] })
      walkers.delete(id)
    }
  }
  return { stuck, queueing, look }
}

function hasBeenAway(track: readonly number[], x: number, y: number): boolean {
  for (let i = 0; i < track.length; i += 2) if (Math.hypot(track[i] - x, track[i + 1] - y) > AWAY) return true
  return false
}

/** Next to an ally who fights, or to one who queues itself. */
function isQueueing(world: SiegeWorld, row: number): boolean {
  const { things } = world.tables
  const queue = [row]
  for (const member of queue) {
    for (let other = 0; other < things.count; other++) {
      if (things.layer[other] !== LAYER.unit || things.hp[other] <= 0 || things.team[other] !== things.team[row])
        continue
      if (queue.includes(other) || gap(world, member, other) > NEXT_TO) continue
      if (things.walks[other] === 0 && things.target[other] !== 0) return true
      if (things.walks[other] === 1) queue.push(other)
    }
  }
  return false
}
