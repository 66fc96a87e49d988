/**
 * Keys and pad buttons as the player wants them: which one acts as which one of the game's map, remembered for each game.
 *
 * Two always change places, so none is ever lost and none acts as two. The game's map is untouched: bindings and whatever a view
 * asks of the devices see the codes that they were written with.
 */

import { keep, readKept } from '../kept.ts'

/** `code` is a `KeyboardEvent.code`, or `pad` and the number of a button. */
export type Remap = {
  /** What a pressed key acts as. */
  acts(code: string): string
  /** The key that acts as one of the game's map. */
  keyFor(code: string): string
  /** Makes `key` act as `code`; what it acted as before, the old key of `code` does now. */
  change(code: string, key: string): void
  reset(): void
  /** Whether any acts as another one. */
  readonly isChanged: boolean
  /** Called after every change. The function returned ends that. */
  onChange(listener: () => void): () => void
}

export function createRemap(game: string): Remap {
  const name = `keys-${game}`
  let acting = readTable(readKept(name))
  const listeners = new Set<() => void>()
  const save = () => {
    keep(name, JSON.stringify([...acting]))
    for (const listener of listeners) listener()
  }
  const acts = (code: string) => acting.get(code) ?? code
  const keyFor = (code: string) => {
    for (const [key, as] of acting) if (as === code) return key
    return code
  }
  return {
    acts,
    keyFor,
    change(code, key) {
      const before = keyFor(code)
      const other = acts(key)
      for (const [from, to] of [
        [key, code],
        [before, other],
      ]) {
        if (from === to) acting.delete(from)
        else acting.set(from, to)
      }
      save()
    },
    reset() {
      acting = new Map()
      save()
    },
    get isChanged() {
      return acting.size > 0
    },
    onChange(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}

/** What was kept may be anything by now. */
function readTable(text: string): Map<string, string> {
  try {
    const rows = JSON.parse(text || '[]') as unknown[]
    return new Map(
      rows.filter(
        (row): row is [string, string] =>
          Array.isArray(row) && row.length === 2 && row.every((each) => typeof each === 'string'),
      ),
    )
  } catch {
    return new Map()
  }
}
