/**
 * `collide`: from overlaps to hits, in five stages.
 *
 *   pose     a list of boxes, from the state
 *   detect   pairs of boxes that overlap and whose layers meet
 *   order    pairs each contact with the rules that apply, in canonical order
 *   decide   gates, then the rule; what it wrote stands or is undone as a whole
 *   commit   moves that rules asked for, and the ledger
 *
 * Where things are is frozen from pose to commit; everything else is live, so that a later contact sees what an earlier
 * one took.
 */

import { HurtboxError, unknownName } from '../../base/errors.ts'
import { failureOf } from '../../base/failure.ts'
import type { PairOptions } from '../../geometry/space/find-pairs.ts'
import type { AnyDeclaration, Declaration, Phase } from '../../world/game.ts'
import { undo } from '../../world/handles/journal.ts'
import {
  closeCursor,
  closeRules,
  cursorAt,
  type HandlePool,
  type MemoryBlock,
  openRules,
  ruleHandleAt,
} from '../../world/handles/pool.ts'
import type { LayerName, RuleThing, Thing } from '../../world/handles/types.ts'
import { involvedThing } from '../../world/involved.ts'
import { type Layers, layerNumber, MAX_LAYERS } from '../../world/layers.ts'
import type { AnyWorld, World } from '../../world/world.ts'
import { addCirclesOf, type Boxes, clearBoxes, createBoxes, readHit, STATIC_OWNER } from './boxes.ts'
import {
  type AnyRule,
  type BoundRule,
  bindRule,
  decideCases,
  failureAt,
  ledgers,
  mustNotWrite,
  secondOf,
  writesIn,
} from './decide.ts'
import { type Contacts, createContacts, createDetector, type Detector, detectContacts } from './detect.ts'
import type { Ledger } from './ledger.ts'
import { type Cases, createCases, listCases, type SetKey } from './order.ts'
import { createHit, type Hit, type HitScratch, type Pairs, type Rules } from './rule.ts'
import type { Statics } from './statics.ts'
import type { Trace } from './trace.ts'
import { createTriples, type Triples } from './triples.ts'

/** Those of the broad phase (cell size, grid on or off) never change an outcome; the topology does. */
export type CollideOptions<D extends Declaration, Name extends string = string> = Omit<PairOptions, 'meets'> & {
  /**
   * Poses the boxes of a thing. Given by layer, it is called for things of those layers only. Default, and faster: one box,
   * the thing's circle.
   */
  readonly pose?: PoseThing<D> | { readonly [L in LayerName<D>]?: PoseThing<D, L> }
  /**
   * The order inside a rule: by this key, smaller first. Default: by `hit.time`, the earliest impact of the tick first. Equal
   * ones are in canonical order, older things first, so `() => 0` is that order alone.
   */
  readonly orderBy?: OrderKey<D>
  /** Rules that share one order, by name, or all of them. Default: contacts are decided rule by rule. */
  readonly sharedOrder?: true | readonly (readonly Name[])[]
  /** What moves in this phase and goes on after a contact with what is left of its tick: `travel(…)` of `hurtbox/contacts`. */
  readonly travel?: Travel<NoInfer<D>>
  /** The static map, for rules about the layers of its walls. In such a rule the wall is the second. */
  readonly statics?: Statics
}

/** Runs the phase instead of the five stages, each once. */
export type Travel<D = AnyDeclaration> = (collision: Collision<{ readonly game: { readonly declaration: D } }>) => void

/** Adds the boxes of a thing to the list. The thing is for this call only: keep its id, not the object. */
type PoseThing<D extends Declaration, L extends string = LayerName<D>> = (
  thing: Thing<D, L>,
  boxes: Boxes<LayerName<D>>,
  world: World<D>,
) => void

type OrderKey<D extends Declaration> = (first: RuleThing<D>, second: RuleThing<D>, hit: Hit<D>) => number

/**
 * Makes a phase in which things meet. Rules run in the order they are listed.
 *
 * @example
 * ```ts
 * import { collide, createWorld, declareGame, defineGame, spawn, step } from 'hurtbox'
 *
 * const layers = { sword: ['slime'], slime: [] } as const
 * const arena = declareGame({ id: 'arena', tickRate: 60, layers, things: { hp: 'f64' } })
 * const hits = collide(arena, {
 *   'sword hits slime': {
 *     between: ['sword', 'slime'],
 *     decide(_sword, slime) {
 *       if (slime.hp <= 0) return 'dead already' // refused: nothing is written
 *       slime.hp -= 12
 *     },
 *   },
 * })
 * const world = createWorld(defineGame(arena, { phases: { hits } }))
 * spawn(world, 'sword', { radius: 20 })
 * const slime = spawn(world, 'slime', { x: 30, radius: 15, hp: 30 })
 * step(world)
 * console.log(slime.hp) // 18
 * ```
 */
export function collide<D extends Declaration, const P extends Pairs<D>>(
  _declaration: D,
  rules: Rules<D, P>,
  options: CollideOptions<D, keyof P & string> = {},
): Phase<D> {
  if (typeof rules !== 'object' || rules === null || Array.isArray(rules)) {
    throw new HurtboxError('bad-argument', 'collide takes a declaration and rules by name.')
  }
  const defined = new Error('collide')
  return {
    create(world) {
      try {
        return createCollision(
          world as unknown as AnyWorld,
          rules as unknown as AnyRules,
          options as AnyOptions,
          defined,
        )
      } catch (error) {
        throw failureOf(error, { what: 'collide' }, defined)
      }
    },
  }
}

type AnyRules = Readonly<Record<string, AnyRule>>
// biome-ignore lint/suspicious/noExplicitAny: options of any game.
type AnyOptions = CollideOptions<any>
type AnyPoser = (thing: unknown, boxes: Boxes, world: AnyWorld) => void

/** The scratch of one `collide` phase in one world. Nothing in it is state. */
export type Collision<W = AnyWorld> = {
  readonly world: W
  /** Made where `collide` was called: its stack names the line. */
  readonly defined: Error
  readonly block: MemoryBlock
  readonly things: HandlePool
  readonly groups: readonly (readonly BoundRule[])[]
  /** By layer; `undefined` for things that are just their circle. */
  readonly posers: readonly (AnyPoser | undefined)[]
  readonly setKey: SetKey | undefined
  readonly detector: Detector
  /** Its `meets` are the layers that the rules of this phase are about: other pairs need not be looked for. */
  readonly pairOptions: PairOptions
  readonly statics: Statics | undefined
  readonly boxes: Boxes
  readonly contacts: Contacts
  readonly cases: Cases
  readonly ledger: Ledger | undefined
  /**
   * What has hit in this phase, (rule, attack, victim): several boxes of one attack are one hit. They need not come one
   * after another, since other rules of a group, the other side of a mutual rule or an order key may stand between them.
   */
  readonly hits: Triples
  /** The contact being decided. One object, reused. */
  readonly hit: HitScratch
  /** Where the journal and its moves stood when the rule was asked. */
  mark: number
  moveMark: number
  /** The counters of events as they were when the phase opened, and when the rule was asked. */
  readonly eventsAtOpen: Uint32Array
  readonly eventsAtBegin: Uint32Array
  /** What `why` listens with; undefined in play. */
  trace: Trace | undefined
  /** Which boxes are from the past, in a phase that is judged as seen. */
  judged?: Judged
  run(): void
  readonly endTick?: () => void
}

/** What tools need to know of a phase that is judged by what attackers saw (`rewind/`); boxes by their place in the list. */
export type Judged = {
  /** How long ago a box was there, in ticks; 0 for the present. */
  agoOf(box: number): number
  /** Whether two boxes were compared. */
  isPair(a: number, b: number): boolean
}

const collisions = new WeakSet<object>()

/** What the `collide` phases of a world last posed and found, by the name of the phase: for debug drawing. */
export function collisionsOf(world: AnyWorld): ReadonlyMap<string, Collision> {
  const found = new Map<string, Collision>()
  for (const { name, phase } of world.memory.phases) {
    if (collisions.has(phase)) found.set(name, phase as unknown as Collision)
  }
  return found
}

function createCollision(world: AnyWorld, rules: AnyRules, options: AnyOptions, defined: Error): Collision {
  const { travel = runCollision, statics } = options
  const boxes = createBoxes(world.game.layers, 1024, options.topology)
  const bound = Object.entries(rules)
    .filter(([, rule]) => rule?.when !== false)
    .map(([name, rule], number) => bindRule(world, name, rule, number))
  const { block } = world.memory
  const marks = world.memory.eventCounters.length
  const hit = createHit(world)
  const ledger = world.tables.hits && ledgers.make?.(world)
  const orderKey = options.orderBy as AnyOrderKey | undefined
  const collision: Collision = {
    world,
    defined,
    block,
    things: block.pools[0],
    groups: groupRules(bound, Object.keys(rules), options.sharedOrder),
    posers: posersOf(world.game.layers, options.pose as AnyPoser | Readonly<Record<string, AnyPoser>> | undefined),
    setKey: orderKey && ((place) => setKeyOfCase(collision, orderKey, place)),
    boxes,
    detector: createDetector(),
    pairOptions: { ...options, meets: layersOfRules(bound) },
    statics,
    contacts: createContacts(),
    cases: createCases(),
    ledger,
    hits: createTriples(),
    hit,
    mark: 0,
    moveMark: 0,
    eventsAtOpen: new Uint32Array(marks),
    eventsAtBegin: new Uint32Array(marks),
    trace: undefined,
    run: () => travel(collision),
    ...(ledger?.endTick && { endTick: ledger.endTick }),
  }
  statics?.requireRules(bound)
  collisions.add(collision)
  return collision
}

function runCollision(collision: Collision): void {
  pose(collision)
  detect(collision)
  orderAndDecide(collision)
}

export function orderAndDecide(collision: Collision): void {
  const { block } = collision
  openRules(block)
  try {
    order(collision)
    decideCases(collision)
    collision.trace?.onDecided(collision)
  } finally {
    closeRules(block)
  }
  commit(collision)
}

/** What can be touched, and where. From here on places stand still. */
export function pose(collision: Collision): void {
  const { world, boxes } = collision
  try {
    poseAll(collision)
  } catch (error) {
    const thing = involvedThing(world, boxes.posing)
    throw failureOf(error, { what: `pose of ${thing.layer}`, tick: world.tick, things: [thing] }, collision.defined)
  }
}

function poseAll({ world, boxes, posers, things: pool }: Collision): void {
  const { things } = world.tables
  const { count, layer, leaving } = things
  clearBoxes(boxes)
  for (let row = 0; row < count; ) {
    const poseThing = posers[layer[row]]
    if (poseThing === undefined) {
      const first = row
      while (row < count && posers[layer[row]] === undefined) row++
      addCirclesOf(boxes, things, first, row)
    } else {
      if (leaving[row] === 0) {
        boxes.posing = row
        boxes.posingLayer = layer[row]
        poseThing(cursorAt(pool, row), boxes, world)
      }
      row++
    }
  }
  closeCursor(pool)
}

/** Which boxes overlap that a rule is about. Pure: reads the boxes, writes the contacts. */
export function detect(collision: Collision): void {
  const { detector, boxes, contacts, pairOptions, statics } = collision
  detectContacts(detector, boxes, contacts, pairOptions)
  statics?.detect(collision)
}

/** Pairs each contact with the rules that apply, in canonical order. */
function order({ contacts, boxes, groups, cases, setKey, block }: Collision): void {
  listCases(contacts, boxes, groups, cases, setKey)
  if (writesIn(block) === 0) return
  undo(block.journal, 0)
  throw mustNotWrite('orderBy')
}

/** What was asked for while places were frozen happens now. */
function commit({ block, world, ledger }: Collision): void {
  const { journal } = block
  if (journal.moves.count > 0) journal.moves.apply!(journal, world)
  ledger?.commit(ledger)
}

/**
 * What a box is to the rules of its phase, for drawing: a hurtbox if one of them is about hitting its layer, a pushbox if it
 * belongs to the static map, else a hitbox. To the engine all boxes are alike; layers and rules say what they mean.
 */
export function roleOf({ boxes, groups }: Collision, box: number): 'hurt' | 'hit' | 'push' {
  if (boxes.owner[box] === STATIC_OWNER) return 'push'
  const isSecond = groups.some((rules) => rules.some(({ secondLayer }) => secondLayer === boxes.layer[box]))
  return isSecond ? 'hurt' : 'hit'
}

function posersOf(
  layers: Layers,
  given: AnyPoser | Readonly<Record<string, AnyPoser>> = {},
): readonly (AnyPoser | undefined)[] {
  const posers: (AnyPoser | undefined)[] = new Array(256).fill(typeof given === 'function' ? given : undefined)
  // A function has no keys.
  for (const [name, poser] of Object.entries(given)) posers[layerNumber(layers, name)] = poser
  return posers
}

/** Rules that share an order stand in one group, where the first of them is listed. */
function groupRules(
  rules: readonly BoundRule[],
  known: readonly string[],
  shared: true | readonly (readonly string[])[] = [],
): BoundRule[][] {
  if (shared === true) return [[...rules]]
  for (const name of shared.flat()) if (!known.includes(name)) throw unknownName('rule to share an order', name, known)
  const groups: BoundRule[][] = []
  for (const rule of rules) {
    if (groups.some((group) => group.includes(rule))) continue
    const names = shared.find((group) => group.includes(rule.name)) ?? [rule.name]
    groups.push(rules.filter(({ name }) => names.includes(name)))
  }
  return groups
}

/** In the form of `Layers.meets`: a word of bits per layer. */
function layersOfRules(rules: readonly BoundRule[]): Uint32Array {
  const meets = new Uint32Array(MAX_LAYERS)
  for (const { firstLayer, secondLayer } of rules) {
    meets[firstLayer] |= 1 << secondLayer
    meets[secondLayer] |= 1 << firstLayer
  }
  return meets
}

type AnyOrderKey = (first: unknown, second: unknown, hit: unknown) => number

function setKeyOfCase(collision: Collision, orderKey: AnyOrderKey, place: number): void {
  const { boxes, cases, hit, things } = collision
  readHit(boxes, cases, place, hit)
  try {
    cases.key[place] = orderKey(ruleHandleAt(things, hit.firstRow), secondOf(collision), hit)
  } catch (error) {
    throw failureAt(collision, error, 'orderBy')
  }
}
