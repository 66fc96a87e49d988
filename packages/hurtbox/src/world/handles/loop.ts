/** Loops over the rows of a table as handles: `for (const slime of each(world, 'slime'))` allocates nothing. */

import type { AnyHandle } from './classes.ts'
import { type HandlePool, handleAt, ruleHandleAt } from './pool.ts'

export const ANY_LAYER = -1

export function iterate(pool: HandlePool, layer: number): IterableIterator<unknown> {
  const iterator = (pool.block.idle.pop() as Each | undefined) ?? new Each()
  iterator.start(pool, layer)
  return iterator as unknown as IterableIterator<unknown>
}

/** An iterator that is its own result, and is used again when its loop is over: a loop allocates nothing. */
class Each {
  private pool: HandlePool | undefined = undefined
  private leaving: Uint8Array = NOBODY
  private layers: Uint8Array = NOBODY
  private layer = ANY_LAYER
  private isDeciding = false
  private count = 0
  private row = 0
  value: AnyHandle | undefined = undefined
  done = false

  start(pool: HandlePool, layer: number): void {
    this.pool = pool
    this.leaving = pool.table.leaving
    this.layer = layer
    this.layers = layer === ANY_LAYER ? NOBODY : (pool.block.world.tables.things.layer as Uint8Array)
    this.isDeciding = pool.block.isDeciding
    this.count = pool.table.count
    this.row = 0
    this.done = false
  }

  [Symbol.iterator](): this {
    return this
  }

  next(): this {
    const { pool, leaving, layers, layer, count } = this
    let { row } = this
    while (row < count && (leaving[row] !== 0 || (layer !== ANY_LAYER && layers[row] !== layer))) row++
    this.row = row + 1
    if (row < count) this.value = this.isDeciding ? ruleHandleAt(pool!, row) : handleAt(pool!, row)
    else this.return()
    return this
  }

  /** The loop is over, at its end or by a break. */
  return(): this {
    this.done = true
    this.value = undefined
    if (this.pool !== undefined) this.pool.block.idle.push(this)
    this.pool = undefined
    this.count = 0
    return this
  }
}

const NOBODY = new Uint8Array(0)
