/**
 * How a server is told to stop.
 *
 * SIGTERM is what deploys send: matches go on elsewhere; on Windows that is Ctrl+Break. SIGINT is Ctrl+C: matches end. A second signal stops at once.
 *
 * npm and npx do not start us themselves but a shell that does, and pass SIGTERM on to that shell, which ends and leaves us running. So where
 * npm started us, the end of our parent counts as SIGTERM. Elsewhere it does not: a server that was put into the background outlives
 * its shell on purpose.
 */

/** A second signal, or this long after the first, ends the process at once. */
const GRACE_MS = 10_000
/** Ctrl+C reaches us from the terminal and, through npm, from our parent: twice, and yet once. */
const ONE_SIGNAL_MS = 500
const LOOK_MS = 250

export type Stopping = {
  close(): Promise<void>
  /** Hands matches over; waits so long for those that nobody can take. */
  drain(seconds: number): Promise<void>
}

/** Stops and ends the process when it is told to. */
export function stopOnSignal({ close, drain }: Stopping, drainSeconds: number): void {
  let stoppedAt = Number.POSITIVE_INFINITY
  const stop = async (signal: NodeJS.Signals) => {
    if (performance.now() - stoppedAt > ONE_SIGNAL_MS) process.exit(1)
    if (stoppedAt < Number.POSITIVE_INFINITY) return
    stoppedAt = performance.now()
    const isDeploy = signal === 'SIGTERM'
    setTimeout(() => process.exit(1), GRACE_MS + (isDeploy ? drainSeconds * 1000 : 0)).unref()
    try {
      if (isDeploy) await drain(drainSeconds)
      await close()
    } finally {
      process.exit()
    }
  }
  process.on('SIGINT', stop)
  process.on('SIGTERM', stop)
  // Windows has no SIGTERM that a process could hear. Ctrl+Break is what it has besides Ctrl+C; elsewhere this signal never comes.
  process.on('SIGBREAK', () => stop('SIGTERM'))
  if (process.env.npm_lifecycle_event === undefined) return
  const { ppid } = process
  const timer = setInterval(() => {
    if (process.ppid === ppid) return
    clearInterval(timer)
    // The end of the parent that follows a signal is no second signal.
    if (stoppedAt === Number.POSITIVE_INFINITY) void stop('SIGTERM')
  }, LOOK_MS).unref()
}
