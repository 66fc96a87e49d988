/**
 * Credentials for TURN servers, of each client its own: the user name says when they expire, and the password is its HMAC by a secret that
 * is shared with the TURN server (`use-auth-secret` of coturn; draft-uberti-behave-turn-rest-00). Nothing has to be registered there.
 *
 * A password that is the same for all is known to everybody who ever joined, and makes the server a relay for anybody's traffic.
 */

import { createHmac, randomBytes } from 'node:crypto'

/** They are used when an allocation is made, and again when it is refreshed. A client that looks for a path again is invited anew before. */
const TURN_SECONDS = 4 * 3_600

const WITHOUT_USER = /^(turns?:)(?!.*@)(.+)$/

/** Servers as a client is told them: TURN servers without a user get one, where there is a secret. */
export function serversForClient(
  servers: readonly string[],
  secret: string | undefined,
  nowMs: number = Date.now(),
): readonly string[] {
  if (secret === undefined) return servers
  return servers.map((server) => {
    const [, scheme, place] = WITHOUT_USER.exec(server) ?? []
    return scheme === undefined ? server : `${scheme}${credentialsOf(secret, nowMs)}@${place}`
  })
}

function credentialsOf(secret: string, nowMs: number): string {
  const user = `${Math.floor(nowMs / 1_000) + TURN_SECONDS}:${randomBytes(6).toString('hex')}`
  const password = createHmac('sha1', secret).update(user).digest('base64')
  return `${encodeURIComponent(user)}:${encodeURIComponent(password)}`
}
