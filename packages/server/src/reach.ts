/**
 * Whether players reach the UDP port. A port that a firewall closes, or a wrong address, fails silently: everybody plays on by the socket, only worse.
 *
 * One player may sit behind a network that blocks UDP. Several in a row, and nobody in between, means that it is the server's port.
 */

import type { Logger } from './log.ts'

export type Reach = {
  /** So many clients have opened a channel, and so many were not heard on theirs, since the last time. */
  note(opened: number, unheard: number): void
}

const IN_A_ROW = 5
const BETWEEN_WARNINGS_MS = 3_600_000

export function createReach(log: Pick<Logger, 'warn'>): Reach {
  let inARow = 0
  let warnedAt = Number.NEGATIVE_INFINITY
  return {
    note(opened, unheard) {
      inARow = opened > 0 ? 0 : inARow + unheard
      const now = performance.now()
      if (inARow < IN_A_ROW || now - warnedAt < BETWEEN_WARNINGS_MS) return
      warnedAt = now
      log.warn(
        { clients: inARow },
        'no client reaches the UDP port, so all play by their sockets: npx hurtbox doctor says whether its address is right and a firewall closes it',
      )
    },
  }
}
