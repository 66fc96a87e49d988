/**
 * Attaching: one thing goes where another goes. A flag that is carried, a fighter who is held, a turret, an orb around its wizard.
 *
 * What is attached knows its holder by id and has its place in the frame of the holder. It is put there once per tick, after everything
 * has moved, holders before what they hold: so a chain of any length is never a tick late, and teleports are followed. It lets go by
 * itself when its holder is gone.
 */

import { facingXOf } from '../../geometry/math/facing.ts'
import { type AnyTable, findRow } from '../../state/table.ts'
import { requireHandle, worldOf } from '../../world/handles/require.ts'

/** Columns of `things`. In space a game adds `atZ: 'f64'`. */
export const attachment = {
  columns: {
    /** The holder; 0 for what is free. */
    attachedTo: 'id',
    /** The place from the holder's: ahead and aside turn with its facing, x and y do not. */
    atAhead: 'f64',
    atAside: 'f64',
    atX: 'f64',
    atY: 'f64',
  },
} as const

/** A place or a speed as seen from a holder. Left out: 0. */
export type FromHolder = {
  /** Along the facing of the holder, and a quarter turn from it, as y is from x. */
  readonly ahead?: number
  readonly aside?: number
  /** Whatever way it faces: what is above stays above in a side view. */
  readonly x?: number
  readonly y?: number
  readonly z?: number
}

/** What can be attached: a thing with the columns of `attachment`. */
export type Attachable = {
  readonly id: number
  attachedTo: number
  atAhead: number
  atAside: number
  atX: number
  atY: number
  atZ?: number
  vx: number
  vy: number
  vz?: number
}

/** Attaches a thing, which lets go of an earlier holder. Refuses a chain that would close on itself: returns false and does nothing. */
export function attach(thing: Attachable, holder: { readonly id: number }, place: FromHolder = {}): boolean {
  const { things } = worldOf(requireHandle(thing)).tables
  requireHandle(holder)
  for (let id: number = holder.id; id !== 0; ) {
    if (id === thing.id) return false
    const row = findRow(things, id)
    id = row < 0 ? 0 : (things.attachedTo as Uint32Array)[row]
  }
  thing.attachedTo = holder.id
  thing.atAhead = place.ahead ?? 0
  thing.atAside = place.aside ?? 0
  thing.atX = place.x ?? 0
  thing.atY = place.y ?? 0
  if (thing.atZ !== undefined) thing.atZ = place.z ?? 0
  return true
}

/** Lets a thing go, with the speed of its holder and what it is thrown with, in the unit of the game's speeds. Returns whether it was held. */
export function detach(thing: Attachable, thrown: FromHolder = {}): boolean {
  const { things } = worldOf(requireHandle(thing)).tables as { things: Rows }
  if (thing.attachedTo === 0) return false
  const holder = findRow(things, thing.attachedTo)
  thing.attachedTo = 0
  if (holder < 0) return true
  const facingX = things.facingX === undefined ? 1 : facingXOf(things.facingX[holder], things.facingY![holder])
  const facingY = things.facingY === undefined ? 0 : things.facingY[holder]
  const { ahead = 0, aside = 0, x = 0, y = 0, z = 0 } = thrown
  thing.vx = things.vx[holder] + facingX * ahead - facingY * aside + x
  thing.vy = things.vy[holder] + facingY * ahead + facingX * aside + y
  if (thing.vz !== undefined && things.vz !== undefined) thing.vz = things.vz[holder] + z
  return true
}

type Rows = AnyTable & {
  readonly [K in 'x' | 'y' | 'vx' | 'vy' | 'atAhead' | 'atAside' | 'atX' | 'atY']: Float64Array
} & { readonly [K in 'z' | 'vz' | 'atZ' | 'facingX' | 'facingY']?: Float64Array } & {
  readonly id: Uint32Array
  readonly attachedTo: Uint32Array
  readonly leaving: Uint8Array
}

/** What is read of a world in which things have the columns of `attachment`. */
export type AttachWorld = { readonly tables: { readonly things: Rows } }

/** A phase, after all that moves things: puts what is attached to its place. List it as `{ followHolders }`. */
export const followHolders = {
  create(world: AttachWorld): { run(): void } {
    const { things } = world.tables
    /** By row: the run in which it was put to its place. A chain is walked up first, then down. */
    const settledIn = new Uint32Array(things.capacity)
    const chain = new Uint32Array(things.capacity)
    let runs = 0
    const run = () => {
      runs++
      for (let row = 0, { count } = things; row < count; row++) {
        let length = 0
        let next = row
        // A closed chain, which only a game that writes the columns itself can make, ends here, too.
        while (next >= 0 && settledIn[next] !== runs && things.attachedTo[next] !== 0) {
          settledIn[next] = runs
          chain[length++] = next
          next = findRow(things, things.attachedTo[next])
        }
        while (length > 0) follow(things, chain[--length])
      }
    }
    return { run }
  },
}

function follow(things: Rows, row: number): void {
  const { x, y, z, vx, vy, vz, attachedTo, atAhead, atAside, atX, atY, atZ, facingX, facingY, leaving } = things
  const holder = findRow(things, attachedTo[row])
  if (holder < 0 || leaving[holder] !== 0) {
    attachedTo[row] = 0
    return
  }
  const aheadX = facingX === undefined ? 1 : facingXOf(facingX[holder], facingY![holder])
  const aheadY = facingY === undefined ? 0 : facingY[holder]
  x[row] = x[holder] + (aheadX * atAhead[row] - aheadY * atAside[row] + atX[row])
  y[row] = y[holder] + (aheadY * atAhead[row] + aheadX * atAside[row] + atY[row])
  vx[row] = vx[holder]
  vy[row] = vy[holder]
  if (z === undefined) return
  z[row] = z[holder] + (atZ === undefined ? 0 : atZ[row])
  if (vz !== undefined) vz[row] = vz[holder]
}
