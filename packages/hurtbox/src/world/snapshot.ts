/**
 * Going back in time: taking a snapshot of a world, and putting a world back into one.
 *
 * A snapshot can be taken into an old one (a rollback ring allocates no buffers) and restored into the same world or any other
 * world of the game. What is not state follows: events are emptied, handles find their rows again.
 */

import { HurtboxError } from '../base/errors.ts'
import { packState, requireWhole, type Snapshot, unpackState } from '../state/pack.ts'
import { clearEvents } from './events.ts'
import { keepIds, refreshMovedHandles } from './handles/pool.ts'
import type { AnyWorld } from './world.ts'

/**
 * Copies the state of `world`, into `into` if given (its buffer is reused and grows when it must).
 *
 * @example
 * ```ts
 * import { createWorld, declareGame, defineGame, restore, snapshot, spawn } from 'hurtbox'
 *
 * const arena = declareGame({ id: 'arena', tickRate: 60, layers: { slime: [] }, things: { hp: 'f64' } })
 * const world = createWorld(defineGame(arena, { phases: {} }))
 * const slime = spawn(world, 'slime', { hp: 30 })
 * const before = snapshot(world)
 * slime.hp = 5
 * restore(world, before)
 * console.log(slime.hp) // 30
 * ```
 */
export function snapshot(world: AnyWorld, into?: Snapshot): Snapshot {
  const { layout, optionsKey, status } = world.memory
  if (status !== 'ready') {
    throw new HurtboxError('broken-world', 'snapshot was called in the middle of a step; take it between two steps.')
  }
  const target = into === undefined ? { layout, optionsKey, bytes: new Uint8Array(0), byteLength: 0 } : into
  requireLayout(world, target)
  packState(world.memory, target)
  return target
}

/**
 * Puts `world` back into the state of `from`, in place: views, tables and handles stay valid. Events are emptied.
 *
 * @example
 * ```ts
 * import { createWorld, declareGame, defineGame, restore, snapshot, spawn } from 'hurtbox'
 *
 * const arena = declareGame({ id: 'arena', tickRate: 60, layers: { slime: [] }, things: { hp: 'f64' } })
 * const world = createWorld(defineGame(arena, { phases: {} }))
 * const slime = spawn(world, 'slime', { hp: 30 })
 * const before = snapshot(world)
 * slime.hp = 5
 * restore(world, before)
 * console.log(slime.hp) // 30
 * ```
 */
export function restore(world: AnyWorld, from: Snapshot): void {
  requireLayout(world, from)
  if (world.memory.status === 'stepping') {
    throw new HurtboxError('broken-world', 'restore was called in the middle of a step; restore between two steps.')
  }
  requireWhole(from)
  keepIds(world)
  unpackState(world.memory, from)
  clearEvents(world)
  refreshMovedHandles(world)
  world.memory.status = 'ready'
}

function requireLayout(world: AnyWorld, given: Snapshot): void {
  if (given?.layout !== world.memory.layout) {
    throw new HurtboxError('bad-snapshot', 'the snapshot is of another game, or of another copy of its code.')
  }
  if (given.optionsKey === '' || given.optionsKey === world.memory.optionsKey) return
  throw new HurtboxError(
    'bad-snapshot',
    `the snapshot is of a match with other options: ${given.optionsKey} there, ${world.memory.optionsKey} here.`,
  )
}
