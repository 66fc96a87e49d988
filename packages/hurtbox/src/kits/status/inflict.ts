/** Giving status effects and taking them away, in rules as part of the hit and in phases at once. */

import { FOREVER } from '../../rules/collide/decide.ts'
import type { AnyDeclaration } from '../../world/game.ts'
import { handleOf } from '../../world/handles/pool.ts'
import { requireHandle, worldOf } from '../../world/handles/require.ts'
import { despawn, insert } from '../../world/handles/things.ts'
import type { InWorld } from '../../world/handles/types.ts'
import { kindOf, type Status } from './define.ts'
import { type Affected, hasRow, nextOf, type StatusWorld, tell } from './rows.ts'

export type Infliction = {
  /** What gives it: a bullet, a fighter, a flame. Its owner, or itself where it has none, is credited for what the effect does. */
  readonly by?: { readonly id: number; readonly owner: number }
  /** A multiple of what its definition says. Default: 1. */
  readonly strength?: number
  /** Default: those of its definition. */
  readonly ticks?: number
}

/** A row of the table `status`, written so that a rule which refuses undoes it. */
type StatusHandle = { readonly id: number } & {
  [K in 'thing' | 'kind' | 'by' | 'attacker' | 'strength' | 'endsAt' | 'nextAt']: number
}

/**
 * Gives a thing a status effect, from now until `ticks` later. Returns whether it was open to it: not immune, not dead, and with room in
 * the table.
 */
export function inflict<N extends string>(
  status: Status<N>,
  victim: Affected,
  name: NoInfer<N>,
  how: Infliction = {},
): boolean {
  const handle = requireHandle(victim)
  const world = worldOf(handle) as unknown as StatusWorld
  const { things } = world.tables
  const { clock } = world
  const number = kindOf(status, name)
  const kind = status.kinds[number]
  const row = handle.$row
  if (things.leaving[row] !== 0 || (things.hp !== undefined && things.hp[row] <= 0)) return false
  if (things.immuneUntil[row * status.names.length + number] > clock) return false
  const { strength = 1, ticks = kind.ticks, by } = how
  const endsAt = Math.min(clock + ticks + 1, FOREVER)
  const isNew = !hasRow(world, victim.id, number)
  let nextAt = kind.every === 0 ? 0 : clock + kind.every
  for (let at = nextOf(world, victim.id, 0); at >= 0; at = nextOf(world, victim.id, at + 1)) {
    const { kind: kinds, strength: strengths, endsAt: ends } = world.tables.status
    if (kinds[at] !== number || kind.stacking === 'independent') continue
    // Who gets it again keeps the rhythm: poison that is renewed before each bite would never bite.
    nextAt = world.tables.status.nextAt[at]
    if (kind.stacking === 'strongest') {
      if (strengths[at] >= strength && ends[at] >= endsAt) return true
      if (strengths[at] <= strength && ends[at] <= endsAt) remove(victim, statusAt(world, at))
      continue
    }
    const old = statusAt(world, at)
    old.strength = kind.stacking === 'add' ? Math.min(old.strength + strength, kind.most) : strength
    old.endsAt = Math.max(old.endsAt, endsAt)
    credit(old, by)
    return true
  }
  const made = insert(world as unknown as InWorld<AnyDeclaration>, 'status') as StatusHandle
  if (made.id === 0) return false
  made.thing = victim.id
  made.kind = number
  made.strength = kind.stacking === 'add' ? Math.min(strength, kind.most) : strength
  made.endsAt = endsAt
  made.nextAt = nextAt
  credit(made, by)
  victim.statusCount += 1
  if (isNew) tell(world, 'statusBegan', victim.id, number, by === undefined ? 0 : by.id)
  return true
}

/** Takes a status effect from a thing, or all of them. Returns whether it had one. */
export function cleanse<N extends string>(status: Status<N>, victim: Affected, name?: NoInfer<N>): boolean {
  const world = worldOf(requireHandle(victim)) as unknown as StatusWorld
  const wanted = name === undefined ? -1 : kindOf(status, name)
  let had = false
  for (let at = nextOf(world, victim.id, 0); at >= 0; at = nextOf(world, victim.id, at + 1)) {
    const kind = world.tables.status.kind[at]
    if (wanted >= 0 && kind !== wanted) continue
    remove(victim, statusAt(world, at))
    if (!hasRow(world, victim.id, kind)) tell(world, 'statusEnded', victim.id, kind)
    had = true
  }
  return had
}

/** Keeps a status effect off a thing for so many ticks, or for ever. What runs already runs on: `cleanse` ends it. */
export function makeImmune<N extends string>(
  status: Status<N>,
  thing: Affected,
  name: NoInfer<N>,
  ticks = FOREVER,
): void {
  const { clock } = worldOf(requireHandle(thing))
  const kind = kindOf(status, name)
  const until = Math.min(clock + ticks + 1, FOREVER)
  if (until > thing.immuneUntil.get(kind)) thing.immuneUntil.set(kind, until)
}

function credit(row: StatusHandle, by: Infliction['by']): void {
  row.by = by === undefined ? 0 : by.id
  row.attacker = by === undefined ? 0 : by.owner || by.id
}

function remove(victim: Affected, row: StatusHandle): void {
  despawn(row)
  victim.statusCount -= 1
}

function statusAt({ memory: { block, layout } }: StatusWorld, row: number): StatusHandle {
  return handleOf(block.pools[layout.tableNames.indexOf('status')], row)
}
