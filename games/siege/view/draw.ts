/**
 * Drawing Siege: one map, two armies.
 *
 * What lies outside the screen or in the fog costs a comparison. Near units are pictures; far away, where thousands fit on the
 * screen, they are rectangles, colour by colour: a rectangle costs a twentieth of a picture, and at that size looks the same.
 */

import type { Drawing, Target } from '@hurtbox/view'
import { findRow } from 'hurtbox'
import { drawOnCanvas, headX, type Kit, nameOf, writeWords } from '../../view/canvas.ts'
import { flashOf } from '../../view/effects.ts'
import { words } from '../../view/lettering.ts'
import { addDisc, bar, fade, healthColour, inSight, type Sprite, stamp, stampTurned } from '../../view/paint.ts'
import { timeText } from '../../view/words.ts'
import { CHAMPIONS } from '../rules/content/champions.ts'
import { SIDE } from '../rules/content/map.ts'
import { KIND } from '../rules/content/units.ts'
import { declaration } from '../rules/declaration.ts'
import { react } from './react.ts'
import { createFog, drawFog, drawMinimap, type Fog, isSeen, type SiegeFrame, sideOf, towersLeft } from './sight.ts'
import { createSiegeSprites, SIDE_COLOURS, type SiegeSprites } from './sprites.ts'

type Own = {
  readonly sprites: SiegeSprites
  readonly fog: Fog
}
export type SiegeKit = Kit<typeof declaration> & Own

export function createSiegeDrawing(target: Target): Drawing<typeof declaration> {
  return drawOnCanvas(declaration, target, {
    background: '#0a1a28',
    own: (): Own => ({ sprites: createSiegeSprites(target), fog: createFog(target) }),
    isShown(at, frame) {
      const [side, isInSight] = [sideOf(frame), inSight(at, frame, 160)]
      return (row) => isInSight(row) && isSeen(frame.after, side, row)
    },
    react,
    paint,
    write,
  })
}

function paint(kit: SiegeKit, frame: SiegeFrame): void {
  const side = sideOf(frame)
  stamp(kit.context, kit.sprites.map, 0, 0)
  drawFog(kit.context, kit.fog, frame.after, side)
  drawBursts(kit, frame)
  drawStructures(kit, frame)
  drawUnits(kit, frame)
  drawHealth(kit, frame)
  drawChampions(kit, frame, side)
  drawShots(kit, frame)
}

/** Areas: where something will strike, or strikes now. */
function drawBursts({ context, at }: SiegeKit, { after, nowMs }: SiegeFrame): void {
  const { kind, radius, team } = after.tables.things
  for (const row of at.rows.blow) {
    if (kind[row] !== KIND.burst) continue
    const beat = 0.5 + 0.5 * Math.sin(nowMs / 60)
    context.beginPath()
    addDisc(context, at.x[row], at.y[row], radius[row])
    context.fillStyle = fade(SIDE_COLOURS[team[row]], 0.18 + 0.14 * beat)
    context.fill()
    context.strokeStyle = fade(SIDE_COLOURS[team[row]], 0.9)
    context.lineWidth = 5
    context.stroke()
  }
}

function drawStructures(kit: SiegeKit, { after, nowMs }: SiegeFrame): void {
  const { context, at, sprites, effects } = kit
  const { kind, team, id, hp, maxHp, target } = after.tables.things
  for (const row of at.rows.structure) {
    const isTower = kind[row] === KIND.tower
    const [x, y] = [at.x[row], at.y[row]]
    stamp(context, (isTower ? sprites.tower : sprites.nexus)[team[row]], x, y)
    const bright = flashOf(effects, id[row], nowMs)
    if (bright > 0) {
      context.globalAlpha = bright * 0.5
      stamp(context, sprites.white, x, y, isTower ? 2.2 : 3.4)
      context.globalAlpha = 1
    }
    const part = hp[row] / maxHp[row]
    bar(context, x, y - (isTower ? 78 : 108), isTower ? 110 : 170, 10, part, SIDE_COLOURS[team[row]])
    drawAim(kit, after.tables.things, row, findRow(after.tables.things, target[row]))
  }
}

/** A thin line from a tower to its target. */
function drawAim(
  { context, at }: SiegeKit,
  things: { readonly team: Uint8Array },
  tower: number,
  target: number,
): void {
  if (target < 0) return
  context.strokeStyle = fade(SIDE_COLOURS[things.team[tower]], 0.35)
  context.lineWidth = 4
  context.beginPath()
  context.moveTo(at.x[tower], at.y[tower])
  context.lineTo(at.x[target], at.y[target])
  context.stroke()
}

/** More than this on the screen, and each smaller than this many pixels: then they are drawn as rectangles. */
const MOST_PICTURES = 300
const SMALLEST_PICTURE = 7

function isCrowd({ at: { rows } }: SiegeKit, { camera }: SiegeFrame): boolean {
  return rows.unit.length > MOST_PICTURES && 20 * camera.scale < SMALLEST_PICTURE
}

function drawUnits(kit: SiegeKit, frame: SiegeFrame): void {
  if (isCrowd(kit, frame)) drawFarUnits(kit, frame)
  else drawNearUnits(kit, frame)
}

function drawFarUnits({ context, at }: SiegeKit, { after }: SiegeFrame): void {
  const { kind, team } = after.tables.things
  context.fillStyle = '#0c111c'
  for (const row of at.rows.unit) {
    if (kind[row] !== KIND.champion) context.fillRect(at.x[row] - 20, at.y[row] - 18, 40, 40)
  }
  for (const side of [SIDE.blue, SIDE.red, SIDE.neutral]) {
    context.fillStyle = SIDE_COLOURS[side]
    for (const row of at.rows.unit) {
      if (team[row] !== side || kind[row] === KIND.champion) continue
      // Casters are slimmer, so that the two look different.
      const half = kind[row] === KIND.caster ? 9 : 15
      context.fillRect(at.x[row] - half, at.y[row] - 15, half * 2, 30)
    }
  }
}

function drawNearUnits(kit: SiegeKit, { after, nowMs }: SiegeFrame): void {
  const { context, at, sprites, effects } = kit
  const { kind, team, id } = after.tables.things
  const hasFlashes = effects.flashUntil.size > 0
  for (const row of at.rows.unit) {
    const picture = pictureOf(sprites, kind[row], team[row])
    if (picture === undefined) continue
    stamp(context, picture, at.x[row], at.y[row])
    const bright = hasFlashes ? flashOf(effects, id[row], nowMs) : 0
    if (bright === 0) continue
    context.globalAlpha = bright * 0.6
    stamp(context, sprites.white, at.x[row], at.y[row])
    context.globalAlpha = 1
  }
}

function pictureOf(sprites: SiegeSprites, kind: number, team: number): Sprite | undefined {
  if (kind === KIND.melee) return sprites.melee[team]
  if (kind === KIND.caster) return sprites.caster[team]
  if (kind === KIND.super) return sprites.super[team]
  return kind === KIND.monster ? sprites.monster : undefined
}

/** Bars of hurt minions near by: all the dark parts first, then side by side, so that the colour changes four times. */
function drawHealth(kit: SiegeKit, frame: SiegeFrame): void {
  if (isCrowd(kit, frame)) return
  const { context, at } = kit
  const { kind, team, hp, maxHp, radius } = frame.after.tables.things
  const hurt = at.rows.unit.filter((row) => kind[row] !== KIND.champion && hp[row] < maxHp[row])
  context.fillStyle = 'rgba(0, 0, 0, 0.65)'
  for (const row of hurt) {
    context.fillRect(at.x[row] - 22, at.y[row] - radius[row] - 15, 44, 8)
  }
  for (const side of [SIDE.blue, SIDE.red, SIDE.neutral]) {
    context.fillStyle = SIDE_COLOURS[side]
    for (const row of hurt) {
      if (team[row] === side)
        context.fillRect(at.x[row] - 20, at.y[row] - radius[row] - 13, (40 * hp[row]) / maxHp[row], 4)
    }
  }
}

function drawChampions(kit: SiegeKit, frame: SiegeFrame, side: number): void {
  const { context, at, sprites, effects } = kit
  const { after, nowMs } = frame
  const { things, players } = after.tables
  for (let player = 0; player < players.count; player++) {
    const row = findRow(things, players.thing[player])
    if (row < 0 || things.hp[row] <= 0 || !isSeen(after, side, row)) continue
    const [x, y, team] = [at.x[row], at.y[row], things.team[row]]
    const isOwn = players.seat[player] === frame.seat
    if (isOwn) {
      context.strokeStyle = '#ffffff'
      context.lineWidth = 3
      context.beginPath()
      context.ellipse(x, y + 6, 38, 30, 0, 0, 2 * Math.PI)
      context.stroke()
    }
    if (things.busyWith[row] !== 0) drawDash(kit, frame, row)
    const turn = Math.atan2(things.headY[row], things.headX[row])
    stampTurned(context, sprites.champions[team][things.champion[row]], x, y, turn)
    const bright = flashOf(effects, things.id[row], nowMs)
    if (bright > 0) {
      context.globalAlpha = bright * 0.7
      stamp(context, sprites.white, x, y, 1.2)
      context.globalAlpha = 1
    }
    drawStates(kit, frame, row, x, y)
    const part = things.hp[row] / things.maxHp[row]
    bar(context, x, y - 52, 76, 9, part, isOwn ? healthColour(part) : SIDE_COLOURS[team])
    if (things.shield[row] > 0) bar(context, x, y - 62, 76, 5, things.shield[row] / 150, '#cfe8ff')
    if (!kit.hasWords) continue
    const champion = CHAMPIONS[things.champion[row]].name
    const name = nameOf(frame, players.seat[player])
    words(context, `${champion} ${things.level[row]} (${name})`, x, y - 76, 19, SIDE_COLOURS[team])
  }
}

/** How much of its last moments a dash draws behind it, in seconds. */
const TRAIL = 0.12

/** A dash is no thing of its own: the champion is what hits. So that one sees it coming, its reach and where it came from. */
function drawDash({ context, at }: SiegeKit, { after }: SiegeFrame, row: number): void {
  const { champion, team, vx, vy } = after.tables.things
  const dash = CHAMPIONS[champion[row]].abilities.find(({ effect }) => effect === 'dash')
  if (dash?.effect !== 'dash') return
  const [x, y] = [at.x[row], at.y[row]]
  context.fillStyle = fade(SIDE_COLOURS[team[row]], 0.25)
  context.beginPath()
  addDisc(context, x, y, dash.radius)
  context.fill()
  context.strokeStyle = fade(SIDE_COLOURS[team[row]], 0.6)
  context.lineWidth = dash.radius / 2
  context.beginPath()
  context.moveTo(x - vx[row] * TRAIL, y - vy[row] * TRAIL)
  context.lineTo(x, y)
  context.stroke()
}

/** Stunned, shielded, on the way home. */
function drawStates({ context }: SiegeKit, { after, nowMs }: SiegeFrame, row: number, x: number, y: number): void {
  const { things } = after.tables
  const { clock } = after
  if (things.stunnedUntil[row] > clock) {
    context.fillStyle = '#ffe96b'
    context.beginPath()
    for (let star = 0; star < 3; star++) {
      const angle = nowMs / 200 + (star / 3) * 2 * Math.PI
      addDisc(context, x + Math.cos(angle) * 26, y - 30 + Math.sin(angle) * 9, 5)
    }
    context.fill()
  }
  if (things.shield[row] > 0) {
    context.strokeStyle = 'rgba(190, 230, 255, 0.85)'
    context.lineWidth = 5
    context.beginPath()
    addDisc(context, x, y, 33)
    context.stroke()
  }
  if (things.recallAt[row] === 0) return
  const part = 1 - (things.recallAt[row] - clock) / Math.max(1, after.tuning.recall)
  context.strokeStyle = '#8fe3ff'
  context.lineWidth = 6
  context.beginPath()
  context.arc(x, y, 42, -Math.PI / 2, -Math.PI / 2 + 2 * Math.PI * part)
  context.stroke()
}

function drawShots({ context, at, sprites }: SiegeKit, { after }: SiegeFrame): void {
  const { kind, team, radius } = after.tables.things
  context.globalCompositeOperation = 'lighter'
  for (const row of [...at.rows.shot, ...at.rows.blow]) {
    if (kind[row] !== KIND.burst) stamp(context, sprites.shot[team[row]], at.x[row], at.y[row], radius[row] / 10)
  }
  context.globalCompositeOperation = 'source-over'
}

/** Narrower than this, the towers that are left stand in no line with the rest, px. */
const ROOM_FOR_TOWERS = 760

/** A small map, the time, and how the sides stand. */
function write(kit: SiegeKit, frame: SiegeFrame): void {
  const { after, width } = frame
  const { championsKilled } = after.arrays
  kit.hud.push(drawMinimap(kit.context, frame, kit.at, sideOf(frame)))
  const time = timeText(Math.floor(after.clock / after.game.declaration.tickRate))
  const middle = headX(frame)
  const isNarrow = middle > width / 2
  writeWords(kit, time, { x: middle, y: 20, size: isNarrow ? 14 : 17, colour: '#e8ecff' })
  for (const [team, way, align] of [
    [SIDE.blue, -1, 'right'],
    [SIDE.red, 1, 'left'],
  ] as const) {
    const colour = SIDE_COLOURS[team]
    const x = middle + way * (isNarrow ? 28 : 44)
    writeWords(kit, String(championsKilled[team]), { x, y: 20, size: isNarrow ? 17 : 24, colour, align })
    if (width < ROOM_FOR_TOWERS) continue
    const towers = `${towersLeft(after, team)} towers`
    writeWords(kit, towers, { x: middle + way * 88, y: 20, size: 13, colour, align })
  }
}
