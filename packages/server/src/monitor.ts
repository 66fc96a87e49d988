/** What the monitor page shows: processes, rooms, ticks, refusals and replays, as one object. */

import { matchMaker } from '@colyseus/core'
import { Late, shared } from './deadlines.ts'
import type { Metrics } from './metrics.ts'
import { listReplays } from './replays.ts'
import { type Answer, json } from './responses.ts'

const MAX_ROWS = 200

/** How long the page waits for a Redis that is away before it shows this process alone. */
const PATIENCE_MS = 2_000

export type MonitorData = () => Promise<Answer>

export function createMonitorData(metrics: Metrics, replayFolder: string | undefined): MonitorData {
  const listProcesses = shared(() => matchMaker.stats.fetchAll(), PATIENCE_MS)
  const listRooms = shared(() => matchMaker.query({}), PATIENCE_MS)
  return async () => {
    let problem = ''
    const orElse =
      <T>(instead: T) =>
      (error: unknown): T => {
        if (!(error instanceof Late)) throw error
        problem = 'no answer from Redis: other processes and their rooms are not shown'
        return instead
      }
    const { processId, stats } = matchMaker
    const [processes, rooms, ticks, late, skipped, refused, replays] = await Promise.all([
      listProcesses().catch(orElse([{ processId, ...stats.local }])),
      listRooms().catch(orElse([])),
      metrics.tickSeconds.get(),
      metrics.lateTicks.get(),
      metrics.skippedTicks.get(),
      metrics.refused.get(),
      replayFolder === undefined ? [] : listReplays(replayFolder, MAX_ROWS),
    ])
    return json(200, {
      processId: matchMaker.processId,
      upSeconds: process.uptime(),
      memoryMB: Math.round(process.memoryUsage.rss() / 1024 / 1024),
      processes: processes.map(({ processId, roomCount, ccu }) => ({
        process: processId,
        rooms: roomCount,
        clients: ccu,
      })),
      rooms: rooms.slice(0, MAX_ROWS).map(({ name, roomId, processId, clients, maxClients, locked }) => ({
        game: name,
        room: roomId,
        process: processId,
        clients,
        // JSON knows no infinity.
        seats: Number.isFinite(maxClients) ? maxClients : '',
        locked: locked ? 'yes' : '',
      })),
      ticks: meansOf(ticks.values),
      late: late.values.map(({ labels, value }) => ({
        game: labels.game,
        cause: labels.cause,
        ticks: value,
        'never ran': skipped.values.find((each) => isSame(each.labels, labels))?.value ?? 0,
      })),
      refused: refused.values.map(({ labels, value }) => ({ reason: labels.reason, times: value })),
      replays,
      problem,
    })
  }
}

function isSame(a: LateLabels, b: LateLabels): boolean {
  return a.game === b.game && a.cause === b.cause
}

type LateLabels = { readonly game?: string | number; readonly cause?: string | number }

/** Count and mean of a histogram for each game. */
function meansOf(values: readonly { labels: object; value: number; metricName?: string }[]) {
  const sums = new Map<string, { ticks: number; seconds: number }>()
  for (const { labels, value, metricName = '' } of values) {
    const { game = '' } = labels as { game?: string }
    const sum = sums.get(game) ?? { ticks: 0, seconds: 0 }
    if (metricName.endsWith('_count')) sum.ticks = value
    if (metricName.endsWith('_sum')) sum.seconds = value
    sums.set(game, sum)
  }
  return [...sums].map(([game, { ticks, seconds }]) => ({
    game,
    ticks,
    'mean ms': Number(((seconds / Math.max(1, ticks)) * 1000).toFixed(3)),
  }))
}
