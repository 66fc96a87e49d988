/** The phase of status effects: what hurts or heals at intervals, and the end of what has run its time. */

import { HurtboxError } from '../../base/errors.ts'
import { addRow, findRow, type RowsBase } from '../../state/table.ts'
import { handleAt } from '../../world/handles/pool.ts'
import { type Hurtable, hurt } from '../combat/damage.ts'
import type { Status } from './define.ts'
import { counts } from './read.ts'
import { hasRow, type StatusWorld, tell } from './rows.ts'

/**
 * Makes the phase, for the beginning of a tick: what is due hurts and heals, then what is over ends. The effects of a thing end when it dies.
 */
export function runStatus(status: Status): { create(world: StatusWorld): { run(): void } } {
  return {
    create(world) {
      const { things } = world.tables
      const needs = status.names.find((_, kind) => status.kinds[kind].every > 0)
      if (needs !== undefined && (things.hp === undefined || things.armour === undefined)) {
        throw new HurtboxError(
          'bad-declaration',
          `status effect "${needs}" changes health, and things have none: spread the columns of defineCombat into things.`,
        )
      }
      return {
        run() {
          act(status, world)
          end(world)
        },
      }
    },
  }
}

/** Scratch: what gave an effect, as `hurt` wants to know it. */
const source = { id: 0, owner: 0 }

function act(status: Status, world: StatusWorld): void {
  const { clock, tables, memory } = world
  const { things, status: rows } = tables
  const { count, thing, kind, by, attacker, strength, endsAt, nextAt, leaving } = rows
  for (let row = 0; row < count; row++) {
    if (nextAt[row] === 0 || nextAt[row] > clock || endsAt[row] <= clock || leaving[row] !== 0) continue
    const { damage, type, heal, every } = status.kinds[kind[row]]
    nextAt[row] += every
    const at = findRow(things, thing[row])
    if (at < 0 || things.leaving[at] !== 0 || !counts(status, world, row)) continue
    const victim = handleAt(memory.block.pools[0], at) as unknown as Hurtable
    if (damage > 0) {
      source.id = by[row]
      source.owner = attacker[row]
      hurt(victim, damage * strength[row], by[row] === 0 ? undefined : source, type)
    }
    if (heal > 0 && victim.hp > 0) healRow(world, at, heal * strength[row], by[row])
  }
}

function healRow({ tables: { things }, events }: StatusWorld, row: number, amount: number, by: number): void {
  const { id, hp, maxHp } = things
  const before = hp![row]
  const most = maxHp === undefined || maxHp[row] === 0 ? Number.POSITIVE_INFINITY : maxHp[row]
  const after = Math.max(before, Math.min(before + amount, most))
  if (after === before) return
  hp![row] = after
  const { healed } = events as {
    readonly healed: RowsBase & { readonly [K in 'thing' | 'by' | 'amount']: Float64Array }
  }
  const event = addRow(healed)
  if (event < 0) return
  healed.thing[event] = id[row]
  healed.by[event] = by
  healed.amount[event] = after - before
}

function end(world: StatusWorld): void {
  const { things, status: rows } = world.tables
  const { count, thing, kind, endsAt, leaving } = rows
  for (let row = 0; row < count; row++) {
    if (leaving[row] !== 0) continue
    const at = findRow(things, thing[row])
    const isGone = at < 0 || things.leaving[at] !== 0 || (things.hp !== undefined && things.hp[at] <= 0)
    if (!isGone && endsAt[row] > world.clock) continue
    leaving[row] = 1
    if (at >= 0) things.statusCount[at]--
    if (!hasRow(world, thing[row], kind[row])) tell(world, 'statusEnded', thing[row], kind[row])
  }
}
