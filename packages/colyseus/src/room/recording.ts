/** What a room writes of its match: the replay, and beside it the track of what clients sent where that is asked for. */

import { drainTrack } from 'hurtbox/replay'
import type { RoomConfig } from '../config.ts'
import { createTracker, notePacket, TRACK_EVERY, type Tracker } from '../match/tracking.ts'
import { type Host, type HostOptions, takeReplay } from '../netcode/host.ts'
import type { MatchInfo, ReplayFile } from '../replay-folder.ts'

export type Recording = { file: ReplayFile | undefined; tracker: Tracker | undefined }

export function createRecording(): Recording {
  return { file: undefined, tracker: undefined }
}

export function startRecording(recording: Recording, config: RoomConfig, host: Host, info: MatchInfo): void {
  recording.file = config.replays?.(info)
  recording.tracker = config.track && recording.file ? createTracker(host.session) : undefined
}

/** Writes what the host has recorded; called after every tick. */
export function writeRecording({ file, tracker }: Recording, host: Host): void {
  for (const bytes of takeReplay(host)) file?.write(bytes)
  if (tracker !== undefined && host.world.tick % TRACK_EVERY === 0) file?.writeTrack?.(drainTrack(tracker.writer))
}

/** For the host: every packet of a player belongs into the track. */
export function tracked(recording: Recording): NonNullable<HostOptions['onPacket']> {
  return (peer, packet) => recording.tracker && notePacket(recording.tracker, peer, packet)
}

export async function endRecording(recording: Recording, host: Host): Promise<void> {
  const { file, tracker } = recording
  for (const bytes of takeReplay(host)) file?.write(bytes)
  if (tracker !== undefined) file?.writeTrack?.(drainTrack(tracker.writer))
  recording.tracker = undefined
  recording.file = undefined
  await file?.end()
}
