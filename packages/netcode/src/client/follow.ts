/** Begins to follow a match, or goes on with it after a lost connection. */

import type { AnyGame } from 'hurtbox/tools'
import { MESSAGES, readMessage } from '../protocol/messages.ts'
import type { Path } from '../protocol/protocol.ts'
import type { Follower, FollowerChoices } from './follower.ts'
import { followByMirror } from './mirror/follow.ts'
import { followByTerminal } from './terminal/follow.ts'

export type FollowOptions = {
  readonly choices?: FollowerChoices
  readonly path?: Path
  /** What followed the match on the connection before. If it can go on, it is returned; otherwise it ends. */
  readonly earlier?: Follower | undefined
}

/**
 * Follows the match of a welcome, as a mirror or a terminal, as the host has decided. Returns undefined when the message is no
 * welcome for this game. Throws when its names or values are not those of this build.
 */
export function follow(
  game: AnyGame,
  message: Uint8Array,
  now: number,
  { choices = {}, path = 'stream', earlier }: FollowOptions = {},
): Follower | undefined {
  const welcome = readMessage(message, MESSAGES.welcome, game)
  if (welcome === undefined) return undefined
  const begin = welcome.mode === 'mirror' ? followByMirror : followByTerminal
  return begin(welcome, now, path, choices, earlier)
}
