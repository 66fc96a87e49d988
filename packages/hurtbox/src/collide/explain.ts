/**
 * The words of a trace: why a pair of things did or did not hit.
 *
 * `collide` knows a trace only by its two calls, so that a page that never asks why does not carry these words.
 */

import { layersMeet } from '../layers.ts'
import { NO_TABLE } from '../layout.ts'
import { findRow, type Id } from '../table.ts'
import type { AnyWorld } from '../world.ts'
import { type Book, PUT } from './book.ts'
import { type Boxes, imageShiftX, imageShiftY } from './boxes.ts'
import type { AnyRule, BoundRule } from './decide.ts'
import type { Contact, Gate } from './rule.ts'
import type { Trace } from './trace.ts'

/** A trace of the pair `a` and `b`. */
export function createTrace(a: Id, b: Id): Trace {
  let told = 0
  const trace: Trace = {
    a,
    b,
    entries: [],
    phase: '',
    onVerdict: (world, rule, contact, verdict, isForRule, book) =>
      noteVerdict(trace, world, rule, contact, verdict, isForRule, book),
    onDecided: (world, boxes, rules) => {
      // Nothing about the pair since the last `collide`: it never came before a rule of this one.
      if (trace.entries.length === told) noteMiss(trace, world, boxes, rules)
      told = trace.entries.length
    },
  }
  return trace
}

/** Notes what became of a case, if it is one of the watched pair. */
function noteVerdict(
  trace: Trace,
  world: AnyWorld,
  rule: AnyRule,
  contact: Contact,
  verdict: string,
  isForRule: boolean,
  book: Book,
): void {
  const { things } = world.tables
  const attacker = things.id[contact.attacker]
  const victim = things.id[contact.victim]
  if (!((trace.a === attacker && trace.b === victim) || (trace.a === victim && trace.b === attacker))) return
  trace.entries.push({
    phase: trace.phase,
    rule: rule.name,
    attacker,
    victim,
    verdict,
    text: `${rule.name}: ${attacker} against ${victim}: ${reason(world, contact, verdict, isForRule)}`,
    changes: verdict === 'hit' ? describeChanges(world, book) : [],
  })
}

/** Notes why the watched pair never came before a rule. */
function noteMiss(trace: Trace, world: AnyWorld, boxes: Boxes, rules: readonly BoundRule[]): void {
  const { things } = world.tables
  const note = (verdict: string, text: string) =>
    trace.entries.push({ phase: trace.phase, rule: '', attacker: trace.a, victim: trace.b, verdict, text, changes: [] })

  for (const id of [trace.a, trace.b]) {
    const row = findRow(things, id)
    if (row < 0) return void note('gone', `${id} is not in the world at tick ${world.tick}`)
    if (things.leaving[row] !== 0) return void note('leaving', `${id} was already leaving`)
  }
  const boxesA = boxesOf(boxes, findRow(things, trace.a))
  const boxesB = boxesOf(boxes, findRow(things, trace.b))
  if (boxesA.length === 0) return void note('no-box', `${trace.a} has no box in this tick`)
  if (boxesB.length === 0) return void note('no-box', `${trace.b} has no box in this tick`)

  const { layers } = world.game
  const names = (list: readonly number[]) => [...new Set(list.map((box) => layers.names[boxes.layer[box]]))].join(', ')
  const who = `${trace.a} is ${names(boxesA)}, ${trace.b} is ${names(boxesB)}`
  const pairs = boxesA.flatMap((a) => boxesB.map((b) => [a, b] as const))
  const meeting = pairs.filter(([a, b]) => layersMeet(layers, boxes.layer[a], boxes.layer[b]))
  if (meeting.length === 0) return void note('layers', `layers do not meet: ${who}`)
  const ruled = meeting.filter(([a, b]) => rules.some((bound) => isAbout(bound, boxes.layer[a], boxes.layer[b])))
  if (ruled.length === 0) {
    const wanted = layersThatMeet(
      rules,
      [...boxesA, ...boxesB].map((box) => boxes.layer[box]),
    )
    const hint =
      wanted.length === 0 ? '' : `; a hit would take a box on ${wanted.map((l) => layers.names[l]).join(' or ')}`
    return void note('no-rule', `this phase has no rule about their layers: ${who}${hint}`)
  }
  if (ruled.some(([a, b]) => boxes.narrow === undefined || boxes.narrow(boxes, a, b, true) >= 0)) {
    const gap = Math.min(...ruled.map(([a, b]) => gapOf(boxes, a, b)))
    if (gap > 0) return void note('apart', `apart: ${format(gap)} were missing`)
    return void note('touching', 'they only touch, and no rule about them counts that')
  }
  const gap = boxes.gap === undefined ? 0 : Math.min(...ruled.map(([a, b]) => boxes.gap!(boxes, a, b)))
  note('apart', gap > 0 ? `apart: ${format(gap)} were missing` : 'apart: their shapes do not meet in this tick')
}

function isAbout({ attackerLayer, victimLayer }: BoundRule, layerA: number, layerB: number): boolean {
  return (attackerLayer === layerA && victimLayer === layerB) || (attackerLayer === layerB && victimLayer === layerA)
}

/** The layers that rules bring together with one of these: what a swing has while it hits, and not before. */
function layersThatMeet(rules: readonly BoundRule[], present: readonly number[]): number[] {
  const found = rules.flatMap(({ attackerLayer, victimLayer }) => {
    if (present.includes(victimLayer)) return [attackerLayer]
    return present.includes(attackerLayer) ? [victimLayer] : []
  })
  return [...new Set(found)]
}

/** Distance of the circles around two boxes; exact for standing circles. */
function gapOf(boxes: Boxes, a: number, b: number): number {
  const dx = boxes.x[b] + imageShiftX(boxes, a, b) - boxes.x[a]
  const dy = boxes.y[b] + imageShiftY(boxes, a, b) - boxes.y[a]
  return Math.sqrt(dx * dx + dy * dy) - boxes.radius[a] - boxes.radius[b]
}

/** A rule may refuse with any word, also with one that the engine uses: who said it decides what it means. */
function reason(world: AnyWorld, contact: Contact, verdict: string, isForRule: boolean): string {
  if (verdict === 'hit') return 'hit'
  if (verdict === 'ledger-full') return 'no hit, the table hits has no room to remember it'
  return isForRule ? `no hit, the rule said "${verdict}"` : REFUSALS[verdict as Refusal](world, contact)
}

type Refusal = Gate | 'leaving' | 'same-attack'

const REFUSALS: Readonly<Record<Refusal, (world: AnyWorld, contact: Contact) => string>> = {
  leaving: ({ tables: { things } }, { attacker, victim }) =>
    things.leaving[attacker] !== 0 || things.leaving[victim] !== 0
      ? 'no hit, one of them was already leaving'
      : 'no hit, one of them was used up by an earlier contact of this tick',
  owner: () => 'no hit, they belong together (one made the other, or both have the same owner)',
  team: ({ tables: { things } }, { attacker }) => `no hit, both are on team ${things.team[attacker]}`,
  dead: ({ tables: { things } }, { victim }) => `no hit, ${things.id[victim]} had no health left`,
  'attacker-dead': ({ tables: { things } }, { attacker }) => `no hit, ${things.id[attacker]} had no health left`,
  invulnerable: ({ clock, tables: { things } }, { victim }) =>
    `no hit, ${things.id[victim]} was invulnerable at ${clock}`,
  'already-hit': () => 'no hit, this attack has already hit this victim',
  'same-attack': () => 'no further hit, another box of the same attack has just hit',
}

/** The admitted changes of the last transaction in words. */
function describeChanges(world: AnyWorld, book: Book): string[] {
  const { changes, spawns } = book
  const { layout, tables, columns } = world.memory
  const lines: string[] = []
  for (let i = changes.mark; i < changes.count; i++) {
    const region = layout.regions[changes.column[i]]
    const row = Math.floor(changes.index[i] / columns[changes.column[i]].width)
    const isTable = region.table !== NO_TABLE
    const owner = isTable ? ` of ${layout.tableNames[region.table]} id ${tables[region.table].id[row]}` : ''
    const sign = changes.kind[i] === PUT ? 'becomes' : changes.value[i] < 0 ? 'loses' : 'gains'
    const amount = changes.kind[i] === PUT ? changes.value[i] : Math.abs(changes.value[i])
    lines.push(`${region.column}${owner} ${sign} ${amount}`)
  }
  for (let i = changes.spawnMark; i < spawns.length; i++) lines.push(`a row of ${spawns[i].table.name} is added`)
  return lines
}

function boxesOf(boxes: Boxes, row: number): number[] {
  const found: number[] = []
  for (let box = 0; box < boxes.count; box++) if (boxes.owner[box] === row) found.push(box)
  return found
}

function format(value: number): string {
  return value < 0.001 ? 'less than 0.001' : String(Math.round(value * 1000) / 1000)
}
