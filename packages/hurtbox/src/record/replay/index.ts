// biome-ignore-all assist/source/organizeImports: in the order one meets things
/**
 * Replays: a match as a file, to be watched, verified and cut.
 *
 * `saveReplay` and `loadReplay` are the way out and in; `verifyReplay` proves that a file plays as recorded; a session made
 * from one can seek to any tick. The fingerprint says which builds of a game may share a match. What files are made of is
 * in `hurtbox/wire`.
 *
 * @module hurtbox/replay
 */

// Writing.
export { createReplayWriter, drainReplay, finishReplay, saveReplay } from './writer.ts'
export { drainWhole, endReplayAt, replayPosition } from './writer.ts'
export type { ReplayOptions, ReplayPosition, ReplayWriter } from './writer.ts'

// The log of a match that is running, and going on from it.
export { createLogChain, logCheckpoint, logTick, readMatchLog, replayOfLog, replayUpTo, splitLog } from './log.ts'
export type { LogChain, LoggedMatch } from './log.ts'

// What clients sent, and when.
export { createTrackWriter, drainTrack, readTrack, trackClient, trackPacket } from './track.ts'
export type { Track, TrackedClient, TrackedInput, TrackedPacket, TrackWriter } from './track.ts'
export { MAX_SCREEN_FRAMES, readScreens, roundMoment, roundMs, writeScreens } from './screens.ts'
export type { ScreenFrame, ScreenReport } from './screens.ts'

// Reading, and what can be done with a replay that was read.
export { loadReplay } from './load.ts'
export type { Keyframe, Replay } from './load.ts'
export { readReplayHeader } from './header.ts'
export type { ReplayHeader } from './header.ts'
export { describeReplay } from './describe.ts'
export { verifyReplay } from './verify.ts'
export type { Mismatch, Verification } from './verify.ts'
export type { Checksum } from './checksum.ts'
export { sessionFromReplay } from './session.ts'

// Which builds fit together.
export { compareFingerprints, fingerprint, unprobedRules } from './fingerprint.ts'
export type { Fingerprint, LayoutDescription } from './fingerprint.ts'
