/**
 * Events under prediction: what is known of each, and the handlers that hear of it.
 *
 * A client shows the present before it is certain. So an event comes up as soon as the client knows of it (`predicted`), and
 * ends in one of two ways: it is `confirmed`, or it is `withdrawn` because it did not happen. An event that was never
 * predicted goes through both in one frame, as does every event of a match that nothing predicts: offline, on a terminal, in
 * a replay. Code that is written for the three words therefore runs everywhere.
 */

import { HurtboxError, requireFields, unknownName } from '../../base/errors.ts'
import type { EventOfKind, EventRecord } from '../../world/events.ts'
import type { AnyDeclaration, AnyGame, Declaration } from '../../world/game.ts'
import type { EventMeaning } from './event-meaning.ts'

/** What has become of an event. */
export type EventNews<D extends Declaration = AnyDeclaration> = {
  readonly what: 'predicted' | 'confirmed' | 'withdrawn'
  readonly event: EventRecord<D>
  /** The number of the event at this client: the same in all its news, and of no other event. */
  readonly serial: number
}

/** Called once per event and word; `serial` tells which `confirmed` or `withdrawn` belongs to which `predicted`. */
export type EventHandlers<D extends Declaration, K extends string> = {
  /** As soon as this client knows of it, predicted or certain. */
  predicted?(event: EventOfKind<D, K>, serial: number): void
  /** It happened, with the host's own numbers. */
  confirmed?(event: EventOfKind<D, K>, serial: number): void
  /** It was predicted and did not happen. `event` is the record that `predicted` got. */
  withdrawn?(event: EventOfKind<D, K>, serial: number): void
}

/** A function alone is called once per event, when its kind is to be shown. */
export type EventHandler<D extends Declaration, K extends string> =
  | EventHandlers<D, K>
  | ((event: EventOfKind<D, K>, serial: number) => void)

/** Ticks whose events never came: from `from` on, before `to`. */
export type Gap = { readonly from: number; readonly to: number }

/** How the events of a kind are followed and shown. */
export type EventPlan = {
  readonly show: NonNullable<EventMeaning<AnyDeclaration, string>['show']>
  /** Fields that two predictions of one event have in common, and those of them that hold ids. */
  readonly key: readonly string[]
  readonly ids: readonly string[]
  /** How many ticks an event may move and still be the same. */
  readonly windowTicks: number
}

/** The plan of each kind of event of a game. */
export type EventPlans = ReadonlyMap<string, EventPlan>

/** How far an event may move unless its meaning says otherwise. */
const WINDOW_MS = 200

/** Kinds that are not shown before they are certain: nobody forgives a goal that was taken away. */
const CERTAIN: readonly unknown[] = ['kill', 'score', 'end']

/** Plans for all kinds of a game; `meanings` are `meaning.events` of its module. */
export function planEvents(game: AnyGame, meanings: object = {}): EventPlans {
  const { events = {}, tickRate } = game.declaration as Declaration
  for (const kind of Object.keys(meanings)) {
    if (!Object.hasOwn(events, kind)) throw unknownName('event', kind, Object.keys(events))
  }
  return new Map(
    Object.entries(events).map(([kind, fields]) => {
      const meaning = (meanings as Readonly<Record<string, EventMeaning<AnyDeclaration, string>>>)[kind] ?? {}
      const { show = CERTAIN.includes(meaning.is) ? 'confirmed' : 'at-once', windowMs = WINDOW_MS } = meaning
      const isId = (field: string) => fields[field] === 'id'
      const key: readonly string[] = meaning.key ?? Object.keys(fields).filter(isId)
      for (const field of key) {
        if (!Object.hasOwn(fields, field)) throw unknownName(`field of event ${kind}`, field, Object.keys(fields))
      }
      const windowTicks = Math.ceil((windowMs * tickRate) / 1000)
      return [kind, { show, key: key.filter((field) => !isId(field)), ids: key.filter(isId), windowTicks }]
    }),
  )
}

/** What to show of some news: each event once, when its kind is to be shown, and what to take back again. */
export function shownOf(
  plans: EventPlans,
  news: readonly EventNews[],
): { readonly events: EventRecord[]; readonly withdrawn: EventRecord[] } {
  const events: EventRecord[] = []
  const withdrawn: EventRecord[] = []
  for (const { what, event } of news) {
    const show = plans.get(event.kind)?.show
    if (what === (show === 'confirmed' ? 'confirmed' : 'predicted')) events.push(event)
    else if (what === 'withdrawn' && show === 'taken-back') withdrawn.push(event)
  }
  return { events, withdrawn }
}

/** The news of an event that is certain from the start. */
export function certainNews(event: EventRecord, serial: number): readonly EventNews[] {
  return [
    { what: 'predicted', event, serial },
    { what: 'confirmed', event, serial },
  ]
}

/** Handlers by kind of event. */
export type Listeners = {
  plans: EventPlans
  readonly byKind: Map<string, Set<EventHandlers<AnyDeclaration, string>>>
}

export function createListeners(plans: EventPlans): Listeners {
  return { plans, byKind: new Map() }
}

/** Adds handlers for a kind of event; the function returned removes them. */
export function listen(listeners: Listeners, kind: string, handler: EventHandler<AnyDeclaration, string>): () => void {
  const { plans, byKind } = listeners
  const plan = plans.get(kind)
  if (plan === undefined) throw unknownName('event', kind, [...plans.keys()])
  const handlers = typeof handler === 'function' ? whenShown(plan, handler) : { ...handler }
  requireFields(handlers, `the handlers of ${kind}`, ['predicted', 'confirmed', 'withdrawn'])
  for (const [word, handle] of Object.entries(handlers)) {
    if (handle === undefined || typeof handle === 'function') continue
    throw new HurtboxError('bad-argument', `${word} of the handlers of ${kind} must be a function.`)
  }
  const known = byKind.get(kind) ?? new Set()
  byKind.set(kind, known.add(handlers))
  return () => void known.delete(handlers)
}

function whenShown(
  { show }: EventPlan,
  handle: (event: AnyDeclaration, serial: number) => void,
): EventHandlers<AnyDeclaration, string> {
  return show === 'confirmed' ? { confirmed: handle } : { predicted: handle }
}

/** Calls the handlers, in the order of the news. */
export function announce({ byKind }: Listeners, news: readonly EventNews[]): void {
  for (const { what, event, serial } of news) {
    for (const handlers of byKind.get(event.kind) ?? []) handlers[what]?.(event, serial)
  }
}
