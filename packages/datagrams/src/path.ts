/**
 * Whether a client receives what is sent to an address, once it is connected: it is asked there, by a HEARTBEAT of SCTP with random bytes (RFC 9260, 8.3), and
 * who answers with these bytes has received them. A lite agent cannot ask by STUN (RFC 8445, 2.5).
 *
 * A record from another address moves nothing by itself. Who has a seat can forge the address of a record of its own, and who sees the client's packets can
 * be faster with them. Also, a client that does not answer for long has not consented to receive (RFC 7675, 5.1).
 */

import { randomBytes } from 'node:crypto'
import type { Address } from './ice/stun.ts'

type Question = { readonly bytes: Buffer; readonly firstAt: number; at: number }

export type Path<Place extends Address> = {
  /** Those without an answer. */
  readonly questions: Map<Place, Question>
  /** When the last answer came. */
  answeredAt: number
}

const QUESTION_BYTES = 16
/** As many as a client has addresses. */
const MAX_QUESTIONS = 16
/** A question is repeated with the same bytes so long: an answer may take longer than the time between two. */
const QUESTION_MS = 5_000
/** At least so long between two questions to an address from which records come. */
const BETWEEN_MS = 200
/** An answer is asked for so long after the last one, and then each second until it comes. */
const ASK_AFTER_MS = 10_000
const ASK_AGAIN_MS = 1_000
/** RFC 7675, 5.1. */
export const CONSENT_MS = 30_000

export function createPath<Place extends Address>(now: number): Path<Place> {
  return { questions: new Map(), answeredAt: now }
}

/** What to ask at an address from which a record came; undefined: it was asked just now. */
export function questionAt<Place extends Address>(path: Path<Place>, to: Place, now: number): Buffer | undefined {
  return ask(path, to, now, BETWEEN_MS)
}

/** What to ask a client now that has not moved; undefined: nothing. */
export function dueQuestion<Place extends Address>(path: Path<Place>, to: Place, now: number): Buffer | undefined {
  return now - path.answeredAt >= ASK_AFTER_MS ? ask(path, to, now, ASK_AGAIN_MS) : undefined
}

function ask<Place extends Address>(
  { questions }: Path<Place>,
  to: Place,
  now: number,
  betweenMs: number,
): Buffer | undefined {
  const asked = questions.get(to)
  if (asked !== undefined && now - asked.at < betweenMs) return undefined
  if (asked !== undefined && now - asked.firstAt < QUESTION_MS) {
    asked.at = now
    return asked.bytes
  }
  const bytes = randomBytes(QUESTION_BYTES)
  questions.delete(to)
  questions.set(to, { bytes, firstAt: now, at: now })
  if (questions.size > MAX_QUESTIONS) questions.delete(questions.keys().next().value!)
  return bytes
}

/** Where the client is that has answered this; undefined: nobody was asked that, or too long ago. Questions before it count no more. */
export function placeOfAnswer<Place extends Address>(
  path: Path<Place>,
  answer: Buffer,
  now: number,
): Place | undefined {
  const { questions } = path
  for (const [place, { bytes }] of questions) {
    if (!bytes.equals(answer)) continue
    for (const before of [...questions.keys()]) {
      questions.delete(before)
      if (before === place) break
    }
    path.answeredAt = now
    return place
  }
  return undefined
}

export function isSilent({ answeredAt }: Path<Address>, now: number): boolean {
  return now - answeredAt > CONSENT_MS
}
