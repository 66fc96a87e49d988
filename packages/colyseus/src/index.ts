/**
 * Hurtbox games online: a Colyseus room for any game.
 *
 * @module @hurtbox/colyseus
 */

export type { DatagramCounts } from './datagrams/lanes.ts'
export {
  type JoinOptions,
  type MatchPlayer,
  modesOf,
  type RoomConfig,
  type RoomHooks,
  type RoomView,
  roomConfigOf,
  type Traffic,
} from './room/config.ts'
export { CLOSE, type CutReason, type Limits } from './room/guard.ts'
export type { Account, Auth, AuthRequest, SeatContext } from './room/identity.ts'
export type { MatchKeeping } from './room/keeping.ts'
export { callUser, type LateCause, type LateTicks } from './room/lateness.ts'
export { checkSockets, listingOf, stopPongs, stopReading } from './room/private-members.ts'
export type { RoomMetadata } from './room/private-room.ts'
export {
  type FolderLimits,
  fileName,
  type MatchInfo,
  type ReplayFile,
  type ReplaySink,
  replayFolder,
} from './room/replay-folder.ts'
export type { ClaimAnswer } from './room/returning-guests.ts'
export { GameRoom, gameRoom } from './room/room.ts'
export { MatchState, type Phase, RosterEntry } from './room/state.ts'
