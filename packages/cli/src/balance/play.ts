/** One match of a balance run, played in a worker: numbers in, numbers out. */

import { hashWorld } from 'hurtbox'
import type { LoadedModule } from 'hurtbox/module'
import { GameFailure, statsOf } from 'hurtbox/tools'
import { messageOf } from '../errors.ts'
import { loadGame } from '../games.ts'
import { chooseScene, type MatchOptions, playMatch, startMatch } from '../match.ts'

export type MatchTask = {
  readonly game: string
  readonly match: MatchOptions
  readonly tuning: Readonly<Record<string, number>>
}

export type MatchRecord = {
  readonly ticks: number
  readonly over: boolean
  readonly winner: string
  readonly hash: string
  /** Events by kind, and what the game counts itself. */
  readonly figures: Readonly<Record<string, number>>
}

/** Far more than a match has: nothing here goes back in time. */
const KEEP_NO_SNAPSHOTS = 1 << 20
const modules = new Map<string, Promise<LoadedModule>>()

/** What a worker runs for each task. Of an error only the message leaves the thread, so that has to say where. */
export default async function play(task: MatchTask): Promise<MatchRecord> {
  try {
    return await playTask(task)
  } catch (error) {
    throw error instanceof GameFailure ? new Error(messageOf(error), { cause: error.cause }) : error
  }
}

async function playTask({ game, match, tuning }: MatchTask): Promise<MatchRecord> {
  if (!modules.has(game)) modules.set(game, loadGame(game))
  const chosen = chooseScene(await modules.get(game)!, match)
  const scene = { ...chosen, tuning: { ...chosen.tuning, ...tuning } }
  const session = startMatch(scene, KEEP_NO_SNAPSHOTS)
  const { world } = session
  const figures: Record<string, number> = {}
  for (const { name } of world.memory.events) figures[name] = 0
  const result = playMatch(scene, session, scene.ticks, () => {
    for (const { name, count } of world.memory.events) figures[name] += count
    return true
  })
  return {
    ticks: world.tick,
    over: result?.over ?? false,
    winner: result?.over === true && result.winner !== undefined ? String(result.winner) : 'nobody',
    hash: hashWorld(world),
    figures: { ...figures, ...statsOf(world) },
  }
}
