/**
 * A match that failed: what players are told of it, and who gets its replay.
 *
 * The rules are in every page, so a rule's name is no secret. The error's sentence may be one: it names files of the server, and values of the
 * state that a player may not have seen. So players get it only where the operator says so, as a server under work does. The replay
 * shows everything, too. Where clients may be mirrors, each has had all of it; else it is the operator's, unless errors are told anyway.
 */

import { relative } from 'node:path'
import { placeOfFailure } from 'hurtbox/tools'
import { modesOf } from './config.ts'
import { type RoomCore, refreshRoster, say } from './core.ts'
import type { ReplayFile } from './replay-folder.ts'

/** Longer than a sentence with a rule, a file and a line. */
const MAX_WORDS = 1_000

/** Tells every client at once. Nobody new is led into the room. */
export function tellFailure(core: RoomCore): void {
  const { room } = core
  const words = failureWords(core)
  say(core, () => void (room.state.failure = words))
  refreshRoster(core)
  // Not with the next change of the roster, a quarter of a second later.
  say(core, () => void room.broadcastPatch())
  room.lock().catch(() => {})
}

function failureWords({ config, host }: RoomCore): string {
  const { failure, world } = host
  if (!config.tellErrors) return `the game's own code failed in tick ${world.tick}`
  const { file, line, column } = placeOfFailure(failure) ?? {}
  const place = file === undefined ? '' : ` (${relative(process.cwd(), file).replaceAll('\\', '/')}:${line}:${column})`
  return (failure instanceof Error ? failure.message : String(failure)).slice(0, MAX_WORDS - place.length) + place
}

/** The replay up to the failure is whole: those who may see it are told where it is. */
export function offerReplay({ room, config, host }: RoomCore, file: ReplayFile | undefined): void {
  const maySee = config.tellErrors || modesOf(config).includes('mirror')
  if (host.status === 'failed' && maySee) room.state.replay = file?.address ?? ''
}
