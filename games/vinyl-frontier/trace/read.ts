/** Reads a trace file, strictly enough that playing it cannot fail half way. */

import { SHIPS_PER_TEAM } from '../rules/declaration.ts'
import type { Frame, GivenOrder, Thing, Trace } from './format.ts'

const KINDS: readonly unknown[] = ['station', 'ship', 'asteroid']
const FLOWS: readonly unknown[] = ['orders-then-simulate', 'simulate-then-orders']
const MAX_TURNS = 100_000

/** The trace in a text; throws an error that says what is wrong where. */
export function requireTrace(text: string, file: string): Trace {
  const fail = (what: string): never => {
    throw new Error(`${file} is no trace: ${what}.`)
  }
  let trace: Partial<Trace> | null = null
  try {
    trace = JSON.parse(text)
  } catch (error) {
    fail((error as Error).message)
  }
  if (typeof trace !== 'object' || trace === null) return fail('it is no object')
  const { frames, orders = [], turns, flow = 'orders-then-simulate', everyTurns = 1, seed = 42 } = trace
  const start: Partial<Frame> | undefined = Array.isArray(frames) ? frames[0] : undefined
  if (start?.phase !== 'start' || !Array.isArray(start.changed))
    return fail('its first frame must have the phase "start"')
  for (const thing of start.changed) requireThing(thing, fail)
  if (!isWhole(turns, 0, MAX_TURNS)) return fail(`turns must be a whole number up to ${MAX_TURNS}`)
  if (!isWhole(everyTurns, 1, MAX_TURNS)) return fail('everyTurns must be a whole number from 1 on')
  if (!isWhole(seed, 0, Number.MAX_SAFE_INTEGER)) return fail('seed must be a whole number')
  if (!FLOWS.includes(flow)) return fail(`flow must be one of ${FLOWS.join(', ')}`)
  if (!Array.isArray(orders)) return fail('orders must be a list')
  for (const order of orders) requireOrder(order, fail)
  const { scenario = file, mode = 'new', preset = 'original' } = trace
  return { scenario, mode, preset, flow, everyTurns, seed, turns, orders, frames: frames as readonly Frame[] }
}

function requireThing(thing: Partial<Thing>, fail: (what: string) => never): void {
  if (!KINDS.includes(thing?.kind) || typeof thing.name !== 'string' || !isWhole(thing.i, 0, 0xffff)) {
    fail('a thing of its start has no kind, name or index')
  }
  for (const field of ['x', 'y', 'speed', 'heading', 'orient', 'mass', 'size'] as const) {
    if (!Number.isFinite(thing[field])) fail(`${field} of ${thing.name} must be a number`)
  }
}

function requireOrder(order: Partial<GivenOrder>, fail: (what: string) => never): void {
  const isOrder =
    isWhole(order?.team, 0, 255) &&
    isWhole(order.ship, 0, SHIPS_PER_TEAM - 1) &&
    isWhole(order.turn, 0, MAX_TURNS) &&
    typeof order.order === 'string' &&
    Number.isFinite(order.value)
  if (!isOrder) fail(`an order must have team, ship, turn, order and value, got ${JSON.stringify(order)}`)
}

function isWhole(value: unknown, min: number, max: number): value is number {
  return Number.isInteger(value) && (value as number) >= min && (value as number) <= max
}
