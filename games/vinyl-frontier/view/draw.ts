/**
 * Drawing Vinyl Frontier: five states a second, drawn in between.
 *
 * The world closes upon itself: beyond a seam the same world goes on, a little darker, and a beam takes the shorter way round.
 */

import type { Drawing, Frame, Target } from '@hurtbox/view'
import { angleAt } from '@hurtbox/view'
import { playerAt, thing } from 'hurtbox'
import { shorter } from 'hurtbox/picture'
import { drawOnCanvas, headX, isHandheld, type Kit, writeWords } from '../../view/canvas.ts'
import { burst, flash, flashOf, note, ring, shake, spark } from '../../view/effects.ts'
import { words } from '../../view/lettering.ts'
import { addDisc, bar, fade, SEAT_COLOURS, type Sprite, sight, stamp, stampTurned } from '../../view/paint.ts'
import { TASK_NAMES } from '../rules/crew.ts'
import { declaration, MATERIAL, SHIP, STATION } from '../rules/declaration.ts'
import { stationOf } from '../rules/setup.ts'
import { SIDE } from '../rules/torus.ts'
import { createVinylSprites, ROCK_RADIUS, type VinylSprites } from './sprites.ts'

type VinylFrame = Frame<typeof declaration>
type Beam = {
  readonly fromX: number
  readonly fromY: number
  readonly dx: number
  readonly dy: number
  readonly colour: string
  ageMs: number
}

type Own = {
  readonly sprites: VinylSprites
  beams: Beam[]
  /** What the announcer said last, newest at the end. */
  said: { readonly text: string; ageMs: number }[]
}
type VinylKit = Kit<typeof declaration> & Own

const BEAM_MS = 450
const MESSAGE_MS = 6000

export function createVinylDrawing(target: Target): Drawing<typeof declaration> {
  return drawOnCanvas(declaration, target, {
    background: '#05060f',
    wrap: { width: SIDE, height: SIDE },
    own: (): Own => ({ sprites: createVinylSprites(target), beams: [], said: [] }),
    react(kit, frame) {
      if (frame.jumped) {
        kit.beams = []
        kit.said = []
      }
      for (const event of frame.events) show(kit, event, frame)
    },
    paint,
    write,
  })
}

function paint(kit: VinylKit, frame: VinylFrame): void {
  const { context, at } = kit
  for (const [x, y] of images(frame, 0, 0, SIDE / 2)) stamp(context, kit.sprites.space, x, y)
  for (const row of at.rows.station) drawStation(kit, frame, row)
  for (const row of at.rows.asteroid) drawRock(kit, frame, row)
  for (const row of at.rows.ship) drawShip(kit, frame, row)
  drawBeams(kit, frame.elapsedMs)
  drawBeyond(context, frame)
}

/** An event becomes light, or words. */
function show(kit: VinylKit, event: VinylFrame['events'][number], { before, after, nowMs }: VinylFrame): void {
  const { effects } = kit
  switch (event.kind) {
    case 'laser': {
      const [x, y, , , toX, toY] = event.figures
      const [dx, dy] = [shorter(toX - x, SIDE), shorter(toY - y, SIDE)]
      const colour = teamColour(event.shooterTeam)
      kit.beams.push({ fromX: x, fromY: y, dx, dy, colour, ageMs: 0 })
      burst(effects, x + dx, y + dy, 16, 90, 4, 500, colour)
      return
    }
    case 'fragment': {
      burst(effects, event.x, event.y, 9, 70, 4, 700, '#c9b8a4')
      return
    }
    case 'contact': {
      const { a, b, docking } = event
      if (docking !== 0) return
      const part = a[4] / Math.max(1e-9, a[4] + b[4])
      const [dx, dy] = [shorter(b[0] - a[0], SIDE), shorter(b[1] - a[1], SIDE)]
      burst(effects, a[0] + dx * part, a[1] + dy * part, 10, 60, 3, 450, '#ffe2b0')
      return
    }
    case 'hurt': {
      const ship = thing(after, event.ship)
      if (ship === undefined) return
      flash(effects, ship.id, nowMs)
      note(effects, ship.x, ship.y - 20, `−${event.points.toFixed(1)}`, 16, '#ff8fa0', event)
      shake(effects, 3)
      return
    }
    case 'destroyed': {
      const ship = thing(before, event.ship)
      if (ship === undefined) return
      const { x, y, team } = ship
      burst(effects, x, y, 50, 160, 6, 1100, teamColour(team))
      burst(effects, x, y, 30, 90, 7, 900, '#ffb35c')
      ring(effects, x, y, 8, 90, 800, '#ffe0a0')
      shake(effects, 10)
      return
    }
    case 'delivered': {
      const station = thing(after, event.station)
      if (station === undefined) return
      const { x, y, team } = station
      ring(effects, x, y, 30, 70, 700, teamColour(team))
      note(effects, x, y - 40, `+${event.tons.toFixed(1)} t`, 22, '#b8ffb0')
      return
    }
    case 'message': {
      kit.said.push({ text: String.fromCharCode(...event.text.filter((code) => code !== 0)), ageMs: 0 })
      if (kit.said.length > 5) kit.said.shift()
    }
  }
}

/** The places on the screen where something of this size is seen: its own, and those beyond the seams. */
function* images(frame: VinylFrame, x: number, y: number, reach: number): Generator<readonly [number, number]> {
  const { minX, minY, maxX, maxY } = sight(frame, reach)
  for (let column = -1; column <= 1; column++) {
    for (let line = -1; line <= 1; line++) {
      const [atX, atY] = [x + column * SIDE, y + line * SIDE]
      if (atX > minX && atX < maxX && atY > minY && atY < maxY) yield [atX, atY]
    }
  }
}

function drawStation(kit: VinylKit, frame: VinylFrame, row: number): void {
  const { context, at, sprites } = kit
  const { things } = frame.after.tables
  const team = things.team[row]
  for (const [x, y] of images(frame, at.x[row], at.y[row], 70)) {
    stampTurned(
      context,
      pick(sprites.stations, team),
      x,
      y,
      angleAt(at, frame, 'orient', row),
      things.radius[row] / STATION.radius,
    )
    words(context, `${things.vinyl[row].toFixed(1)} t`, x, y, 13, '#ffffff')
  }
}

function drawRock(kit: VinylKit, frame: VinylFrame, row: number): void {
  const { context, at, sprites, effects } = kit
  const { things } = frame.after.tables
  const radius = things.radius[row]
  const kind = things.material[row] === MATERIAL.vinyl ? sprites.vinyl : sprites.uranium
  const isSpinning = things.spinRate[row] !== 0
  // Rocks without a spin of their own still tumble slowly, each its own way: only the eye knows.
  const turn = isSpinning ? angleAt(at, frame, 'orient', row) : (frame.nowMs / 1000) * ((things.id[row] % 7) - 3) * 0.12
  for (const [x, y] of images(frame, at.x[row], at.y[row], radius * 2)) {
    stampTurned(context, kind[things.id[row] % kind.length], x, y, turn, radius / ROCK_RADIUS)
  }
  if (things.material[row] === MATERIAL.uranium && things.id[row] % 4 === Math.floor(frame.nowMs / 90) % 4) {
    spark(effects, at.x[row], at.y[row], (things.id[row] % 5) * 4 - 8, -14, 3, 600, '#9cff57')
  }
}

function drawShip(kit: VinylKit, frame: VinylFrame, row: number): void {
  const { context, at, sprites, effects } = kit
  const { after, nowMs } = frame
  const { things } = after.tables
  if (things.dead[row] !== 0) return
  const team = things.team[row]
  const turn = angleAt(at, frame, 'orient', row)
  const isDocked = things.docked[row] === 1
  // The docked lie all on one spot; they are shown moored around their station.
  const berth = isDocked ? (things.number[row] / 4) * 2 * Math.PI + Math.PI / 4 : 0
  const away = isDocked ? STATION.radius + 16 : 0
  const [middleX, middleY] = [at.x[row] + Math.cos(berth) * away, at.y[row] + Math.sin(berth) * away]
  const scale = (things.radius[row] / SHIP.radius) * (isDocked ? 0.8 : 1)
  for (const [x, y] of images(frame, middleX, middleY, 30)) {
    const strength = Math.min(1, things.shield[row] / 15)
    if (strength > 0 && !isDocked) {
      context.globalAlpha = 0.15 + 0.45 * strength
      stamp(context, sprites.shield, x, y, scale)
      context.globalAlpha = 1
    }
    stampTurned(context, pick(sprites.ships, team), x, y, turn, scale)
    const bright = flashOf(effects, things.id[row], nowMs)
    if (bright > 0) {
      context.globalAlpha = bright
      stampTurned(context, sprites.white, x, y, turn, scale)
      context.globalAlpha = 1
    }
    if (isDocked || !kit.hasWords) continue
    bar(context, x, y + 19, 26, 2.4, things.fuel[row] / Math.max(1, things.fuelCapacity[row]), '#ffc44d')
    bar(context, x, y + 24, 26, 2.4, things.cargo[row] / Math.max(1, things.cargoCapacity[row]), '#b8ffb0')
    const isChosen = isChosenShip(frame, row)
    if (isChosen) {
      context.strokeStyle = 'rgba(255, 255, 255, 0.8)'
      context.lineWidth = 1.6
      context.beginPath()
      addDisc(context, x, y, 21 + Math.sin(nowMs / 220))
      context.stroke()
    }
    words(
      context,
      `${TEAM_SIGNS[(team - 1) % TEAM_SIGNS.length] ?? ''}${things.number[row] + 1}`,
      x,
      y - 21,
      isChosen ? 14 : 9,
      isChosen ? '#ffffff' : teamColour(team),
    )
  }
  if (!isDocked) drive(kit, frame, row, turn)
  drawTask(kit, frame, row, middleX, middleY)
}

/** What the crew of an own ship does: orders that stand must be seen. */
function drawTask({ context, hasWords }: VinylKit, frame: VinylFrame, row: number, x: number, y: number): void {
  const { things } = frame.after.tables
  const player = playerAt(frame.after, frame.seat)
  const isOwn = player !== undefined && things.team[row] === frame.seat + 1
  if (!isOwn || !hasWords || player.byHand === 0 || isChosenShip(frame, row)) return
  words(context, TASK_NAMES[things.task[row]], x, y + 36, 9, '#cfd8ff')
}

/** Exhaust while the speed changes: thrust is not in the state, what it did is. */
function drive({ effects, at }: VinylKit, { before, after, elapsedMs }: VinylFrame, row: number, turn: number): void {
  const from = at.from[row]
  if (from < 0 || elapsedMs === 0) return
  const { things } = after.tables
  const dx = things.vx[row] - before.tables.things.vx[from]
  const dy = things.vy[row] - before.tables.things.vy[from]
  const push = dx * Math.cos(turn) + dy * Math.sin(turn)
  if (Math.abs(push) < 0.3) return
  const back = push > 0 ? -1 : 1
  const [x, y] = [at.x[row] + Math.cos(turn) * 11 * back, at.y[row] + Math.sin(turn) * 11 * back]
  const speed = 40 + Math.abs(push) * 5
  spark(effects, x, y, Math.cos(turn) * speed * back, Math.sin(turn) * speed * back, 5, 420, '#8fd3ff')
}

function drawBeams(kit: VinylKit, elapsedMs: number): void {
  const { context } = kit
  context.globalCompositeOperation = 'lighter'
  context.lineCap = 'round'
  for (const beam of kit.beams) {
    beam.ageMs += elapsedMs
    const left = Math.max(0, 1 - beam.ageMs / BEAM_MS)
    for (const [width, colour] of [
      [10, fade(beam.colour, 0.35)],
      [4, beam.colour],
      [1.5, '#ffffff'],
    ] as const) {
      context.globalAlpha = left
      context.strokeStyle = colour
      context.lineWidth = width * (0.3 + 0.7 * left)
      context.beginPath()
      // Over a seam a beam is seen twice, once from each side.
      for (let column = -1; column <= 1; column++) {
        for (let line = -1; line <= 1; line++) {
          const [x, y] = [beam.fromX + column * SIDE, beam.fromY + line * SIDE]
          if (!isNearby(x, y) && !isNearby(x + beam.dx, y + beam.dy)) continue
          context.moveTo(x, y)
          context.lineTo(x + beam.dx, y + beam.dy)
        }
      }
      context.stroke()
    }
  }
  context.globalAlpha = 1
  context.globalCompositeOperation = 'source-over'
  kit.beams = kit.beams.filter((beam) => beam.ageMs < BEAM_MS)
}

function isNearby(x: number, y: number): boolean {
  return Math.abs(x) <= SIDE / 2 && Math.abs(y) <= SIDE / 2
}

/** Darkens what is only the world again, and marks the seam. */
function drawBeyond(context: CanvasRenderingContext2D, frame: VinylFrame): void {
  const { minX, minY, maxX, maxY } = sight(frame, 20)
  const half = SIDE / 2
  context.fillStyle = 'rgba(4, 5, 12, 0.66)'
  if (minX < -half) context.fillRect(minX, minY, -half - minX, maxY - minY)
  if (maxX > half) context.fillRect(half, minY, maxX - half, maxY - minY)
  if (minY < -half) context.fillRect(-half, minY, SIDE, -half - minY)
  if (maxY > half) context.fillRect(-half, half, SIDE, maxY - half)
  context.strokeStyle = 'rgba(140, 160, 255, 0.45)'
  context.lineWidth = 2
  context.setLineDash([10, 14])
  context.strokeRect(-half, -half, SIDE, SIDE)
  context.setLineDash([])
}

/** The turn, the score, what the announcer says. */
function write(kit: VinylKit, frame: VinylFrame): void {
  const { context } = kit
  const { after, width, height } = frame
  const { turn } = after.globals
  const { maxTurns, teams } = after.options
  const head = headX(frame)
  writeWords(kit, `turn ${turn} of ${maxTurns}`, { x: head, y: 20, size: 15, colour: '#cfd8ff' })
  // Below the turn where that stands on the right, too.
  const top = head > width / 2 ? 46 : 22
  for (let team = 0; team < teams; team++) {
    const tons = stationOf(after, team)?.vinyl
    if (tons === undefined) continue
    const text = `${TEAM_SIGNS[team % TEAM_SIGNS.length]} ${tons.toFixed(1)} t`
    writeWords(kit, text, { x: width - 14, y: top + team * 24, size: 18, colour: teamColour(team + 1), align: 'right' })
  }
  for (const message of kit.said) message.ageMs += frame.elapsedMs
  kit.said = kit.said.filter((message) => message.ageMs < MESSAGE_MS)
  // Where thumbs are, there is no room for it.
  if (isHandheld(frame)) return
  kit.said.forEach((message, place) => {
    context.globalAlpha = Math.min(1, 3 - (3 * message.ageMs) / MESSAGE_MS)
    const y = height - 16 - (kit.said.length - 1 - place) * 17
    writeWords(kit, message.text, { x: 14, y, size: 12, colour: '#aeb9e6', align: 'left' })
  })
  context.globalAlpha = 1
}

function isChosenShip({ after, seat }: VinylFrame, row: number): boolean {
  const { things } = after.tables
  return things.team[row] === seat + 1 && things.number[row] === Number(playerAt(after, seat)?.ship) - 1
}

/** Tell teams apart without their colours. */
const TEAM_SIGNS = ['●', '▲', '■', '◆']

/** Teams count from 1 in the world. */
function teamColour(team: number): string {
  return SEAT_COLOURS[Math.max(0, team - 1) % SEAT_COLOURS.length]
}

function pick(sprites: readonly Sprite[], team: number): Sprite {
  return sprites[Math.max(0, team - 1) % sprites.length]
}
