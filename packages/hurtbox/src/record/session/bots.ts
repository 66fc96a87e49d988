/**
 * Bots: scripted players.
 *
 * A bot is a pure function of the world, its player and a seed. It lives outside the step: it never draws from the world's
 * random streams (a replay, which holds its inputs and not the bot, would then run differently) and it keeps no memory
 * (a rollback would have to restore it). Chance comes from `unitAt(seed, tick, seat, 0, PURPOSE)`.
 */

import { requireFields } from '../../base/errors.ts'
import { failureOf } from '../../base/failure.ts'
import type { Control } from '../../world/controls.ts'
import type { Declaration } from '../../world/game.ts'
import { handleAt } from '../../world/handles/pool.ts'
import { seatRow } from '../../world/handles/things.ts'
import type { Player } from '../../world/handles/types.ts'
import type { InputSpecs } from '../../world/input.ts'
import { encode } from '../../world/input-kinds.ts'
import type { PlayerInput } from '../../world/input-values.ts'
import { involvedPlayer } from '../../world/involved.ts'
import type { TickInputs } from '../../world/step.ts'
import type { AnyWorld, World } from '../../world/world.ts'

export type Bot<D extends Declaration = Declaration> = {
  readonly name: string
  /** One sentence: how it plays. */
  readonly about: string
  think(
    world: World<D>,
    player: Player<D>,
    seed: number,
  ): Omit<PlayerInput<D['input'] extends InputSpecs ? D['input'] : Record<never, never>>, 'seat'>
}

// biome-ignore lint/suspicious/noExplicitAny: a bot of any game.
export type AnyBot = Bot<any>

/**
 * Inputs of a match in which `bot` has the first `seats` seats: they join in tick 0, then each thinks in every tick.
 *
 * @example
 * ```ts
 * import { axis, type Bot, createWorld, declareGame, defineGame, playBots, players, step } from 'hurtbox'
 *
 * const arena = declareGame({ id: 'arena', tickRate: 60, input: { moveX: axis() } })
 * const runner: Bot<typeof arena> = { name: 'runner', about: 'runs to the right', think: () => ({ moveX: 1 }) }
 * const world = createWorld(defineGame(arena, { phases: {} }))
 * const inputs = playBots(runner, 2, 1)
 * for (let i = 0; i < 2; i++) step(world, inputs(world.tick, world))
 * console.log(Array.from(players(world), ({ moveX }) => moveX).join(' ')) // 1 1
 * ```
 */
export function playBots(
  bot: AnyBot,
  seats: number,
  seed: number,
  teamOf: (seat: number) => number = () => 0,
): (tick: number, world: AnyWorld) => TickInputs {
  return (tick, world) => {
    if (tick > 0) return { players: botInputs(bot, world, seed, (seat) => seat < seats) }
    const controls: Control[] = []
    for (let seat = 0; seat < seats; seat++) controls.push({ control: 'join', seat, team: teamOf(seat) })
    return { controls }
  }
}

/** What `bot` would do now in one seat, for hosts that ask one at a time; nothing while the seat is empty. */
export function botInput(bot: AnyBot, world: AnyWorld, seat: number, seed: number): Readonly<Record<string, unknown>> {
  const row = seatRow(world, seat)
  return row < 0 ? {} : think(bot, world, row, seed)
}

/** What the bot answers, checked: later it is the input of some seat, and the world neither knows nor needs the bot. */
function think(bot: AnyBot, world: AnyWorld, row: number, seed: number): Readonly<Record<string, unknown>> {
  const { input } = world.game
  try {
    const given = bot.think(world as never, handleAt(world.memory.block.pools[1], row), seed) as PlayerInput
    requireFields(given, 'what think returns', Object.keys(input.specs))
    encode(input, given, new Uint32Array(input.fields.length), 0)
    return given
  } catch (error) {
    const player = involvedPlayer(world, row)
    throw failureOf(error, { what: `bot "${bot.name}" of seat ${player.seat}`, ...player }, errorInside(bot))
  }
}

/**
 * An error with a line of `think`, for what is wrong with its answer. No stack leads there, for it has returned: it is asked again about no
 * world at all, and fails where it first reads. That does no harm, since a bot is a pure function; one that reads nothing has no line.
 */
function errorInside(bot: AnyBot): Error | undefined {
  const nothing = undefined as never
  try {
    bot.think(nothing, nothing, Symbol() as never)
  } catch (error) {
    return error as Error
  }
}

/** What `bot` would do now in every seat that is taken, or in those that `isBot` names. */
export function botInputs(
  bot: AnyBot,
  world: AnyWorld,
  seed: number,
  isBot: (seat: number) => boolean = () => true,
): PlayerInput[] {
  const { players } = world.tables
  const inputs: PlayerInput[] = []
  for (let row = 0; row < players.count; row++) {
    const seat: number = players.seat[row]
    if (players.leaving[row] !== 0 || !isBot(seat)) continue
    inputs.push({ ...think(bot, world, row, seed), seat })
  }
  return inputs
}
