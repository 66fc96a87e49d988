/**
 * Overlays: what the engine saw, drawn over what the game shows.
 *
 * Colours are those of fighting games: red hurts, green can be hurt, blue takes up room, white cannot be hurt now. Every
 * role also has a line pattern of its own, so that it can be read without distinguishing red and green.
 */

import type { Shape } from 'hurtbox/shapes'
import type { AnyWorld } from 'hurtbox/tools'
import type { Volume } from 'hurtbox/volumes'
import { BOX, CONTACT, type Overlay, STATE } from '../sim/protocol.ts'
import { footprintPath, isVolume, shapePath } from './outline.ts'
import { volumeLines } from './wireframe.ts'

export type Layers = {
  boxes: boolean
  grid: boolean
  bounds: boolean
  contacts: boolean
  velocities: boolean
  fog: boolean
  /** Layers of the game that are hidden, one bit each. */
  hiddenLayers: number
}

/** What people point at: ids of things; of a wall −1 less its place in the map. */
export type Pointed = {
  readonly selected: readonly number[]
  /** Under the pointer, on the stage or in a panel; 0 for nothing. */
  readonly hovered: number
}

export type OverlayTarget = {
  readonly context: CanvasRenderingContext2D
  readonly width: number
  readonly height: number
  /** World units to CSS pixels. */
  project(x: number, y: number, z: number, out: { x: number; y: number }): void
  /** CSS pixels per world unit where the plane is seen from above; 0 for a view in perspective. */
  readonly scale: number
  readonly visible: { readonly minX: number; readonly minY: number; readonly maxX: number; readonly maxY: number }
}

const ROLE_STYLE = [
  { name: 'hurt', colour: '#5ef08c', dash: [] },
  { name: 'hit', colour: '#ff5468', dash: [7, 3] },
  { name: 'push', colour: '#5aa8ff', dash: [2, 3] },
] as const
const INVULNERABLE = { colour: '#ffffff', dash: [12, 4] } as const
/** Where an attacker saw its victim, and hits were judged: as on the server's side of the network lab. */
const SEEN = { colour: '#ffc857', dash: [6, 3] } as const
const STYLES = [...ROLE_STYLE, INVULNERABLE, SEEN]
const CONTACT_COLOUR = '#ffd166'
const PUSH_COLOUR = '#7ee0b5'

export function drawOverlay(
  target: OverlayTarget,
  overlay: Overlay | undefined,
  world: AnyWorld,
  layers: Layers,
  pointed: Pointed,
): void {
  const { context } = target
  context.lineWidth = 1.5
  context.setLineDash([])
  if (overlay !== undefined) {
    if (layers.grid) drawGrids(target, overlay)
    if (layers.boxes) {
      drawBoxes(target, overlay, layers.hiddenLayers)
      drawLabels(target, overlay, layers.hiddenLayers)
    }
    if (layers.bounds) drawBounds(target, overlay, layers.hiddenLayers)
    if (layers.contacts) drawContacts(target, overlay)
  }
  if (layers.velocities) drawVelocities(target, world)
  pointed.selected.forEach((id, i) => {
    ring(target, overlay, world, id, i === 0 ? '#ffffff' : '#ffb84d')
  })
  if (pointed.hovered !== 0) ring(target, overlay, world, pointed.hovered, '#7fe3ff', [])
}

function drawBoxes(target: OverlayTarget, overlay: Overlay, hiddenLayers: number): void {
  const { context } = target
  const { boxes } = overlay
  // One path per style: a line pattern is set five times, however many boxes there are.
  for (const style of STYLES) {
    context.strokeStyle = style.colour
    context.fillStyle = `${style.colour}1f`
    context.setLineDash(style.dash as unknown as number[])
    context.beginPath()
    let isEmpty = true
    for (let at = 0; at < boxes.length; at += BOX.fields) {
      const state = boxes[at + BOX.state]
      if (state === STATE.out) continue
      const isSeen = boxes[at + BOX.ago] > 0
      const styleOf = isSeen ? SEEN : state === STATE.safe ? INVULNERABLE : ROLE_STYLE[boxes[at + BOX.role]]
      if (styleOf !== style || ((hiddenLayers >>> boxes[at + BOX.layer]) & 1) === 1) continue
      boxPath(target, overlay, at, 0)
      if (isOnItsWay(boxes, at)) sweptPath(target, overlay, at)
      isEmpty = false
    }
    if (isEmpty) continue
    context.fill()
    context.stroke()
  }
  context.setLineDash([])
}

/** Names of boxes that have one: the zones of a thing. */
function drawLabels(target: OverlayTarget, { boxes, shapes }: Overlay, hiddenLayers: number): void {
  const { context } = target
  context.font = '600 10px ui-monospace, monospace'
  context.fillStyle = '#ffffff'
  for (let at = 0; at < boxes.length; at += BOX.fields) {
    const shape = shapes[boxes[at + BOX.shape]] as Partial<Shape & Volume> | undefined
    if (shape?.label === undefined || ((hiddenLayers >>> boxes[at + BOX.layer]) & 1) === 1) continue
    const [ahead, aside] = [shape.boundX ?? shape.offsetX ?? 0, shape.boundY ?? shape.offsetY ?? 0]
    const [facingX, facingY] = [boxes[at + BOX.facingX], boxes[at + BOX.facingY]]
    const x = boxes[at + BOX.x] + ahead * facingX - aside * facingY
    const y = boxes[at + BOX.y] + ahead * facingY + aside * facingX
    target.project(x, y, boxes[at + BOX.z] + (shape.offsetZ ?? 0), place)
    context.fillText(shape.label, place.x, place.y)
  }
}

function isOnItsWay(boxes: Float64Array, at: number): boolean {
  return boxes[at + BOX.sweepX] !== 0 || boxes[at + BOX.sweepY] !== 0 || boxes[at + BOX.sweepZ] !== 0
}

const place = { x: 0, y: 0 }
const other = { x: 0, y: 0 }

/** The outline of a box at part `back` of its sweep (0 now, 1 where the tick began). */
function boxPath(target: OverlayTarget, { boxes, shapes }: Overlay, at: number, back: number): void {
  const { scale } = target
  const x = boxes[at + BOX.x] - boxes[at + BOX.sweepX] * back
  const y = boxes[at + BOX.y] - boxes[at + BOX.sweepY] * back
  const z = boxes[at + BOX.z] - boxes[at + BOX.sweepZ] * back
  const facingX = boxes[at + BOX.facingX]
  const facingY = boxes[at + BOX.facingY]
  const shape = boxes[at + BOX.shape] < 0 ? undefined : shapes[boxes[at + BOX.shape]]
  if (shape === undefined) {
    projectedCircle(target, x, y, z, boxes[at + BOX.radius])
  } else if (isVolume(shape)) {
    if (scale === 0) volumeLines(target, shape, x, y, z, facingX, facingY)
    else footprintPath(throughCamera(target), shape, x, y, facingX, facingY)
  } else {
    shapePath(throughCamera(target), shape as Shape, x, y, facingX, facingY)
  }
}

/** Where it was when the tick began, and the sweep between. */
function sweptPath(target: OverlayTarget, overlay: Overlay, at: number): void {
  const { boxes } = overlay
  const { context } = target
  boxPath(target, overlay, at, 1)
  target.project(boxes[at + BOX.x], boxes[at + BOX.y], boxes[at + BOX.z], place)
  target.project(
    boxes[at + BOX.x] - boxes[at + BOX.sweepX],
    boxes[at + BOX.y] - boxes[at + BOX.sweepY],
    boxes[at + BOX.z] - boxes[at + BOX.sweepZ],
    other,
  )
  const dx = other.x - place.x
  const dy = other.y - place.y
  const length = Math.hypot(dx, dy)
  if (length < 1) return
  const reach = boxes[at + BOX.shape] < 0 ? boxes[at + BOX.radius] * target.scale : 0
  const asideX = (-dy / length) * reach
  const asideY = (dx / length) * reach
  context.moveTo(place.x + asideX, place.y + asideY)
  context.lineTo(other.x + asideX, other.y + asideY)
  context.moveTo(place.x - asideX, place.y - asideY)
  context.lineTo(other.x - asideX, other.y - asideY)
}

function projectedCircle(target: OverlayTarget, x: number, y: number, z: number, radius: number): void {
  const { context, scale } = target
  if (scale > 0) {
    target.project(x, y, z, place)
    const size = radius * scale
    context.moveTo(place.x + size, place.y)
    context.arc(place.x, place.y, size, 0, Math.PI * 2)
    return
  }
  for (let i = 0; i <= 24; i++) {
    const angle = (i / 24) * Math.PI * 2
    target.project(x + Math.cos(angle) * radius, y + Math.sin(angle) * radius, z, place)
    if (i === 0) context.moveTo(place.x, place.y)
    else context.lineTo(place.x, place.y)
  }
}

/** A path that is given in world units and drawn in pixels. Arcs become short lines, which also survives a mirrored y. */
function throughCamera(
  target: OverlayTarget,
): Pick<CanvasRenderingContext2D, 'moveTo' | 'lineTo' | 'arc' | 'closePath'> {
  const { context } = target
  return {
    moveTo(x, y) {
      target.project(x, y, 0, place)
      context.moveTo(place.x, place.y)
    },
    lineTo(x, y) {
      target.project(x, y, 0, place)
      context.lineTo(place.x, place.y)
    },
    arc(x, y, radius, from, to) {
      const steps = Math.max(2, Math.ceil((Math.abs(to - from) / (Math.PI * 2)) * 32))
      for (let i = 0; i <= steps; i++) {
        const angle = from + ((to - from) * i) / steps
        target.project(x + Math.cos(angle) * radius, y + Math.sin(angle) * radius, 0, place)
        context.lineTo(place.x, place.y)
      }
    },
    closePath() {
      context.closePath()
    },
  }
}

/** The rectangles around the boxes: what a broad phase works with. */
function drawBounds(target: OverlayTarget, { boxes, shapes }: Overlay, hiddenLayers: number): void {
  const { context } = target
  context.strokeStyle = '#c792ea99'
  context.beginPath()
  for (let at = 0; at < boxes.length; at += BOX.fields) {
    if (((hiddenLayers >>> boxes[at + BOX.layer]) & 1) === 1) continue
    const shape = boxes[at + BOX.shape] < 0 ? undefined : (shapes[boxes[at + BOX.shape]] as { boundRadius: number })
    const radius = shape?.boundRadius ?? boxes[at + BOX.radius]
    const x = boxes[at + BOX.x]
    const y = boxes[at + BOX.y]
    const fromX = Math.min(x, x - boxes[at + BOX.sweepX]) - radius
    const toX = Math.max(x, x - boxes[at + BOX.sweepX]) + radius
    const fromY = Math.min(y, y - boxes[at + BOX.sweepY]) - radius
    const toY = Math.max(y, y - boxes[at + BOX.sweepY]) + radius
    target.project(fromX, fromY, 0, place)
    target.project(toX, toY, 0, other)
    context.rect(place.x, place.y, other.x - place.x, other.y - place.y)
  }
  context.stroke()
}

const MOST_LINES = 400
/** With more contacts than this, numbers would cover each other. */
const MOST_LABELS = 60

function drawGrids(target: OverlayTarget, { grids }: Overlay): void {
  const { context, visible } = target
  grids.forEach(({ originX, originY, cellWidth, cellHeight }, level) => {
    const cols = Math.ceil((visible.maxX - visible.minX) / cellWidth)
    const rows = Math.ceil((visible.maxY - visible.minY) / cellHeight)
    if (cols + rows > MOST_LINES || !(cols + rows > 0)) return
    context.strokeStyle = level === 0 ? '#8b93a733' : '#c792ea44'
    context.beginPath()
    const firstX = originX + Math.floor((visible.minX - originX) / cellWidth) * cellWidth
    const firstY = originY + Math.floor((visible.minY - originY) / cellHeight) * cellHeight
    for (let col = 0; col <= cols + 1; col++)
      lineFrom(target, firstX + col * cellWidth, visible.minY, 0, visible.maxY - visible.minY)
    for (let row = 0; row <= rows + 1; row++)
      lineFrom(target, visible.minX, firstY + row * cellHeight, visible.maxX - visible.minX, 0)
    context.stroke()
  })
}

function drawContacts(target: OverlayTarget, overlay: Overlay): void {
  const { context } = target
  context.font = '600 10px ui-monospace, monospace'
  const contacts = listContacts(overlay)
  for (const { x, y, z, normalX, normalY, depth, isPush } of contacts) {
    target.project(x, y, z, place)
    context.strokeStyle = isPush ? PUSH_COLOUR : CONTACT_COLOUR
    context.fillStyle = context.strokeStyle
    context.beginPath()
    context.arc(place.x, place.y, 3.5, 0, Math.PI * 2)
    context.fill()
    target.project(x + normalX, y + normalY, z, other)
    const length = Math.hypot(other.x - place.x, other.y - place.y) || 1
    const tipX = place.x + ((other.x - place.x) / length) * 22
    const tipY = place.y + ((other.y - place.y) / length) * 22
    context.beginPath()
    context.moveTo(place.x, place.y)
    context.lineTo(tipX, tipY)
    context.stroke()
    if (contacts.length < MOST_LABELS) context.fillText(depth.toPrecision(2), tipX + 3, tipY + 3)
  }
}

export type ShownContact = {
  readonly a: number
  readonly b: number
  readonly x: number
  readonly y: number
  readonly z: number
  readonly normalX: number
  readonly normalY: number
  readonly depth: number
  /** Pushed apart; else boxes that met. */
  readonly isPush: boolean
}

export function listContacts({ contacts }: Overlay): ShownContact[] {
  return Array.from({ length: contacts.length / CONTACT.fields }, (_, i) => {
    const read = (field: number) => contacts[i * CONTACT.fields + field]
    return {
      a: read(CONTACT.a),
      b: read(CONTACT.b),
      x: read(CONTACT.x),
      y: read(CONTACT.y),
      z: read(CONTACT.z),
      normalX: read(CONTACT.normalX),
      normalY: read(CONTACT.normalY),
      depth: read(CONTACT.depth),
      isPush: read(CONTACT.pushed) === 1,
    }
  })
}

function drawVelocities(target: OverlayTarget, world: AnyWorld): void {
  const { context } = target
  const { things } = world.tables
  const { tickRate } = world.game.declaration
  // The distance of a sixth of a second, at any tick rate.
  const seconds = Math.max(1 / 6, 1 / tickRate)
  context.strokeStyle = '#7fe3ff'
  context.beginPath()
  for (let row = 0; row < things.count; row++) {
    if (things.vx[row] === 0 && things.vy[row] === 0) continue
    lineFrom(target, things.x[row], things.y[row], things.vx[row] * seconds, things.vy[row] * seconds)
  }
  context.stroke()
}

function lineFrom(target: OverlayTarget, x: number, y: number, dx: number, dy: number): void {
  target.project(x, y, 0, place)
  target.project(x + dx, y + dy, 0, other)
  target.context.moveTo(place.x, place.y)
  target.context.lineTo(other.x, other.y)
}

/** A ring around a thing, or the outline of a wall while boxes are known. */
function ring(
  target: OverlayTarget,
  overlay: Overlay | undefined,
  world: AnyWorld,
  id: number,
  colour: string,
  dash: readonly number[] = [4, 4],
): void {
  const { context } = target
  const { things } = world.tables
  context.strokeStyle = colour
  context.lineWidth = 2
  context.setLineDash(dash as number[])
  context.beginPath()
  if (id < 0 && overlay !== undefined) {
    for (let at = 0; at < overlay.boxes.length; at += BOX.fields) {
      if (overlay.boxes[at + BOX.id] === id) boxPath(target, overlay, at, 0)
    }
  }
  for (let row = 0; row < things.count; row++) {
    if (things.id[row] !== id) continue
    target.project(things.x[row], things.y[row], things.z?.[row] ?? 0, place)
    target.project(things.x[row] + things.radius[row], things.y[row], things.z?.[row] ?? 0, other)
    const radius = Math.max(10, Math.abs(other.x - place.x) + 6)
    context.moveTo(place.x + radius, place.y)
    context.arc(place.x, place.y, radius, 0, Math.PI * 2)
  }
  context.stroke()
  context.setLineDash([])
}
