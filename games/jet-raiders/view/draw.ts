/** Draws Jet Raiders: a dark sky, bright jets, bullets as strokes of light. */

import type { Drawing, Frame, Target } from '@hurtbox/view'
import { angleAt } from '@hurtbox/view'
import { type EventRecord, playerAt, players, thing } from 'hurtbox'
import { rowOf } from 'hurtbox/tools'
import { drawOnCanvas, headX, type Kit, nameOf, writeWords } from '../../view/canvas.ts'
import { chance } from '../../view/chance.ts'
import { burst, flash, flashOf, note, ring, shake, spark } from '../../view/effects.ts'
import { words } from '../../view/lettering.ts'
import { addDisc, bar, fade, healthColour, SEAT_COLOURS, stamp, stampTurned } from '../../view/paint.ts'
import { timeText } from '../../view/words.ts'
import { DT, declaration, HEIGHT, type JetThing, type JetWorld, WIDTH } from '../rules/declaration.ts'
import { createJetSprites, type JetSprites, SPRITE_RADIUS } from './sprites.ts'

type JetFrame = Frame<typeof declaration>

type Own = {
  readonly sprites: JetSprites
  /** The seat of a ship's player, by the id of the ship. */
  readonly seatOf: Map<number, number>
}
type JetKit = Kit<typeof declaration> & Own

/** A bullet's light: seconds of flight behind it, width in radii, strength. */
const TAILS = [
  [0.09, 0.5, 0.4],
  [0.035, 1.6, 0.45],
] as const

export function createJetDrawing(target: Target): Drawing<typeof declaration> {
  return drawOnCanvas(declaration, target, {
    background: '#050816',
    own: (): Own => ({ sprites: createJetSprites(target), seatOf: new Map() }),
    react(kit, frame) {
      kit.seatOf.clear()
      for (const { thing: ship, seat } of players(frame.after)) if (ship !== undefined) kit.seatOf.set(ship.id, seat)
      for (const event of frame.events) show(kit, event, frame)
    },
    paint,
    write,
  })
}

/** Turns an event into effects. */
function show({ effects, seatOf }: JetKit, event: EventRecord<typeof declaration>, frame: JetFrame): void {
  const { after } = frame
  switch (event.kind) {
    case 'shot': {
      const bullet = thing(after, event.projectile)
      if (bullet !== undefined) burst(effects, bullet.x, bullet.y, 2, 80, 2.5, 120, '#ffe9b0')
      return
    }
    case 'damage': {
      const ship = thing(after, event.victim)
      if (ship === undefined) return
      flash(effects, ship.id, frame.nowMs)
      burst(effects, ship.x, ship.y, 10, 170, 3, 350, '#ffb35c')
      note(effects, ship.x, ship.y - 26, `−${Math.round(event.taken)}`, 15, '#ffd166', event)
      shake(effects, isOwn(frame, ship.id) ? 6 : 2)
      return
    }
    case 'kill': {
      const ship = thing(after, event.victim)
      if (ship === undefined) return
      const { x, y } = ship
      burst(effects, x, y, 46, 280, 5, 800, SEAT_COLOURS[(seatOf.get(ship.id) ?? 0) % SEAT_COLOURS.length])
      burst(effects, x, y, 30, 160, 6, 600, '#ff8a3c')
      ring(effects, x, y, 8, 80, 550, '#ffe0a0')
      ring(effects, x, y, 4, 44, 380, '#ffffff')
      shake(effects, 9)
      return
    }
    case 'block': {
      const ship = thing(after, event.victim)
      if (ship !== undefined) ring(effects, ship.x, ship.y, 28, 44, 260, '#8fe3ff')
      return
    }
    case 'dash':
    case 'shield':
    case 'returned': {
      const ship = thing(after, event.ship)
      if (ship !== undefined) ring(effects, ship.x, ship.y, 44, 20, 320, '#bfe8ff')
    }
  }
}

function paint(kit: JetKit, frame: JetFrame): void {
  const { context } = kit
  const { after } = frame
  stamp(context, kit.sprites.sky, 0, 0)
  drawBorder(context, after)
  drawBullets(kit, after)
  for (const { thing: ship, seat } of players(after)) if (ship !== undefined) drawShip(kit, frame, ship, seat)
}

function drawBullets(kit: JetKit, world: JetWorld): void {
  const { context, at } = kit
  const { vx, vy, owner, radius } = world.tables.things
  context.lineCap = 'round'
  context.globalCompositeOperation = 'lighter'
  // Two paths per colour, a tail and a glow, and one for all the white cores: strokes are expensive.
  for (const [id, seat] of kit.seatOf) {
    const colour = SEAT_COLOURS[seat % SEAT_COLOURS.length]
    for (const [seconds, thickness, strength] of TAILS) {
      let width = 0
      context.beginPath()
      for (const row of at.rows.bullet) {
        if (owner[row] !== id) continue
        width = radius[row] * thickness
        context.moveTo(at.x[row] - vx[row] * seconds, at.y[row] - vy[row] * seconds)
        context.lineTo(at.x[row], at.y[row])
      }
      if (width === 0) break
      context.strokeStyle = fade(colour, strength)
      context.lineWidth = width
      context.stroke()
    }
  }
  context.beginPath()
  for (const row of at.rows.bullet) {
    context.moveTo(at.x[row] - vx[row] * 0.018, at.y[row] - vy[row] * 0.018)
    context.lineTo(at.x[row], at.y[row])
  }
  context.strokeStyle = '#ffffff'
  context.lineWidth = 3
  context.stroke()
  context.globalCompositeOperation = 'source-over'
}

function drawShip(kit: JetKit, frame: JetFrame, ship: JetThing, seat: number): void {
  const { context, effects, at } = kit
  const { after, nowMs } = frame
  if (ship.hp <= 0) return
  const { id, radius } = ship
  const row = rowOf(after.tables.things, id)
  const [x, y] = [at.x[row], at.y[row]]
  const colour = SEAT_COLOURS[seat % SEAT_COLOURS.length]
  const heading = angleAt(at, frame, 'heading', row)
  const scale = radius / SPRITE_RADIUS
  const clock = after.clock
  trail(kit, row, x, y, heading, ship.dashUntil > clock ? '#ffffff' : colour, frame, ship.throttle)
  for (const [shiftX, shiftY] of images(after, x, y, radius)) {
    stampTurned(context, kit.sprites.jets[seat % kit.sprites.jets.length], x + shiftX, y + shiftY, heading, scale)
    const bright = flashOf(effects, id, nowMs)
    if (bright > 0) {
      context.globalAlpha = bright
      stampTurned(context, kit.sprites.whiteJet, x + shiftX, y + shiftY, heading, scale)
      context.globalAlpha = 1
    }
    if (ship.invulnerableUntil > clock) stamp(context, kit.sprites.shield, x + shiftX, y + shiftY, scale)
    if (ship.slowUntil > clock) {
      context.strokeStyle = '#9fe8ff'
      context.lineWidth = 2
      context.beginPath()
      addDisc(context, x + shiftX, y + shiftY, radius + 4)
      context.stroke()
    }
  }
  const part = ship.hp / ship.maxHp
  const top = y - radius - 13
  bar(context, x, top, 40, 4, part, healthColour(part))
  if (kit.hasWords) words(context, nameOf(frame, seat), x, top - 8, 9, colour)
}

/** Fire behind the engines: a stream of sparks whose length follows the throttle. */
function trail(
  { effects, isSmall }: JetKit,
  ship: number,
  x: number,
  y: number,
  heading: number,
  colour: string,
  frame: JetFrame,
  throttle: number,
): void {
  if (throttle < 0.08 || frame.elapsedMs === 0) return
  const [backX, backY] = [-Math.sin(heading), Math.cos(heading)]
  const sparks = isSmall ? 1 : 2
  for (let i = 0; i < sparks; i++) {
    const aside = (chance(effects) - 0.5) * 9
    const speed = 60 + 120 * throttle * chance(effects)
    spark(
      effects,
      x + backX * 18 - backY * aside,
      y + backY * 18 + backX * aside,
      backX * speed,
      backY * speed,
      4.5,
      260,
      (ship + i) % 3 === 0 ? '#ffffff' : colour,
    )
  }
}

/** A ship on the seam is drawn on both sides of it, where the plane wraps. */
function* images(world: JetWorld, x: number, y: number, radius: number): Generator<readonly [number, number]> {
  yield [0, 0]
  if (world.options.edges === 'wall') return
  if (x > WIDTH / 2 - radius) yield [-WIDTH, 0]
  if (x < radius - WIDTH / 2) yield [WIDTH, 0]
  if (y > HEIGHT / 2 - radius) yield [0, -HEIGHT]
  if (y < radius - HEIGHT / 2) yield [0, HEIGHT]
}

function drawBorder(context: CanvasRenderingContext2D, world: JetWorld): void {
  const isWall = world.options.edges === 'wall'
  context.strokeStyle = isWall ? '#ff8a5c' : '#3a6ea8'
  context.lineWidth = isWall ? 4 : 2
  context.setLineDash(isWall ? [] : [14, 10])
  context.strokeRect(-WIDTH / 2, -HEIGHT / 2, WIDTH, HEIGHT)
  context.setLineDash([])
}

/** Scores and the time that is left. */
function write(kit: JetKit, frame: JetFrame): void {
  const { after, width } = frame
  const head = headX(frame)
  const isTimed = after.options.matchSeconds > 0
  if (isTimed) {
    const left = after.options.matchSeconds - Math.floor(after.clock * DT)
    writeWords(kit, timeText(Math.max(0, left)), { x: head, y: 20, size: 16, colour: '#cfd8ff' })
  }
  const order = [...players(after)].sort((a, b) => b.score - a.score || a.deaths - b.deaths || a.id - b.id)
  // Below the time where that stands on the right, too.
  const top = isTimed && head > width / 2 ? 44 : 20
  order.slice(0, 8).forEach(({ seat, score, deaths }, place) => {
    const y = top + place * 19
    const colour = SEAT_COLOURS[seat % SEAT_COLOURS.length]
    writeWords(kit, nameOf(frame, seat), { x: width - 62, y, size: 13, colour, align: 'right' })
    writeWords(kit, String(score), { x: width - 40, y, size: 14, colour: '#ffffff', align: 'right' })
    writeWords(kit, String(deaths), { x: width - 14, y, size: 12, colour: '#7c86a8', align: 'right' })
  })
}

function isOwn({ after, seat }: JetFrame, ship: number): boolean {
  return playerAt(after, seat)?.thing?.id === ship
}
