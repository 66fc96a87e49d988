/** How a match ended, for people: a headline with names instead of seats, and a table of the players. */

import { players } from 'hurtbox'
import { type LoadedModule, scoreOf } from 'hurtbox/module'
import { type AnyWorld, resultOf } from 'hurtbox/tools'
import { colourOf, type PlayerName } from './names.ts'
import type { View } from './view.ts'

export type Outcome = {
  readonly headline: string
  /** Of the winner; '' where nobody has won. */
  readonly colour: string
  readonly summary: string
  readonly columns: readonly string[]
  readonly rows: readonly OutcomeRow[]
}

type OutcomeRow = {
  readonly seat: number
  readonly name: string
  readonly colour: string
  readonly hasWon: boolean
  readonly values: readonly (number | string)[]
}

/** Undefined while the match goes on. */
export function outcomeOf(
  module: LoadedModule,
  view: View,
  world: AnyWorld,
  playerName: PlayerName,
): Outcome | undefined {
  const result = resultOf(world)
  if (result?.over !== true) return undefined
  const { meaning } = module
  const winners = meaning.winners?.(world) ?? []
  const figured = [...players(world)].map((player) => ({
    player,
    score: scoreOf(module, player, world),
    figures: meaning.figures?.(player, world),
  }))
  figured.sort(
    (a, b) =>
      Number(winners.includes(b.player.seat)) - Number(winners.includes(a.player.seat)) ||
      (b.score ?? 0) - (a.score ?? 0),
  )
  const columns = Object.keys(figured[0]?.figures ?? (figured[0]?.score === undefined ? {} : { score: 0 }))
  return {
    headline: meaning.ending?.(world) ?? headlineOf(winners, result.winner, playerName),
    colour: winners.length === 0 ? '' : colourOf(view, world, winners[0]),
    // What the table says already is not said twice.
    summary: meaning.figures === undefined ? (result.summary ?? '') : '',
    columns,
    rows: figured.map(({ player: { seat }, score, figures }) => ({
      seat,
      name: playerName(seat),
      colour: colourOf(view, world, seat),
      hasWon: winners.includes(seat),
      values: columns.map((column) => (figures === undefined ? (score ?? 0) : figures[column])),
    })),
  }
}

function headlineOf(winners: readonly number[], winner: string | number | undefined, playerName: PlayerName): string {
  if (winners.length === 1) {
    const name = playerName(winners[0])
    return name === 'You' ? 'You win' : `${name} wins`
  }
  if (winner === undefined) return winners.length === 0 ? 'A draw' : `${winners.map(playerName).join(' and ')} win`
  const name = String(winner)
  return `${name[0]?.toUpperCase()}${name.slice(1)} wins`
}
