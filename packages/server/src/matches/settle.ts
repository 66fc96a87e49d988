/** Answers of stores come by callback (`MatchStore`), so that the same code runs in virtual time; stores themselves are written with promises. */

import type { Done } from '@hurtbox/netcode/host'

export function settle<T>(work: Promise<T>, done: Done<T>): void {
  work.then(
    (result) => done(undefined, result),
    (error: Error) => done(error, undefined as T),
  )
}
