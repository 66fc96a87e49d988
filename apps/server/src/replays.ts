/**
 * Replays of the matches that were played here: `GET /replays/<name>.hbr`.
 *
 * A name is letters, digits and dashes, so it cannot leave the folder; a link is not followed, so it cannot be led out of
 * it either. Whoever has the name may have the replay: it carries the room's random id.
 */

import { constants } from 'node:fs'
import { type FileHandle, open, readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Answer } from './responses.ts'

const REPLAY_PATH = /^\/replays\/([A-Za-z0-9][A-Za-z0-9_-]{0,127}\.hbr)$/
/** Larger ones are fetched from the disk by whoever runs the server. */
const MAX_BYTES = 64 * 1024 * 1024

export type ReplayEntry = { readonly name: string; readonly bytes: number; readonly endedAt: string }

/** The replay at this path, or undefined when there is none. */
export async function answerReplay(folder: string, path: string): Promise<Answer | undefined> {
  const name = REPLAY_PATH.exec(path)?.[1]
  if (name === undefined) return undefined
  let file: FileHandle | undefined
  try {
    file = await open(join(folder, name), constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0))
    const about = await file.stat()
    if (!about.isFile() || about.size > MAX_BYTES) return undefined
    const headers = { 'content-disposition': `attachment; filename="${name}"` }
    return { status: 200, type: 'application/octet-stream', body: await file.readFile(), headers }
  } catch {
    return undefined
  } finally {
    await file?.close()
  }
}

/** The newest replays first. */
export async function listReplays(folder: string, count: number): Promise<ReplayEntry[]> {
  const names = (await readdir(folder).catch(() => [])).filter((name) => REPLAY_PATH.test(`/replays/${name}`))
  const entries = await Promise.all(
    names.map(async (name) => {
      const about = await stat(join(folder, name)).catch(() => undefined)
      return about && { name, bytes: about.size, endedAt: about.mtime.toISOString() }
    }),
  )
  return entries
    .filter((entry) => entry !== undefined)
    .sort((a, b) => (a.endedAt < b.endedAt ? 1 : -1))
    .slice(0, count)
}
