/** What another future came to for each player: score, health, place, and what the game counts. */

import { players } from 'hurtbox'
import { type LoadedModule, scoreOf } from 'hurtbox/module'
import type { AnyWorld } from 'hurtbox/tools'
import { short } from '../../model/words.ts'

export type FutureRow = { readonly seat: number; readonly cells: readonly FutureCell[] }
type FutureCell = {
  readonly what: string
  readonly was: string
  readonly wouldBe: string
  readonly isDifferent: boolean
}

/** A row for each seat that is taken in either future. */
export function compareFutures(module: LoadedModule, was: AnyWorld, wouldBe: AnyWorld): FutureRow[] {
  const [a, b] = [readPlayers(module, was), readPlayers(module, wouldBe)]
  const seats = [...new Set([...a.keys(), ...b.keys()])].sort((first, second) => first - second)
  return seats.map((seat) => {
    const [here, there] = [a.get(seat) ?? {}, b.get(seat) ?? {}]
    const cells = [...new Set([...Object.keys(here), ...Object.keys(there)])].map((what) => {
      const [first, second] = [here[what] ?? 'gone', there[what] ?? 'gone']
      return { what, was: first, wouldBe: second, isDifferent: first !== second }
    })
    return { seat, cells }
  })
}

function readPlayers(module: LoadedModule, world: AnyWorld): Map<number, Readonly<Record<string, string>>> {
  const read = new Map<number, Readonly<Record<string, string>>>()
  for (const player of players(world)) {
    const own = player.thing as Readonly<Record<string, number>> | undefined
    const score = scoreOf(module, player, world)
    const figures = module.meaning.figures?.(player, world as never) ?? (score === undefined ? {} : { score })
    read.set(player.seat, {
      ...Object.fromEntries(Object.entries(figures).map(([name, value]) => [name, String(value)])),
      ...(own?.hp !== undefined && { health: short(own.hp) }),
      ...(own !== undefined && { place: `${own.x.toFixed(1)}, ${own.y.toFixed(1)}` }),
    })
  }
  return read
}
