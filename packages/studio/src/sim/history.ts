/**
 * The events of a whole match, so that the feed can be scrolled and its rows can seek.
 *
 * The engine forgets events with the next tick; they follow from the inputs. Here they are kept as they first come by.
 * A long, busy match has millions, so beyond a limit the older half goes.
 */

import type { EventRecord } from 'hurtbox'
import { listEvents } from 'hurtbox'
import type { AnyWorld } from 'hurtbox/tools'

export type History = {
  records: EventRecord[]
  /** Ticks 0 … indexed − 1 have been seen. */
  indexed: number
  /** Ticks with a hit, ascending. Never thinned out. */
  hitTicks: number[]
  readonly hitKinds: readonly string[]
}

const MOST_RECORDS = 40_000
/** More events of one tick than a person can read. */
const MOST_OF_A_TICK = 200

/** `hitKinds` are the kinds of events that mark a tick. */
export function createHistory(hitKinds: readonly string[]): History {
  return { records: [], indexed: 0, hitTicks: [], hitKinds }
}

/** Takes in what the last step of `world` brought, unless that tick is known already. Returns the events. */
export function noteTick(history: History, world: AnyWorld): EventRecord[] {
  const events = listEvents(world)
  const tick = world.tick - 1
  if (tick < history.indexed) return events
  history.indexed = tick + 1
  for (let i = 0; i < events.length && i < MOST_OF_A_TICK; i++) history.records.push(events[i])
  if (events.some(({ kind }) => history.hitKinds.includes(kind))) history.hitTicks.push(tick)
  if (history.records.length > MOST_RECORDS) history.records = history.records.slice(MOST_RECORDS / 2)
  return events
}

/** Forgets everything from `tick` on. */
export function forgetFrom(history: History, tick: number): void {
  if (tick >= history.indexed) return
  history.indexed = tick
  history.records = history.records.filter((record) => record.tick < tick)
  history.hitTicks = history.hitTicks.filter((hit) => hit < tick)
}
