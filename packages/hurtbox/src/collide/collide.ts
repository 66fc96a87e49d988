/**
 * `collide`: from "who overlaps whom" to "who was hit", in five stages.
 *
 *   pose     a list of boxes, from the state
 *   detect   pairs of boxes that overlap and whose layers meet
 *   order    which rule is asked about which pair, and in which order: a total order
 *   decide   gates, then the rule; an outcome is admitted or refused as a whole
 *   commit   admitted changes into the world; only here is anything written
 *
 * Where things are is frozen from pose to commit; what they have left is not (see `takes`).
 */

import { HurtboxError } from '../errors.ts'
import { fastObject } from '../fast.ts'
import type { ColumnsOf, Declaration, Phase, TableNames } from '../game.ts'
import { type Layers, layerNumber, MAX_LAYERS } from '../layers.ts'
import type { PairOptions } from '../space/find-pairs.ts'
import { UNLIMITED } from '../space/pair-list.ts'
import { type AnyWorld, headerAccessors, type World } from '../world.ts'
import { type Book, commitBook, createBook, openBook } from './book.ts'
import { addCirclesOf, type Boxes, clearBoxes, createBoxes, readContact, STATIC_OWNER } from './boxes.ts'
import { type AnyView, type BoundRule, bindRule, decideCases } from './decide.ts'
import { type Contacts, createContacts, createDetector, type Detector, detectContacts } from './detect.ts'
import { type Cases, createCases, listCases } from './order.ts'
import { type Contact, createContact, type LayerName, type Rule, type View } from './rule.ts'
import type { Statics } from './statics.ts'

/** Those of the broad phase (cell size, grid on or off) never change an outcome; the topology does. */
export type CollideOptions<D extends Declaration> = Omit<PairOptions, 'maxPairs'> & {
  /**
   * Columns that hits take from: health, shield, i-frames, hold. Later contacts of the phase see what earlier ones took;
   * every other column is frozen while the phase decides.
   */
  readonly takes?: { readonly [K in TableNames<D>]?: readonly (keyof ColumnsOf<D, K> & string)[] }
  /**
   * Poses the boxes of one thing. Given by layer, it is asked for things of those layers only. Default, and faster: one
   * hurtbox, the thing's circle.
   */
  readonly pose?: PoseThing<D> | { readonly [L in LayerName<D>]?: PoseThing<D> }
  /** Another order inside a rule: smaller keys first, equal keys in canonical order. */
  readonly orderKey?: (view: View<D>, contact: Contact) => number
  /** Names of priorities, first to last: changes are written by priority, target, emission instead of emission. */
  readonly priorities?: readonly string[]
  /** The static map, for rules about the layers of its walls. In such a rule the thing is the attacker. */
  readonly statics?: Statics
}

/** Adds the boxes of the thing in `row` to the list. */
type PoseThing<D extends Declaration> = (world: World<D>, row: number, boxes: Boxes) => void

/** Rules in the order they are asked. Rules in an inner list share one order. */
export type RuleList<D extends Declaration> = readonly (Rule<D> | readonly Rule<D>[])[]

/** Makes a phase that lets things meet. */
export function collide<D extends Declaration>(rules: RuleList<D>, options: CollideOptions<D> = {}): Phase<D> {
  const collisions = new WeakMap<World<D>, Collision>()
  const collisionOf = (world: World<D>): Collision => {
    const known = collisions.get(world)
    if (known !== undefined) return known
    const made = createCollision(world, rules, options)
    collisions.set(world, made)
    return made
  }
  const phase = (world: World<D>): void => {
    const collision = collisionOf(world)
    pose(collision)
    detect(collision)
    order(collision)
    decide(collision)
    commit(collision)
  }
  // Called when a world is made, so that a rule about a layer that does not exist is not found in mid-match.
  return Object.assign(phase, { prepare: (world: World<D>) => void collisionOf(world) })
}

type AnyPoser = (world: AnyWorld, row: number, boxes: Boxes) => void

/** The scratch of one `collide` phase in one world. Nothing in it is state. */
export type Collision = {
  readonly world: AnyWorld
  readonly groups: readonly (readonly BoundRule[])[]
  /** Which layers the rules of this phase are about. Others may meet elsewhere; looking for them here would be in vain. */
  readonly meets: Uint32Array
  /** By layer; `undefined` for things that are just their circle. */
  readonly posers: readonly (AnyPoser | undefined)[]
  readonly orderKey: ((attackerBox: number, victimBox: number, time: number) => number) | undefined
  readonly detector: Detector
  readonly pairOptions: PairOptions
  readonly statics: Statics | undefined
  readonly boxes: Boxes
  readonly contacts: Contacts
  readonly cases: Cases
  readonly view: AnyView
  readonly book: Book
}

export function createCollision<D extends Declaration>(
  world: World<D>,
  rules: RuleList<D>,
  options: CollideOptions<D> = {},
): Collision {
  const boxes = createBoxes(1024, options.topology)
  let number = 0
  const groups = requireRules(rules).map((entry) => [entry].flat().map((rule) => bindRule(world, rule, number++)))
  const book = createBook(world, takesOf(options, groups.flat()), options.priorities ?? [])
  const view = createView(world, book)
  const collision: Collision = {
    world,
    groups,
    meets: layersOfRules(groups.flat()),
    posers: posersOf(world.game.layers, options.pose as AnyPoser | Readonly<Record<string, AnyPoser>> | undefined),
    orderKey: options.orderKey && keyOfBoxes(view, boxes, options.orderKey),
    boxes,
    detector: createDetector(),
    pairOptions: { ...options, maxPairs: UNLIMITED },
    statics: options.statics,
    contacts: createContacts(),
    cases: createCases(),
    view,
    book,
  }
  options.statics?.requireRules(groups.flat())
  world.memory.collisions.push(collision)
  return collision
}

/** What the `collide` phases of a world last posed and found, phase by phase: to draw or count, never to decide by. */
export function collisionsOf(world: AnyWorld): readonly Collision[] {
  return world.memory.collisions
}

/**
 * What a box is to the rules of its phase, for drawing: a hurtbox if one of them is about hurting its layer, a pushbox if it
 * is of the static map, else a hitbox. To the engine all boxes are alike; layers and rules say what they mean.
 */
export function roleOf({ boxes, groups }: Collision, box: number): 'hurt' | 'hit' | 'push' {
  if (boxes.owner[box] === STATIC_OWNER) return 'push'
  const isVictim = groups.some((rules) => rules.some(({ victimLayer }) => victimLayer === boxes.layer[box]))
  return isVictim ? 'hurt' : 'hit'
}

/** Stage 1: what can be touched, and where. From here on the view stands still, but for what hits take. */
export function pose(collision: Collision): void {
  const { world, boxes, posers, book } = collision
  openBook(world, book)
  const { things } = world.tables
  clearBoxes(boxes)
  for (let row = 0, { count } = things; row < count; ) {
    const poseThing = posers[things.layer[row]]
    if (poseThing === undefined) {
      const first = row
      while (row < count && posers[things.layer[row]] === undefined) row++
      addCirclesOf(boxes, things, first, row)
    } else {
      if (things.leaving[row] === 0) poseThing(world, row, boxes)
      row++
    }
  }
}

/** Stage 2: which boxes overlap that a rule is about. Pure: reads the boxes, writes the contacts. */
export function detect(collision: Collision): void {
  const { detector, boxes, meets, contacts, pairOptions, statics } = collision
  detectContacts(detector, boxes, meets, contacts, pairOptions)
  statics?.detect(detector, boxes, meets, contacts)
}

/** Stage 3: which rule is asked about which contact, in which order. */
export function order(collision: Collision): void {
  listCases(collision.contacts, collision.boxes, collision.groups, collision.cases, collision.orderKey)
}

/** Stage 4: gates, then rules. The world is not written; if a rule throws, nothing has happened. */
export function decide(collision: Collision): void {
  const { world, boxes, cases, view, book, groups } = collision
  decideCases(world, boxes, cases, view, book)
  world.trace?.onDecided(world, boxes, groups.flat())
}

/** Stage 5: what was admitted happens. */
export function commit(collision: Collision): void {
  commitBook(collision.world, collision.book)
}

function posersOf(
  layers: Layers,
  given: AnyPoser | Readonly<Record<string, AnyPoser>> = {},
): readonly (AnyPoser | undefined)[] {
  const posers: (AnyPoser | undefined)[] = new Array(256).fill(typeof given === 'function' ? given : undefined)
  if (typeof given === 'object') for (const name of Object.keys(given)) posers[layerNumber(layers, name)] = given[name]
  return posers
}

function requireRules<D extends Declaration>(rules: RuleList<D>): RuleList<D> {
  if (Array.isArray(rules)) return rules
  throw new HurtboxError('bad-argument', 'collide takes a list of rules: collide([cut], { … }).')
}

/** What the phase declares, and what its gates look at: a victim that just died must not be bitten again. */
function takesOf<D extends Declaration>(options: CollideOptions<D>, rules: readonly BoundRule[]): string[] {
  const declared = Object.entries(options.takes ?? {}).flatMap(([table, columns]) =>
    (columns as readonly string[]).map((column) => `${table}.${column}`),
  )
  const read = rules.flatMap(({ gates }) => gates.flatMap(({ column }) => column ?? []))
  return [...declared, ...read.map((column) => `things.${column}`)]
}

/** In the form of `Layers.meets`: a word of bits per layer. */
function layersOfRules(rules: readonly BoundRule[]): Uint32Array {
  const meets = new Uint32Array(MAX_LAYERS)
  for (const { attackerLayer, victimLayer } of rules) {
    meets[attackerLayer] |= 1 << victimLayer
    meets[victimLayer] |= 1 << attackerLayer
  }
  return meets
}

/** The world with pending columns in the place of those that hits take from. */
function createView(world: AnyWorld, book: Book): AnyView {
  const { game, options, arrays, globals, tuning, events, memory } = world
  const tables = fastObject({}, book.viewTables)
  return fastObject(headerAccessors, { game, options, arrays, globals, tuning, events, memory, tables })
}

function keyOfBoxes<D extends Declaration>(
  view: AnyView,
  boxes: Boxes,
  keyOf: (view: View<D>, contact: Contact) => number,
): (attackerBox: number, victimBox: number, time: number) => number {
  const contact = createContact()
  return (attackerBox, victimBox, time) => {
    readContact(boxes, attackerBox, victimBox, time, contact)
    return keyOf(view as unknown as View<D>, contact)
  }
}
