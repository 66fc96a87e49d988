/**
 * The memory of a world as its state is read: the block, and the layout that describes it.
 *
 * Hashing, packing and comparing need this much of a world and nothing of its game, things or phases.
 */

import type { Layout } from './layout.ts'
import type { AnyTable, Column } from './table.ts'

export type StateMemory = {
  readonly layout: Layout
  readonly bytes: Uint8Array
  readonly header: Uint32Array
  readonly tables: readonly AnyTable[]
  /** Views of the regions, in the same order. */
  readonly columns: readonly Column[]
  /** The same bytes as words. */
  readonly block: { readonly u32: Uint32Array }
}

/** A world of any game, as far as its state goes. */
export type StateWorld = {
  readonly game: { readonly declaration: { readonly id: string; readonly streams?: readonly string[] } }
  readonly tick: number
  readonly memory: StateMemory
}
