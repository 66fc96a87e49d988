// biome-ignore-all assist/source/organizeImports: in the order one meets things
/**
 * A player's end of a match. A mirror steps the same world as the host and predicts; a terminal shows the frames that it is sent.
 *
 * @module @hurtbox/netcode/client
 */

export { follow } from './follow.ts'
export type { FollowOptions } from './follow.ts'
export type { CorrectionReading, Follower, FollowerChoices, FollowerPicture, ReadInput } from './follower.ts'
export { describeDesync, receiveAtMirror } from './mirror/confirm.ts'
export { advanceMirror } from './mirror/mirror.ts'
export { createMirror, mirrorAlpha } from './mirror/state.ts'
export type { DesyncReport, Mirror, MirrorStats } from './mirror/state.ts'
export { continueFeed, takeGaps, takeNews } from './mirror/event-feed.ts'
export type { EventFeed } from './mirror/event-feed.ts'
export { checkSmoothing, drawnPlace, keyOf } from './mirror/corrections.ts'
export { keyOnMirror, placeOnMirror, thingsOnMirror } from './mirror/past.ts'
export type { Guess } from './mirror/guess.ts'
export type { Corrections, Smoothing } from './mirror/corrections.ts'
export type { InputDelay, Pace } from './mirror/pace.ts'
export { offerOf, resumeMirror } from './mirror/returning.ts'
export { advanceTerminal, createTerminal, newestWorld, receiveAtTerminal, showTerminal } from './terminal/terminal.ts'
export type { RenderState, Terminal } from './terminal/terminal.ts'
export { usePath } from './sender.ts'
export type { OwnInput } from './sender.ts'
export { readMirrorNetwork } from './mirror/network.ts'
export { NOT_CONNECTED } from './reading.ts'
export type { NetworkReading } from './reading.ts'
export { ANSWER_MS, askLater, isHopeless, patienceMs, startReturn } from './return.ts'
export type { Return } from './return.ts'
