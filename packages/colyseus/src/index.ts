/**
 * Hurtbox games online: a Colyseus room for any game.
 *
 * @module @hurtbox/colyseus
 */

export { createBucket, type Rate } from './bucket.ts'
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
export { type DatagramOptions, type Datagrams, startDatagrams } from './datagrams/service.ts'
export { CLOSE, type CutReason, type Limits, stopReading } from './guard.ts'
export type { Account, Auth, AuthRequest, SeatContext } from './identity.ts'
export { type FolderStore, folderStore } from './match/folder-store.ts'
export type { KeeperState } from './match/keeper.ts'
export type { MatchKeeping } from './match/keeping.ts'
export {
  type Done,
  Fenced,
  type MatchLog,
  type MatchRecord,
  type MatchStore,
  parseRecord,
  RECORD_BYTES,
  type ReplayPiece,
  type SeatRecord,
  type TakenMatch,
} from './match/store.ts'
export {
  canBeTaken,
  type ListedMatch,
  type Looks,
  matchesToTake,
  type ProcessView,
  withoutOwner,
} from './match/takeover.ts'
export { type Hello, helloOf, refusalOfRoom } from './netcode/protocol.ts'
export type { RoomMetadata } from './private-room.ts'
export {
  type FolderLimits,
  fileName,
  type MatchInfo,
  type ReplayFile,
  type ReplaySink,
  replayFolder,
} from './replay-folder.ts'
export { GameRoom, gameRoom } from './room.ts'
export { MatchState, type Phase, RosterEntry } from './state.ts'
