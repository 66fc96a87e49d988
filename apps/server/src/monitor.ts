/** What the monitor page shows: processes, rooms, ticks, refusals and replays, as one object. */

import { matchMaker } from '@colyseus/core'
import type { Metrics } from './metrics.ts'
import { listReplays } from './replays.ts'
import { type Answer, json } from './responses.ts'

const MAX_ROWS = 200

export async function answerMonitorData(metrics: Metrics, replayFolder: string | undefined): Promise<Answer> {
  const [processes, rooms, ticks, refused, replays] = await Promise.all([
    matchMaker.stats.fetchAll(),
    matchMaker.query({}),
    metrics.tickSeconds.get(),
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
    refused: refused.values.map(({ labels, value }) => ({ reason: labels.reason, times: value })),
    replays,
  })
}

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
