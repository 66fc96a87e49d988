/** What the room says of a match that failed. */

import type { Room } from '@colyseus/sdk'
import type { Failure } from './types.ts'

/** Undefined for a match that has not. */
export function readFailure(room: Room): Failure | undefined {
  const { state } = room
  if (state?.phase !== 'failed') return undefined
  return {
    message: String(state.failure ?? ''),
    replay: state.replay ? addressOf(room, String(state.replay)) : undefined,
  }
}

/** The files of the process that has the room, also below a path: its socket is at `<address>/<process>/<room>`. */
function addressOf({ connection }: Room, path: string): string {
  const { url } = (connection?.transport as { ws?: { url?: string } } | undefined)?.ws ?? {}
  return url === undefined ? path : new URL(`../${path}`, url.replace(/^ws/, 'http')).href
}
