/**
 * Who is who in a match, also among things that are gone: events name things by id, and a bullet that hit is not there any more.
 *
 * A name is kept with marks for players, because what a player is called depends on who looks.
 */

import { playerOf, thing } from 'hurtbox'
import { type LoadedModule, nameOfThing } from 'hurtbox/module'
import type { AnyWorld } from 'hurtbox/tools'

type Who = {
  /** With `MARK seat MARK` where a player's name belongs. */
  readonly name: string
  /** The player it is, or belongs to; −1 for none. */
  readonly seat: number
  /** The tick in which it was first seen. */
  readonly since: number
}

export type Register = { readonly known: Map<number, Who>; lastId: number }

const MARK = '\u2063'
/** The oldest are forgotten first. */
const MOST_KNOWN = 60_000

export function createRegister(): Register {
  return { known: new Map(), lastId: 0 }
}

/** Takes in the things that are new. Rows are in the order of their ids, so only the last ones are looked at. */
export function noteThings(register: Register, module: LoadedModule, world: AnyWorld): void {
  const { things } = world.tables
  let row: number = things.count
  while (row > 0 && things.id[row - 1] > register.lastId) row--
  for (; row < things.count; row++) {
    const id: number = things.id[row]
    register.lastId = id
    const named = thing(world, id)
    if (named === undefined) continue
    const name = nameOfThing(module, world, named, (seat) => `${MARK}${seat}${MARK}`)
    register.known.set(id, { name, seat: seatOf(register, world, id, things.owner[row]), since: world.tick - 1 })
    if (register.known.size > MOST_KNOWN) register.known.delete(register.known.keys().next().value!)
  }
}

function seatOf({ known }: Register, world: AnyWorld, id: number, owner: number): number {
  return (
    playerOf(world, id)?.seat ??
    (owner === 0 ? undefined : (playerOf(world, owner)?.seat ?? known.get(owner)?.seat)) ??
    -1
  )
}

/** Forgets the things that appeared in `tick` or later: another future has others under these ids. */
export function forgetThings(register: Register, tick: number): void {
  register.lastId = 0
  for (const [id, { since }] of register.known) {
    if (since >= tick) register.known.delete(id)
    else register.lastId = Math.max(register.lastId, id)
  }
}

/** The player that a kept name speaks of first; −1 for none. */
export function seatInName(name: string): number {
  const found = /\u2063(\d+)\u2063/.exec(name)
  return found === null ? -1 : Number(found[1])
}

/** A kept name as it is said to somebody. */
export function fillName(name: string, playerName: (seat: number) => string): string {
  return name.replace(/\u2063(\d+)\u2063/g, (_, seat: string) => playerName(Number(seat)))
}
