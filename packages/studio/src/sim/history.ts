/**
 * What happened in a whole match, tick by tick: events for the feed, marks for the timeline, and what each phase cost.
 *
 * The engine forgets events with the next tick; they follow from the inputs. Here they are kept as they first come by, in
 * the order of the ticks. A long, busy match has millions of events, so beyond a limit the older half goes; marks, one per
 * tick, kind and player, stay.
 */

import { type EventRecord, listEvents } from 'hurtbox'
import { kindsThatAre, type LoadedModule } from 'hurtbox/module'
import type { AnyWorld, ColumnSpecs } from 'hurtbox/tools'
import type { PhaseTimes } from './phase-times.ts'
import { createRegister, forgetThings, noteThings, type Register } from './register.ts'

export type History = {
  readonly module: LoadedModule
  records: EventRecord[]
  /** Ticks 0 … indexed − 1 have been seen. */
  indexed: number
  /** Ticks with a hit, ascending. Never thinned out. */
  hitTicks: number[]
  readonly hitKinds: readonly string[]
  /** Tick, place in `kinds`, and seat (−1: nobody's) of each mark, one after another, ascending by tick. */
  marks: number[]
  readonly kinds: readonly string[]
  /** Milliseconds of each phase, by tick and place of the phase. */
  costs: Float32Array
  readonly phaseCount: number
  readonly register: Register
  /** Another one for each match, and whenever something is forgotten: what others know of this history is then wrong. */
  version: number
}

let versions = 0

const MOST_RECORDS = 40_000
/** More events of one tick than a person can read. */
const MOST_OF_A_TICK = 200

export function createHistory(module: LoadedModule, phaseCount: number): History {
  return {
    module,
    records: [],
    indexed: 0,
    hitTicks: [],
    hitKinds: kindsThatAre(module, 'hit'),
    marks: [],
    kinds: Object.keys(module.game.declaration.events ?? {}),
    costs: new Float32Array(0),
    phaseCount,
    register: createRegister(),
    version: ++versions,
  }
}

/** Takes in what the last step of `world` brought, if it is the tick that is missing. Returns the events. */
export function noteTick(history: History, world: AnyWorld, phases?: PhaseTimes): EventRecord[] {
  const events = listEvents(world)
  const tick = world.tick - 1
  if (tick !== history.indexed) return events
  history.indexed = tick + 1
  noteThings(history.register, history.module, world)
  for (let i = 0; i < events.length && i < MOST_OF_A_TICK; i++) history.records.push(events[i])
  if (events.some(({ kind }) => history.hitKinds.includes(kind))) history.hitTicks.push(tick)
  if (history.records.length > MOST_RECORDS) history.records = history.records.slice(MOST_RECORDS / 2)
  noteMarks(history, tick, events)
  if (phases !== undefined) noteCosts(history, tick, phases)
  return events
}

function noteMarks(history: History, tick: number, events: readonly EventRecord[]): void {
  const { marks, kinds } = history
  const first = marks.length
  const add = (kind: number, seat: number) => {
    for (let i = first; i < marks.length; i += 3) if (marks[i + 1] === kind && marks[i + 2] === seat) return
    marks.push(tick, kind, seat)
  }
  for (let i = 0; i < events.length && i < MOST_OF_A_TICK; i++) {
    const seats = seatsIn(history, events[i])
    for (const seat of seats.length === 0 ? [-1] : seats) add(kinds.indexOf(events[i].kind), seat)
  }
}

/** The players whom an event is about: those of the things that it names. */
function seatsIn({ module, register }: History, event: EventRecord): number[] {
  const fields: ColumnSpecs = module.game.declaration.events?.[event.kind] ?? {}
  const seats: number[] = []
  for (const [name, spec] of Object.entries(fields)) {
    if (spec !== 'id') continue
    const seat = register.known.get((event as unknown as Record<string, number>)[name])?.seat ?? -1
    if (seat >= 0 && !seats.includes(seat)) seats.push(seat)
  }
  return seats
}

function noteCosts(history: History, tick: number, { ms }: PhaseTimes): void {
  const { phaseCount } = history
  if ((tick + 1) * phaseCount > history.costs.length) {
    const larger = new Float32Array(Math.max(1024 * phaseCount, history.costs.length * 2, (tick + 1) * phaseCount))
    larger.set(history.costs)
    history.costs = larger
  }
  history.costs.set(ms, tick * phaseCount)
}

/** Forgets everything from `tick` on. */
export function forgetFrom(history: History, tick: number): void {
  if (tick >= history.indexed) return
  history.indexed = tick
  history.version = ++versions
  history.records = history.records.filter((record) => record.tick < tick)
  history.hitTicks = history.hitTicks.filter((hit) => hit < tick)
  let kept = history.marks.length
  while (kept > 0 && history.marks[kept - 3] >= tick) kept -= 3
  history.marks.length = kept
  forgetThings(history.register, tick)
}

/** Mean milliseconds by phase in each of `buckets` equal parts of the ticks from `from` to `to`, part after part. */
export function costsBetween(history: History, from: number, to: number, buckets: number): Float32Array<ArrayBuffer> {
  const { costs, phaseCount, indexed } = history
  const means = new Float32Array(buckets * phaseCount)
  for (let bucket = 0; bucket < buckets; bucket++) {
    const first = Math.floor(from + ((to - from) * bucket) / buckets)
    const end = Math.min(indexed, Math.max(first + 1, Math.floor(from + ((to - from) * (bucket + 1)) / buckets)))
    for (let tick = first; tick < end; tick++) {
      for (let phase = 0; phase < phaseCount; phase++) {
        means[bucket * phaseCount + phase] += costs[tick * phaseCount + phase] / (end - first)
      }
    }
  }
  return means
}
