/** The rows that travel: where each is at a time of the tick, and the boxes that it has there. */

import { growColumns } from '../../base/grow.ts'
import { settleFacing } from '../../geometry/math/facing.ts'
import { direction } from '../../geometry/math/trig.ts'
import { closeCursor, cursorAt } from '../../world/handles/pool.ts'
import { addCirclesOf, clearBoxes, setSweep, useNarrow } from '../collide/boxes.ts'
import { turnShape } from '../collide/shape-boxes.ts'
import type { Traffic } from './traffic.ts'
import { cut, cutWay } from './ways.ts'

/** Scratch: written before it is read. */
const turned = { x: Number.NaN, y: Number.NaN }

/** Puts a row that travels where it is at `traffic.now`. */
export function standAt(traffic: Traffic, row: number): void {
  const { collision, now, travels, fromX, fromY, fromZ, wayX, wayY, wayZ, wayTurn, since } = traffic
  if (travels[row] === 0) return
  const { x, y, z } = collision.world.tables.things
  const part = since[row] < 1 ? (now - since[row]) / (1 - since[row]) : 1
  x[row] = fromX[row] + wayX[row] * part
  y[row] = fromY[row] + wayY[row] * part
  if (z !== undefined) z[row] = fromZ[row] + wayZ[row] * part
  if (wayTurn[row] !== 0) turnTo(traffic, row, part)
}

/** Ends the way of a row at `traffic.now` and begins the next. */
export function beginWay(traffic: Traffic, row: number): void {
  const { ways, since, now } = traffic
  endWay(traffic, row)
  standAt(traffic, row)
  ways[row]++
  since[row] = now
  layWay(traffic, row)
  poseRow(traffic, row)
}

/** The boxes of a way that is over end where the thing was deflected: what is drawn is the way it went. */
function endWay({ collision, now, ways, wayOfBox, since }: Traffic, row: number): void {
  const { boxes } = collision
  const part = (now - since[row]) / (1 - since[row])
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
export function arrive(traffic: Traffic): void {
  const { count } = traffic.collision.world.tables.things
  traffic.now = 1
  for (let row = 0; row < count; row++) standAt(traffic, row)
}

/** Where everything was before the phase. */
export function putBack(traffic: Traffic): void {
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
export function setOut(traffic: Traffic): void {
  const { collision, layers, travels, ways, since, halted } = traffic
  const { world, boxes } = collision
  const { things } = world.tables
  clearBoxes(boxes)
  useNarrow(boxes, traffic.geometry.narrow, traffic.geometry.gap)
  // What a rule spawns takes a row behind these, and stays where it was put until the next tick.
  travels.fill(0, things.count)
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
      layWay(traffic, row)
    }
    poseRow(traffic, row)
  }
  closeCursor(collision.things)
}

/** Begins a way where a thing stands, for the part of the tick that is left, and puts the thing at its end. */
function layWay(traffic: Traffic, row: number): void {
  const { fromX, fromY, fromZ, wayX, wayY, wayZ, tick, turns, wayTurn, halted, since } = traffic
  const part = halted[row] === 0 ? 1 - since[row] : 0
  const { x, y, z, vx, vy, vz, facingX, facingY, spin } = traffic.collision.world.tables.things
  if (turns) {
    traffic.fromFacingX[row] = facingX[row]
    traffic.fromFacingY[row] = facingY[row]
    // What does not turn keeps the facing it has, also (0, 0).
    if (spin[row] !== 0) settleFacing(traffic.fromFacingX, traffic.fromFacingY, row)
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
export function poseAt({ collision }: Traffic, row: number): void {
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
    if (since[row] > 0) {
      cut.part = since[row]
      cutWay(boxes, box)
    }
    if (wayTurn[row] !== 0) turnShape(boxes, box, wayTurn, row)
    if (wayX[row] === 0 && wayY[row] === 0 && wayZ[row] === 0) continue
    boxes.sweepZ[box] = wayZ[row]
    setSweep(boxes, box, wayX[row], wayY[row])
  }
}
