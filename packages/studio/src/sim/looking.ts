/** Looking at a match without moving it: a state, what each phase of a tick did, where two futures part. */

import { findRow, restore, type Session, snapshot, why } from 'hurtbox'
import {
  type AnyTable,
  type AnyWorld,
  changesByPhase,
  collisionsOf,
  createEmptyWorld,
  createEncodedInputs,
  createTwin,
  type Difference,
  diffWorlds,
  inputsAt,
  recordPushes,
  replayTo,
  retrace,
  type Snapshot,
  stepEncoded,
  type TraceEntry,
} from 'hurtbox/tools'
import type { Match } from './match.ts'
import { type MeterCell, readCell } from './meter.ts'
import { isWall } from './overlay.ts'
import { watchPhases } from './phase-times.ts'
import type { ChangesAnswer, DifferenceAnswer, TimerUse } from './protocol.ts'

/** A world of the match beside the one that is shown, at the state before `tick`. */
function probeAt(match: Match, tick: number): AnyWorld {
  const { session } = match
  match.probe ??= createTwin(session)
  const { from, length } = session.log
  replayTo(session, match.probe, Math.max(from, Math.min(tick, length)))
  return match.probe
}

/** The packed state before a tick. */
export function stateAt(match: Match, tick: number): Uint8Array<ArrayBuffer> {
  const { bytes, byteLength } = snapshot(probeAt(match, tick))
  return bytes.slice(0, byteLength) as Uint8Array<ArrayBuffer>
}

/** What the players did, tick by tick. */
export function meterBetween(match: Match, from: number, to: number): MeterCell[] {
  const cells: MeterCell[] = []
  const first = Math.max(match.session.log.from, from)
  for (let tick = first; tick <= Math.min(to, match.session.log.length); tick++) {
    cells.push(readCell(match.module, probeAt(match, tick)))
  }
  return cells
}

/** Every timer of players and their things that was set between two ticks, the most used first. */
export function timersBetween(match: Match, from: number, to: number): TimerUse[] {
  const { log } = match.session
  const uses = new Map<string, { times: number; least: number; most: number }>()
  const last = new Map<string, number>()
  for (let tick = Math.max(log.from, from); tick <= Math.min(to, log.length); tick++) {
    const world = probeAt(match, tick)
    const { things, players } = world.tables
    for (let player = 0; player < players.count; player++) {
      const seat: number = players.seat[player]
      noteTimers(players as AnyTable, player, `${seat} player`)
      const row = findRow(things, players.thing[player])
      if (row >= 0) noteTimers(things as AnyTable, row, `${seat} thing`)
    }
    function noteTimers(table: AnyTable, row: number, whose: string): void {
      for (const { name, array, width, spec } of table.columns) {
        if ((typeof spec === 'string' ? spec : spec.type) !== 'timer') continue
        for (let i = 0; i < width; i++) {
          const [column, value] = [width === 1 ? name : `${name}[${i}]`, array[row * width + i]]
          const key = `${whose} ${column}`
          const isSet = last.has(key) && last.get(key) !== value && value > world.clock
          last.set(key, value)
          if (!isSet) continue
          const ticks = value - world.clock + 1
          const use = uses.get(column) ?? { times: 0, least: ticks, most: ticks }
          uses.set(column, { times: use.times + 1, least: Math.min(use.least, ticks), most: Math.max(use.most, ticks) })
        }
      }
    }
  }
  return [...uses].map(([column, use]) => ({ column, ...use })).sort((a, b) => b.times - a.times)
}

/** More than this many partners of one thing in one tick are a crowd, and asking about each takes a step. */
const MOST_PARTNERS = 12

/** What each phase of a tick changed on a thing, and the rules that did it. */
export function changesOf(match: Match, tick: number, id: number): ChangesAnswer {
  const { session } = match
  const before = valuesOf(probeAt(match, tick), id)
  const rules: TraceEntry[] = []
  for (const other of partnersOf(session, tick, id).slice(0, MOST_PARTNERS)) {
    for (const entry of why(session, tick, id, other < 0 ? { wall: -1 - other } : other)) {
      if (entry.verdict === 'accepted' || entry.verdict === 'pushed') rules.push(entry)
    }
  }
  return { tick, id, before, phases: changesByPhase(session, tick, id), rules }
}

function valuesOf({ tables: { things } }: AnyWorld, id: number): Readonly<Record<string, number>> {
  const values: Record<string, number> = {}
  for (let row = 0; row < things.count; row++) {
    if (things.id[row] !== id) continue
    for (const { name, array, width } of things.columns) {
      for (let i = 0; i < width; i++) values[width === 1 ? name : `${name}[${i}]`] = array[row * width + i]
    }
  }
  return values
}

/** The things that met a thing in a tick, by id; walls as −1 less their place in the map. */
function partnersOf(session: Session, tick: number, id: number): number[] {
  const world = createTwin(session)
  replayTo(session, world, tick)
  const { ids } = watchPhases(world)
  const pushes = recordPushes(world)
  const inputs = createEncodedInputs(world)
  inputsAt(session.log, tick, inputs)
  stepEncoded(world, inputs)
  const found = new Set<number>()
  const meet = (first: number, second: number) => {
    if (first === id) found.add(second)
    else if (second === id) found.add(first)
  }
  for (const { boxes, contacts } of collisionsOf(world).values()) {
    const idOf = (box: number) => (isWall(boxes.owner[box]) ? -1 - boxes.number[box] : ids[boxes.owner[box]])
    for (let i = 0; i < contacts.count; i++) meet(idOf(contacts.a[i]), idOf(contacts.b[i]))
  }
  if (pushes.tick === tick) for (const { first, second } of pushes.pushes) meet(first, second)
  return [...found]
}

/** The first tick, and in it the phase, in which two matches with one past differ by more than their tuning. */
export function firstDifference(a: Match, b: Match, from: number, budgetMs: number): DifferenceAnswer {
  const end = performance.now() + budgetMs
  const length = Math.min(a.session.log.length, b.session.log.length)
  const [worldA, worldB] = [createTwin(a.session), createTwin(b.session)]
  for (let tick = from; tick < length; tick++) {
    replayTo(a.session, worldA, tick + 1)
    replayTo(b.session, worldB, tick + 1)
    const [first] = differencesOf(worldA, worldB)
    if (first !== undefined) return { next: tick, found: placeOf(a.session, b.session, tick, first) }
    if (performance.now() > end) return { next: tick + 1, found: undefined }
  }
  return { next: length, found: undefined }
}

function differencesOf(a: AnyWorld, b: AnyWorld): Difference[] {
  const tuned = Object.keys(a.game.declaration.tuning ?? {}).length
  return diffWorlds(a, b, tuned + 1).filter(({ table, column }) => table !== '' || column !== 'tuning')
}

function placeOf(a: Session, b: Session, tick: number, last: Difference): NonNullable<DifferenceAnswer['found']> {
  const states: Snapshot[] = []
  const [worldA, worldB] = [createTwin(a), createTwin(b)]
  replayTo(a, worldA, tick)
  replayTo(b, worldB, tick)
  const other: AnyWorld = createEmptyWorld(a.game, { options: worldA.options })
  retrace(
    worldA,
    tick + 1,
    (at, into) => inputsAt(a.log, at, into),
    () => states.push(snapshot(worldA)) < 0,
  )
  let place = 0
  let found = { tick, phase: 'end of tick', cell: last }
  retrace(
    worldB,
    tick + 1,
    (at, into) => inputsAt(b.log, at, into),
    ({ phase }) => {
      restore(other, states[place++])
      const [first] = differencesOf(other, worldB)
      if (first !== undefined) found = { tick, phase, cell: first }
      return first !== undefined
    },
  )
  return found
}
