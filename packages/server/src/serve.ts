/**
 * `hurtbox serve` and `npm start`: all games and the studio on one port, until it is stopped.
 *
 * What people read goes to stderr, logs go to stdout: one line each, for log collectors. On a terminal only warnings
 * are logged unless more is asked for, since there the address is what matters.
 */

import { HurtboxError } from 'hurtbox'
import type { ServeOptions } from '../../cli/src/server-module.ts'
import { isLoopback } from './addresses.ts'
import { LIMITS, LOAD_TEST_LIMITS } from './limits.ts'
import { createLog, LOG_LEVELS, type LogLevel } from './log.ts'
import { createMetrics } from './metrics.ts'
import { gameRooms, projectGames } from './rooms.ts'
import { createServer, type HurtboxServer } from './server.ts'
import { preparedStudio } from './studio-build.ts'

/** What comes from the environment: secrets do not belong on a command line, where every process can read them. */
type Environment = { readonly REDIS_URL?: string; readonly HURTBOX_TOKEN?: string; readonly PORT?: string }

const DEFAULT_PORT = 2567
/** A second signal, or this long after the first, ends the process at once. */
const GRACE_MS = 10_000
/** Ctrl+C reaches us from the terminal and, through npm, from our parent: twice, and yet once. */
const ONE_SIGNAL_MS = 500

/** Serves until a signal comes. Returns the exit code. */
export async function serve(
  options: ServeOptions,
  say: (line: string) => void,
  { REDIS_URL: redisUrl, HURTBOX_TOKEN: token, PORT }: Environment = process.env,
): Promise<number> {
  const { host = '127.0.0.1', loadTest = false, replays: replayFolder = '.cache/replays', proxies } = options
  if (loadTest && !isLoopback(host)) {
    throw new HurtboxError(
      'bad-argument',
      `--load-test lifts the limits for each address: only on a loopback, not ${host}.`,
    )
  }
  const log = createLog(requireLevel(options.logLevel ?? (process.stdout.isTTY ? 'warn' : 'info')))
  const metrics = createMetrics()
  const [games, studioFolder] = await Promise.all([
    projectGames(),
    options.studio === false ? undefined : preparedStudio((line) => say(`hurtbox: ${line}`)),
  ])
  const rooms = gameRooms({ games, replayFolder, metrics, log })
  const server = createServer({
    rooms,
    replayFolder,
    metrics,
    log,
    limits: loadTest ? LOAD_TEST_LIMITS : LIMITS,
    origins: options.origin ?? [],
    ...(studioFolder !== undefined && { studioFolder }),
    ...(proxies !== undefined && { proxies }),
    ...(token && { token }),
    ...(redisUrl && { redisUrl }),
    ...(options.publicAddress && { publicAddress: options.publicAddress }),
  })
  const url = await listen(server, options.port ?? (PORT ? Number(PORT) : undefined), host)
  say(`Hurtbox is at ${url}`)
  say(`  games    ${rooms.map(({ name }) => name).join(', ')}`)
  say(`  monitor  ${url}/monitor/ (any name; ${passwordHint(server.token, token)})`)
  say(`  replays  ${replayFolder}`)
  if (redisUrl) say('  rooms    shared with other processes through Redis')
  await stopSignal()
  await server.close()
  return 0
}

async function listen(server: HurtboxServer, port: number | undefined, host: string): Promise<string> {
  try {
    return await server.listen(port ?? DEFAULT_PORT, host)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    // The port was not asked for: any will do.
    if (code === 'EADDRINUSE' && port === undefined) return server.listen(0, host)
    if (code === 'EADDRINUSE')
      throw new HurtboxError('bad-argument', `Port ${port} is taken; choose another with --port.`)
    if (code === 'EACCES') throw new HurtboxError('bad-argument', `Port ${port} needs rights this user does not have.`)
    if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') {
      throw new HurtboxError('bad-argument', `${host} is no address of this machine.`)
    }
    throw error
  }
}

/** A generated token is shown on a terminal only, never in logs. */
function passwordHint(token: string, given: string | undefined): string {
  if (given) return 'the password is HURTBOX_TOKEN'
  return process.stderr.isTTY ? `the password is ${token}` : 'set HURTBOX_TOKEN for a password that you know'
}

function requireLevel(text: string): LogLevel {
  const level = LOG_LEVELS.find((known) => known === text)
  if (level) return level
  throw new HurtboxError('bad-argument', `A log level is one of ${LOG_LEVELS.join(', ')}, got ${text}.`)
}

/** The first signal stops gracefully; a second one stops at once. */
function stopSignal(): Promise<void> {
  return new Promise((resolve) => {
    let stoppedAt = Number.POSITIVE_INFINITY
    const stop = () => {
      if (performance.now() - stoppedAt > ONE_SIGNAL_MS) process.exit(1)
      if (stoppedAt < Number.POSITIVE_INFINITY) return
      stoppedAt = performance.now()
      setTimeout(() => process.exit(1), GRACE_MS).unref()
      resolve()
    }
    process.on('SIGINT', stop)
    process.on('SIGTERM', stop)
  })
}
