/**
 * Deciding: the engine's gates first, then the rule, case by case in order.
 *
 * Nothing here writes to the world. Verdicts come from the code that decides, so that `why` tells what really happened.
 */

import { HurtboxError, requireInteger } from '../errors.ts'
import { layerNumber } from '../layers.ts'
import { COUNT, REFUSED } from '../table.ts'
import type { AnyWorld } from '../world.ts'
import { type Boxes, STATIC_OWNER } from './boxes.ts'
import { alreadyHit, isLedgerFull, openEntry } from './ledger.ts'
import type { Cases } from './order.ts'
import { admit, type Book, begin, openBook, refuse } from './outcome.ts'
import type { Contact, Gate, Rule } from './rule.ts'
import { addTriple, findTriple } from './triples.ts'

// biome-ignore lint/suspicious/noExplicitAny: rules of any game; their own types were checked where they were made.
export type AnyRule = Rule<any>
/** A view of any game; its columns are looked up by name. */
export type AnyView = Pick<AnyWorld, 'tables' | 'clock' | 'tick'>

/** A rule with its layers looked up and its gates as bits. */
export type BoundRule = {
  readonly rule: AnyRule
  /** Its number in the phase. */
  readonly number: number
  readonly attackerLayer: number
  readonly victimLayer: number
  readonly gates: number
  readonly touching: boolean
  readonly mutual: boolean
  readonly perBox: boolean
  /** Columns of `things` that its gates read, besides those that every thing has. */
  readonly gateColumns: readonly string[]
}

/** One bit per gate. */
const GATE: Readonly<Record<Gate, number>> = {
  owner: 1,
  team: 2,
  dead: 4,
  'attacker-dead': 8,
  invulnerable: 16,
  'already-hit': 32,
}

/** The column of `things` that a gate reads, where it is not one that every thing has. */
const GATE_COLUMN: Readonly<Partial<Record<Gate, string>>> = {
  dead: 'hp',
  'attacker-dead': 'hp',
  invulnerable: 'hittableFrom',
}

export function bindRule(world: AnyWorld, rule: AnyRule, number: number): BoundRule {
  const { layers } = world.game
  let gates = 0
  const gateColumns: string[] = []
  if (typeof rule?.decide !== 'function') {
    throw new HurtboxError('bad-declaration', `rule "${rule?.name}" needs a function decide(view, contact, outcome).`)
  }
  for (const gate of rule.gates ?? []) {
    if (GATE[gate] === undefined) {
      throw new HurtboxError(
        'unknown-name',
        `rule "${rule.name}" names the gate "${gate}". Known: ${Object.keys(GATE).join(', ')}.`,
      )
    }
    const column = GATE_COLUMN[gate]
    if (column !== undefined && !(column in world.tables.things)) {
      throw new HurtboxError(
        'bad-declaration',
        `gate "${gate}" of rule "${rule.name}" needs the column things.${column}.`,
      )
    }
    if (gate === 'already-hit' && world.tables.hits === undefined) {
      throw new HurtboxError('bad-declaration', `gate "already-hit" of rule "${rule.name}" needs the table hits.`)
    }
    gates |= GATE[gate]
    if (column !== undefined) gateColumns.push(column)
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
  return { rule, number, attackerLayer, victimLayer, gates, touching, mutual, perBox, gateColumns }
}

/** Decides all cases: fills the book and the event lists. If a rule throws, both are as if the phase had not begun. */
export function decideCases(world: AnyWorld, boxes: Boxes, cases: Cases, view: AnyView, book: Book): void {
  markEvents(book.eventsAtOpen, world)
  try {
    for (let c = 0; c < cases.count; c++) decideCase(world, boxes, cases, c, view, book)
  } catch (error) {
    rewindEvents(book.eventsAtOpen, world)
    openBook(world, book)
    throw error
  }
}

function decideCase(world: AnyWorld, boxes: Boxes, cases: Cases, c: number, view: AnyView, book: Book): void {
  const bound = cases.rules[c]
  const { contact, ledger } = book
  contact.attackerBox = cases.attackerBox[c]
  contact.victimBox = cases.victimBox[c]
  contact.time = cases.time[c]
  contact.attackerPart = boxes.number[contact.attackerBox]
  contact.victimPart = boxes.number[contact.victimBox]
  contact.attacker = boxes.owner[contact.attackerBox]
  const isStatic = boxes.owner[contact.victimBox] === STATIC_OWNER
  contact.victim = isStatic ? -1 : boxes.owner[contact.victimBox]
  contact.static = isStatic ? boxes.number[contact.victimBox] : -1
  const { id } = world.tables.things
  const { attack } = bound.rule
  const attackId =
    attack === undefined ? id[contact.attacker] : requireAttack(attack(view as never, contact), bound.rule)
  if (ledger !== undefined) openEntry(ledger, attackId, isStatic ? 0 : id[contact.victim], attack === undefined)
  // Things and statics in one number: rows from 0 up, statics from -1 down.
  const victimKey = isStatic ? -1 - contact.static : contact.victim

  let verdict: string = isStatic ? staticVerdict(bound, contact, view) : gateVerdict(world, bound, contact, view, book)
  const isOneHit = !bound.perBox
  if (verdict === '' && isOneHit && findTriple(book.hits, bound.number, attackId, victimKey) >= 0)
    verdict = 'same-attack'
  if (verdict === '') {
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
  world.trace?.onVerdict(world, bound.rule, contact, verdict, book)
}

/** The first gate that refuses, or '' when all let the contact pass. */
function gateVerdict(world: AnyWorld, bound: BoundRule, contact: Contact, view: AnyView, book: Book): Gate | string {
  const { things } = view.tables
  const { attacker, victim } = contact
  const { gates } = bound
  if (things.leaving[attacker] !== 0 || things.leaving[victim] !== 0) return 'leaving'
  if ((gates & GATE.owner) !== 0) {
    const { owner, id } = things
    const sameOwner = owner[attacker] !== 0 && owner[attacker] === owner[victim]
    if (sameOwner || owner[attacker] === id[victim] || owner[victim] === id[attacker]) return 'owner'
  }
  if ((gates & GATE.team) !== 0 && things.team[attacker] !== 0 && things.team[attacker] === things.team[victim])
    return 'team'
  if ((gates & GATE.dead) !== 0 && things.hp[victim] <= 0) return 'dead'
  if ((gates & GATE['attacker-dead']) !== 0 && things.hp[attacker] <= 0) return 'attacker-dead'
  if ((gates & GATE.invulnerable) !== 0 && things.hittableFrom[victim] > world.clock) return 'invulnerable'
  if ((gates & GATE['already-hit']) !== 0 && alreadyHit(book.ledger!, world.clock)) return 'already-hit'
  return ''
}

/** A static is never dead, never on a team and never leaves; only the thing that meets it can be refused. */
function staticVerdict(bound: BoundRule, contact: Contact, view: AnyView): Gate | string {
  const { things } = view.tables
  if (things.leaving[contact.attacker] !== 0) return 'leaving'
  if ((bound.gates & GATE['attacker-dead']) !== 0 && things.hp[contact.attacker] <= 0) return 'attacker-dead'
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
