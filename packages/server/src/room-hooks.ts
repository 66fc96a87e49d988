/**
 * What the server sees of a match: figures for the metrics, and a line in the log where something happened.
 *
 * Called after every tick of every room, so it reads columns and allocates only for what is written down.
 */

import type { RoomHooks, RoomView, Traffic } from '@hurtbox/colyseus'
import { listEvents } from 'hurtbox'
import { type LoadedModule, meaningOfEvent } from 'hurtbox/module'
import { type AnyWorld, placeOfFailure } from 'hurtbox/tools'
import type { Counter } from 'prom-client'
import type { LateLog } from './late-log.ts'
import type { Logger } from './log.ts'
import type { Metrics } from './metrics.ts'
import type { Reach } from './reach.ts'
import type { Results } from './results.ts'

/** Ticks between two looks at the counters of the clients. */
const COUNT_EVERY = 16
const DIRECTIONS = ['In', 'Out'] as const
const DATAGRAM_FATES = ['in', 'out', 'malformed', 'unbound', 'beyondBudget'] as const
const CHANNEL_STEPS = ['invited', 'offered', 'opened', 'unheard', 'lost'] as const

type Peer = RoomView['host']['peers'] extends Set<infer P> ? P : never
type Counts = Peer['counts']

type Observer = {
  readonly late: LateLog
  readonly metrics: Metrics
  readonly log: Logger
  readonly reach: Reach
  readonly results?: Results | undefined
}

/** The hooks of one game's rooms, and what they have counted so far. */
type Watch = Pick<Observer, 'metrics' | 'log' | 'reach'> & {
  readonly module: LoadedModule
  /** Kinds of events that have a line in the log. */
  readonly logged: readonly string[]
  readonly counted: WeakMap<Peer, Counts>
  /** Paths that all fates of inputs are listed for. */
  readonly listedPaths: Set<string>
  readonly countedTraffic: WeakMap<Traffic, Traffic>
}

export function createHooks(module: LoadedModule, { metrics, log, late, reach, results }: Observer): RoomHooks {
  const { id: game } = module
  const noteTick = metrics.tickSeconds.observerOf(game)
  const logged = Object.keys(module.meaning.events ?? {}).filter((kind) => meaningOfEvent(module, kind)?.log)
  const watch: Watch = {
    metrics,
    log,
    reach,
    module,
    logged,
    counted: new WeakMap(),
    listedPaths: new Set(),
    countedTraffic: new WeakMap(),
  }
  const about = (room: RoomView) => placeOf(game, room)

  return {
    onTick(room, stepMs) {
      noteTick(stepMs / 1000)
      // A line for each of them at info would drown everything else: 20 rooms of a shooter have 47 hits a second.
      if (countEvents(watch, room.world) && log.isLevelEnabled('debug')) logEvents(watch, room)
      if (room.world.tick % COUNT_EVERY !== 0) return
      countInputs(watch, room.host.peers)
      countTraffic(watch, room)
    },
    onLate({ roomId }, { ticks, skipped, lateMs, cause, by }) {
      metrics.lateTicks.inc({ game, cause }, ticks)
      if (skipped > 0) metrics.skippedTicks.inc({ game, cause }, skipped)
      late.note({ room: roomId, ticks, skipped, lateMs, cause, by })
    },
    onMatchEnd(room) {
      // What came since the last look: a room may end right after a client has come.
      countTraffic(watch, room)
      const { status, result, failure } = room.host
      const isAbandoned = status === 'over' && result?.over !== true
      metrics.matches.inc({ game, end: isAbandoned ? 'abandoned' : status })
      results?.ended(module, room)
      if (status === 'failed') logFailure(log, { ...about(room), replay: room.replay }, failure)
      else if (isAbandoned) log.info(about(room), 'match abandoned')
      else log.info({ ...about(room), winner: result?.winner, summary: result?.summary }, 'match over')
    },
    onCut(room, reason) {
      metrics.refused.inc({ reason })
      log.warn({ ...about(room), reason }, 'client cut')
    },
    onAbuse(room, seat, abuse) {
      log.warn(
        { ...about(room), seat, abuse },
        'data channel closed: its client sent too much, and plays on by its socket',
      )
    },
    onRollbacks(_room, rollbacks) {
      metrics.rollbacks.inc({ game }, rollbacks)
    },
    onDesync(room, seat, difference) {
      metrics.desyncs.inc({ game })
      log.warn({ ...about(room), seat, difference }, 'desync')
    },
  }
}

/** Function, things, file and line as fields to search by; the sentence for who reads. The stack is that of the game's own error. */
function logFailure(log: Logger, about: object, failure: unknown): void {
  const message = failure instanceof Error ? failure.message : String(failure)
  log.error({ ...about, ...placeOfFailure(failure), err: failure }, `the match is over: ${message}`)
}

/** Where something happened, for the log. */
function placeOf(game: string, { roomId, world }: RoomView): { game: string; room: string; tick: number } {
  return { game, room: roomId, tick: world.tick }
}

/** Whether there were any that have a line in the log. Most ticks have none; asking costs nothing. */
function countEvents({ metrics, module, logged }: Watch, { events }: AnyWorld): boolean {
  const { id: game } = module
  let isAny = false
  for (const kind of logged) {
    const { count } = events[kind]
    if (count === 0) continue
    metrics.events.inc({ game, kind }, count)
    isAny = true
  }
  return isAny
}

function logEvents({ module, log }: Watch, room: RoomView): void {
  for (const event of listEvents(room.world)) {
    const line = meaningOfEvent(module, event.kind)?.log?.(event)
    if (line === undefined) continue
    const { msg, ...fields } = line
    log.debug({ ...placeOf(module.id, room), ...fields }, typeof msg === 'string' ? msg : event.kind)
  }
}

/** Messages and datagrams since the last look. */
function countTraffic({ metrics, module, reach, countedTraffic }: Watch, { traffic }: RoomView): void {
  const { id: game } = module
  const before = countedTraffic.get(traffic)
  const now = { ...traffic, datagrams: { ...traffic.datagrams } }
  countedTraffic.set(traffic, now)
  const { datagrams } = now
  for (const direction of DIRECTIONS) {
    const [messages, bytes] = [`messages${direction}`, `bytes${direction}`] as const
    const labels = { game, direction: direction.toLowerCase() }
    const socket = { ...labels, path: 'socket' }
    add(metrics.messages, socket, now[messages], before?.[messages])
    add(metrics.messageBytes, socket, now[bytes], before?.[bytes])
    const datagram = { ...labels, path: 'datagram' }
    const fate = direction === 'In' ? 'in' : 'out'
    add(metrics.messages, datagram, datagrams[fate], before?.datagrams[fate])
    add(metrics.messageBytes, datagram, datagrams[bytes], before?.datagrams[bytes])
  }
  for (const fate of DATAGRAM_FATES) {
    add(metrics.datagrams, { game, fate }, datagrams[fate], before?.datagrams[fate])
  }
  for (const step of CHANNEL_STEPS) {
    add(metrics.channels, { game, step }, datagrams[step], before?.datagrams[step])
  }
  const since = (step: 'opened' | 'unheard') => datagrams[step] - (before?.datagrams[step] ?? 0)
  reach.note(since('opened'), since('unheard'))
}

/** Adds what has come since the last look; what a client does in its last quarter of a second may go uncounted. */
function countInputs({ metrics, module, counted, listedPaths }: Watch, peers: Iterable<Peer>): void {
  const { id: game } = module
  for (const peer of peers) {
    const before = counted.get(peer)
    const path = peer.path === 'datagram' ? 'datagram' : 'socket'
    const fates = Object.keys(peer.counts) as (keyof Counts)[]
    // A share of late inputs is 0 where none was late, and `rate` sees the first one.
    if (!listedPaths.has(path)) for (const fate of fates) metrics.inputs.inc({ game, fate, path }, 0)
    listedPaths.add(path)
    for (const fate of fates) {
      add(metrics.inputs, { game, fate, path }, peer.counts[fate], before?.[fate])
    }
    counted.set(peer, { ...peer.counts })
  }
}

/** A series that nothing was added to is not there. */
function add<L extends string>(counter: Counter<L>, labels: Record<L, string>, now: number, before = 0): void {
  if (now > before) counter.inc(labels, now - before)
}
