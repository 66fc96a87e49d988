/**
 * A match in the page, without a server: the same `Match` that `joinGame` returns, so that a page is written once.
 *
 * It owns the clock of the match. Frames come when they come; ticks run at the game's rate, and what a frame shows lies between
 * the last two of them.
 */

import { advance, createSession, type Game, listEvents, restore, type Session, snapshot, type World } from 'hurtbox'
import {
  announce,
  certainNews,
  createListeners,
  type EventNews,
  listen,
  type Match,
  pictureOf,
  planEvents,
  shownOf,
  type Wrap,
} from 'hurtbox/picture'
import {
  type AnyWorld,
  botInput,
  calling,
  createEmptyWorld,
  type Declaration,
  type JoinData,
  type WorldOptions,
} from 'hurtbox/tools'
import { moduleOf, type Playable } from './playable.ts'

export type OfflineOptions<D extends Declaration> = Omit<WorldOptions<D>, 'block'> & {
  /** The player's seat. Default 0. */
  readonly seat?: number
  /** How many seats are taken. Default: as the module's seating says, with its bots in the others; else one. */
  readonly seats?: number
  /** What the player brings along, as it is given to `joinGame`: `{ skin: 'red' }`. Default: nothing, as bots do. */
  readonly data?: Partial<JoinData<D>>
  /** Sides of a world that wraps around. */
  readonly wrap?: Wrap
}

export type OfflineMatch<D extends Declaration> = Match<D> & {
  readonly world: World<D>
  /** The match with its inputs: to save it as a replay, to ask `why`, for the studio. Seek only in a copy of it. */
  readonly session: Session
  /** Stops the match, or lets it go on. */
  pause(paused: boolean): void
}

/** After a longer pause (a hidden tab, a breakpoint) the match goes on where it was instead of catching up. */
const MOST_CATCH_UP_MS = 250

/**
 * Starts a match in the page. With the module of a game its bots play the other seats, and events are shown as its `meaning`
 * says.
 */
export function playOffline<D extends Declaration>(
  playable: Playable<D>,
  options: OfflineOptions<D> = {} as OfflineOptions<D>,
): OfflineMatch<D> {
  const module = moduleOf(playable)
  const { seat = 0, data, wrap, ...given } = options
  const { seats = module.bots.length > 0 ? module.seats : seat + 1, ...start } = given
  const game = module.game as Game<D>
  const session = createSession(game, start as never) as unknown as Session
  const { world } = session
  const before: AnyWorld = createEmptyWorld(game, { options: world.options })
  const tickMs = 1000 / game.declaration.tickRate
  const plans = planEvents(game, module.meaning.events)
  const listeners = createListeners(plans)
  const controls: object[] = []
  for (let at = 0; at < Math.max(seats, seat + 1); at++) {
    const join = { control: 'join', seat: at, team: module.teamOf(at) }
    if (at === seat) controls.push(data === undefined ? join : { ...join, data })
    else if (module.bots.length > 0) controls.push(join)
  }
  let last: number | undefined
  let dueMs = 0
  let serial = 1
  let isOpen = true

  const runTick = (read: (tick: number, world: World<D>) => object): readonly EventNews[] => {
    const { tick } = world
    const own = () => ({ ...read(tick, world as never), seat })
    const players = tick === 0 ? [] : [calling({ what: `input of seat ${seat}`, seat, tick }, own)]
    for (let at = 0; at < seats && world.tick > 0; at++) {
      const bot = at === seat ? undefined : module.botOf(at)
      if (bot !== undefined) players.push({ ...botInput(bot, world, at, world.seed), seat: at })
    }
    restore(before, snapshot(world))
    advance(session, { controls: controls.splice(0), players } as never)
    return listEvents(world).flatMap((event) => certainNews(event as never, serial++))
  }

  return {
    game,
    seat,
    world: world as unknown as World<D>,
    session,
    update(now, read) {
      const isFirst = last === undefined
      dueMs += Math.min(MOST_CATCH_UP_MS, now - (last ?? now - tickMs))
      last = now
      const news: EventNews[] = []
      try {
        for (; dueMs >= tickMs && isOpen; dueMs -= tickMs) news.push(...runTick(read))
      } catch (error) {
        // It is thrown once. The match stands still from here on, and can be looked at.
        isOpen = false
        throw error
      }
      announce(listeners, news)
      const alpha = Math.min(dueMs / tickMs, 1)
      return pictureOf({ before, after: world, alpha, ...shownOf(plans, news), jumped: isFirst }, wrap) as never
    },
    on: (kind, handler) => listen(listeners, kind, handler as never),
    onGap: () => () => {},
    pause(paused) {
      if (world.paused !== paused) controls.push({ control: 'pause', paused })
    },
    async leave() {
      isOpen = false
    },
  }
}
