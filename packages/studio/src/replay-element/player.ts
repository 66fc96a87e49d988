/** A replay that plays in a page: the match, the two states that are drawn between, and time. */

import { type EventRecord, restore, snapshot } from 'hurtbox'
import type { LoadedModule } from 'hurtbox/module'
import { pictureOf } from 'hurtbox/picture'
import { loadReplay, sessionFromReplay } from 'hurtbox/replay'
import { type AnyWorld, createEmptyWorld } from 'hurtbox/tools'
import type { StudioPicture } from '../draw/stage.ts'
import { goTo, type Match, matchFromSession } from '../sim/match.ts'
import { packOverlay } from '../sim/overlay.ts'

export type ReplayPlayer = {
  readonly module: LoadedModule
  readonly match: Match
  /** Ticks of the match. */
  readonly ticks: number
  /** The state one tick before the match's world. */
  readonly before: AnyWorld
  /** Since the last picture. */
  events: EventRecord[]
  jumped: boolean
  /** How far the moment is between the two states: 0 … 1. */
  alpha: number
}

/** Reads the replay; throws when it is none of this game. The first tick is shown. */
export function createPlayer(given: LoadedModule, bytes: Uint8Array): ReplayPlayer {
  const replay = loadReplay(given.game, bytes)
  const module = { ...given, game: replay.game }
  const setup = { game: module.id, scene: '', seed: replay.setup.seed, seats: [] }
  const match = matchFromSession(module, setup, sessionFromReplay(replay.game, replay))
  const before = createEmptyWorld(replay.game, replay.setup)
  const player = { module, match, ticks: replay.ticks, before, events: [], jumped: true, alpha: 1 }
  showTick(player, 0)
  return player
}

/** The tick that has just run in the state that is shown. */
export function shownTick({ match }: ReplayPlayer): number {
  return match.session.world.tick - 1
}

/** Shows the state after `tick`. */
export function showTick(player: ReplayPlayer, tick: number): void {
  const { match, before, ticks } = player
  const to = Math.min(Math.max(tick, 0), ticks - 1) + 1
  goTo(match, to - 1)
  restore(before, snapshot(match.session.world))
  goTo(match, to)
  player.events = []
  player.jumped = true
  player.alpha = 1
}

/** Plays on by some ticks, with fractions; false at the end. */
export function playOn(player: ReplayPlayer, by: number, end: number): boolean {
  const { match, before } = player
  player.alpha += by
  while (player.alpha > 1) {
    if (shownTick(player) >= Math.min(end, player.ticks - 1)) {
      player.alpha = 1
      return false
    }
    restore(before, snapshot(match.session.world))
    player.events.push(...goTo(match, match.session.world.tick + 1))
    player.alpha -= 1
  }
  return true
}

/** What to draw now. */
export function takePicture(player: ReplayPlayer, withBoxes: boolean): StudioPicture {
  const { match, before, alpha, events, jumped } = player
  const { world } = match.session
  player.events = []
  player.jumped = false
  const overlay = withBoxes ? packOverlay(world, match.collisions, match.phases.ids) : undefined
  return { ...pictureOf({ before, after: world, alpha, events, jumped }), overlay }
}
