/** Drawing Jet Raiders: a dark sky, bright jets, bullets as strokes of light. */

import { type EventRecord, findRow, seatRow, thingOf } from 'hurtbox'
import { drawOnCanvas, type Kit } from '../../view/canvas.ts'
import { chance } from '../../view/chance.ts'
import { burst, flash, flashOf, note, ring, shake, spark } from '../../view/effects.ts'
import {
  addDisc,
  bar,
  fade,
  headline,
  healthColour,
  SEAT_COLOURS,
  stamp,
  stampTurned,
  words,
} from '../../view/paint.ts'
import { tweenAngle } from '../../view/tween.ts'
import { timeText } from '../../view/words.ts'
import type { Drawing, Frame, Target } from '../../view.ts'
import { DT, declaration, HEIGHT, isAlive, type JetWorld, KIND, WIDTH } from '../rules/declaration.ts'
import { result } from '../rules/match.ts'
import { createJetSprites, type JetSprites, SPRITE_RADIUS } from './sprites.ts'

type JetFrame = Frame<typeof declaration>

type Own = {
  readonly sprites: JetSprites
  /** The seat of whoever plays it, by id of a ship. */
  readonly seatOf: Map<number, number>
}
type JetKit = Kit & Own

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
      const { players } = frame.after.tables
      kit.seatOf.clear()
      for (let player = 0; player < players.count; player++) kit.seatOf.set(players.thing[player], players.seat[player])
      for (const event of frame.events) show(kit, event, frame)
    },
    paint,
    write,
  })
}

/** An event becomes light. */
function show({ effects, seatOf }: JetKit, event: EventRecord, frame: JetFrame): void {
  const { things } = frame.after.tables
  const placeOf = (id: unknown) => findRow(things, id as number)
  switch (event.kind) {
    case 'shot': {
      const row = placeOf(event.projectile)
      if (row < 0) return
      burst(effects, things.x[row], things.y[row], 2, 80, 2.5, 120, '#ffe9b0')
      return
    }
    case 'damage': {
      const row = placeOf(event.victim)
      if (row < 0) return
      const [x, y] = [things.x[row], things.y[row]]
      flash(effects, things.id[row], frame.nowMs)
      burst(effects, x, y, 10, 170, 3, 350, '#ffb35c')
      note(effects, x, y - 26, `−${Math.round(event.taken as number)}`, 15, '#ffd166')
      shake(effects, isOwn(frame, things.id[row]) ? 6 : 2)
      return
    }
    case 'kill': {
      const row = placeOf(event.victim)
      if (row < 0) return
      const [x, y] = [things.x[row], things.y[row]]
      burst(effects, x, y, 46, 280, 5, 800, SEAT_COLOURS[(seatOf.get(things.id[row]) ?? 0) % SEAT_COLOURS.length])
      burst(effects, x, y, 30, 160, 6, 600, '#ff8a3c')
      ring(effects, x, y, 8, 80, 550, '#ffe0a0')
      ring(effects, x, y, 4, 44, 380, '#ffffff')
      shake(effects, 9)
      return
    }
    case 'block': {
      const row = placeOf(event.victim)
      if (row >= 0) ring(effects, things.x[row], things.y[row], 28, 44, 260, '#8fe3ff')
      return
    }
    case 'dash':
    case 'shield':
    case 'returned': {
      const row = placeOf(event.ship)
      if (row >= 0) ring(effects, things.x[row], things.y[row], 44, 20, 320, '#bfe8ff')
    }
  }
}

function paint(kit: JetKit, frame: JetFrame): void {
  const { context } = kit
  const { after } = frame
  const { players } = after.tables
  stamp(context, kit.sprites.sky, 0, 0)
  drawBorder(context, after)
  drawBullets(kit, after)
  for (let player = 0; player < players.count; player++) {
    const ship = thingOf(after, player)
    if (ship >= 0) drawShip(kit, frame, ship, players.seat[player])
  }
}

function drawBullets(kit: JetKit, world: JetWorld): void {
  const { context, tween } = kit
  const { count, kind, vx, vy, owner, radius } = world.tables.things
  context.lineCap = 'round'
  context.globalCompositeOperation = 'lighter'
  // Two paths per colour, a tail and a glow, and one for all the white cores: strokes are what costs.
  for (const [id, seat] of kit.seatOf) {
    const colour = SEAT_COLOURS[seat % SEAT_COLOURS.length]
    for (const [seconds, thickness, strength] of TAILS) {
      let width = 0
      context.beginPath()
      for (let row = 0; row < count; row++) {
        if (kind[row] !== KIND.bullet || owner[row] !== id) continue
        width = radius[row] * thickness
        context.moveTo(tween.x[row] - vx[row] * seconds, tween.y[row] - vy[row] * seconds)
        context.lineTo(tween.x[row], tween.y[row])
      }
      if (width === 0) break
      context.strokeStyle = fade(colour, strength)
      context.lineWidth = width
      context.stroke()
    }
  }
  context.beginPath()
  for (let row = 0; row < count; row++) {
    if (kind[row] !== KIND.bullet) continue
    context.moveTo(tween.x[row] - vx[row] * 0.018, tween.y[row] - vy[row] * 0.018)
    context.lineTo(tween.x[row], tween.y[row])
  }
  context.strokeStyle = '#ffffff'
  context.lineWidth = 3
  context.stroke()
  context.globalCompositeOperation = 'source-over'
}

function drawShip(kit: JetKit, frame: JetFrame, ship: number, seat: number): void {
  const { context, effects, tween } = kit
  const { before, after, nowMs } = frame
  const { things } = after.tables
  const [x, y] = [tween.x[ship], tween.y[ship]]
  const colour = SEAT_COLOURS[seat % SEAT_COLOURS.length]
  if (!isAlive(after, ship)) return
  const from = tween.from[ship]
  const heading =
    from < 0 ? things.heading[ship] : tweenAngle(before.tables.things.heading[from], things.heading[ship], frame.alpha)
  const scale = things.radius[ship] / SPRITE_RADIUS
  const clock = after.clock
  trail(kit, ship, x, y, heading, things.dashUntil[ship] > clock ? '#ffffff' : colour, frame, things.throttle[ship])
  for (const [shiftX, shiftY] of images(after, x, y, things.radius[ship])) {
    stampTurned(context, kit.sprites.jets[seat % kit.sprites.jets.length], x + shiftX, y + shiftY, heading, scale)
    const bright = flashOf(effects, things.id[ship], nowMs)
    if (bright > 0) {
      context.globalAlpha = bright
      stampTurned(context, kit.sprites.whiteJet, x + shiftX, y + shiftY, heading, scale)
      context.globalAlpha = 1
    }
    if (things.hittableFrom[ship] > clock) stamp(context, kit.sprites.shield, x + shiftX, y + shiftY, scale)
    if (things.slowUntil[ship] > clock) {
      context.strokeStyle = '#9fe8ff'
      context.lineWidth = 2
      context.beginPath()
      addDisc(context, x + shiftX, y + shiftY, things.radius[ship] + 4)
      context.stroke()
    }
  }
  const part = things.hp[ship] / things.maxHp[ship]
  const top = y - things.radius[ship] - 13
  bar(context, x, top, 40, 4, part, healthColour(part))
  if (!kit.isSmall) words(context, isOwn(frame, things.id[ship]) ? 'YOU' : `P${seat + 1}`, x, top - 8, 9, colour)
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

/** A ship on the seam is seen on both sides of it, where the plane has one. */
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
function write({ context }: JetKit, frame: JetFrame): void {
  const { after } = frame
  const { players } = after.tables
  const order = Array.from({ length: players.count }, (_, player) => player)
  order.sort((a, b) => players.score[b] - players.score[a] || players.deaths[a] - players.deaths[b] || a - b)
  order.slice(0, 8).forEach((player, place) => {
    const seat = players.seat[player]
    const y = 20 + place * 19
    const name = seat === frame.seat ? 'YOU' : `P${seat + 1}`
    const colour = SEAT_COLOURS[seat % SEAT_COLOURS.length]
    words(context, name, frame.width - 62, y, 13, colour, 'right')
    words(context, String(players.score[player]), frame.width - 40, y, 14, '#ffffff', 'right')
    words(context, String(players.deaths[player]), frame.width - 14, y, 12, '#7c86a8', 'right')
  })
  const left = after.options.matchSeconds - Math.floor(after.clock * DT)
  if (after.options.matchSeconds === 0) return
  if (left <= 0) headline(context, frame, 'Match over', winnerOf(after), '#ffd166')
  else words(context, timeText(left), frame.width / 2, 20, 16, '#cfd8ff')
}

function winnerOf(world: JetWorld): string {
  const { winner } = result(world)
  return winner === undefined ? 'nobody is ahead' : `${winner} wins`
}

function isOwn({ after, seat }: JetFrame, ship: number): boolean {
  const own = thingOf(after, seatRow(after, seat))
  return own >= 0 && after.tables.things.id[own] === ship
}
