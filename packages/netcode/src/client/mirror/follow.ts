/** A mirror as a follower of a match. */

import { type EventPlans, planEvents } from 'hurtbox/picture'
import { type Path, STALE_MS } from '../../protocol/protocol.ts'
import type { Welcome } from '../../protocol/welcome.ts'
import type { Follower, FollowerChoices, FollowerPicture, ReadInput } from '../follower.ts'
import { usePath } from '../sender.ts'
import { receiveAtMirror } from './confirm.ts'
import { beginWork, createEffort, endWork } from './effort.ts'
import { continueFeed, dropStale, takeGaps, takeNews } from './event-feed.ts'
import { advanceMirror } from './mirror.ts'
import { readMirrorNetwork } from './network.ts'
import { keyOnMirror, placeOnMirror, thingsOnMirror } from './past.ts'
import { offerOf, resumeMirror } from './returning.ts'
import { type Mirror, mirrorAlpha, mirrorOf } from './state.ts'

/** `earlier` is returned when its mirror can go on with the match. */
export function followByMirror(
  welcome: Welcome,
  now: number,
  path: Path,
  choices: FollowerChoices,
  earlier: Follower | undefined,
): Follower {
  const before = earlier?.mirror
  if (earlier !== undefined && before !== undefined && resumeMirror(before, welcome, now)) return earlier
  const mirror = mirrorOf(welcome, now, path)
  prepare(mirror, choices.plans ?? planEvents(mirror.game), choices)
  // What this machine can do does not change with the match.
  mirror.effort = before?.effort ?? createEffort(choices.timer)
  if (before !== undefined) continueEvents(mirror, before)
  const { effort } = mirror
  const advance = (until: number, read: ReadInput) => {
    const begun = beginWork(effort)
    advanceMirror(mirror, until, read)
    endWork(effort, begun)
  }
  return {
    mode: 'mirror',
    seat: mirror.seat,
    seatSeconds: welcome.seatSeconds,
    outbox: mirror.outbox,
    sender: mirror.sender,
    mirror,
    terminal: undefined,
    receive(message, at) {
      const begun = beginWork(effort)
      receiveAtMirror(mirror, message, at)
      endWork(effort, begun)
    },
    advance,
    advanceAlone: advance,
    picture: () => pictureOf(mirror),
    usePath(used, loss) {
      mirror.sender.loss = loss
      usePath(mirror, used)
    },
    skipMissed: () => void (mirror.inside.skipsMissed = true),
    offer: () => offerOf(mirror),
    network: () => readMirrorNetwork(mirror),
    corrections: () => ({
      count: mirror.stats.rollbacks,
      last: mirror.stats.lastCorrection,
      largest: mirror.stats.largestCorrection,
      things: mirror.corrections.last,
    }),
    desyncs: () => mirror.desyncs,
  }
}

function pictureOf(mirror: Mirror): FollowerPicture {
  const { confirmed, clock, events } = mirror
  if (!mirror.inside.hasNews) dropStale(events, confirmed.tick - STALE_MS / clock.tickMs)
  return {
    before: mirror.before,
    after: mirror.world,
    alpha: mirrorAlpha(mirror),
    news: takeNews(mirror.events),
    gaps: takeGaps(mirror.events),
    isCurrent: true,
    place: (id, out) => placeOnMirror(mirror, id, out),
    key: (id) => keyOnMirror(mirror, id),
    ...(mirror.corrections.smoothing.asConfirmed && { things: () => thingsOnMirror(mirror) }),
  }
}

function prepare(mirror: Mirror, plans: EventPlans, { smoothing, inputDelay, guess }: FollowerChoices): void {
  mirror.events.plans = plans
  if (smoothing !== undefined) mirror.corrections.smoothing = smoothing
  if (inputDelay !== undefined) mirror.pace.inputDelay = inputDelay
  mirror.guess = guess
}

/** What an earlier mirror had not shown is shown by this one. Of the same match, what happened between the two is a gap. */
function continueEvents(mirror: Mirror, before: Mirror): void {
  const isSameMatch = before.sender.nonce === mirror.sender.nonce
  const from = before.confirmed.tick
  const to = mirror.confirmed.tick
  continueFeed(mirror.events, before.events, isSameMatch && to > from ? { from, to } : undefined)
}
