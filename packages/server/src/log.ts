/** Logs: one JSON object per line, by pino. Colyseus writes into the same stream. */

import { type DestinationStream, type Logger, pino } from 'pino'

export type { Logger }

export const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'silent'] as const
export type LogLevel = (typeof LOG_LEVELS)[number]

/**
 * Writes to stdout by default: at once, but not in the thread of the rooms, which a full pipe or a slow disk would stop. What is not written
 * yet when the process ends is written then; only a kill may lose the last lines.
 */
export function createLog(level: LogLevel, destination?: DestinationStream): Logger {
  // A collector that reads several processes knows machine and process already; here they only lengthen the lines.
  const settings = { level, base: null, timestamp: pino.stdTimeFunctions.isoTime }
  return pino(settings, destination ?? pino.destination({ dest: 1, sync: false }))
}

/**
 * Colyseus logs in the manner of `console`. Its errors are mostly what clients did (a frame too long, a seat that
 * expired), with a stack: for us a warning of one line.
 */
export function colyseusLogger(log: Logger) {
  const child = log.child({ source: 'colyseus' })
  const write = (level: 'debug' | 'info' | 'warn') => (first: unknown) =>
    child[level](String(first instanceof Error ? first.message : first).split('\n', 1)[0])
  return {
    trace: write('debug'),
    debug: write('debug'),
    info: write('info'),
    warn: write('warn'),
    error: write('warn'),
  }
}
