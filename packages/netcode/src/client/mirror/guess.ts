/**
 * What others will do, while their inputs are on the way.
 *
 * A prediction lets other players repeat what they did last: hold their sticks and buttons, and press nothing. A game often knows
 * better (a shield follows the ball, a runner goes on to its goal). What it guesses replaces what is held, tick by tick, in
 * predictions alone.
 */

import { type Player, players, type World } from 'hurtbox'
import type { SeatInput } from 'hurtbox/picture'
import { type AnyDeclaration, type Declaration, type InputLayout, seatRow } from 'hurtbox/tools'
import type { Mirror } from './state.ts'

/**
 * What another player does in the next tick: the fields that it changes. The player has what it holds as properties. Presses and
 * lists are not guessed. It is called for every predicted tick of every other player, so it should be quick, and change nothing.
 */
export type Guess<D extends Declaration = AnyDeclaration> = (
  player: Player<D>,
  world: World<D>,
) => SeatInput<D> | undefined

type InputField = InputLayout['fields'][number]

export function guessOthers({ world, seat, game, guess }: Mirror): void {
  if (guess === undefined) return
  for (const player of players(world)) {
    const guessed = player.seat === seat ? undefined : guess(player, world)
    if (guessed === undefined) continue
    const row = seatRow(world, player.seat)
    for (const field of game.input.fields as readonly InputField[]) {
      if (!field.isLevel || !(field.label in guessed)) continue
      world.tables.players[field.column][row * field.width + field.index] = field.valueOf(field.codeOf(guessed))
    }
  }
}
