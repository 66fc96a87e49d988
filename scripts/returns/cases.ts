/** The ways in which players leave a match without wanting to, and come back. */

import { setTimeout as sleep } from 'node:timers/promises'
import type { Place } from '../world/place.ts'
import type { BrowserName } from '../world/tab.ts'
import type { Visitor } from '../world/visitor.ts'

export type Case = {
  /** How long the player is away. */
  readonly seconds: number
  readonly browsers: readonly BrowserName[]
  leave(player: Visitor, place: Place): unknown
  /** After what the page showed last was read: from here on it may answer nothing. */
  leaveMore?(player: Visitor, place: Place): unknown
  /** When it has ended, the clock runs. */
  comeBack(player: Visitor, place: Place): unknown
  /** What happened shows only when the old connection has run dry; so long it cannot be over. */
  readonly settlesMs?: number
  /** The seat is given away by then: there is a sentence to be told, and no match. */
  readonly isTooLate?: boolean
}

const nothing = () => {}
const BOTH = ['chromium', 'firefox'] as const
const CHROMIUM = ['chromium'] as const

async function hide(player: Visitor): Promise<void> {
  await player.hide()
  while ((await player.evaluate('document.visibilityState')) !== 'hidden') await sleep(20)
}

const hidden = (seconds: number): Case => ({
  seconds,
  browsers: BOTH,
  leave: hide,
  comeBack: (player) => player.show(),
})
const frozen = (seconds: number): Case => ({
  seconds,
  browsers: CHROMIUM,
  // Only pages that are hidden are frozen.
  leave: hide,
  leaveMore: (player) => player.freeze(),
  async comeBack(player) {
    await player.thaw()
    await player.show()
  },
})
const dead = (seconds: number): Case => ({
  seconds,
  browsers: BOTH,
  leave: (_, { line }) => line.die(),
  comeBack: (_, { line }) => line.revive(),
})
/** For how long the servers keep seats. */
export const SEAT_SECONDS = 60
const TOO_LATE_SECONDS = SEAT_SECONDS + 5
/** Servers end a connection that no request has used for 5 s. Until then a browser asks again over those by which it has loaded the page. */
const UNUSED_SECONDS = 6

export const CASES: Readonly<Record<string, Case>> = {
  'hidden 5 s': hidden(5),
  'hidden 20 s': hidden(20),
  'hidden 55 s': hidden(55),
  'frozen 5 s': frozen(5),
  'frozen 20 s': frozen(20),
  'frozen 55 s': frozen(55),
  'dead line 5 s': dead(5),
  'dead line 20 s': dead(20),
  'dead line 55 s': dead(55),
  'address changed': {
    seconds: UNUSED_SECONDS,
    browsers: BOTH,
    leave: nothing,
    comeBack: (_, { line }) => line.changeAddress(),
    settlesMs: 300,
  },
  'page reloaded': { seconds: 0, browsers: BOTH, leave: nothing, comeBack: (player) => player.reload() },
  'tab crashed': {
    seconds: 1,
    browsers: CHROMIUM,
    leave: nothing,
    leaveMore: (player) => player.crash(),
    comeBack: (player) => player.reload(),
  },
  'server restarted': { seconds: 0, browsers: BOTH, leave: nothing, comeBack: (_, place) => place.restart() },
  'hidden 20 s, server restarted meanwhile': {
    ...hidden(20),
    async leaveMore(_, place) {
      await place.restart()
    },
  },
  'hidden 65 s: too late': { ...hidden(TOO_LATE_SECONDS), isTooLate: true },
  'frozen 65 s: too late': { ...frozen(TOO_LATE_SECONDS), isTooLate: true },
  'dead line 65 s: too late': { ...dead(TOO_LATE_SECONDS), isTooLate: true },
}
