/** What a room writes of its match: the replay, and beside it the track of what clients sent where that is asked for. */

import {
  createTracker,
  type Host,
  type HostOptions,
  notePacket,
  notePeer,
  noteScreens,
  TRACK_EVERY,
  type Tracker,
  takeReplay,
} from '@hurtbox/netcode/host'
import { drainTrack } from 'hurtbox/replay'
import type { RoomConfig } from './config.ts'
import type { MatchInfo, ReplayFile } from './replay-folder.ts'

export type Recording = {
  file: ReplayFile | undefined
  tracker: Tracker | undefined
  /** Ends the files of the match before, whose clients may still report its last frames. */
  endFiles: () => Promise<void>
}

export function createRecording(): Recording {
  return { file: undefined, tracker: undefined, endFiles: async () => {} }
}

export function startRecording(recording: Recording, config: RoomConfig, host: Host, info: MatchInfo): void {
  recording.file = config.replays?.(info)
  recording.tracker =
    config.track && recording.file ? createTracker(host.session, () => performance.now(), config.terminal) : undefined
}

/** Writes what the host has recorded; called after every tick. */
export function writeRecording({ file, tracker }: Recording, host: Host): void {
  for (const bytes of takeReplay(host)) file?.write(bytes)
  if (tracker !== undefined && host.world.tick % TRACK_EVERY === 0) file?.writeTrack?.(drainTrack(tracker.writer))
}

/** What a host tells a track. */
export type Tracking = Pick<HostOptions, 'onPacket' | 'onScreens' | 'onPeer'>

/** For the host: every packet of a player belongs into the track, and what it shows, and who comes and goes. */
export function tracked(recording: Recording): Tracking {
  return {
    onPacket: (peer, packet) => recording.tracker && notePacket(recording.tracker, peer, packet),
    onScreens: (peer, screens) => recording.tracker && noteScreens(recording.tracker, peer, screens),
    onPeer: (peer, isHere) => recording.tracker && notePeer(recording.tracker, peer, isHere),
  }
}

/** The replay is whole; the track grows until `endFiles` of the recording is called. */
export function closeRecording(recording: Recording, host: Host): void {
  const { file, tracker } = recording
  for (const bytes of takeReplay(host)) file?.write(bytes)
  recording.file = undefined
  let ending: Promise<void> | undefined
  const end = async () => {
    if (tracker !== undefined) file?.writeTrack?.(drainTrack(tracker.writer))
    if (recording.tracker === tracker) recording.tracker = undefined
    await file?.end()
  }
  recording.endFiles = () => (ending ??= end())
}

/** Ends everything at once. */
export async function endRecording(recording: Recording, host: Host): Promise<void> {
  await recording.endFiles()
  closeRecording(recording, host)
  await recording.endFiles()
}
