/**
 * Deadlines for work that may never end.
 *
 * Commands to a Redis that is away wait for it to come back, and are kept in memory until then. People and load balancers
 * do not wait, and they ask again; so the work runs once for all callers, and each caller waits only so long.
 */

/** Work that did not end in time. It may still end later. */
export class Late extends Error {
  override readonly name = 'Late'
}

/** The result of `work`, or a rejection with `Late` after `ms`. */
export function withinTime<T>(work: Promise<T>, ms: number): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Late(`no answer within ${ms} ms`)), ms)
    work.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}

/** Work that never settles must not block the next call for ever. */
const ABANDONED_MS = 30_000

/** Does `work` once for all callers that ask while it runs; each waits at most `ms`. */
export function shared<T>(work: () => Promise<T>, ms: number): () => Promise<T> {
  let running: Promise<T> | undefined
  let startedAt = 0
  return () => {
    if (running === undefined || performance.now() - startedAt > ABANDONED_MS) {
      const run = work().finally(() => {
        if (running === run) running = undefined
      })
      // Waiting callers get the error. Without any, there is nobody to report it to.
      run.catch(() => {})
      running = run
      startedAt = performance.now()
    }
    return withinTime(running, ms)
  }
}
