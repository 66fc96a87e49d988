/**
 * `travel`: things that move within a phase, meet the first thing on their way, and go on with what is left of their tick.
 *
 * A phase of `collide` looks at ways that are already gone. That is right for a bullet that ends where it hits, and wrong for a ball
 * that bounces: after the first wall its way is another one. With `travel` the phase moves the things itself. Contacts are
 * decided in the order of time. A rule that changes the speed or the place of a thing that travels ends its way there; a new way
 * begins at that moment, and whatever lies on it is looked for. As contacts come in order, the ways of all
 * others are known from that moment on, so no pass has to be repeated and nothing is missed between two deflections.
 *
 * While a rule decides, both things stand where they are at that time. A thing is deflected at most `most` times in a tick; then
 * it stays where it is until the next, and so does what still runs into it: a ball that is pinched between a shield and a wall
 * stops the shield.
 *
 * A thing that has the columns `facingX`, `facingY` and `spin` also turns on its way, and its shapes with it.
 */

import {
  addCirclesOf,
  type Boxes,
  clearBoxes,
  type Gap,
  imageShiftX,
  imageShiftY,
  type Narrow,
  STATIC_OWNER,
  setSweep,
  useNarrow,
} from '../collide/boxes.ts'
import type { Collision, Travel } from '../collide/collide.ts'
import { type BoundRule, copyWords, decideCase, takeBack } from '../collide/decide.ts'
import { commitLedger, openLedger } from '../collide/ledger.ts'
import { addCase } from '../collide/order.ts'
import { narrowShapes, turnShape } from '../collide/shape-boxes.ts'
import type { StaticOptions } from '../collide/statics.ts'
import { clearTriples, dropLastTriple } from '../collide/triples.ts'
import { gapOfVolumes, narrowVolumes } from '../collide/volume-boxes.ts'
import { HurtboxError, requireInteger } from '../errors.ts'
import { growColumns } from '../grow.ts'
import type { Moves } from '../handles/journal.ts'
import { closeCursor, closeRules, cursorAt, openRules } from '../handles/pool.ts'
import { layerNumber } from '../layers.ts'
import { direction } from '../math/trig.ts'
import { findPairs } from '../space/find-pairs.ts'
import { type HitPlace, hitPlaces } from './contact.ts'
import { approachInPlane } from './plane.ts'
import { approachInSpace } from './space.ts'
import { createWay, cutWay, keepWay, putBackWay, stopWay } from './ways.ts'

export type TravelOptions = {
  /** How often one thing may be deflected in a tick. Default: 8. */
  readonly most?: number
  /** Whether `vx` and `vy` are per tick. Default: per second. */
  readonly perTick?: boolean
}

/**
 * Makes the setting of `collide` that moves the things of these layers by their speed, in the plane.
 *
 * @example
 * ```ts
 * import { collide, createWorld, declareGame, defineGame, defineStatics, spawn, step } from 'hurtbox'
 * import { bounce, contact, travel } from 'hurtbox/contacts'
 *
 * const arena = declareGame({ id: 'arena', tickRate: 60, layers: { ball: ['wall'], wall: [] } })
 * const statics = defineStatics(arena, [
 *   { layer: 'wall', minX: -20, minY: -50, maxX: -10, maxY: 50 },
 *   { layer: 'wall', minX: 110, minY: -50, maxX: 120, maxY: 50 },
 * ])
 * const fly = collide(
 *   arena,
 *   { 'ball meets wall': { between: ['ball', 'wall'], decide: (ball, _wall, hit) => void bounce(ball, contact(hit)) } },
 *   { statics, travel: travel(['ball'], { perTick: true }) },
 * )
 * const world = createWorld(defineGame(arena, { phases: { fly } }))
 * const ball = spawn(world, 'ball', { x: 50, radius: 10, vx: 330 })
 * step(world) // 50 to the right wall, 100 back to the left one, 100 again, and 80 on its way to the left
 * console.log(Math.round(ball.x), ball.vx) // 20 -330
 * ```
 */
export function travel(layers: readonly string[], options: TravelOptions = {}): Travel {
  return makeTravel(layers, options, { approach: approachInPlane, narrow: narrowShapes, gap: undefined })
}

/** The same in space, for phases of volumes: `vz` counts too. */
export function travelInSpace(layers: readonly string[], options: TravelOptions = {}): Travel {
  return makeTravel(layers, options, { approach: approachInSpace, narrow: narrowVolumes, gap: gapOfVolumes })
}

/**
 * When two boxes meet on what is left of their ways: 0 to 1, or -1; a push out of an overlap does not count as meeting it. The other
 * two are for `why` and for drawing.
 */
type Geometry = {
  readonly approach: (boxes: Boxes, a: number, b: number, isPush?: boolean) => number
  readonly narrow: Narrow
  readonly gap: Gap | undefined
}

/** What is known of the things that travel, by row, and of the cases, by their number. Scratch, made once per phase and world. */
type Traffic = {
  readonly collision: Collision
  readonly place: HitPlace
  readonly geometry: Geometry
  readonly rules: readonly BoundRule[]
  readonly layers: number
  readonly most: number
  /** How long a tick is, in the unit of time of the speeds. */
  readonly tick: number
  /** Whether things have a facing and a spin. */
  readonly turns: boolean
  /** 1 for rows that travel in this tick. */
  readonly travels: Uint8Array
  /** Where a row was and faced at the start of the phase: to put it back if a rule throws. */
  readonly startX: Float64Array
  readonly startY: Float64Array
  readonly startZ: Float64Array
  readonly startFacingX: Float64Array
  readonly startFacingY: Float64Array
  /** Where the present way of a row began, when, and how far it leads. */
  readonly fromX: Float64Array
  readonly fromY: Float64Array
  readonly fromZ: Float64Array
  readonly since: Float64Array
  readonly wayX: Float64Array
  readonly wayY: Float64Array
  readonly wayZ: Float64Array
  /** Where it faced then, and by how much it turns. */
  readonly fromFacingX: Float64Array
  readonly fromFacingY: Float64Array
  readonly wayTurn: Float64Array
  /** 1 for a row that stays where it is for the rest of the tick. */
  readonly halted: Uint8Array
  /** How often a row was deflected: the number of its way. */
  readonly ways: Uint32Array
  /** The way that a box belongs to. */
  wayOfBox: Uint32Array
  /** Per case: when the part of both ways begins that it was found on, and the ways it is about. */
  partStart: Float64Array
  firstWay: Uint32Array
  secondWay: Uint32Array
  /** A heap of cases, the next one first. */
  heap: Uint32Array
  waiting: number
  /** By the number of a rule: 1 when it has deflected something in this tick. */
  readonly deflects: Uint8Array
  /** Rows that the case being decided has deflected. */
  readonly deflected: number[]
  readonly nearby: StaticOptions & { from: number; isPush: boolean }
}

function makeTravel(layers: readonly string[], options: TravelOptions, geometry: Geometry): Travel {
  const { most = 8, perTick = false } = options
  requireInteger(most, 'most of travel', 1, 1000)
  const known = new WeakMap<Collision, Traffic>()
  return (collision) => {
    let traffic = known.get(collision)
    if (traffic === undefined) {
      traffic = createTraffic(collision, layers, geometry, { most, perTick })
      known.set(collision, traffic)
    }
    run(traffic)
  }
}

function createTraffic(
  collision: Collision,
  names: readonly string[],
  geometry: Geometry,
  { most, perTick }: Required<TravelOptions>,
): Traffic {
  const { world, hit, groups, pairOptions } = collision
  const { things } = world.tables
  const { tickRate } = world.game.declaration
  const column = () => new Float64Array(things.capacity)
  const speedPerWay = perTick ? 1 : tickRate
  const place: HitPlace = { collision, speedPerWay, travels: true, part: 1 }
  hitPlaces.set(hit, place)
  if (collision.setKey !== undefined) {
    throw new HurtboxError(
      'bad-declaration',
      'a phase that travels decides contacts in the order of time: leave orderBy out.',
    )
  }
  return {
    collision,
    place,
    geometry,
    rules: groups.flat().sort((a, b) => a.number - b.number),
    layers: names.reduce((bits, name) => bits | (1 << layerNumber(world.game.layers, name)), 0),
    most,
    tick: 1 / speedPerWay,
    travels: new Uint8Array(things.capacity),
    startX: column(),
    startY: column(),
    startZ: column(),
    startFacingX: column(),
    startFacingY: column(),
    turns: ['facingX', 'facingY', 'spin'].every((name) => name in things),
    fromX: column(),
    fromY: column(),
    fromZ: column(),
    since: column(),
    wayX: column(),
    wayY: column(),
    wayZ: column(),
    fromFacingX: column(),
    fromFacingY: column(),
    wayTurn: column(),
    halted: new Uint8Array(things.capacity),
    ways: new Uint32Array(things.capacity),
    wayOfBox: new Uint32Array(1024),
    partStart: new Float64Array(256),
    firstWay: new Uint32Array(256),
    secondWay: new Uint32Array(256),
    heap: new Uint32Array(256),
    waiting: 0,
    deflects: new Uint8Array(groups.flat().length),
    deflected: [],
    nearby: { ...pairOptions, from: 0, isPush: false, approach: geometry.approach },
  }
}

function run(traffic: Traffic): void {
  const { collision } = traffic
  const { block, world, hits, ledger, eventsAtOpen } = collision
  setOut(traffic)
  openRules(block)
  clearTriples(hits)
  if (ledger !== undefined) openLedger(ledger)
  copyWords(world.memory.eventCounters, eventsAtOpen)
  try {
    findAll(traffic)
    while (traffic.waiting > 0) decideNext(traffic)
    collision.trace?.onDecided(collision)
  } catch (error) {
    takeBack(block, 0, 0)
    copyWords(eventsAtOpen, world.memory.eventCounters)
    putBack(traffic)
    throw error
  } finally {
    closeRules(block)
  }
  arrive(traffic)
  const { journal } = block
  if (journal.moves.count > 0) journal.moves.apply!(journal, world)
  if (ledger !== undefined) commitLedger(ledger)
}

/** Looks for all contacts of the phase, and for those with the static map. */
function findAll(traffic: Traffic): void {
  const { collision, geometry } = traffic
  const { detector, boxes, contacts, cases, pairOptions } = collision
  const { pairs } = detector
  cases.count = 0
  // A thing that was deflected may meet another again.
  cases.mayRepeat = true
  traffic.waiting = 0
  traffic.deflects.fill(0)
  findPairs(detector.finder, boxes, pairs, pairOptions)
  contacts.checks = pairs.checks
  const { owner } = boxes
  for (let i = 0; i < pairs.count; i++) {
    const a = pairs.a[i]
    const b = pairs.b[i]
    if (owner[a] === owner[b]) continue
    const time = geometry.approach(boxes, a, b)
    if (time >= 0) enlist(traffic, a, b, 0, time)
  }
  findWalls(traffic, 0, 0)
}

/** Looks for walls on the ways of the boxes from `first` on, which begin at `start`. */
function findWalls(traffic: Traffic, first: number, start: number): void {
  const { collision, nearby } = traffic
  const { statics, contacts } = collision
  if (statics === undefined) return
  contacts.count = 0
  nearby.from = first
  statics.detect(collision, nearby)
  for (let i = 0; i < contacts.count; i++) enlist(traffic, contacts.a[i], contacts.b[i], start, contacts.time[i])
}

/** Looks for everything on the ways of the boxes from `first` on, which begin at `start`. */
function findOnNewWays(traffic: Traffic, first: number, start: number): void {
  const { collision, geometry, ways, wayOfBox, since } = traffic
  const { boxes, pairOptions } = collision
  const { owner, layer } = boxes
  const { meets } = pairOptions
  const end = boxes.count
  for (let a = first; a < end; a++) {
    for (let b = 0; b < a; b++) {
      if (((meets[layer[a]] >>> layer[b]) & 1) === 0 || owner[b] === owner[a] || owner[b] === STATIC_OWNER) continue
      if (wayOfBox[b] !== ways[owner[b]]) continue
      if (!areNear(boxes, a, b)) continue
      keepWay(boxes, b, keptSecond)
      cutWay(boxes, b, (start - since[owner[b]]) / (1 - since[owner[b]]))
      const time = geometry.approach(boxes, a, b)
      putBackWay(boxes, b, keptSecond)
      if (time >= 0) enlist(traffic, a, b, start, time)
    }
  }
  findWalls(traffic, first, start)
}

/** Whether the circles around two boxes overlap. */
function areNear(boxes: Boxes, a: number, b: number): boolean {
  const { x, y, radius } = boxes
  const dx = x[b] + imageShiftX(boxes, a, b) - x[a]
  const dy = y[b] + imageShiftY(boxes, a, b) - y[a]
  const reach = radius[a] + radius[b]
  return dx * dx + dy * dy <= reach * reach
}

/** Makes a case of a contact for each rule about it. `part` is the time within what is left of the tick at `start`. */
function enlist(traffic: Traffic, a: number, b: number, start: number, part: number): void {
  const { collision, rules } = traffic
  const { cases, boxes } = collision
  const time = start + part * (1 - start)
  const layerA = boxes.layer[a]
  const layerB = boxes.layer[b]
  // The older thing is the first where a rule is about one layer.
  const isOrdered = boxes.owner[a] < boxes.owner[b]
  for (let r = 0; r < rules.length; r++) {
    const { firstLayer, secondLayer, mutual } = rules[r]
    const aIsFirst = layerA === firstLayer && layerB === secondLayer
    const bIsFirst = layerB === firstLayer && layerA === secondLayer
    if (aIsFirst && (isOrdered || !bIsFirst || mutual)) {
      addCase(cases, rules[r], a, b, time)
      wait(traffic, start)
    }
    if (bIsFirst && (!isOrdered || !aIsFirst || mutual)) {
      addCase(cases, rules[r], b, a, time)
      wait(traffic, start)
    }
  }
}

/** Puts the case that was added last into the heap. */
function wait(traffic: Traffic, start: number): void {
  const { collision, ways } = traffic
  const { cases, boxes } = collision
  const c = cases.count - 1
  while (traffic.heap.length <= c) {
    growColumns(traffic, ['heap', 'partStart', 'firstWay', 'secondWay'], 2 * traffic.heap.length)
  }
  const second = boxes.owner[cases.secondBox[c]]
  traffic.partStart[c] = start
  traffic.firstWay[c] = ways[boxes.owner[cases.firstBox[c]]]
  traffic.secondWay[c] = second === STATIC_OWNER ? 0 : ways[second]
  const { heap } = traffic
  let at = traffic.waiting++
  while (at > 0 && comesBefore(collision, c, heap[(at - 1) >> 1])) {
    heap[at] = heap[(at - 1) >> 1]
    at = (at - 1) >> 1
  }
  heap[at] = c
}

/** Takes the next case out of the heap. */
function takeNext(traffic: Traffic): number {
  const { heap, collision } = traffic
  const next = heap[0]
  const last = heap[--traffic.waiting]
  const { waiting } = traffic
  let at = 0
  for (;;) {
    let child = 2 * at + 1
    if (child >= waiting) break
    if (child + 1 < waiting && comesBefore(collision, heap[child + 1], heap[child])) child++
    if (!comesBefore(collision, heap[child], last)) break
    heap[at] = heap[child]
    at = child
  }
  heap[at] = last
  return next
}

/** By time; at one time as ever: by rule, by the owners of the boxes, by the boxes. */
function comesBefore({ cases, boxes }: Collision, c: number, than: number): boolean {
  const { time, rules, firstBox, secondBox } = cases
  const { owner, number } = boxes
  return (
    (time[c] - time[than] ||
      rules[c].number - rules[than].number ||
      owner[firstBox[c]] - owner[firstBox[than]] ||
      owner[secondBox[c]] - owner[secondBox[than]] ||
      number[firstBox[c]] - number[firstBox[than]] ||
      number[secondBox[c]] - number[secondBox[than]]) < 0
  )
}

/** Scratch: each is written before it is read. */
const keptFirst = createWay()
const keptSecond = createWay()
const turned = { x: Number.NaN, y: Number.NaN }

function decideNext(traffic: Traffic): void {
  const { collision, place, ways, partStart, firstWay, secondWay, deflected, deflects, halted } = traffic
  const { cases, boxes, block, hits, world } = collision
  const { vx, vy, vz } = world.tables.things
  const { moves } = block.journal
  const c = takeNext(traffic)
  const firstBox = cases.firstBox[c]
  const secondBox = cases.secondBox[c]
  const first = boxes.owner[firstBox]
  const isWall = boxes.owner[secondBox] === STATIC_OWNER
  const second = isWall ? first : boxes.owner[secondBox]
  // One of the two has left the way on which they would have met.
  if (ways[first] !== firstWay[c] || (!isWall && ways[second] !== secondWay[c])) return

  const time = cases.time[c]
  standAt(traffic, first, time)
  standAt(traffic, second, time)
  keepWay(boxes, firstBox, keptFirst)
  keepWay(boxes, secondBox, keptSecond)
  cutTo(traffic, firstBox, partStart[c])
  cutTo(traffic, secondBox, partStart[c])
  place.part = 1 - partStart[c]
  const [beforeX, beforeY, beforeZ] = [vx[first], vy[first], vz === undefined ? 0 : vz[first]]
  const [otherX, otherY, otherZ] = [vx[second], vy[second], vz === undefined ? 0 : vz[second]]
  const mark = moves.count
  const hitsBefore = hits.count
  decideCase(collision, c)
  putBackWay(boxes, firstBox, keptFirst)
  putBackWay(boxes, secondBox, keptSecond)

  deflected.length = 0
  const { number } = cases.rules[c]
  const turnsFirst = vx[first] !== beforeX || vy[first] !== beforeY || (vz !== undefined && vz[first] !== beforeZ)
  const turnsSecond = vx[second] !== otherX || vy[second] !== otherY || (vz !== undefined && vz[second] !== otherZ)
  if (turnsFirst || turnsSecond) deflects[number] = 1
  if (turnsFirst) deflect(traffic, first)
  if (turnsSecond) deflect(traffic, second)
  // What runs into a thing that cannot give way any more stops too, where the rule is one that turns things back.
  if (deflects[number] === 1 && !isWall) {
    if (halted[first] === 1 && !deflected.includes(first)) halt(traffic, second)
    if (halted[second] === 1 && !deflected.includes(second)) halt(traffic, first)
  }
  takeMoves(traffic, mark, time)
  if (deflected.length === 0) return
  // A bounce may happen again in this tick, on the new way; what only passes hits once.
  if (hits.count > hitsBefore) dropLastTriple(hits)
  const firstNew = boxes.count
  deflected.sort(ascending)
  for (let i = 0; i < deflected.length; i++) beginWay(traffic, deflected[i], time)
  closeCursor(collision.things)
  if (time < 1) findOnNewWays(traffic, firstNew, time)
}

const ascending = (a: number, b: number) => a - b

/** Notes a row whose speed a rule has changed. */
function deflect(traffic: Traffic, row: number): void {
  const { halted, travels, ways, most } = traffic
  if (travels[row] === 0 || halted[row] === 1) return
  if (ways[row] + 1 >= most) halted[row] = 1
  beginAnew(traffic, row)
}

function halt(traffic: Traffic, row: number): void {
  if (traffic.travels[row] === 0 || traffic.halted[row] === 1) return
  traffic.halted[row] = 1
  beginAnew(traffic, row)
}

function beginAnew({ deflected }: Traffic, row: number): void {
  if (!deflected.includes(row)) deflected.push(row)
}

/**
 * Moves that the rule asked for happen at once for things that travel: their new way begins there. A push ends at what is in its
 * way, or one thing would be pushed out of another and into a third.
 */
function takeMoves(traffic: Traffic, mark: number, time: number): void {
  const { collision, deflected, fromX, fromY, fromZ, halted, ways, most } = traffic
  const { block, world } = collision
  const { x, y, z } = world.tables.things
  const { moves } = block.journal
  for (let i = mark; i < moves.count; i++) {
    const row = moves.row[i]
    if (traffic.travels[row] === 0) continue
    const isPlace = moves.isPlace[i] === 1
    if (!deflected.includes(row)) {
      // What stays where it is may still be put somewhere else at the end of the phase.
      if (halted[row] === 1) {
        if (!isPlace) clearMove(moves, i)
        continue
      }
      if (ways[row] + 1 >= most) halted[row] = 1
      beginAnew(traffic, row)
    }
    standAt(traffic, row, time)
    if (isPlace) {
      moves.x[i] -= x[row]
      moves.y[i] -= y[row]
      if (z !== undefined) moves.z[i] -= z[row]
    } else {
      const room = roomFor(traffic, row, i, time)
      moves.x[i] *= room
      moves.y[i] *= room
      moves.z[i] *= room
    }
    fromX[row] += moves.x[i]
    fromY[row] += moves.y[i]
    if (z !== undefined) fromZ[row] += moves.z[i]
    clearMove(moves, i)
  }
}

function clearMove(moves: Moves, i: number): void {
  moves.isPlace[i] = 0
  moves.x[i] = 0
  moves.y[i] = 0
  moves.z[i] = 0
}

/** Which part of a push a row that stands at its place of this time can make before it meets something. */
function roomFor(traffic: Traffic, row: number, i: number, time: number): number {
  const { collision, geometry, ways, wayOfBox, since, nearby } = traffic
  const { boxes, block, contacts, statics, pairOptions } = collision
  const { x: pushX, y: pushY, z: pushZ } = block.journal.moves
  const { x, y, z } = collision.world.tables.things
  const [dx, dy, dz] = [pushX[i], pushY[i], pushZ[i]]
  // The row is posed where the push leads, with the push as its way.
  const first = boxes.count
  x[row] += dx
  y[row] += dy
  if (z !== undefined) z[row] += dz
  poseAt(traffic, row)
  const end = boxes.count
  for (let box = first; box < end; box++) {
    boxes.sweepZ[box] = dz
    setSweep(boxes, box, dx, dy)
  }
  let room = 1
  for (let a = first; a < end; a++) {
    for (let b = 0; b < first; b++) {
      const other = boxes.owner[b]
      if (((pairOptions.meets[boxes.layer[a]] >>> boxes.layer[b]) & 1) === 0 || other === row || other === STATIC_OWNER)
        continue
      if (wayOfBox[b] !== ways[other] || !areNear(boxes, a, b)) continue
      keepWay(boxes, b, keptSecond)
      stopWay(boxes, b, since[other] < 1 ? (time - since[other]) / (1 - since[other]) : 1)
      const part = geometry.approach(boxes, a, b, true)
      putBackWay(boxes, b, keptSecond)
      if (part >= 0 && part < room) room = part
    }
  }
  if (statics !== undefined) {
    contacts.count = 0
    nearby.from = first
    nearby.isPush = true
    statics.detect(collision, nearby)
    nearby.isPush = false
    for (let c = 0; c < contacts.count; c++) room = Math.min(room, contacts.time[c])
  }
  boxes.count = first
  x[row] -= dx
  y[row] -= dy
  if (z !== undefined) z[row] -= dz
  return room
}

/** Puts a row that travels where it is at a time. */
function standAt(traffic: Traffic, row: number, time: number): void {
  const { collision, travels, fromX, fromY, fromZ, wayX, wayY, wayZ, wayTurn, since } = traffic
  if (travels[row] === 0) return
  const { x, y, z } = collision.world.tables.things
  const part = since[row] < 1 ? (time - since[row]) / (1 - since[row]) : 1
  x[row] = fromX[row] + wayX[row] * part
  y[row] = fromY[row] + wayY[row] * part
  if (z !== undefined) z[row] = fromZ[row] + wayZ[row] * part
  if (wayTurn[row] !== 0) turnTo(traffic, row, part)
}

/** Cuts the way of a box so that it begins at a time of the tick. */
function cutTo({ collision, since }: Traffic, box: number, start: number): void {
  const { boxes } = collision
  const owner = boxes.owner[box]
  const began = owner === STATIC_OWNER ? 0 : since[owner]
  if (start > began) cutWay(boxes, box, (start - began) / (1 - began))
}

/** Ends the way of a row and begins the next. */
function beginWay(traffic: Traffic, row: number, time: number): void {
  const { ways, since, halted } = traffic
  endWay(traffic, row, time)
  standAt(traffic, row, time)
  ways[row]++
  since[row] = time
  layWay(traffic, row, halted[row] === 0 ? 1 - time : 0)
  poseRow(traffic, row)
}

/** The boxes of a way that is over end where the thing was deflected: what is drawn is the way it went. */
function endWay({ collision, ways, wayOfBox, since }: Traffic, row: number, time: number): void {
  const { boxes } = collision
  const part = (time - since[row]) / (1 - since[row])
  for (let box = 0; box < boxes.count; box++) {
    if (boxes.owner[box] !== row || wayOfBox[box] !== ways[row]) continue
    boxes.poseX[box] -= boxes.sweepX[box] * (1 - part)
    boxes.poseY[box] -= boxes.sweepY[box] * (1 - part)
    boxes.poseZ[box] -= boxes.sweepZ[box] * (1 - part)
    boxes.sweepX[box] *= part
    boxes.sweepY[box] *= part
    boxes.sweepZ[box] *= part
  }
}

/** All ways are gone to their ends. */
function arrive(traffic: Traffic): void {
  const { count } = traffic.collision.world.tables.things
  for (let row = 0; row < count; row++) standAt(traffic, row, 1)
}

/** Where everything was before the phase. */
function putBack(traffic: Traffic): void {
  const { collision, travels, startX, startY, startZ, turns, startFacingX, startFacingY } = traffic
  const { x, y, z, count, facingX, facingY } = collision.world.tables.things
  for (let row = 0; row < count; row++) {
    if (travels[row] === 0) continue
    x[row] = startX[row]
    y[row] = startY[row]
    if (z !== undefined) z[row] = startZ[row]
    if (!turns) continue
    facingX[row] = startFacingX[row]
    facingY[row] = startFacingY[row]
  }
}

/** Every thing that travels begins its way, and everything is posed: those that travel where their way leads. */
function setOut(traffic: Traffic): void {
  const { collision, layers, travels, ways, since, halted } = traffic
  const { world, boxes } = collision
  const { things } = world.tables
  clearBoxes(boxes)
  useNarrow(boxes, traffic.geometry.narrow, traffic.geometry.gap)
  for (let row = 0; row < things.count; row++) {
    travels[row] = things.leaving[row] === 0 ? (layers >>> things.layer[row]) & 1 : 0
    ways[row] = 0
    since[row] = 0
    halted[row] = 0
    if (travels[row] === 1) {
      traffic.startX[row] = things.x[row]
      traffic.startY[row] = things.y[row]
      if (things.z !== undefined) traffic.startZ[row] = things.z[row]
      if (traffic.turns) {
        traffic.startFacingX[row] = things.facingX[row]
        traffic.startFacingY[row] = things.facingY[row]
      }
      layWay(traffic, row, 1)
    }
    poseRow(traffic, row)
  }
  closeCursor(collision.things)
}

/** Begins a way where a thing stands, for the part of the tick that is left, and puts the thing at its end. */
function layWay(traffic: Traffic, row: number, part: number): void {
  const { fromX, fromY, fromZ, wayX, wayY, wayZ, tick, turns, wayTurn } = traffic
  const { x, y, z, vx, vy, vz, facingX, facingY, spin } = traffic.collision.world.tables.things
  if (turns) {
    traffic.fromFacingX[row] = facingX[row]
    traffic.fromFacingY[row] = facingY[row]
    wayTurn[row] = spin[row] * tick * part
    turnTo(traffic, row, 1)
  }
  fromX[row] = x[row]
  fromY[row] = y[row]
  wayX[row] = vx[row] * tick * part
  wayY[row] = vy[row] * tick * part
  x[row] += wayX[row]
  y[row] += wayY[row]
  if (z === undefined) return
  fromZ[row] = z[row]
  wayZ[row] = vz === undefined ? 0 : vz[row] * tick * part
  z[row] += wayZ[row]
}

/** Turns a row to where it faces at a part of its way. */
function turnTo({ collision, fromFacingX, fromFacingY, wayTurn }: Traffic, row: number, part: number): void {
  const { facingX, facingY } = collision.world.tables.things
  direction(wayTurn[row] * part, turned)
  facingX[row] = fromFacingX[row] * turned.x - fromFacingY[row] * turned.y
  facingY[row] = fromFacingY[row] * turned.x + fromFacingX[row] * turned.y
}

/** Poses a row where it stands. */
function poseAt({ collision }: Traffic, row: number): void {
  const { world, boxes, posers, things: pool } = collision
  const { things } = world.tables
  const poser = posers[things.layer[row]]
  if (poser === undefined) addCirclesOf(boxes, things as never, row, row + 1)
  else {
    boxes.posing = row
    boxes.posingLayer = things.layer[row]
    poser(cursorAt(pool, row), boxes, world)
  }
}

/** Poses a row at the end of its way, and its boxes have come along it. */
function poseRow(traffic: Traffic, row: number): void {
  const { collision, travels, wayX, wayY, wayZ, wayTurn, ways, since } = traffic
  const { boxes, world } = collision
  if (world.tables.things.leaving[row] !== 0) return
  const first = boxes.count
  poseAt(traffic, row)
  while (traffic.wayOfBox.length < boxes.count) growColumns(traffic, ['wayOfBox'], 2 * traffic.wayOfBox.length)
  for (let box = first; box < boxes.count; box++) traffic.wayOfBox[box] = ways[row]
  if (travels[row] === 0) return
  for (let box = first; box < boxes.count; box++) {
    // Posers sweep by whole ticks: what has turned before this way began is behind it.
    if (since[row] > 0) cutWay(boxes, box, since[row])
    if (wayTurn[row] !== 0) turnShape(boxes, box, wayTurn[row])
    if (wayX[row] === 0 && wayY[row] === 0 && wayZ[row] === 0) continue
    boxes.sweepZ[box] = wayZ[row]
    setSweep(boxes, box, wayX[row], wayY[row])
  }
}
