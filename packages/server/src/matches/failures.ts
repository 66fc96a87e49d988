/** Matches that could not be taken: when each is tried again. The time between two attempts doubles, up to half a minute. */

export type Failures = {
  mayTry(id: string, now: number): boolean
  /** Notes a failure; returns whether it is the first of this match, which is the one that is logged. */
  note(id: string, now: number): boolean
  /** Only those that are listed count: the others are gone. */
  forgetOthers(listed: ReadonlySet<string>): void
}

const FIRST_MS = 200
const LONGEST_MS = 30_000

export function createFailures(): Failures {
  const failed = new Map<string, { readonly waitMs: number; readonly until: number }>()
  return {
    mayTry: (id, now) => now >= (failed.get(id)?.until ?? 0),
    note(id, now) {
      const before = failed.get(id)
      const waitMs = before === undefined ? FIRST_MS : Math.min(2 * before.waitMs, LONGEST_MS)
      failed.set(id, { waitMs, until: now + waitMs })
      return before === undefined
    },
    forgetOthers(listed) {
      for (const id of failed.keys()) if (!listed.has(id)) failed.delete(id)
    },
  }
}
