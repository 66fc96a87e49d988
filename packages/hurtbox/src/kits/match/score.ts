/**
 * Points, and who leads.
 *
 * Points are globals by team or columns of players, so a rule that scores is undone whole when it refuses, and `why` shows the point.
 */

import { FOREVER } from '../../rules/collide/decide.ts'
import type { AnyDeclaration } from '../../world/game.ts'
import { playerAt } from '../../world/handles/things.ts'
import type { InWorld } from '../../world/handles/types.ts'
import { STAGE, TEAM_SCORE } from './columns.ts'

/** What is read of a world with the globals of `matchFlow`, in phases and in rules. */
export type MatchWorld = {
  readonly clock: number
  readonly globals: { round: number; stage: number; stageEndsAt: number }
}

/** Who scores: a team or, where everybody plays alone, the seat + 1; or a player, or a thing of a team. */
export type Scorer = number | { readonly team: number; readonly seat?: number }

/** Whether points count now: in play and in sudden death. */
export function isPlaying({ globals }: MatchWorld): boolean {
  return globals.stage === STAGE.play || globals.stage === STAGE.suddenDeath
}

/** Ticks until the stage is over: what a clock on the screen shows. `Infinity` where it has no end. */
export function ticksLeft({ globals, clock }: MatchWorld): number {
  return globals.stageEndsAt === FOREVER ? Number.POSITIVE_INFINITY : Math.max(0, globals.stageEndsAt - clock)
}

/** Gives points while the match is played; below 0 takes away what there is. Returns whether they counted. */
export function score(world: MatchWorld, who: Scorer, points = 1): boolean {
  if (!isPlaying(world)) return false
  const globals = world.globals as unknown as Record<string, number>
  if (globals[TEAM_SCORE[1]] !== undefined) {
    const name = TEAM_SCORE[typeof who === 'number' ? who : who.team]
    if (name === undefined || globals[name] === undefined) return false
    globals[name] = Math.max(0, globals[name] + points)
    return true
  }
  const seat = typeof who === 'number' ? who - 1 : who.seat
  const player = seat === undefined ? undefined : playerAt(world as unknown as InWorld<AnyDeclaration>, seat)
  if (player === undefined) return false
  player.score = Math.max(0, player.score + points)
  return true
}

/** The one that is ahead of all others; `undefined` when there is none or several are level. `compare` is above 0 when the first leads. */
export function leader<T>(all: Iterable<T>, compare: (one: T, other: T) => number): T | undefined {
  let best: T | undefined
  let isLevel = false
  for (const one of all) {
    const lead = best === undefined ? 1 : compare(one, best)
    if (lead > 0) best = one
    if (lead >= 0) isLevel = lead === 0
  }
  return isLevel ? undefined : best
}
