/** What Prometheus reads at `/metrics`: figures that show whether matches run well and which clients are rejected. */

import { Counter, collectDefaultMetrics, Gauge, Histogram, type Metric, Registry } from 'prom-client'
import { TickHistogram } from './tick-histogram.ts'

/** From a twentieth of a millisecond up, each a third wider: fine enough to measure p99 of any tick within its budget. */
const TICK_SECONDS = Array.from({ length: 24 }, (_, i) => Number((0.00005 * (4 / 3) ** i).toPrecision(3)))
const LOG_SECONDS = [0.0002, 0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2]
const BYTES_PER_SECOND = [250, 500, 1_000, 2_000, 3_000, 4_000, 6_000, 10_000, 20_000, 50_000, 100_000, 1_000_000]

export type Metrics = ReturnType<typeof createMetrics>

export function createMetrics() {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const tickSeconds = new TickHistogram(
    'hurtbox_tick_seconds',
    'time to take inputs and step the world once',
    TICK_SECONDS,
  )
  registry.registerMetric(tickSeconds as unknown as Metric)
  return { registry, tickSeconds, ...matchMetrics(registry), ...trafficMetrics(registry) }
}

/** Rooms, and how their matches run. */
function matchMetrics(registry: Registry) {
  const registers = [registry]
  const labelNames = ['game'] as const
  return {
    rooms: new Gauge({ name: 'hurtbox_rooms', help: 'rooms of this process', labelNames, registers }),
    clients: new Gauge({ name: 'hurtbox_clients', help: 'clients in rooms of this process', labelNames, registers }),
    load: new Gauge({
      name: 'hurtbox_load',
      help: 'share of time the event loop is busy, new rooms estimated; see admission in docs/server.md',
      registers,
    }),
    inputs: new Counter({
      name: 'hurtbox_inputs_total',
      help: 'inputs of clients by what became of them, and by the path of their client: socket or datagram',
      labelNames: ['game', 'fate', 'path'],
      registers,
    }),
    matches: new Counter({
      name: 'hurtbox_matches_total',
      help: 'matches by how they ended',
      labelNames: ['game', 'end'],
      registers,
    }),
    rollbacks: new Counter({
      name: 'hurtbox_rollbacks_total',
      help: 'how often mirrors rolled back, by their own word',
      labelNames,
      registers,
    }),
    desyncs: new Counter({
      name: 'hurtbox_desyncs_total',
      help: 'clients whose world differed and was sent anew',
      labelNames,
      registers,
    }),
    events: new Counter({
      name: 'hurtbox_events_total',
      help: 'events of matches that have a line in the log at debug, by kind',
      labelNames: ['game', 'kind'],
      registers,
    }),
    lateTicks: new Counter({
      name: 'hurtbox_late_ticks_total',
      help: 'ticks that ran or were told more than one tick late, by cause: gc, room, log, user, machine or other',
      labelNames: ['game', 'cause'],
      registers,
    }),
    skippedTicks: new Counter({
      name: 'hurtbox_skipped_ticks_total',
      help: 'those of them that never ran',
      labelNames: ['game', 'cause'],
      registers,
    }),
    logSeconds: new Histogram({
      name: 'hurtbox_log_seconds',
      help: 'time until the log of a match, on disk or in Redis, had a tick',
      buckets: LOG_SECONDS,
      registers,
    }),
    matchLog: new Counter({
      name: 'hurtbox_match_log_total',
      help: 'how often a match lost its log (away), got it back (kept), or was taken over by another process (fenced)',
      labelNames: ['state'],
      registers,
    }),
  }
}

/** What clients send and are sent, and what is refused. */
function trafficMetrics(registry: Registry) {
  const registers = [registry]
  return {
    clientBytesPerSecond: new Histogram({
      name: 'hurtbox_client_bytes_per_second',
      help: 'bytes of one client within one second, frames included',
      labelNames: ['direction'],
      buckets: BYTES_PER_SECOND,
      registers,
    }),
    messages: new Counter({
      name: 'hurtbox_messages_total',
      help: 'messages of rooms by path (socket or datagram) and direction',
      labelNames: ['game', 'path', 'direction'],
      registers,
    }),
    messageBytes: new Counter({
      name: 'hurtbox_message_bytes_total',
      help: 'bytes of these messages',
      labelNames: ['game', 'path', 'direction'],
      registers,
    }),
    datagrams: new Counter({
      name: 'hurtbox_datagrams_total',
      help: 'datagrams by what became of them: in, out, or dropped as malformed, unbound or beyondBudget',
      labelNames: ['game', 'fate'],
      registers,
    }),
    channels: new Counter({
      name: 'hurtbox_channels_total',
      help: 'clients by how far their data channels got: invited, offered, opened, unheard for half a minute, or lost again to the socket',
      labelNames: ['game', 'step'],
      registers,
    }),
    refused: new Counter({
      name: 'hurtbox_refused_total',
      help: 'requests refused and sockets cut, by reason',
      labelNames: ['reason'],
      registers,
    }),
  }
}

type PortCounts = {
  readonly refused: Readonly<Record<string, number>>
  readonly abusers: Readonly<Record<string, number>>
}

/** What the UDP port dropped before it was a client's datagram, and the channels that it closed. Read at each scrape. */
export function countPort({ registry }: Metrics, { refused, abusers }: PortCounts): void {
  const count = (name: string, help: string, counts: PortCounts['refused']) =>
    new Counter({
      name,
      help,
      labelNames: ['reason'],
      registers: [registry],
      collect() {
        this.reset()
        for (const [reason, value] of Object.entries(counts)) this.inc({ reason }, value)
      },
    })
  const dropped =
    'packets and records of the UDP port dropped as strange, tooLong, beyondBudget, crowded, forged or replayed'
  count('hurtbox_packets_refused_total', dropped, refused)
  const closed =
    'data channels closed because their client sent too much: records, crowded packets, bytes, or handshake'
  count('hurtbox_channels_abused_total', closed, abusers)
}
