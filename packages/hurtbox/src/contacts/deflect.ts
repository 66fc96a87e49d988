/** Deciding one contact after the other: what a rule changes ends the ways of its things, and new ones begin. */

import { STATIC_OWNER, setSweep } from '../collide/boxes.ts'
import { decideCase } from '../collide/decide.ts'
import { dropLastTriple } from '../collide/triples.ts'
import type { Moves } from '../handles/journal.ts'
import { closeCursor } from '../handles/pool.ts'
import { takeNext } from './queue.ts'
import { beginWay, poseAt, standAt } from './rows.ts'
import { areNear, findOnNewWays } from './search.ts'
import type { Traffic } from './traffic.ts'
import { createWay, cutWay, keepWay, putBackWay, stopWay } from './ways.ts'

/** Scratch: each is written before it is read. */
const keptFirst = createWay()
const keptSecond = createWay()

/** Takes the next contact and lets its rule decide. */
export function decideNext(traffic: Traffic): void {
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

  traffic.now = cases.time[c]
  standAt(traffic, first)
  standAt(traffic, second)
  keepWay(boxes, firstBox, keptFirst)
  keepWay(boxes, secondBox, keptSecond)
  cutToStart(traffic, firstBox, c)
  cutToStart(traffic, secondBox, c)
  place.part = 1 - partStart[c]
  const beforeX = vx[first]
  const beforeY = vy[first]
  const beforeZ = vz === undefined ? 0 : vz[first]
  const otherX = vx[second]
  const otherY = vy[second]
  const otherZ = vz === undefined ? 0 : vz[second]
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
  takeMoves(traffic, mark)
  if (deflected.length === 0) return
  // A bounce may happen again in this tick, on the new way; what only passes hits once.
  if (hits.count > hitsBefore) dropLastTriple(hits)
  const firstNew = boxes.count
  for (let i = 0; i < deflected.length; i++) beginWay(traffic, deflected[i])
  closeCursor(collision.things)
  if (traffic.now < 1) findOnNewWays(traffic, firstNew)
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

/** In the order of the rows. */
function beginAnew({ deflected }: Traffic, row: number): void {
  if (deflected.includes(row)) return
  let place = deflected.push(row) - 1
  for (; place > 0 && deflected[place - 1] > row; place--) deflected[place] = deflected[place - 1]
  deflected[place] = row
}

/**
 * Moves that the rule asked for happen at once for things that travel: their new way begins there. A push ends at what is in its
 * way, or one thing would be pushed out of another and into a third.
 */
function takeMoves(traffic: Traffic, mark: number): void {
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
    standAt(traffic, row)
    if (isPlace) {
      moves.x[i] -= x[row]
      moves.y[i] -= y[row]
      if (z !== undefined) moves.z[i] -= z[row]
    } else {
      const room = roomFor(traffic, row, i)
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
function roomFor(traffic: Traffic, row: number, i: number): number {
  const { collision, now, geometry, ways, wayOfBox, since, nearby } = traffic
  const { boxes, block, contacts, statics, pairOptions } = collision
  const { x: pushX, y: pushY, z: pushZ } = block.journal.moves
  const { x, y, z } = collision.world.tables.things
  const dx = pushX[i]
  const dy = pushY[i]
  const dz = pushZ[i]
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
      stopWay(boxes, b, since[other] < 1 ? (now - since[other]) / (1 - since[other]) : 1)
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

/** Cuts the way of a box so that it begins where the part of the tick began in which a contact was found. */
function cutToStart({ collision, since, partStart }: Traffic, box: number, c: number): void {
  const { boxes } = collision
  const owner = boxes.owner[box]
  const began = owner === STATIC_OWNER ? 0 : since[owner]
  if (partStart[c] > began) cutWay(boxes, box, (partStart[c] - began) / (1 - began))
}
