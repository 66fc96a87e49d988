/**
 * Frame data: what is read off a frame meter, and the table of a game's moves.
 *
 * The meter has one cell per tick and player. From it follow runs (a phase of a move and how long it lasted), cancels (a move
 * that began before the last was over), and exchanges: who hit whom, and how many ticks earlier the attacker could act again.
 */

import type { LoadedModule } from 'hurtbox/module'
import type { TuningSpec } from 'hurtbox/tools'
import { words } from '../../model/words.ts'
import type { MeterCell, MeterPhase } from '../../sim/meter.ts'

/** Ticks `from` to before `to` in one phase of one move. */
export type Run = {
  readonly phase: MeterPhase
  readonly move: string
  readonly from: number
  readonly to: number
  /** It began while another move was not over. */
  readonly isCancel: boolean
}

/** What one player did, in order. Cells need not be without gaps; a gap ends a run. */
export function runsOf(cells: readonly MeterCell[], seat: number): Run[] {
  const runs: { phase: MeterPhase; move: string; from: number; to: number; isCancel: boolean }[] = []
  for (const { tick, players } of cells) {
    const seen = players.find((each) => each.seat === seat)
    if (seen === undefined) continue
    const { phase, move } = seen
    const last = runs.at(-1)
    if (last !== undefined && last.to === tick && last.phase === phase && last.move === move) {
      last.to++
      continue
    }
    const isCancel = last?.to === tick && phase === 'startup' && isMove(last.phase) && last.move !== move
    runs.push({ phase, move, from: tick, to: tick + 1, isCancel })
  }
  return runs
}

function isMove(phase: MeterPhase): boolean {
  return phase === 'startup' || phase === 'active' || phase === 'recovery'
}

/** Whether a player may do something new. */
function isFree(phase: MeterPhase): boolean {
  return phase === 'idle' || phase === 'invulnerable'
}

export type Exchange = {
  readonly attacker: number
  readonly victim: number
  readonly move: string
  /** The tick in which the victim lost control. */
  readonly at: number
  /** From the beginning of the attacker's move to when both are free. */
  readonly from: number
  readonly to: number
  /** How many ticks earlier than its victim the attacker was free; negative: later. Undefined while one of them is not. */
  readonly advantage: number | undefined
}

/** All hits that the meter shows, in order. */
export function exchangesOf(cells: readonly MeterCell[]): Exchange[] {
  const seats = cells.at(-1)?.players.map(({ seat }) => seat) ?? []
  const found: Exchange[] = []
  for (const victim of seats) {
    const line = withoutStops(cells, victim)
    for (let i = 1; i < line.length; i++) {
      if (line[i].phase !== 'stun' || line[i - 1].phase === 'stun') continue
      const exchange = exchangeAt(cells, seats, victim, line[i].since)
      if (exchange !== undefined) found.push(exchange)
    }
  }
  return found.sort((a, b) => a.at - b.at)
}

type Step = {
  readonly tick: number
  readonly phase: MeterPhase
  readonly move: string
  readonly since: number
  readonly isFree: boolean
}

/** The phases of one player without hit stop: it delays everything and is part of nothing. `since`: with the stop before it. */
function withoutStops(cells: readonly MeterCell[], seat: number): Step[] {
  const line: Step[] = []
  let since = -1
  for (const { tick, players } of cells) {
    const seen = players.find((each) => each.seat === seat)
    if (seen === undefined) continue
    if (seen.phase === 'stop') {
      if (since < 0) since = tick
      continue
    }
    const { phase, move, isLast = false } = seen
    const free = isFree(phase) || (phase === 'recovery' && isLast)
    line.push({ tick, phase, move, since: since < 0 ? tick : since, isFree: free })
    since = -1
  }
  return line
}

function exchangeAt(
  cells: readonly MeterCell[],
  seats: readonly number[],
  victim: number,
  at: number,
): Exchange | undefined {
  // Of several, the one whose attack became active last: others have hit before, or missed.
  let best: { seat: number; move: string; activeFrom: number } | undefined
  for (const seat of seats) {
    if (seat === victim) continue
    const active = withoutStops(cells, seat).filter(({ since, phase }) => phase === 'active' && since <= at)
    const last = active.at(-1)
    if (last === undefined || at - last.tick > MOST_LATE) continue
    const activeFrom = firstOf(active)
    if (best === undefined || activeFrom > best.activeFrom) best = { seat, move: last.move, activeFrom }
  }
  if (best === undefined) return undefined
  const { seat: attacker, move } = best
  const freeAt = (seat: number) => withoutStops(cells, seat).find((step) => step.tick > at && step.isFree)?.tick
  const [free, victimFree] = [freeAt(attacker), freeAt(victim)]
  const before = withoutStops(cells, attacker).findLast((step) => step.tick < at && step.isFree)
  const end = cells.at(-1)!.tick
  return {
    attacker,
    victim,
    move,
    at,
    from: (before?.tick ?? cells[0].tick - 1) + 1,
    to: Math.max(free ?? end, victimFree ?? end),
    advantage: free === undefined || victimFree === undefined ? undefined : victimFree - free,
  }
}

/** A projectile may still be on its way, but a meter cannot know that it is; a blow lands while it is active. */
const MOST_LATE = 2

/** Where the run of consecutive ticks begins that ends with the last. */
function firstOf(steps: readonly Step[]): number {
  let i = steps.length - 1
  while (i > 0 && steps[i - 1].tick === steps[i].tick - 1) i--
  return steps[i].tick
}

export function signed(ticks: number): string {
  return ticks > 0 ? `+${ticks}` : ticks < 0 ? `−${-ticks}` : '±0'
}

export type MoveTable = {
  /** Where the numbers come from, in a sentence. */
  readonly about: string
  readonly columns: readonly string[]
  readonly rows: readonly (readonly (string | number)[])[]
}

/** The moves that the game lists; of one that lists none every duration it can be tuned by. */
export function moveTable({ meaning, game }: LoadedModule): MoveTable {
  const moves = meaning.frameData?.() ?? []
  if (moves.length > 0) {
    const columns = [...new Set(moves.flatMap((move) => Object.keys(move)))]
    return {
      about: 'Every move, in ticks, from the content of the game.',
      columns,
      rows: moves.map((move) => columns.map((column) => move[column] ?? '')),
    }
  }
  const { tickRate } = game.declaration
  const durations = Object.entries((game.declaration.tuning ?? {}) as Readonly<Record<string, TuningSpec>>).filter(
    ([, { isDuration }]) => isDuration,
  )
  return {
    about: 'This game lists no moves: these are the times that it declares.',
    columns: ['what', 'ticks', 'seconds'],
    rows: durations.map(([name, { value }]) => [words(name), Math.ceil(value * tickRate - 1e-9), value]),
  }
}

export function toCsv({ columns, rows }: MoveTable): string {
  const cell = (value: string | number) =>
    /[",\n]/.test(String(value)) ? `"${String(value).replaceAll('"', '""')}"` : value
  return `${[columns, ...rows].map((row) => row.map(cell).join(',')).join('\n')}\n`
}

export function toJson({ columns, rows }: MoveTable): string {
  const named = rows.map((row) => Object.fromEntries(columns.map((column, i) => [column, row[i]])))
  return `${JSON.stringify(named, null, 2)}\n`
}
