/**
 * Deciding: gates first, then the rule, case by case in order.
 *
 * A rule writes the live world through its handles, so that the next contact sees what this one did. What it overwrites is
 * in the journal: a rule that refuses is undone, and if one throws the whole phase is. Verdicts come from the code that
 * decides, so that `why` shows what really happened.
 */

import { HurtboxError, requireFields, requireInteger } from '../../base/errors.ts'
import { failureOf, type GameFailure } from '../../base/failure.ts'
import { regionName } from '../../state/layout.ts'
import { byteOf, findNotFinite, undo } from '../../world/handles/journal.ts'
import { type MemoryBlock, ruleHandleAt, trimHandles } from '../../world/handles/pool.ts'
import type { AnyThing } from '../../world/handles/types.ts'
import { involvedThing } from '../../world/involved.ts'
import { layerNumber } from '../../world/layers.ts'
import type { AnyWorld } from '../../world/world.ts'
import { readHit } from './boxes.ts'
import type { Collision } from './collide.ts'
import { type AnyGate, type BoundGates, bindGates } from './gates.ts'
import type { Ledger } from './ledger.ts'
import type { Rule } from './rule.ts'
import { addTriple, clearTriples, findTriple } from './triples.ts'

// biome-ignore lint/suspicious/noExplicitAny: rules of any game; their own types were checked where they were written.
export type AnyRule = Rule<any>

/** The verdict on a contact that its rule did not refuse. */
export const ACCEPTED = 'accepted'
/** A time on the clock that no match reaches. */
export const FOREVER = 0xffffffff

/** Makes the ledger of a world: brought along by `rememberHits`. */
export const ledgers: { make: ((world: AnyWorld) => Ledger) | undefined } = { make: undefined }

/** A rule with its layers and gates looked up. */
export type BoundRule = {
  readonly name: string
  readonly rule: AnyRule
  /** Its number in the phase. */
  readonly number: number
  readonly firstLayer: number
  readonly secondLayer: number
  readonly gates: BoundGates
  readonly touching: boolean
  readonly mutual: boolean
  readonly perBox: boolean
  // Copied from the rule, because rules are objects of many forms and bound rules of one, which is faster to read.
  readonly once: AnyRule['once']
  readonly attack: AnyRule['attack']
  readonly decide: AnyRule['decide']
}

const RULE_FIELDS: readonly (keyof AnyRule)[] = [
  'between',
  'when',
  'mutual',
  'touching',
  'perBox',
  'gates',
  'once',
  'attack',
  'decide',
]

export function bindRule(world: AnyWorld, name: string, rule: AnyRule, number: number): BoundRule {
  const { layers } = world.game
  if (typeof rule?.decide !== 'function' || !Array.isArray(rule.between) || rule.between.length !== 2) {
    throw new HurtboxError(
      'bad-declaration',
      `rule "${name}" must be { between: [layer, layer], decide(first, second, hit) }.`,
    )
  }
  requireFields(rule, `rule "${name}"`, RULE_FIELDS)
  const [first, second] = rule.between
  const firstLayer = layerNumber(layers, first)
  const secondLayer = layerNumber(layers, second)
  if (((layers.meets[firstLayer] >>> secondLayer) & 1) === 0) {
    throw new HurtboxError(
      'bad-declaration',
      `rule "${name}" is about layers ${first} and ${second}, which never meet. List one in the other.`,
    )
  }
  const { touching = false, mutual = false, perBox = false } = rule
  if (mutual && firstLayer !== secondLayer) {
    throw new HurtboxError(
      'bad-declaration',
      `rule "${name}" is mutual, but ${first} and ${second} are two layers; write two rules.`,
    )
  }
  if (rule.once !== undefined && (world.tables.hits === undefined || ledgers.make === undefined)) {
    throw new HurtboxError('bad-declaration', `rule "${name}" hits once: declare hits: rememberHits(256).`)
  }
  const gates = bindGates(world, name, (rule.gates ?? []) as readonly (string | AnyGate)[])
  const { once, attack, decide } = rule
  return { name, rule, number, firstLayer, secondLayer, gates, touching, mutual, perBox, once, attack, decide }
}

/** Decides all cases. If a rule throws, state and events are as if the phase had not begun. */
export function decideCases(collision: Collision): void {
  const { world, cases, block, hits, ledger, eventsAtOpen } = collision
  clearTriples(hits)
  ledger?.open(ledger)
  copyWords(world.memory.eventCounters, eventsAtOpen)
  try {
    for (let c = 0; c < cases.count; c++) decideCase(collision, cases.places[c])
  } catch (error) {
    takeBack(block, 0, 0)
    copyWords(eventsAtOpen, world.memory.eventCounters)
    throw error
  }
}

export function decideCase(collision: Collision, c: number): void {
  const bound = collision.cases.rules[c]
  try {
    decideBy(collision, bound, c)
  } catch (error) {
    throw failureAt(collision, error, `rule "${bound.name}"`)
  }
}

function decideBy(collision: Collision, bound: BoundRule, c: number): void {
  const { boxes, cases, hit, ledger, hits, things } = collision
  const { attack, number } = bound
  readHit(boxes, cases, c, hit)
  const { firstRow, secondRow } = hit
  const isWall = secondRow < 0
  const { id } = things.table
  const attackId = attack === undefined ? id[firstRow] : askAttack(collision, bound, attack)
  ledger?.openEntry(ledger, attackId, isWall ? 0 : id[secondRow], attack === undefined)
  // Things and walls in one number: rows from 0 up, walls from -1 down.
  const secondKey = isWall ? ~hit.wall : secondRow

  // Things with one box each meet once.
  const mayRepeat = !bound.perBox && (cases.mayRepeat || attack !== undefined)

  let verdict = refusal(collision, bound)
  if (verdict === '' && mayRepeat && findTriple(hits, number, attackId, secondKey) >= 0) verdict = 'same-attack'
  const isForRule = verdict === ''
  if (isForRule) {
    verdict = askRule(collision, bound)
    if (verdict === ACCEPTED && mayRepeat) addTriple(hits, number, attackId, secondKey)
  }
  if (collision.trace !== undefined) collision.trace.onVerdict(collision, bound, verdict, isForRule)
}

/** Asks the rule, as a transaction. */
function askRule(collision: Collision, bound: BoundRule): string {
  const { world, block, hit, things, eventsAtBegin } = collision
  const { journal } = block
  const mark = journal.count
  const moveMark = journal.moves.count
  collision.mark = mark
  collision.moveMark = moveMark
  copyWords(world.memory.eventCounters, eventsAtBegin)
  const said = bound.decide(ruleHandleAt(things, hit.firstRow), secondOf(collision), hit as never)
  let verdict = requireVerdict(said, bound.name)
  // What cannot be remembered must not hit: it would hit again and again.
  if (verdict === ACCEPTED && bound.once !== undefined && !collision.ledger!.enterHit(collision, bound))
    verdict = 'ledger-full'
  if (verdict === ACCEPTED) {
    const bad = findNotFinite(journal, mark)
    if (bad >= 0) throw notFinite(world, byteOf(journal, bad), bound.name)
  } else {
    takeBack(block, mark, moveMark)
    copyWords(eventsAtBegin, world.memory.eventCounters)
  }
  return verdict
}

/** The second of the contact being decided: a thing, or a wall as one. */
export function secondOf(collision: Collision): AnyThing {
  const { things, hit, statics } = collision
  return hit.secondRow < 0 ? statics!.asThing(collision) : ruleHandleAt(things, hit.secondRow)
}

function requireVerdict(said: unknown, rule: string): string {
  if (said === undefined || said === '') return ACCEPTED
  if (typeof said === 'string') return said
  throw new HurtboxError(
    'bad-argument',
    `rule "${rule}" returned ${String(said)}. A rule returns nothing, or a word when it refuses.`,
  )
}

/** Undoes everything since a mark: values, spawned rows, moves. */
export function takeBack(block: MemoryBlock, mark: number, moveMark: number): void {
  const { journal } = block
  undo(journal, mark)
  journal.moves.count = moveMark
  if (!journal.hasSpawned) return
  for (const pool of block.pools) trimHandles(pool)
  journal.hasSpawned = mark > 0
}

/** The first reason to refuse before the rule is asked, or ''. */
function refusal(collision: Collision, { name, gates, once }: BoundRule): string {
  const { world, things, hit, ledger, block } = collision
  const { firstRow, secondRow } = hit
  const isWall = secondRow < 0
  const { leaving } = things.table
  if (leaving[firstRow] !== 0 || (!isWall && leaving[secondRow] !== 0)) return 'leaving'
  const engine = isWall ? gates.wall : gates.engine
  if (engine.length > 0) {
    const table = world.tables.things
    const { clock } = world
    for (let i = 0; i < engine.length; i++) {
      if (engine[i].refuses(table, firstRow, secondRow, clock)) return engine[i].name
    }
  }
  if (once !== undefined && !isWall && ledger!.alreadyHit(ledger!, world.clock)) return 'already-hit'
  if (gates.own.length === 0) return ''
  const first = ruleHandleAt(things, firstRow)
  const second = secondOf(collision)
  const mark = writesIn(block)
  for (let i = 0; i < gates.own.length; i++) {
    const refuses = askGate(collision, name, gates.own[i], first, second)
    if (writesIn(block) !== mark) throw mustNotWrite(`gate "${gates.own[i].name}" of rule "${name}"`)
    if (refuses) return gates.own[i].name
  }
  return ''
}

function askGate(collision: Collision, rule: string, gate: AnyGate, first: AnyThing, second: AnyThing): boolean {
  try {
    return gate.refuses(first, second, collision.hit as never)
  } catch (error) {
    throw failureAt(collision, error, `gate "${gate.name}" of rule "${rule}"`)
  }
}

function askAttack(collision: Collision, { name }: BoundRule, attack: NonNullable<AnyRule['attack']>): number {
  const { block, things, hit } = collision
  const mark = writesIn(block)
  let id: number
  try {
    id = attack(ruleHandleAt(things, hit.firstRow), hit as never)
  } catch (error) {
    throw failureAt(collision, error, `attack of rule "${name}"`)
  }
  if (writesIn(block) !== mark) throw mustNotWrite(`attack of rule "${name}"`)
  // The message is made only when it is needed: this is asked for every contact.
  if (id >>> 0 === id) return id
  return requireInteger(id, `the attack of rule "${name}"`, 0, 0xffffffff)
}

/** What a function threw that was asked about the contact being decided. */
export function failureAt({ world, hit, boxes, defined }: Collision, error: unknown, what: string): GameFailure {
  const { firstRow, secondRow, wall, secondPlace } = hit
  const second =
    secondRow < 0 ? { layer: world.game.layers.names[boxes.layer[secondPlace]], wall } : involvedThing(world, secondRow)
  return failureOf(error, { what, tick: world.tick, things: [involvedThing(world, firstRow), second] }, defined)
}

/** Counts what was written or moved since the phase opened. */
export function writesIn({ journal }: MemoryBlock): number {
  return journal.count + journal.moves.count
}

/** For what only answers a question: its writes would not be undone when the rule refuses. */
export function mustNotWrite(what: string): HurtboxError {
  return new HurtboxError('bad-argument', `${what} must not write; do it in decide.`)
}

function notFinite({ memory: { layout } }: AnyWorld, byte: number, rule: string): HurtboxError {
  const region = layout.regions.filter(({ byteOffset }) => byteOffset <= byte).at(-1)!
  const name = regionName(layout, region)
  return new HurtboxError('not-finite', `${name}, written by rule "${rule}", must be a finite number.`)
}

/** A loop, because for so few words a call into the runtime takes longer. */
export function copyWords(from: Uint32Array, to: Uint32Array): void {
  for (let i = 0; i < from.length; i++) to[i] = from[i]
}
