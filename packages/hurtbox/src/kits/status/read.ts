/** What the status effects of a thing come to now. */

import { requireHandle, worldOf } from '../../world/handles/require.ts'
import { kindOf, type Status } from './define.ts'
import { nextOf, type StatusRows, type StatusWorld } from './rows.ts'

type Asked = { readonly id: number; readonly statusCount: number }

/** How strong an effect is on a thing: the strongest of those that run, or their sum where each runs by itself. 0: it has none. */
export function strengthOf<N extends string>(status: Status<N>, thing: Asked, name: NoInfer<N>): number {
  const kind = kindOf(status, name)
  let sum = 0
  if (thing.statusCount === 0) return sum
  const world = worldOf(requireHandle(thing)) as unknown as StatusWorld
  const rows = world.tables.status
  for (let row = nextOf(world, thing.id, 0); row >= 0; row = nextOf(world, thing.id, row + 1)) {
    if (rows.kind[row] === kind && counts(status, world, row)) sum += rows.strength[row]
  }
  return sum
}

/** What is left of a thing's speed: the product of all effects that slow or hasten it; 1 without any. */
export function speedFactor(status: Status, thing: Asked): number {
  let factor = 1
  if (thing.statusCount === 0) return factor
  const world = worldOf(requireHandle(thing)) as unknown as StatusWorld
  const rows = world.tables.status
  for (let row = nextOf(world, thing.id, 0); row >= 0; row = nextOf(world, thing.id, row + 1)) {
    const { speed } = status.kinds[rows.kind[row]]
    if (speed !== 1 && counts(status, world, row)) factor *= Math.max(0, 1 + (speed - 1) * rows.strength[row])
  }
  return factor
}

/** Whether an effect takes away control of a thing. */
export function isStunned(status: Status, thing: Asked): boolean {
  if (thing.statusCount === 0) return false
  const world = worldOf(requireHandle(thing)) as unknown as StatusWorld
  const { kind } = world.tables.status
  for (let row = nextOf(world, thing.id, 0); row >= 0; row = nextOf(world, thing.id, row + 1)) {
    if (status.kinds[kind[row]].stuns) return true
  }
  return false
}

/** Whether a row that runs counts: where the strongest does, no other is stronger, or as strong and older. */
export function counts(status: Status, world: StatusWorld, row: number): boolean {
  const rows: StatusRows = world.tables.status
  const { kind, strength, thing } = rows
  if (status.kinds[kind[row]].stacking !== 'strongest') return true
  for (let other = nextOf(world, thing[row], 0); other >= 0; other = nextOf(world, thing[row], other + 1)) {
    if (kind[other] !== kind[row] || other === row) continue
    if (strength[other] > strength[row] || (strength[other] === strength[row] && other < row)) return false
  }
  return true
}
