/**
 * Replays of the matches that were played here: `GET /replays/<name>.hbr`, and `<name>.hbt` for the track.
 *
 * A name is letters, digits and dashes, so it cannot leave the folder; a link is not followed, so it cannot be led out of
 * it either. The name is the permission to download a replay: it ends in 128 random bits. Of a match that still runs the files are
 * called `….part`, and only the operator gets them: they show what fog hides from the players.
 */

import { constants } from 'node:fs'
import { type FileHandle, open, readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Limits } from './limits.ts'
import { createHoldings } from './rates.ts'
import { type Answer, Refusal } from './responses.ts'

const REPLAY_PATH = /^\/replays\/([A-Za-z0-9][A-Za-z0-9_-]{0,127}\.hbr)$/
const FILE_PATH = /^\/replays\/([A-Za-z0-9][A-Za-z0-9_-]{0,127}\.hb[rt](?:\.part)?)$/
/** Larger ones have to be copied from the server's disk. */
const MAX_BYTES = 64 * 1024 * 1024

export type ReplayEntry = { readonly name: string; readonly bytes: number; readonly endedAt: string }

export type Downloads = {
  /** The replay at this path, or undefined when there is none. */
  answer(path: string, address: string): Promise<Answer | undefined>
}

/** Whether the path is of a match that still runs. */
export function isRunning(path: string): boolean {
  return path.endsWith('.part')
}

/** Sends replays from a folder, so many at a time. */
export function createDownloads(folder: string, limits: Pick<Limits, 'downloads' | 'downloadsPerAddress'>): Downloads {
  const all = createHoldings(limits.downloads)
  const byAddress = createHoldings(limits.downloadsPerAddress)
  return {
    async answer(path, address) {
      const name = FILE_PATH.exec(path)?.[1]
      if (name === undefined) return undefined
      if (!byAddress.hold(address))
        throw new Refusal(429, 'downloads', 'too many downloads at once; wait for one to end')
      if (!all.hold('')) {
        byAddress.release(address)
        throw new Refusal(503, 'downloads', 'the server sends as many replays as it can; try again later')
      }
      const done = () => {
        all.release('')
        byAddress.release(address)
      }
      const replay = await openReplay(join(folder, name))
      if (replay === undefined) {
        done()
        return undefined
      }
      const headers = { 'content-disposition': `attachment; filename="${name}"` }
      return { status: 200, type: 'application/octet-stream', body: { ...replay, done }, headers }
    },
  }
}

async function openReplay(path: string): Promise<{ file: FileHandle; bytes: number } | undefined> {
  let file: FileHandle | undefined
  try {
    file = await open(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0))
    const about = await file.stat()
    if (about.isFile() && about.size <= MAX_BYTES) return { file, bytes: about.size }
  } catch {}
  await file?.close().catch(() => {})
  return undefined
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
