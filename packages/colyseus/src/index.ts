/**
 * Hurtbox games online: a Colyseus room for any game.
 *
 * @module @hurtbox/colyseus
 */

export {
  type JoinOptions,
  type MatchPlayer,
  modesOf,
  type RoomConfig,
  type RoomHooks,
  type RoomView,
  roomConfigOf,
  type Traffic,
} from './config.ts'
export type { DatagramCounts } from './datagrams/lanes.ts'
export { CLOSE, type CutReason, type Limits, stopReading } from './guard.ts'
export type { Account, Auth, AuthRequest, SeatContext } from './identity.ts'
export type { RoomMetadata } from './private-room.ts'
export {
  type FolderLimits,
  fileName,
  type MatchInfo,
  type ReplayFile,
  type ReplaySink,
  replayFolder,
} from './replay-folder.ts'
export type { MatchKeeping } from './room/keeping.ts'
export { GameRoom, gameRoom } from './room.ts'
export { MatchState, type Phase, RosterEntry } from './state.ts'
