/** Packs what was posed and what met in the last tick, for drawing. Allocates; done only while overlays are shown. */

import { type Boxes, findRow } from 'hurtbox'
import { type AnyWorld, type Collision, type Piece, recordPushes, roleOf, staticsOf } from 'hurtbox/tools'
import { measureContact } from './contact-geometry.ts'
import { BOX, CONTACT, type GridLines, type Overlay, ROLES, STATE } from './protocol.ts'

/** `ids`: the ids of `things` by row when the boxes were posed. */
export function packOverlay(world: AnyWorld, collisions: readonly Collision[], ids: Uint32Array): Overlay {
  const shapes: object[] = []
  const active = collisions.filter(({ boxes }) => boxes.count > 0)
  const boxCount = active.reduce((sum, { boxes }) => sum + boxes.count, 0)
  // All walls of every map, each once, whether or not something is near.
  const maps = [...new Set(staticsOf(world).values())]
  const wallCount = maps.reduce((sum, { pieces }) => sum + pieces.length, 0)
  const pushes = packPushes(world)
  const thingCount = boxCount === 0 ? world.tables.things.count : boxCount
  const packed = new Float64Array((thingCount + wallCount) * BOX.fields)
  if (boxCount === 0) packThings(world, packed)
  const contactCount = active.reduce((sum, { contacts }) => sum + contacts.count, 0)
  const contacts = new Float64Array(contactCount * CONTACT.fields + pushes.length)
  let firstBox = 0
  let at = 0
  for (const collision of active) {
    for (let box = 0; box < collision.boxes.count; box++) {
      const { boxes } = collision
      const to = (firstBox + box) * BOX.fields
      const role = roleOf(collision, box)
      packed[to + BOX.role] = ROLES.indexOf(role)
      if (isWall(boxes.owner[box])) packed[to + BOX.id] = -1 - boxes.number[box]
      else packOwner(world, ids[boxes.owner[box]], packed, to)
      packBox(boxes, box, packed, to, shapes)
      packed[to + BOX.ago] = collision.judged?.agoOf(box) ?? 0
    }
    for (let i = 0; i < collision.contacts.count; i++) {
      const a = (firstBox + collision.contacts.a[i]) * BOX.fields
      const b = (firstBox + collision.contacts.b[i]) * BOX.fields
      const { x, y, z, normalX, normalY, depth } = measureContact(packed, shapes, a, b)
      contacts.set([packed[a + BOX.id], packed[b + BOX.id], x, y, z, normalX, normalY, depth, 0], at)
      at += CONTACT.fields
    }
    firstBox += collision.boxes.count
  }
  contacts.set(pushes, at)
  let to = thingCount * BOX.fields
  for (const map of maps) {
    map.pieces.forEach((piece, place) => {
      packWall(piece, map.map.rectangles.layer[place], packed, to, shapes)
      packed[to + BOX.id] = -1 - place
      packed[to + BOX.state] = map.isOpen(world, place) ? STATE.safe : STATE.exposed
      to += BOX.fields
    })
  }
  return { boxes: packed, contacts, shapes, grids: active.flatMap(gridsOf) }
}

/** The pushes apart of the last tick, as contacts. The first call begins to record them. */
function packPushes(world: AnyWorld): number[] {
  const record = recordPushes(world)
  if (record.tick !== world.tick - 1) return []
  const { things } = world.tables
  return record.pushes.flatMap(({ first, second, overlap, x, y }) => {
    const row = findRow(things, first)
    // It may have left at the end of the tick.
    if (row < 0) return []
    const radius = things.radius[row]
    const z = (things.z as Float64Array | undefined)?.[row] ?? 0
    return [first, second, things.x[row] + x * radius, things.y[row] + y * radius, z, x, y, overlap, 1]
  })
}

/** For games whose things meet in phases of their own: the circle of every thing. */
function packThings(world: AnyWorld, packed: Float64Array): void {
  const { things } = world.tables
  for (let row = 0; row < things.count; row++) {
    const to = row * BOX.fields
    packOwner(world, things.id[row], packed, to)
    packed[to + BOX.role] = ROLES.indexOf('push')
    packed[to + BOX.layer] = things.layer[row]
    packed[to + BOX.x] = things.x[row]
    packed[to + BOX.y] = things.y[row]
    packed[to + BOX.radius] = things.radius[row]
    packed[to + BOX.facingX] = 1
    packed[to + BOX.shape] = -1
  }
}

function packBox(boxes: Boxes, box: number, packed: Float64Array, to: number, shapes: object[]): void {
  packed[to + BOX.layer] = boxes.layer[box]
  packed[to + BOX.facingX] = 1
  packed[to + BOX.shape] = -1
  if (boxes.isPlain) {
    packed[to + BOX.x] = boxes.x[box]
    packed[to + BOX.y] = boxes.y[box]
    packed[to + BOX.radius] = boxes.radius[box]
    return
  }
  packed[to + BOX.x] = boxes.poseX[box]
  packed[to + BOX.y] = boxes.poseY[box]
  packed[to + BOX.z] = boxes.poseZ[box]
  packed[to + BOX.radius] = boxes.size[box]
  packed[to + BOX.sweepX] = boxes.sweepX[box]
  packed[to + BOX.sweepY] = boxes.sweepY[box]
  packed[to + BOX.sweepZ] = boxes.sweepZ[box]
  packed[to + BOX.facingX] = boxes.facingX[box]
  packed[to + BOX.facingY] = boxes.facingY[box]
  const shape = boxes.shape[box]
  if (shape === undefined) return
  let number = shapes.indexOf(shape)
  if (number < 0) number = shapes.push(shape) - 1
  packed[to + BOX.shape] = number
}

/** A wall of the static map, which has no thing behind it. An open door is drawn as what cannot be hit now. */
function packWall({ shape, x, y, z }: Piece, layer: number, packed: Float64Array, to: number, shapes: object[]): void {
  packed[to + BOX.role] = ROLES.indexOf('push')
  packed[to + BOX.layer] = layer
  packed[to + BOX.x] = x
  packed[to + BOX.y] = y
  packed[to + BOX.z] = z
  packed[to + BOX.facingX] = 1
  let number = shapes.indexOf(shape)
  if (number < 0) number = shapes.push(shape) - 1
  packed[to + BOX.shape] = number
}

/** Whose box it is, and whether it can be hurt now. Its owner may have left at the end of the tick. */
function packOwner(world: AnyWorld, id: number, packed: Float64Array, to: number): void {
  const { things } = world.tables
  packed[to + BOX.id] = id
  const row = findRow(things, id)
  if (row < 0) return
  const isOut = things.maxHp !== undefined && things.maxHp[row] > 0 && things.hp[row] <= 0
  const isSafe = things.invulnerableUntil !== undefined && things.invulnerableUntil[row] > world.clock
  packed[to + BOX.state] = isOut ? STATE.out : isSafe ? STATE.safe : STATE.exposed
}

function gridsOf(collision: Collision): GridLines[] {
  const { levels } = collision.detector.finder
  return levels.grids.slice(0, levels.count).map((grid) => ({
    originX: grid.originX,
    originY: grid.originY,
    cellWidth: 1 / grid.perX,
    cellHeight: 1 / grid.perY,
  }))
}

/** Boxes of the map have no row of things behind them. */
export function isWall(owner: number): boolean {
  return owner === 0xffffffff
}
