/**
 * What every player is doing in a tick, in the words of fighting games: a column of the frame meter.
 *
 * A game says it itself (`phaseOf`, `moveOf` of its meaning). Of any other it follows from what the engine knows: hit stop, stun,
 * protection, life, and the timers that run on a player's thing or row.
 */

import { findRow, players } from 'hurtbox'
import type { FramePhase, LoadedModule } from 'hurtbox/module'
import type { AnyTable, AnyWorld } from 'hurtbox/tools'

/** `stop` is hit stop, `out` is out of the match for now. */
export type MeterPhase = FramePhase | 'stop' | 'out'

export type MeterCell = { readonly tick: number; readonly players: readonly MeterPlayer[] }
type MeterPlayer = {
  readonly seat: number
  readonly phase: MeterPhase
  readonly move: string
  /** Its move ends with this tick: it may act again in it. */
  readonly isLast?: boolean
}

/** More rows than fit over a stage. */
const MOST_PLAYERS = 4
/** A timer that ends later is no part of a move: how long a match lasts, when a thing grows up. */
const LONGEST_MOVE_SECONDS = 10

/** Timers of the engine that have a phase of their own, the strongest first. */
const PHASES: readonly (readonly [string, MeterPhase])[] = [
  ['stillUntil', 'stop'],
  ['stunnedUntil', 'stun'],
  ['launchedUntil', 'stun'],
  ['heldUntil', 'stun'],
  ['invulnerableUntil', 'invulnerable'],
]

export function readCell(module: LoadedModule, world: AnyWorld): MeterCell {
  const seen: MeterPlayer[] = []
  for (const player of players(world)) {
    if (seen.length >= MOST_PLAYERS) break
    const { seat } = player
    const own = player.thing as Readonly<Record<string, number>> | undefined
    const { phaseOf, moveOf } = module.meaning
    if (own !== undefined && Number(own.stillUntil) > world.clock) {
      seen.push({ seat, phase: 'stop', move: moveOf?.(player, world as never) ?? '' })
    } else if (phaseOf !== undefined) {
      const phase = phaseOf(player, world as never)
      seen.push({
        seat,
        phase,
        move: moveOf?.(player, world as never) ?? '',
        ...(endsNow(world, own) && { isLast: true }),
      })
    } else seen.push({ seat, ...phaseByTimers(world, seat, own) })
  }
  return { tick: world.tick, players: seen }
}

/** Whether the ability that keeps a thing busy is over in this tick: the engine ends it before it asks what comes next. */
function endsNow(world: AnyWorld, own: Readonly<Record<string, number>> | undefined): boolean {
  const casts = world.tables.casts as (AnyTable & { readonly endsAt: Uint32Array }) | undefined
  if (casts === undefined || !own?.busyWith) return false
  const row = findRow(casts, own.busyWith)
  return row >= 0 && casts.endsAt[row] <= world.clock
}

function phaseByTimers(
  world: AnyWorld,
  seat: number,
  own: Readonly<Record<string, number>> | undefined,
): { phase: MeterPhase; move: string } {
  if (own === undefined || (own.maxHp > 0 && own.hp <= 0)) return { phase: 'out', move: '' }
  for (const [column, phase] of PHASES) if (own[column] > world.clock) return { phase, move: '' }
  const { things, players: seated } = world.tables
  const rows: readonly (readonly [AnyTable, number])[] = [
    [things as AnyTable, rowWith(things as AnyTable, 'id', own.id)],
    [seated as AnyTable, rowWith(seated as AnyTable, 'seat', seat)],
  ]
  const latest = world.clock + LONGEST_MOVE_SECONDS * world.game.declaration.tickRate
  let [move, end] = ['', Number.POSITIVE_INFINITY]
  for (const [table, row] of rows) {
    for (const { name, array, width, spec } of table.columns) {
      if ((typeof spec === 'string' ? spec : spec.type) !== 'timer' || row < 0) continue
      for (let i = 0; i < width; i++) {
        const until = array[row * width + i]
        if (until <= world.clock || until > latest || until >= end) continue
        end = until
        move = width === 1 ? timerWords(name) : `${timerWords(name)} ${i + 1}`
      }
    }
  }
  // What runs keeps it from doing the same again: that is what recovery means.
  return move === '' ? { phase: 'idle', move } : { phase: 'recovery', move }
}

function rowWith(table: AnyTable, column: string, value: number): number {
  const cells = (table as unknown as Record<string, Uint32Array>)[column]
  for (let row = 0; row < table.count; row++) if (cells[row] === value) return row
  return -1
}

/** What a timer is about, from its name: `reloadUntil` is `reload`, `nextShotAt` is `next shot`. */
export function timerWords(column: string): string {
  const stem = column.replace(/(Until|At|From|Ends)$/, '') || column
  return stem.replace(/([A-Z])/g, (letter) => ` ${letter.toLowerCase()}`).trim()
}
