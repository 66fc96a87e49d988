/** The hosts of a room: for a new match, and for one that another process left behind. */

import { randomInt } from 'node:crypto'
import type { TakenMatch } from '@hurtbox/netcode/host'
import { createHost, type Host, type HostOptions, resumeHost } from '@hurtbox/netcode/host'
import { type LoggedMatch, readMatchLog, replayUpTo } from 'hurtbox/replay'
import type { RoomConfig } from './config.ts'
import { seatSecondsOf } from './outgoing.ts'
import type { Tracking } from './recording.ts'

/** `before`: the host of the match before in the same room. */
export function newHost(config: RoomConfig, tracking: Tracking, isPrivate: boolean, before?: Host): Host {
  return createHost(config.game, {
    ...hostOptions(config, tracking, isPrivate),
    seed: config.seed?.() ?? randomInt(2 ** 32),
    nonce: randomInt(2 ** 32),
    ...(before && { nonceBefore: before.nonce }),
    ...(config.options && { options: config.options }),
    ...(config.tuning && { tuning: config.tuning }),
  })
}

/** A match that was taken over, and its replay so far: undefined where it is not recorded, or its beginning is lost. */
export type Resumed = { readonly host: Host; readonly replay: Uint8Array | undefined }

export function resumedHost(config: RoomConfig, tracking: Tracking, taken: TakenMatch): Resumed {
  const { record, entries } = taken
  const options = hostOptions(config, tracking, record.isPrivate)
  const logged = readMatchLog(config.game, record.setup, entries, options.replay ? { replay: options.replay } : {})
  if (logged === undefined) throw new Error(`the log of match ${record.id} has no whole checkpoint`)
  const replay = logged.replayAt && replayUpTo(taken.replay, logged.replayAt)
  for (const problem of problemsOf(logged, replay === undefined && options.replay !== false)) {
    config.matches?.onProblem?.(record.id, problem)
  }
  const host = resumeHost(logged, {
    ...options,
    nonce: record.nonce,
    ...(replay === undefined && { replay: false }),
  })
  return { host, replay }
}

function problemsOf({ problem }: LoggedMatch, isReplayLost: boolean): string[] {
  return [...(problem === undefined ? [] : [problem]), ...(isReplayLost ? ['the beginning of the replay is lost'] : [])]
}

function hostOptions(config: RoomConfig, tracking: Tracking, isPrivate: boolean): HostOptions {
  const { game, bots = [] } = config
  return {
    bots,
    fill: config.fill ?? game.declaration.seats.min,
    replay: config.replays === undefined ? false : {},
    seatSeconds: seatSecondsOf(config, isPrivate),
    ...(config.whenAway && { whenAway: config.whenAway }),
    ...(config.teamOf && { teamOf: config.teamOf }),
    ...(config.botOf && { botOf: config.botOf }),
    ...(config.terminal && { terminal: config.terminal }),
    ...(config.hashEvery && { hashEvery: config.hashEvery }),
    ...(config.track && tracking),
    ...(config.entropyEvery && { entropy: { every: config.entropyEvery, bits: () => randomInt(2 ** 32) } }),
  }
}
