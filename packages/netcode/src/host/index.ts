// biome-ignore-all assist/source/organizeImports: in the order one meets things
/**
 * The host's end of a match: owns the world, takes inputs, steps, and fills the outboxes of its peers.
 *
 * @module @hurtbox/netcode/host
 */

export { createHost, finishHost, pauseHost, resumeHost, stepHost, takeReplay } from './host.ts'
export { addPeer, bringAlong, changePath, dismissBots, freeSeat, removePeer, suspendPeer } from './peers.ts'
export { receive } from './receive.ts'
export type { Host, HostOptions, Peer, WhenAway } from './state.ts'
export { mayClaimPast, notePing } from './inputs.ts'
export type { InputCounts } from './seat-buffer.ts'
export { acceptOffer } from './returning.ts'
export { comeBack, createAbsence, goAway, spentMs } from './absence.ts'
export type { Absence } from './absence.ts'
export { queueLast } from './updates.ts'

// Keeping a match beyond its process.
export {
  createKeeper,
  handOver,
  hasUnsaid,
  keepTick,
  maySay,
  mayStep,
  sayWhenKept,
  tendKeeper,
  waitOf,
} from './keeper.ts'
export type { Keeper, KeeperOptions, KeeperState } from './keeper.ts'
export { openLog } from './open-log.ts'
export { Fenced, parseRecord, RECORD_BYTES } from './store.ts'
export type { Done, MatchLog, MatchRecord, MatchStore, ReplayPiece, SeatRecord, TakenMatch } from './store.ts'
export { canBeTaken, matchesToTake, withoutOwner } from './takeover.ts'
export type { ListedMatch, Looks, ProcessView } from './takeover.ts'

// The track of a match, for disputes.
export { createTracker, notePacket, notePeer, noteScreens, TRACK_EVERY, TRACK_TAIL_MS } from './tracking.ts'
export type { Tracker } from './tracking.ts'
