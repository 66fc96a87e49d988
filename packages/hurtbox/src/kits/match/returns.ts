/**
 * Coming back after death: when, where, and safe for a moment.
 *
 * A thing that died stays in the world without health, so it keeps its id, its player and its place in scores; the gates `dead` and
 * `attacker-dead` keep it out of fights. A game whose dead leave the world puts `returnsAt` on its players.
 */

import { FOREVER } from '../../rules/collide/decide.ts'
import { type AnyTable, findRow } from '../../state/table.ts'
import { requireHandle, worldOf } from '../../world/handles/require.ts'

/** What comes back: a thing or a player with the column `returnsAt`. Of the other columns it has those that its game has. */
export type Returning = {
  readonly id: number
  returnsAt: number
  hp?: number
  readonly maxHp?: number
  vx?: number
  vy?: number
  vz?: number
  invulnerableUntil?: number
}

/**
 * Says that a thing comes back in so many ticks. With `every`, those who fell apart return together: at the next tick of the clock that is a
 * multiple of it.
 */
export function returnIn(thing: { readonly id: number; returnsAt: number }, ticks: number, every = 1): void {
  const { clock } = worldOf(requireHandle(thing))
  // 0 is for who does not wait.
  thing.returnsAt = Math.min(Math.max(1, Math.ceil((clock + ticks) / every) * every), FOREVER)
}

/**
 * Whether a thing comes back in this tick: once, when its time has come. It then has full health, is at rest, and cannot be hurt for
 * `protection` ticks (the gate `invulnerable`).
 */
export function comesBack(thing: Returning, protection = 0): boolean {
  const { clock } = worldOf(requireHandle(thing))
  if (thing.returnsAt === 0 || thing.returnsAt > clock) return false
  thing.returnsAt = 0
  if (thing.maxHp !== undefined) thing.hp = thing.maxHp
  if (thing.vx !== undefined) thing.vx = 0
  if (thing.vy !== undefined) thing.vy = 0
  if (thing.vz !== undefined) thing.vz = 0
  if (protection > 0 && thing.invulnerableUntil !== undefined) {
    thing.invulnerableUntil = Math.max(thing.invulnerableUntil, Math.min(clock + protection, FOREVER))
  }
  return true
}

type Place = { readonly x: number; readonly y: number }

/**
 * Of several places the one whose nearest foe is farthest; of equals the first. Foes of a thing are the living things of its layer that are
 * not of its team.
 */
export function safestPlace<P extends Place>(
  places: readonly P[],
  thing: { readonly id: number; readonly team: number },
): P {
  const { things } = worldOf(requireHandle(thing)).tables as { things: Rows }
  const row = findRow(things, thing.id)
  let best = places[0]
  let most = -1
  for (const place of places) {
    const room = roomAround(things, row, place)
    if (room <= most) continue
    best = place
    most = room
  }
  return best
}

type Rows = AnyTable & { readonly [K in 'x' | 'y']: Float64Array } & { readonly hp?: Float64Array } & {
  readonly [K in 'layer' | 'team' | 'leaving']: Uint8Array
}

/** The squared distance to the nearest living foe. */
function roomAround({ count, layer, team, leaving, hp, x, y }: Rows, row: number, place: Place): number {
  let nearest = Number.POSITIVE_INFINITY
  for (let other = 0; other < count; other++) {
    if (other === row || layer[other] !== layer[row] || leaving[other] !== 0) continue
    if ((hp !== undefined && hp[other] <= 0) || (team[other] !== 0 && team[other] === team[row])) continue
    const dx = place.x - x[other]
    const dy = place.y - y[other]
    nearest = Math.min(nearest, dx * dx + dy * dy)
  }
  return nearest
}
