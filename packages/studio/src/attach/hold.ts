/**
 * Showing another moment in the page's own picture: what `update` returns is what the page draws.
 *
 * A match that is played in the page waits meanwhile; one that a server plays goes on unseen.
 */

import { pictureOf } from 'hurtbox/picture'
import type { AnyWorld } from 'hurtbox/tools'
import type { ShownMatch } from '../model/attach-types.ts'
import type { Held } from './index.ts'
import type { Live } from './page-match.ts'

type Update = (now: number, read: never) => (object & { readonly after?: AnyWorld }) | undefined

/** Returns a function that gives the match back as it was. */
export function interceptUpdate({ match, isOnline, note }: Live, held: Held): () => void {
  if (!('update' in match)) return () => {}
  const target = match as { update: Update }
  const own = Object.getOwnPropertyDescriptor(target, 'update')
  const original = (match as ShownMatch).update as Update
  let last: ReturnType<Update>
  let shownTick = -1
  target.update = (now, read) => {
    const { moment } = held
    if (moment === undefined || isOnline) last = original.call(match, now, read)
    if (last?.after !== undefined) note?.(last.after)
    if (moment === undefined || last === undefined) {
      shownTick = -1
      return last
    }
    const { after } = moment
    const jumped = after.tick !== shownTick
    shownTick = after.tick
    // What a match adds to its pictures stays.
    return { ...last, ...pictureOf({ ...moment, jumped }) }
  }
  return () => {
    if (own === undefined) delete (target as Partial<typeof target>).update
    else Object.defineProperty(target, 'update', own)
  }
}
