/**
 * The same game with room for less: capacities are memory, and a room of eight players needs a fraction of what a game declares for
 * its largest scene.
 *
 * Capacities are part of what two ends must share: a table that is full refuses rows, so a world with less room goes another way from
 * there on. They are part of the fingerprint of the smaller game, a host tells them to its clients, and replays carry them. The block
 * of a world never grows.
 */

import { requireFields, requireInteger, unknownName } from '../base/errors.ts'
import { layoutBlock, type TableSpec } from '../state/layout.ts'
import type { AnyGame, Declaration, Game, HitRoom } from './game.ts'
import { createHandleClasses } from './handles/classes.ts'

/** Rows at most, by table; what is left out stays as declared. */
export type Capacity = {
  readonly things?: number
  readonly hits?: number
  /** Events of each kind in one tick. */
  readonly events?: number
  readonly tables?: Readonly<Record<string, number>>
}

type Smaller = { readonly declared: AnyGame; readonly capacity: Capacity }

const smaller = new WeakMap<AnyGame, Smaller>()
/** The last one of each game: a client gets the same with every welcome, and what belongs to a game is made once per game. */
const newest = new WeakMap<AnyGame, { readonly key: string; readonly game: AnyGame }>()

/** As many events of a kind as fit into one tick unless a game declares another number. */
export const EVENTS = 1024

/**
 * The game with smaller capacities. Worlds of it play the same match for as long as no table is full.
 *
 * @example
 * ```ts
 * import { declareGame, defineGame } from 'hurtbox'
 * import { withCapacity, worldBytes } from 'hurtbox/tools'
 *
 * const game = defineGame(declareGame({ id: 'arena', tickRate: 60, capacity: 16_384 }), { phases: {} })
 * const small = withCapacity(game, { things: 512 })
 * console.log(worldBytes(small) < worldBytes(game) / 20) // true
 * ```
 */
export function withCapacity<D extends Declaration>(game: Game<D>, capacity: Capacity): Game<D> {
  const declared = declaredGame(game)
  requireFields(capacity, 'a capacity', ['things', 'hits', 'events', 'tables'])
  const key = JSON.stringify(capacity)
  if (key === '{}') return declared as Game<D>
  const known = newest.get(declared)
  if (known?.key === key) return known.game as Game<D>
  const made = makeSmaller(declared, capacity)
  smaller.set(made, { declared, capacity })
  newest.set(declared, { key, game: made })
  return made as Game<D>
}

/** By hand and not by `defineGame`: everything but the capacities has been checked. */
function makeSmaller(declared: AnyGame, { events, tables: own = {}, ...engine }: Capacity): AnyGame {
  const rows: Readonly<Record<string, number>> = { ...own, ...engine }
  const tables: Record<string, TableSpec> = { ...declared.tables }
  for (const [name, count] of Object.entries(rows)) {
    if (!Object.hasOwn(tables, name) || name === 'players') {
      throw unknownName(`table of ${declared.declaration.id}`, name, Object.keys(tables))
    }
    tables[name] = { ...tables[name], capacity: atMost(count, tables[name].capacity, name) }
  }
  const { eventCapacity = EVENTS }: Declaration = declared.declaration
  const declaration: Declaration = Object.freeze({
    ...declared.declaration,
    capacity: tables.things.capacity,
    ...(tables.hits && { hits: tables.hits.capacity as HitRoom }),
    ...(events !== undefined && { eventCapacity: atMost(events, eventCapacity, 'events') }),
    ...(declared.declaration.tables && {
      tables: Object.fromEntries(
        Object.entries(declared.declaration.tables as Readonly<Record<string, TableSpec>>).map(([name, spec]) => [
          name,
          { ...spec, capacity: tables[name].capacity },
        ]),
      ),
    }),
  })
  const layout = layoutBlock(declaration, tables)
  return Object.freeze({
    ...declared,
    declaration,
    tables,
    layout,
    handles: createHandleClasses(layout, declared.input.words),
  })
}

function atMost(rows: number, declared: number, table: string): number {
  return requireInteger(rows, `the capacity of ${table}`, 1, declared)
}

/** What `withCapacity` was given; empty for a game as it was declared. */
export function capacityOf(game: AnyGame): Capacity {
  return smaller.get(game)?.capacity ?? {}
}

/** The game as it was declared, whatever its rooms have space for. */
export function declaredGame(game: AnyGame): AnyGame {
  return smaller.get(game)?.declared ?? game
}
