/** What goes wrong online, in words: a number says nothing to anybody. */

import { messageOf } from '../words.ts'

/** Codes with which a room closes a connection. */
const ENDINGS: Readonly<Record<number, string>> = {
  4001: 'The server has been stopped.',
  4002: 'The server had a problem with this match.',
}
/** There is no way back to the match. The reason says why, in words for players. */
const NO_WAY_BACK = 4003

export function endingWords({ code, reason }: { readonly code: number; readonly reason: string }): string {
  const known = ENDINGS[code]
  if (known !== undefined) return known
  if (code === NO_WAY_BACK && reason !== '') {
    return `${reason[0].toUpperCase()}${reason.slice(1)}${reason.endsWith('.') ? '' : '.'}`
  }
  return reason === '' ? 'The connection to the match has ended.' : `The match has ended here: ${reason}.`
}

export function statusWords(status: string): string {
  return (
    { reconnecting: 'reconnecting…', moved: 'moving…', joining: 'joining…', failed: 'failed', ended: 'ended' }[
      status
    ] ?? status
  )
}

/** Answers of a matchmaker: there is no such room; the seat is gone. */
const ROOM_GONE: readonly number[] = [522, 524]

/** Why one could not come in. */
export function failureWords(error: unknown): string {
  const { code } = error as { code?: number }
  if (code !== undefined && ROOM_GONE.includes(code)) return 'This room is gone: everybody has left it.'
  const message = messageOf(error)
  // What a browser says when nobody answers differs from one to the next.
  const isSilence = /failed to fetch|networkerror|load failed|fetch failed|offline/i.test(message)
  return isSilence || error instanceof ProgressEvent ? 'The server does not answer.' : message
}
