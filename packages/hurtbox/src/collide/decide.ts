/**
 * Deciding: the engine's gates first, then the rule, case by case in order.
 *
 * Nothing here writes to the world. Verdicts come from the code that decides, so that `why` tells what really happened.
 */

import { HurtboxError, requireInteger } from '../errors.ts'
import { layerNumber } from '../layers.ts'
import { COUNT, REFUSED } from '../table.ts'
import type { AnyWorld } from '../world.ts'
import { admit, type Book, begin, openBook, refuse } from './book.ts'
import { type Boxes, readContact } from './boxes.ts'
import { bindGates, type GateTest } from './gates.ts'
import { isLedgerFull, type Ledger, openEntry } from './ledger.ts'
import type { Cases } from './order.ts'
import type { Contact, Rule } from './rule.ts'
import { addTriple, findTriple } from './triples.ts'

// biome-ignore lint/suspicious/noExplicitAny: rules of any game; their own types were checked where they were made.
export type AnyRule = Rule<any>
/** A view of any game; its columns are looked up by name. */
export type AnyView = Pick<AnyWorld, 'tables' | 'clock' | 'tick'>

/** A rule with its layers and gates looked up. */
export type BoundRule = {
  readonly rule: AnyRule
  /** Its number in the phase. */
  readonly number: number
  readonly attackerLayer: number
  readonly victimLayer: number
  readonly gates: readonly GateTest[]
  /** Those that count where the victim is a static: it is never dead, on no team, and never leaves. */
  readonly staticGates: readonly GateTest[]
  readonly touching: boolean
  readonly mutual: boolean
  readonly perBox: boolean
}

export function bindRule(world: AnyWorld, rule: AnyRule, number: number): BoundRule {
  const { layers } = world.game
  if (typeof rule?.decide !== 'function') {
    throw new HurtboxError('bad-declaration', `rule "${rule?.name}" needs a function decide(view, contact, outcome).`)
  }
  const attackerLayer = layerNumber(layers, rule.attacker)
  const victimLayer = layerNumber(layers, rule.victim)
  if (((layers.meets[attackerLayer] >>> victimLayer) & 1) === 0) {
    throw new HurtboxError(
      'bad-declaration',
      `rule "${rule.name}" is about layers ${rule.attacker} and ${rule.victim}, which never meet. List one in the other.`,
    )
  }
  const { touching = false, mutual = false, perBox = false } = rule
  if (mutual && attackerLayer !== victimLayer) {
    throw new HurtboxError(
      'bad-declaration',
      `rule "${rule.name}" is mutual between the layers ${rule.attacker} and ${rule.victim}. Only things of one layer can trade; write two rules.`,
    )
  }
  const gates = bindGates(world, rule.name, rule.gates ?? [])
  const staticGates = gates.filter(({ isOfAttacker }) => isOfAttacker)
  return { rule, number, attackerLayer, victimLayer, gates, staticGates, touching, mutual, perBox }
}

/** Decides all cases: fills the book and the event lists. If a rule throws, both are as if the phase had not begun. */
export function decideCases(world: AnyWorld, boxes: Boxes, cases: Cases, view: AnyView, book: Book): void {
  markEvents(book.eventsAtOpen, world)
  try {
    for (let c = 0; c < cases.count; c++) decideCase(world, boxes, cases, cases.places[c], view, book)
  } catch (error) {
    rewindEvents(book.eventsAtOpen, world)
    openBook(world, book)
    throw error
  }
}

function decideCase(world: AnyWorld, boxes: Boxes, cases: Cases, c: number, view: AnyView, book: Book): void {
  const bound = cases.rules[c]
  const { contact, ledger } = book
  readContact(boxes, cases.attackerBox[c], cases.victimBox[c], cases.time[c], contact)
  const isStatic = contact.victim < 0
  const { id } = world.tables.things
  const { attack } = bound.rule
  const attackId =
    attack === undefined ? id[contact.attacker] : requireAttack(attack(view as never, contact), bound.rule)
  if (ledger !== undefined) openEntry(ledger, attackId, isStatic ? 0 : id[contact.victim], attack === undefined)
  // Things and statics in one number: rows from 0 up, statics from -1 down.
  const victimKey = isStatic ? -1 - contact.static : contact.victim

  let verdict = refusal(world, isStatic ? bound.staticGates : bound.gates, contact, view, ledger)
  const isOneHit = !bound.perBox
  if (verdict === '' && isOneHit && findTriple(book.hits, bound.number, attackId, victimKey) >= 0)
    verdict = 'same-attack'
  const isForRule = verdict === ''
  if (isForRule) {
    begin(book)
    markEvents(book.eventsAtBegin, world)
    verdict = bound.rule.decide(view as never, contact, book.outcome)
    // What cannot be remembered must not hit: it would hit again and again.
    if (verdict === 'hit' && ledger !== undefined && isLedgerFull(ledger)) verdict = 'ledger-full'
    if (verdict === 'hit') {
      admit(book)
      if (isOneHit) addTriple(book.hits, bound.number, attackId, victimKey)
    } else {
      refuse(book)
      rewindEvents(book.eventsAtBegin, world)
    }
  }
  world.trace?.onVerdict(world, bound.rule, contact, verdict, isForRule, book)
}

/** The first reason of the engine to refuse, or '' when the rule is to be asked. */
function refusal(
  { clock }: AnyWorld,
  gates: readonly GateTest[],
  contact: Contact,
  view: AnyView,
  ledger: Ledger | undefined,
): string {
  const { things } = view.tables
  if (things.leaving[contact.attacker] !== 0 || (contact.victim >= 0 && things.leaving[contact.victim] !== 0)) {
    return 'leaving'
  }
  for (let i = 0; i < gates.length; i++) if (gates[i].refuses(things, contact, clock, ledger)) return gates[i].name
  return ''
}

function requireAttack(id: number, rule: AnyRule): number {
  // The message is made only when it is needed: this is asked for every contact.
  if (id >= 0 && id <= 0xffffffff && Number.isInteger(id)) return id
  return requireInteger(id, `the attack of rule "${rule.name}"`, 0, 0xffffffff)
}

/** Two marks per kind of event: how many there are, and how many did not fit. */
function markEvents(marks: Uint32Array, world: AnyWorld): void {
  const { events } = world.memory
  for (let i = 0; i < events.length; i++) {
    marks[2 * i] = events[i].counters[COUNT]
    marks[2 * i + 1] = events[i].counters[REFUSED]
  }
}

function rewindEvents(marks: Uint32Array, world: AnyWorld): void {
  const { events } = world.memory
  for (let i = 0; i < events.length; i++) {
    events[i].counters[COUNT] = marks[2 * i]
    events[i].counters[REFUSED] = marks[2 * i + 1]
  }
}
