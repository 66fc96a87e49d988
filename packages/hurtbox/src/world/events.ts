/**
 * Events: what a step reports, in typed columns that are read after the step.
 *
 * There are no callbacks into user code inside a step: it could change the world half way, its order would become part
 * of the outcome, and a recording could not contain it. An event is identified by (tick, kind, n), so that a view that saw
 * a predicted one does not show it again when it is confirmed.
 */

import { HurtboxError, unknownName } from '../base/errors.ts'
import type { ColumnSpec, ColumnSpecs, WideColumn } from '../state/columns.ts'
import { addRow, type RowsBase } from '../state/table.ts'
import type { AnyDeclaration, Declaration, IsAny } from './game.ts'
import { idOf } from './handles/classes.ts'
import { requireWorld } from './handles/require.ts'
import type { InWorld, Wide } from './handles/types.ts'
import type { AnyWorld } from './world.ts'

type EventSpecs<D extends Declaration> =
  D['events'] extends Readonly<Record<string, ColumnSpecs>> ? D['events'] : Record<never, never>

/** The kinds of events of a game. */
export type EventKind<D extends Declaration> = IsAny<D> extends true ? string : keyof EventSpecs<D> & string

/** The fields of an event; a thing may stand for its id. */
type EventValues<S> = {
  readonly [K in keyof S]: ColumnSpec extends S[K]
    ? unknown
    : S[K] extends WideColumn
      ? readonly number[]
      : S[K] extends 'id'
        ? number | { readonly id: number }
        : number
}
type ValuesOf<D extends Declaration, K extends EventKind<D>> =
  IsAny<D> extends true
    ? Readonly<Record<string, unknown>>
    : K extends keyof EventSpecs<D>
      ? EventValues<EventSpecs<D>[K]>
      : never

/**
 * Adds an event. When its kind is full for this tick, it is counted as refused instead.
 *
 * @example
 * ```ts
 * import { createWorld, declareGame, defineGame, emit, listEvents, spawn, step } from 'hurtbox'
 *
 * const arena = declareGame({ id: 'arena', tickRate: 60, layers: { slime: [] }, events: { jump: { slime: 'id' } } })
 * const world = createWorld(
 *   defineGame(arena, { phases: { jump: (world) => emit(world, 'jump', { slime: spawn(world, 'slime') }) } }),
 * )
 * step(world)
 * for (const event of listEvents(world)) console.log(event.kind, event.slime) // jump 1
 * ```
 */
export function emit<D extends Declaration, const K extends EventKind<D>>(
  world: InWorld<D>,
  kind: K,
  values: ValuesOf<D, K>,
): void {
  requireWorld(world, "emit(world, 'kill', { victim })")
  const list = listNamed(world as unknown as AnyWorld, kind)
  const row = addRow(list)
  if (row < 0) return
  for (let c = 0; c < list.columns.length; c++) {
    const { name, array, width } = list.columns[c]
    const value = (values as Record<string, unknown>)[name]
    if (typeof value === 'number') array[row * width] = value
    else if (Array.isArray(value)) for (let i = 0; i < value.length; i++) array[row * width + i] = value[i]
    else if (typeof value === 'object' && value !== null) array[row] = idOf(value as { id: number }, world.memory.block)
    else throw new HurtboxError('bad-argument', `event ${kind} needs ${name}, got ${String(value)}.`)
  }
}

/** An event of this tick, to be read by a later phase: its fields by name. */
export type EventOf<D extends Declaration, K extends EventKind<D>> =
  IsAny<D> extends true
    ? Readonly<Record<string, number>>
    : K extends keyof EventSpecs<D>
      ? { readonly [F in keyof EventSpecs<D>[K]]: EventSpecs<D>[K][F] extends WideColumn ? Wide : number }
      : never

/**
 * The events of a kind in this tick so far, in the order they happened.
 *
 * @example
 * ```ts
 * import { createWorld, declareGame, defineGame, emit, eventsOf, spawn, step, thing } from 'hurtbox'
 *
 * const arena = declareGame({ id: 'arena', tickRate: 60, layers: { slime: [] }, events: { jump: { slime: 'id' } } })
 * const game = defineGame(arena, {
 *   phases: {
 *     jump: (world) => emit(world, 'jump', { slime: spawn(world, 'slime') }),
 *     land(world) {
 *       for (const { slime } of eventsOf(world, 'jump')) thing(world, slime)!.y = 10
 *     },
 *   },
 * })
 * const world = createWorld(game)
 * step(world)
 * console.log(thing(world, 1)?.y) // 10
 * ```
 */
export function eventsOf<D extends Declaration, const K extends EventKind<D>>(
  world: InWorld<D>,
  kind: K,
): Iterable<EventOf<D, K>> {
  const list = listNamed(world as unknown as AnyWorld, kind)
  if (list.count === 0) return NO_EVENTS as unknown as Iterable<EventOf<D, K>>
  const shared = loopsOf(list)
  const loop = shared.idle.pop() ?? new EventLoop(list, shared)
  loop.start()
  return loop as unknown as Iterable<EventOf<D, K>>
}

function listNamed(world: AnyWorld, kind: string): RowsBase {
  const list = world.events[kind] as RowsBase | undefined
  if (list !== undefined) return list
  throw unknownName('event', kind, Object.keys(world.game.declaration.events ?? {}))
}

/** The loop of an empty list, which is the usual case: one object for all, without a look-up. */
const NO_EVENTS = {
  done: true,
  value: undefined,
  next() {
    return this
  },
  [Symbol.iterator]() {
    return this
  },
}

/** Goes through a list with one cursor: what the loop gets is valid until its next turn. Used again when it is over. */
class EventLoop {
  private readonly list: RowsBase
  private readonly idle: EventLoop[]
  readonly value: { n: number }
  done = false

  constructor(list: RowsBase, { fields, idle }: EventLoops) {
    this.list = list
    this.idle = idle
    this.value = Object.create(fields) as { n: number }
  }

  start(): void {
    this.value.n = -1
    this.done = false
  }

  [Symbol.iterator](): this {
    return this
  }

  next(): this {
    return this.done || ++this.value.n < this.list.count ? this : this.return()
  }

  /** The loop is over, at its end or by a break. Once only: two loops must not be given the same cursor. */
  return(): this {
    if (!this.done) this.idle.push(this)
    this.done = true
    return this
  }
}

/** What the loops through one list share. */
type EventLoops = { readonly fields: object; readonly idle: EventLoop[] }

const loops = new WeakMap<RowsBase, EventLoops>()

function loopsOf(list: RowsBase): EventLoops {
  const known = loops.get(list)
  if (known !== undefined) return known
  const fields = {}
  for (const { name, array, width, spec } of list.columns) {
    // Two functions: one that can make a closure makes room for it in every call.
    const get = function (this: { n: number }): number {
      return array[this.n]
    }
    const getWide = function (this: { n: number }): unknown {
      const first = this.n * width
      return { width, get: (i: number) => array[first + i] }
    }
    Object.defineProperty(fields, name, { get: typeof spec === 'object' ? getWide : get, enumerable: true })
  }
  const made: EventLoops = { fields, idle: [] }
  loops.set(list, made)
  return made
}

/** An event as a plain object, for logs and views: the union of all kinds of a game, discriminated by `kind`. */
export type EventRecord<D extends Declaration = AnyDeclaration> =
  IsAny<D> extends true
    ? { readonly tick: number; readonly kind: string; readonly n: number } & Readonly<
        Record<string, number | string | readonly number[]>
      >
    : {
        [K in keyof EventSpecs<D> & string]: { readonly tick: number; readonly kind: K; readonly n: number } & {
          readonly [F in keyof EventSpecs<D>[K]]: EventSpecs<D>[K][F] extends WideColumn ? readonly number[] : number
        }
      }[keyof EventSpecs<D> & string]

/** The record of one kind. */
export type EventOfKind<D extends Declaration, K extends string> =
  IsAny<D> extends true ? AnyDeclaration : Extract<EventRecord<D>, { readonly kind: K }>

/**
 * All events of the last step as plain objects, kind by kind in the order of declaration. Allocates; not for a tick.
 *
 * @example
 * ```ts
 * import { createWorld, declareGame, defineGame, emit, listEvents, spawn, step } from 'hurtbox'
 *
 * const arena = declareGame({ id: 'arena', tickRate: 60, layers: { slime: [] }, events: { jump: { slime: 'id' } } })
 * const world = createWorld(
 *   defineGame(arena, { phases: { jump: (world) => emit(world, 'jump', { slime: spawn(world, 'slime') }) } }),
 * )
 * step(world)
 * for (const event of listEvents(world)) console.log(event.kind, event.slime) // jump 1
 * ```
 */
export function listEvents<D extends Declaration>(world: InWorld<D>): EventRecord<D>[] {
  const { tick, memory } = world as unknown as AnyWorld
  const records: unknown[] = []
  for (const list of memory.events) {
    for (let n = 0; n < list.count; n++) {
      const record: Record<string, number | string | readonly number[]> = { tick: tick - 1, kind: list.name, n }
      for (const { name, array, width } of list.columns) {
        record[name] = width === 1 ? array[n] : [...array.subarray(n * width, (n + 1) * width)]
      }
      records.push(record)
    }
  }
  return records as EventRecord<D>[]
}

export function clearEvents({ memory }: AnyWorld): void {
  memory.eventCounters.fill(0)
}
