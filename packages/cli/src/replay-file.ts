/**
 * Replays as files: written while the match runs, read with everything that can be wrong with a file said in words.
 */

import { closeSync, openSync, readFileSync, writeSync } from 'node:fs'
import { HurtboxError, type Session } from 'hurtbox'
import { type FoundModule, loadModule } from 'hurtbox/module/node'
import {
  createReplayWriter,
  drainReplay,
  finishReplay,
  loadReplay,
  type Replay,
  type ReplayHeader,
  type ReplayOptions,
  readReplayHeader,
} from 'hurtbox/replay'
import { messageOf, UsageError } from './errors.ts'
import { loadGame } from './games.ts'

export type ReplayFile = {
  /** Writes what has become final; call it after every tick. A match that fails half way so leaves what it had. */
  keepUp(): void
  /** Ends the file; gives its length in bytes. */
  finish(): number
}

/** Starts the replay of a session in a file, which is replaced. */
export function createReplayFile(path: string, session: Session, options: ReplayOptions = {}): ReplayFile {
  const file = orFileError(path, () => openSync(path, 'w'))
  const writer = createReplayWriter(session, options)
  let length = 0
  const append = (bytes: Uint8Array) => {
    for (let at = 0; at < bytes.length; ) at += orFileError(path, () => writeSync(file, bytes, at))
    length += bytes.length
  }
  return {
    keepUp: () => append(drainReplay(writer)),
    finish() {
      append(finishReplay(writer))
      closeSync(file)
      return length
    },
  }
}

/** A replay, whole or as much of it as is good. A file that is none, or of a game that is not here, is a usage error. */
export async function readReplayFile(path: string, gameName?: string): Promise<Replay> {
  return (await readReplayBytes(readBytes(path), path, gameName)).replay
}

/** The bytes of a file. One that cannot be read is a usage error. */
export function readBytes(path: string): Uint8Array {
  return orFileError(path, () => readFileSync(path))
}

/** A replay and its game from bytes that came from `path`. */
export async function readReplayBytes(
  bytes: Uint8Array,
  path: string,
  gameName?: string,
): Promise<{ readonly replay: Replay; readonly module: FoundModule }> {
  const header = orFileError(path, () => readReplayHeader(bytes))
  const module = gameName === undefined ? await gameOf(header, path) : await loadGame(gameName)
  const { game } = module
  try {
    return { replay: loadReplay(game, bytes), module }
  } catch (error) {
    // A replay of the same game that this build cannot play is no mistake of the caller: that is what a check finds out.
    const isSameGame = game.declaration.id === header.game
    const message = `${path}: ${messageOf(error)}`
    throw isSameGame ? new Error(message, { cause: error }) : new UsageError(message, { cause: error })
  }
}

/** The game a replay is of, if the project lists it. */
async function gameOf(header: ReplayHeader, path: string): Promise<FoundModule> {
  try {
    return await loadModule(header.game)
  } catch (error) {
    const isUnknown = error instanceof HurtboxError && error.code === 'unknown-name'
    const reason = isUnknown ? 'which is not here. Give its module with --game <path>.' : messageOf(error)
    throw new UsageError(`${path} is a replay of "${header.game}", ${reason}`, { cause: error })
  }
}

function orFileError<T>(path: string, action: () => T): T {
  try {
    return action()
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException
    throw new UsageError(`${path}: ${FILE_PROBLEMS[code] ?? messageOf(error)}`, { cause: error })
  }
}

/** What the system says in capitals. */
const FILE_PROBLEMS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file or folder.',
  ENOTDIR: 'there is no such folder.',
  EISDIR: 'this is a folder, not a file.',
  EACCES: 'no permission for this file.',
  EROFS: 'nothing can be written there.',
  ENOSPC: 'there is no space left.',
}
