/** Deciding one contact after the other: what a rule changes ends the ways of its things, and new ones begin. */

import type { Moves } from '../../world/handles/journal.ts'
import { closeCursor } from '../../world/handles/pool.ts'
import { STATIC_OWNER, setSweep } from '../collide/boxes.ts'
import { decideCase } from '../collide/decide.ts'
import { dropLastTriple } from '../collide/triples.ts'
import { met } from './met.ts'
import { takeNext } from './queue.ts'
import { beginWay, poseAt, standAt } from './rows.ts'
import { areNear, findOnNewWays } from './search.ts'
import type { Traffic } from './traffic.ts'
import { createWay, cut, cutWay, keepWay, putBackWay, stopWay } from './ways.ts'

/** Scratch: each is written before it is read. */
const keptFirst = createWay()
const keptSecond = createWay()
/** The speeds of both before the rule. */
const kept = new Float64Array(6)

/** Takes the next contact and lets its rule decide. */
export function decideNext(traffic: Traffic): void {
  const { collision, place, ways, partStart, firstWay, secondWay, deflected, deflects, halted } = traffic
  const { cases, boxes, block, hits } = collision
  const { moves } = block.journal
  const c = takeNext(traffic)
  const firstBox = cases.firstBox[c]
  const secondBox = cases.secondBox[c]
  const first = boxes.owner[firstBox]
  const isWall = boxes.owner[secondBox] === STATIC_OWNER
  const second = isWall ? first : boxes.owner[secondBox]
  // One of the two has left the way on which they would have met.
  if (ways[first] !== firstWay[c] || (!isWall && ways[second] !== secondWay[c])) return

  traffic.now = cases.time[c]
  standAt(traffic, first)
  standAt(traffic, second)
  keepWay(boxes, firstBox, keptFirst)
  keepWay(boxes, secondBox, keptSecond)
  cutToStart(traffic, firstBox, c)
  cutToStart(traffic, secondBox, c)
  place.part = 1 - partStart[c]
  keepSpeed(traffic, first, 0)
  keepSpeed(traffic, second, 3)
  const mark = moves.count
  const hitsBefore = hits.count
  decideCase(collision, c)
  putBackWay(boxes, firstBox, keptFirst)
  putBackWay(boxes, secondBox, keptSecond)

  traffic.deflectedCount = 0
  const { number } = cases.rules[c]
  const turnsFirst = hasOtherSpeed(traffic, first, 0)
  const turnsSecond = hasOtherSpeed(traffic, second, 3)
  if (turnsFirst || turnsSecond) deflects[number] = 1
  if (turnsFirst) deflect(traffic, first)
  if (turnsSecond) deflect(traffic, second)
  // What runs into a thing that cannot give way any more stops too, where the rule is one that turns things back.
  if (deflects[number] === 1 && !isWall) {
    if (halted[first] === 1 && !isDeflected(traffic, first)) halt(traffic, second)
    if (halted[second] === 1 && !isDeflected(traffic, second)) halt(traffic, first)
  }
  takeMoves(traffic, mark)
  if (traffic.deflectedCount === 0) return
  // A bounce may happen again in this tick, on the new way; what only passes hits once.
  if (hits.count > hitsBefore) dropLastTriple(hits)
  const firstNew = boxes.count
  for (let i = 0; i < traffic.deflectedCount; i++) beginWay(traffic, deflected[i])
  closeCursor(collision.things)
  if (traffic.now < 1) findOnNewWays(traffic, firstNew)
}

function keepSpeed({ collision }: Traffic, row: number, at: number): void {
  const { vx, vy, vz } = collision.world.tables.things
  kept[at] = vx[row]
  kept[at + 1] = vy[row]
  if (vz !== undefined) kept[at + 2] = vz[row]
}

function hasOtherSpeed({ collision }: Traffic, row: number, at: number): boolean {
  const { vx, vy, vz } = collision.world.tables.things
  return vx[row] !== kept[at] || vy[row] !== kept[at + 1] || (vz !== undefined && vz[row] !== kept[at + 2])
}

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

function isDeflected({ deflected, deflectedCount }: Traffic, row: number): boolean {
  for (let i = 0; i < deflectedCount; i++) if (deflected[i] === row) return true
  return false
}

/** In the order of the rows. */
function beginAnew(traffic: Traffic, row: number): void {
  if (isDeflected(traffic, row)) return
  const { deflected } = traffic
  let place = traffic.deflectedCount++
  for (; place > 0 && deflected[place - 1] > row; place--) deflected[place] = deflected[place - 1]
  deflected[place] = row
}

/**
 * Moves that the rule asked for happen at once for things that travel: their new way begins there. A push ends at what is in its
 * way, or one thing would be pushed out of another and into a third.
 */
function takeMoves(traffic: Traffic, mark: number): void {
  const { collision, fromX, fromY, fromZ, halted, ways, most } = traffic
  const { block, world } = collision
  const { x, y, z } = world.tables.things
  const { moves } = block.journal
  for (let i = mark; i < moves.count; i++) {
    const row = moves.row[i]
    if (traffic.travels[row] === 0) continue
    const isPlace = moves.isPlace[i] === 1
    if (!isDeflected(traffic, row)) {
      // What stays where it is may still be put somewhere else at the end of the phase.
      if (halted[row] === 1) {
        if (!isPlace) clearMove(moves, i)
        continue
      }
      if (ways[row] + 1 >= most) halted[row] = 1
      beginAnew(traffic, row)
    }
    standAt(traffic, row)
    if (isPlace) {
      moves.x[i] -= x[row]
      moves.y[i] -= y[row]
      if (z !== undefined) moves.z[i] -= z[row]
    } else {
      findRoom(traffic, row, i)
      moves.x[i] *= room.part
      moves.y[i] *= room.part
      moves.z[i] *= room.part
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

/** Scratch: which part of a push can be made. */
const room = { part: Number.NaN }

/** Finds which part of a push a row that stands at its place of this time can make before it meets something. */
function findRoom(traffic: Traffic, row: number, i: number): void {
  const { collision, now, geometry, ways, wayOfBox, since, nearby } = traffic
  const { boxes, block, contacts, statics, pairOptions } = collision
  const { x: pushX, y: pushY, z: pushZ } = block.journal.moves
  const { x, y, z } = collision.world.tables.things
  // The row is posed where the push leads, with the push as its way.
  const first = boxes.count
  x[row] += pushX[i]
  y[row] += pushY[i]
  if (z !== undefined) z[row] += pushZ[i]
  poseAt(traffic, row)
  const end = boxes.count
  for (let box = first; box < end; box++) {
    boxes.sweepZ[box] = pushZ[i]
    setSweep(boxes, box, pushX[i], pushY[i])
  }
  room.part = 1
  for (let a = first; a < end; a++) {
    for (let b = 0; b < first; b++) {
      const other = boxes.owner[b]
      if (((pairOptions.meets[boxes.layer[a]] >>> boxes.layer[b]) & 1) === 0 || other === row || other === STATIC_OWNER)
        continue
      if (wayOfBox[b] !== ways[other] || !areNear(boxes, a, b)) continue
      keepWay(boxes, b, keptSecond)
      cut.part = since[other] < 1 ? (now - since[other]) / (1 - since[other]) : 1
      stopWay(boxes, b)
      const isMet = geometry.approach(boxes, a, b, true)
      putBackWay(boxes, b, keptSecond)
      if (isMet && met.time < room.part) room.part = met.time
    }
  }
  if (statics !== undefined) {
    contacts.count = 0
    nearby.from = first
    nearby.isPush = true
    statics.detect(collision, nearby)
    nearby.isPush = false
    for (let c = 0; c < contacts.count; c++) room.part = Math.min(room.part, contacts.time[c])
  }
  boxes.count = first
  x[row] -= pushX[i]
  y[row] -= pushY[i]
  if (z !== undefined) z[row] -= pushZ[i]
}

/** Cuts the way of a box so that it begins where the part of the tick began in which a contact was found. */
function cutToStart({ collision, since, partStart }: Traffic, box: number, c: number): void {
  const { boxes } = collision
  const owner = boxes.owner[box]
  const began = owner === STATIC_OWNER ? 0 : since[owner]
  if (!(partStart[c] > began)) return
  cut.part = (partStart[c] - began) / (1 - began)
  cutWay(boxes, box)
}
