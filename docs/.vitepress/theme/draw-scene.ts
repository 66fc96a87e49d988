/** Draws a scene of the docs: bodies, and over them everything that decides a hit. */

import { PHASE } from 'hurtbox/abilities'
import type { Shape } from 'hurtbox/shapes'
import { type AnyWorld, staticsOf } from 'hurtbox/tools'
import { footprintPath, isVolume } from '../../../packages/studio/src/draw/outline.ts'
import type { LiveScene } from './live-scene.ts'

/** By layer and team; none of them is the red of hitboxes. */
const COLOURS = ['#c98a2b', '#3f9e6e', '#4f83e3', '#9a62d8', '#7d8896']
/** The legend below the canvas shows the same. */
const HITBOX = '#e4584d'
const PROTECTED = '#4f83e3'
const HEALTH = '#3fb27f'
const WALL = '#8b949e'
/** What an ability is doing. */
const PHASE_NAMES = Object.keys(PHASE) as (keyof typeof PHASE)[]
const PHASE_COLOURS = { startup: '#c98a2b', active: HITBOX, recovery: '#7d8896', waiting: '#7d8896' }
/** For how long damage is shown, and a hitbox after it has gone. */
export const HIT_TICKS = 25
export const WINDOW_TICKS = 8

export function drawScene({ context, reach, session, hits, windows }: LiveScene): void {
  const { world } = session
  const { width, height } = context.canvas
  const scale = width / (2 * reach)
  context.setTransform(1, 0, 0, 1, 0, 0)
  context.clearRect(0, 0, width, height)
  context.setTransform(scale, 0, 0, scale, width / 2, height / 2)
  context.textAlign = 'center'

  drawMap(context, world)
  const hitAt = new Map(hits.map(({ thing, at }) => [thing, at]))
  for (let row = 0; row < world.tables.things.count; row++) {
    const age = world.tick - (hitAt.get(world.tables.things.id[row]) ?? Number.NEGATIVE_INFINITY)
    drawThing(context, world, row, age)
  }
  for (const { at, outline } of windows) {
    const age = (world.tick - at) / WINDOW_TICKS
    context.fillStyle = HITBOX
    context.globalAlpha = age === 0 ? 0.35 : 0
    context.fill(outline)
    context.strokeStyle = HITBOX
    context.lineWidth = 1.5
    context.globalAlpha = 1 - age
    context.stroke(outline)
  }
  drawCasts(context, world)
  drawStatus(context, world)
  context.font = '700 14px system-ui'
  context.fillStyle = HITBOX
  for (const { at, thing, text } of hits) drawNumber(context, world, thing, text, world.tick - at)
  context.globalAlpha = 1
}

/** The pieces of the static map, once, whichever phases keep to it. */
function drawMap(context: CanvasRenderingContext2D, world: AnyWorld): void {
  context.fillStyle = WALL
  context.strokeStyle = WALL
  context.lineWidth = 2
  for (const { pieces } of new Set(staticsOf(world).values())) {
    for (const piece of pieces) {
      if (isVolume(piece.shape)) {
        context.globalAlpha = 0.3
        context.beginPath()
        footprintPath(context, piece.shape, piece.x, piece.y, 1, 0)
        context.fill()
        context.globalAlpha = 1
        continue
      }
      const { corners, radius } = piece.shape as Shape
      context.beginPath()
      for (let i = 0; i < corners.length; i += 2) context.lineTo(corners[i] + piece.x, corners[i + 1] + piece.y)
      context.closePath()
      if (corners.length === 2) context.arc(corners[0] + piece.x, corners[1] + piece.y, radius, 0, 2 * Math.PI)
      context.fill()
      context.stroke()
    }
  }
}

function drawThing(context: CanvasRenderingContext2D, { clock, tables }: AnyWorld, row: number, hitAge: number): void {
  const { things } = tables
  const [x, y, radius] = [things.x[row], things.y[row], things.radius[row]]
  const hasHealth = things.maxHp?.[row] > 0
  context.globalAlpha = hasHealth && things.hp[row] <= 0 ? 0.2 : 0.85
  context.fillStyle = COLOURS[(things.layer[row] + things.team[row]) % COLOURS.length]
  // Bodies of a side view are boxes.
  const [halfWidth, halfHeight] = [things.halfWidth?.[row] ?? 0, things.halfHeight?.[row] ?? 0]
  if (halfWidth > 0) context.fillRect(x - halfWidth, y - halfHeight, 2 * halfWidth, 2 * halfHeight)
  circle(context, x, y, radius)
  context.fill()
  if (things.facingX !== undefined) drawFacing(context, x, y, radius, things.facingX[row], things.facingY[row])
  if (things.invulnerableUntil?.[row] > clock) {
    context.strokeStyle = PROTECTED
    context.lineWidth = 2
    context.setLineDash([5, 4])
    circle(context, x, y, radius + 4)
    context.stroke()
    context.setLineDash([])
  }
  // A hit is a ring that grows and fades.
  if (hitAge < WINDOW_TICKS) {
    context.globalAlpha = 1 - hitAge / WINDOW_TICKS
    context.strokeStyle = HITBOX
    context.lineWidth = 3
    circle(context, x, y, radius + 2 + hitAge)
    context.stroke()
  }
  context.globalAlpha = 1
  if (!hasHealth) return
  const whole = 2 * radius
  bar(context, x - radius, y + radius + 8, whole, '#8886')
  bar(context, x - radius, y + radius + 8, (whole * Math.max(0, things.hp[row])) / things.maxHp[row], HEALTH)
  bar(context, x - radius, y + radius + 14, (whole * things.shield[row]) / things.maxHp[row], PROTECTED)
}

function drawFacing(
  context: CanvasRenderingContext2D,
  x: number,
  y: number,
  radius: number,
  facingX: number,
  facingY: number,
): void {
  context.strokeStyle = '#fff'
  context.lineWidth = 3
  context.beginPath()
  context.moveTo(x + facingX * radius * 0.4, y + facingY * radius * 0.4)
  context.lineTo(x + facingX * radius * 0.9, y + facingY * radius * 0.9)
  context.stroke()
}

/** Above each caster: the phase of what it does, and from the second step of a combo on which one. */
function drawCasts(context: CanvasRenderingContext2D, { tables: { things, casts } }: AnyWorld): void {
  if (casts === undefined) return
  context.font = '600 11px system-ui'
  context.globalAlpha = 1
  for (let cast = 0; cast < casts.count; cast++) {
    const row = things.id.indexOf(casts.caster[cast])
    const phase = PHASE_NAMES.find((name) => PHASE[name] === casts.phase[cast])!
    context.fillStyle = PHASE_COLOURS[phase]
    const step = casts.step[cast] > 1 ? ` ${casts.step[cast]}` : ''
    context.fillText(`${phase}${step}`, things.x[row], things.y[row] - things.radius[row] - 12)
  }
}

/** Above each thing a dot per status effect. */
function drawStatus(context: CanvasRenderingContext2D, { clock, tables: { things, status } }: AnyWorld): void {
  if (status === undefined) return
  context.globalAlpha = 1
  const dots = new Map<number, number>()
  for (let row = 0; row < status.count; row++) {
    const at = things.id.indexOf(status.thing[row])
    if (at < 0 || status.endsAt[row] <= clock) continue
    const place = dots.get(at) ?? 0
    dots.set(at, place + 1)
    context.fillStyle = COLOURS[status.kind[row] % COLOURS.length]
    circle(context, things.x[at] - things.radius[at] + place * 7, things.y[at] - things.radius[at] - 6, 3)
    context.fill()
  }
}

function drawNumber(
  context: CanvasRenderingContext2D,
  world: AnyWorld,
  thing: number,
  text: string,
  age: number,
): void {
  const { id, x, y, radius } = world.tables.things
  const row = id.indexOf(thing)
  if (row < 0) return
  context.globalAlpha = 1 - age / HIT_TICKS
  context.fillText(text, x[row], y[row] - radius[row] - 4 - age)
}

function circle(context: CanvasRenderingContext2D, x: number, y: number, radius: number): void {
  context.beginPath()
  context.arc(x, y, radius, 0, 2 * Math.PI)
}

function bar(context: CanvasRenderingContext2D, x: number, y: number, width: number, colour: string): void {
  context.fillStyle = colour
  context.fillRect(x, y, width, 4)
}
