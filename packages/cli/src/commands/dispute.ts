/**
 * `hurtbox dispute`: all there is to say about two things in one tick of a match, from its replay and its track.
 *
 * The track stands beside the replay under the same name. Without one the story leaves out what the players saw.
 */

import { existsSync, writeFileSync } from 'node:fs'
import { HurtboxError } from 'hurtbox'
import { readTrack, type Track } from 'hurtbox/replay'
import type { AnyGame } from 'hurtbox/tools'
import { asUsage } from '../companions.ts'
import { messageOf, UsageError } from '../errors.ts'
import { print, printError, printJson } from '../output.ts'
import { readBytes, readReplayBytes } from '../replay-file.ts'

export type DisputeOptions = {
  readonly tick: number
  readonly ask: readonly [number, number]
  readonly player?: number
  readonly track?: string
  readonly html?: string
  readonly game?: string
  readonly json?: boolean
}

const NO_TRACK: Track = { packets: [], clients: [], terminal: {}, problem: undefined }

export async function dispute(path: string, options: DisputeOptions): Promise<number> {
  const { tick, ask, player, html, json } = options
  const { readScreensOf, readStory, storyPage, storyText, tellStory } = await import('@hurtbox/netcode/disputes')
  const bytes = await fetchBytes(path)
  if (bytes === undefined) throw new UsageError(`${path}: there is no such replay.`)
  const { replay, module } = await readReplayBytes(bytes, path, options.game)
  for (const problem of replay.problems) printError(`hurtbox: ${path}: ${problem}`)
  const screens = readScreensOf(replay, await trackOf(replay.game, path, options.track))
  const asked = async () => readStory(module, screens, { tick, ask, ...(player !== undefined && { player }) })
  const story = await asUsage(asked())
  if (json) for (const chapter of tellStory(story)) printJson('chapter', { ...chapter })
  else print(storyText(story))
  if (html !== undefined) {
    try {
      writeFileSync(html, storyPage(screens, story))
    } catch (error) {
      throw new UsageError(`${html}: ${messageOf(error)}`, { cause: error })
    }
    printError(`${html} is written`)
  }
  return 0
}

/** The track that was named, or the one beside the replay. */
async function trackOf(game: AnyGame, path: string, given: string | undefined): Promise<Track> {
  const bytes = await fetchBytes(given ?? path.replace(/\.hbr(?=(\.part)?$)/, '.hbt'), given === undefined)
  if (bytes === undefined || (given === undefined && !/\.hbr(\.part)?$/.test(path))) return NO_TRACK
  try {
    const track = readTrack(game, bytes)
    if (track.problem !== undefined) printError(`hurtbox: the track: ${track.problem}`)
    return track
  } catch (error) {
    if (error instanceof HurtboxError) throw new UsageError(`the track: ${error.message}`, { cause: error })
    throw error
  }
}

/** A file, or what a server has at this address; undefined when there is nothing and it may be missing. */
async function fetchBytes(path: string, mayMiss = false): Promise<Uint8Array | undefined> {
  if (!/^https?:\/\//.test(path)) return mayMiss && !existsSync(path) ? undefined : readBytes(path)
  const { HURTBOX_TOKEN } = process.env
  // A token goes only where it is needed: to matches that still run.
  const isRunning = new URL(path).pathname.endsWith('.part')
  const headers = isRunning && HURTBOX_TOKEN ? { authorization: `Bearer ${HURTBOX_TOKEN}` } : {}
  try {
    const response = await fetch(path, { headers })
    if (response.ok) return new Uint8Array(await response.arrayBuffer())
    if (response.status === 404 && mayMiss) return undefined
    const reason =
      response.status === 401 ? 'a match that still runs needs HURTBOX_TOKEN' : `the server says ${response.status}`
    throw new UsageError(`${path}: ${reason}.`)
  } catch (error) {
    if (error instanceof UsageError) throw error
    throw new UsageError(`${path}: ${messageOf(error)}`, { cause: error })
  }
}
