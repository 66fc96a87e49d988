/** The match of a page as the studio sees it: what is shown now, what can be followed, and what cannot be known. */

import { advance, type Session } from 'hurtbox'
import type { AnyWorld } from 'hurtbox/tools'
import type { Attachable, ShownMatch } from '../model/attach-types.ts'
import type { PageMatch } from '../model/studio.ts'
import { type Follower, followMirror, followSession } from './follow.ts'

export type Live = PageMatch & {
  readonly match: Attachable
  /** The world that the page shows now; undefined before there is one. */
  world(): AnyWorld | undefined
  /** Undefined where the inputs of the match are not known. */
  readonly follower: Follower | undefined
  /** Whether the page's match has become another one. */
  hasChanged(): boolean
}

/** Undefined before the match has begun. */
export function readMatch(match: Attachable): Live | undefined {
  const session = sessionOf(match)
  if (session !== undefined) return sessionLive(match, session)
  const { mirror, terminal } = match as ShownMatch
  const online = {
    match,
    isOnline: true,
    tune: () => {
      throw new Error('The numbers of an online match are the server’s.')
    },
    hasChanged: () => (match as ShownMatch).mirror !== mirror || (match as ShownMatch).terminal !== terminal,
  }
  if (mirror !== undefined) {
    const follower = followMirror(mirror)
    return {
      ...online,
      kind: 'predicts',
      first: follower.session.log.from,
      unknown: `What was before tick ${follower.session.log.from}, when the studio was opened, only the server knows.`,
      cannotSave: 'This page came late to the match. The server keeps the whole replay.',
      follower,
      world: () => mirror.world,
    }
  }
  if (terminal === undefined) return undefined
  let shown: AnyWorld | undefined
  return {
    ...online,
    kind: 'is shown',
    first: 0,
    unknown:
      'This client is sent what its player may see, not the inputs: it cannot know why, show boxes other than circles, or go back. ' +
      'Ask the replay that the server keeps.',
    cannotSave: 'This client does not know the inputs of the match. The server keeps the replay.',
    follower: undefined,
    world: () => shown,
    note: (world) => {
      shown = world
    },
  }
}

function sessionLive(match: Attachable, session: Session): Live {
  const { cuts } = session.log
  const count = cuts.length
  return {
    match,
    kind: 'plays here',
    isOnline: false,
    first: session.log.from,
    unknown: '',
    cannotSave: session.log.from > 0 ? 'The beginning of the match was forgotten.' : '',
    follower: followSession(session),
    world: () => session.world,
    // One tick with nothing else in it: what is held stays held.
    tune: (name, value) => advance(session, { controls: [{ control: 'tune', name, value }] } as never),
    hasChanged: () => sessionOf(match) !== session || cuts.length !== count,
  }
}

function sessionOf(match: Attachable): Session | undefined {
  return 'log' in match ? match : match.session
}
