/** Drawing Nightfall: a dark field, lanterns, and everything that walks into their light. */

import { type EventRecord, findRow, seatRow } from 'hurtbox'
import {
  beginEffects,
  burst,
  createEffects,
  drawEffects,
  drawNotes,
  type Effects,
  flash,
  flashOf,
  note,
  ring,
  shake,
  spark,
} from '../../view/effects.ts'
import {
  addDisc,
  bar,
  fillScreen,
  headline,
  healthColour,
  sight,
  stamp,
  stampTurned,
  useScreen,
  words,
} from '../../view/paint.ts'
import { createTween, type Tween, tweenPlaces } from '../../view/tween.ts'
import type { Drawing, Frame, Target } from '../../view.ts'
import { ENEMIES } from '../rules/content/enemies.ts'
import { WEAPONS } from '../rules/content/weapons.ts'
import { type declaration, HEIGHT, KIND, LAYER, type NightWorld, TICK_RATE, WIDTH } from '../rules/declaration.ts'
import { result } from '../rules/match.ts'
import { drawDraft } from './draft.ts'
import { createNightSprites, type NightSprites, shotHalf, WEAPON_COLOURS } from './sprites.ts'

export type NightFrame = Frame<typeof declaration>
/** A line of light that fades: lightning, or the lash of a whip. */
type Bolt = { readonly path: readonly number[]; ageMs: number; readonly colour: string; readonly width: number }

type Kit = {
  readonly context: CanvasRenderingContext2D
  readonly effects: Effects
  readonly tween: Tween
  readonly sprites: NightSprites
  readonly isSmall: boolean
  bolts: Bolt[]
}

const BOLT_MS = 220

export function createNightDrawing(target: Target): Drawing<typeof declaration> {
  const { context } = target
  if (context === undefined) return { draw() {} }
  const kit: Kit = {
    context,
    effects: createEffects(target.isSmall ? 300 : 1500),
    tween: createTween(16_384),
    sprites: createNightSprites(target),
    isSmall: target.isSmall,
    bolts: [],
  }
  return { draw: (frame) => drawFrame(kit, frame) }
}

function drawFrame(kit: Kit, frame: NightFrame): void {
  const { context, effects, tween, sprites } = kit
  const { before, after } = frame
  const { things } = after.tables
  tweenPlaces(tween, before.tables.things, things, frame.alpha)
  context.save()
  if (frame.jumped) kit.bolts = []
  fillScreen(context, frame, '#0b1120')
  beginEffects(effects, context, frame)
  react(kit, frame)
  stamp(context, sprites.ground, WIDTH / 2, HEIGHT / 2)
  drawHazards(kit, frame)
  drawLanterns(kit, after)
  drawPickups(kit, after, frame.nowMs)
  drawEnemies(kit, frame)
  drawFlying(kit, frame)
  drawSurvivors(kit, frame)
  drawBolts(kit, frame.elapsedMs)
  drawEffects(effects, context)
  drawNotes(effects, context)
  if (!kit.isSmall) drawWords(context, frame)
  context.restore()
}

function react(kit: Kit, frame: NightFrame): void {
  const { effects } = kit
  const { things } = frame.after.tables
  // A storm has thousands of hits in a tick; nobody can read so many numbers.
  let numbers = 0
  for (const event of frame.events) {
    if (event.kind === 'damage') reactToDamage(kit, frame, event, numbers++ < 24)
    else if (event.kind === 'fired') reactToFire(kit, frame, event)
    else if (event.kind === 'clash') burst(effects, event.x as number, event.y as number, 6, 120, 2, 250, '#ffd7e0')
    else if (event.kind === 'taken') {
      const row = findRow(things, event.survivor as number)
      if (row >= 0) ring(effects, things.x[row], things.y[row], 8, 26, 260, '#4df0c0')
    } else if (event.kind === 'levelled') {
      const player = seatRow(frame.after, event.seat as number)
      const row = player < 0 ? -1 : findRow(things, frame.after.tables.players.thing[player])
      if (row < 0) continue
      ring(effects, things.x[row], things.y[row], 10, 90, 700, '#ffe08a')
      note(effects, things.x[row], things.y[row] - 30, `LEVEL ${event.level}`, 14, '#ffe08a')
    }
  }
}

function reactToDamage(kit: Kit, frame: NightFrame, event: EventRecord, withNumber: boolean): void {
  const { effects } = kit
  const [now, then] = [frame.after.tables.things, frame.before.tables.things]
  const id = event.victim as number
  // Who was killed has left the later state; it is still in the earlier one.
  const row = findRow(now, id)
  const things = row >= 0 ? now : then
  const at = row >= 0 ? row : findRow(then, id)
  if (at < 0) return
  const [x, y] = [things.x[at], things.y[at]]
  flash(effects, id, frame.nowMs)
  const isSurvivor = things.kind[at] === KIND.survivor
  const taken = Math.round(event.taken as number)
  if (isSurvivor) {
    burst(effects, x, y, 18, 190, 3.5, 500, '#ff5a6e')
    ring(effects, x, y, 8, 50, 350, '#ff5a6e')
    note(effects, x, y - 18, `−${taken}`, 17, '#ff6b81')
    shake(effects, 7)
    return
  }
  if (withNumber && taken > 0) note(effects, x, y - things.radius[at], String(taken), taken >= 25 ? 12 : 9, '#ffffff')
  burst(effects, x, y, 3, 110, 2, 260, '#ffe9a8')
  if ((event.hpAfter as number) > 0) return
  burst(effects, x, y, things.radius[at] > 15 ? 40 : 9, 130, things.radius[at] * 0.4, 520, '#9ad36a')
  if (things.radius[at] <= 15) return
  ring(effects, x, y, 10, 130, 800, '#ffe08a')
  shake(effects, 10)
}

/** Pulses, lashes and chains are over within their tick: what is seen of them is made here. */
function reactToFire(kit: Kit, frame: NightFrame, event: EventRecord): void {
  const { effects } = kit
  const { before, after } = frame
  const { things, players } = after.tables
  const row = findRow(things, event.survivor as number)
  const weapon = event.weapon as number
  if (row < 0 || WEAPONS[weapon] === undefined) return
  const { pattern, radius } = WEAPONS[weapon]
  const colour = WEAPON_COLOURS[weapon]
  const [x, y] = [things.x[row], things.y[row]]
  if (pattern === 'pulse') ring(effects, x, y, radius * 0.55, radius, 300, colour)
  if (pattern === 'sweep') {
    const player = players.thing.indexOf(things.id[row])
    const aimed = players.aimX[player] !== 0 || players.aimY[player] !== 0
    const [aimX, aimY] = aimed
      ? [players.aimX[player], players.aimY[player]]
      : [players.facingX[player], players.facingY[player]]
    const middle = Math.atan2(aimY, aimX)
    const path: number[] = []
    for (let i = 0; i <= 14; i++) {
      const angle = middle + (i / 14 - 0.5) * ((2 * Math.PI) / 3)
      path.push(x + Math.cos(angle) * radius * 0.92, y + Math.sin(angle) * radius * 0.92)
    }
    kit.bolts.push({ path, ageMs: 0, colour, width: 9 })
  }
  if (pattern !== 'chain') return
  // Its links are blows of this tick: what hurt somebody and was not there before.
  const path = [x, y]
  for (const hit of frame.events) {
    if (hit.kind !== 'damage' || hit.tick !== event.tick || hit.attacker !== event.survivor) continue
    if (findRow(before.tables.things, hit.source as number) >= 0) continue
    const was = findRow(before.tables.things, hit.victim as number)
    if (was < 0) continue
    const [toX, toY] = [before.tables.things.x[was], before.tables.things.y[was]]
    const [fromX, fromY] = [path[path.length - 2], path[path.length - 1]]
    for (let i = 1; i < 5; i++) {
      const aside = (i % 2 === 0 ? 1 : -1) * 7
      const [wayX, wayY] = [toX - fromX, toY - fromY]
      const length = Math.max(1, Math.hypot(wayX, wayY))
      path.push(fromX + (wayX * i) / 5 - (wayY / length) * aside, fromY + (wayY * i) / 5 + (wayX / length) * aside)
    }
    path.push(toX, toY)
  }
  if (path.length > 2) kit.bolts.push({ path, ageMs: 0, colour: '#bfe6ff', width: 4 })
}

function drawBolts(kit: Kit, elapsedMs: number): void {
  const { context } = kit
  context.globalCompositeOperation = 'lighter'
  context.lineJoin = 'round'
  context.lineCap = 'round'
  for (const bolt of kit.bolts) {
    bolt.ageMs += elapsedMs
    const left = Math.max(0, 1 - bolt.ageMs / BOLT_MS)
    context.globalAlpha = left
    context.beginPath()
    for (let i = 0; i < bolt.path.length; i += 2) context.lineTo(bolt.path[i], bolt.path[i + 1])
    context.strokeStyle = bolt.colour
    context.lineWidth = bolt.width * left
    context.stroke()
    context.strokeStyle = '#ffffff'
    context.lineWidth = bolt.width * left * 0.35
    context.stroke()
  }
  context.globalAlpha = 1
  context.globalCompositeOperation = 'source-over'
  kit.bolts = kit.bolts.filter((bolt) => bolt.ageMs < BOLT_MS)
}

function drawHazards(kit: Kit, { after, nowMs }: NightFrame): void {
  const { context, tween, effects } = kit
  const { count, kind, slot, readyAt } = after.tables.things
  for (let row = 0; row < count; row++) {
    if (kind[row] !== KIND.hazard) continue
    const [halfX, halfY] = slot[row] === 0 ? [60, 30] : [30, 60]
    const [x, y] = [tween.x[row], tween.y[row]]
    const burns = after.clock >= readyAt[row]
    const beat = 0.5 + 0.5 * Math.sin(nowMs / 90 + row)
    context.fillStyle = burns ? `rgba(255, 96, 24, ${0.4 + 0.15 * beat})` : `rgba(255, 190, 60, ${0.1 + 0.12 * beat})`
    context.fillRect(x - halfX, y - halfY, halfX * 2, halfY * 2)
    context.strokeStyle = burns ? '#ff7a2f' : '#ffce5c'
    context.lineWidth = 2
    context.setLineDash(burns ? [] : [8, 6])
    context.strokeRect(x - halfX, y - halfY, halfX * 2, halfY * 2)
    context.setLineDash([])
    if (!burns || kit.isSmall) continue
    const along = ((nowMs * 0.37 + row * 91) % 100) / 50 - 1
    const across = ((nowMs * 0.83 + row * 37) % 100) / 50 - 1
    spark(effects, x + along * halfX, y + across * halfY, 0, -45, 5, 500, beat > 0.5 ? '#ffb347' : '#ff6a2a')
  }
}

function drawLanterns({ context, tween, sprites }: Kit, world: NightWorld): void {
  const { count, kind, hp } = world.tables.things
  context.globalCompositeOperation = 'lighter'
  for (let row = 0; row < count; row++) {
    if (kind[row] === KIND.survivor && hp[row] > 0) stamp(context, sprites.lantern, tween.x[row], tween.y[row])
  }
  context.globalCompositeOperation = 'source-over'
}

function drawPickups({ context, tween, sprites }: Kit, world: NightWorld, nowMs: number): void {
  const { count, kind, layer, worth } = world.tables.things
  for (let row = 0; row < count; row++) {
    if (layer[row] !== LAYER.pickup) continue
    const bob = Math.sin(nowMs / 260 + row) * 1.5
    if (kind[row] === KIND.gem) {
      stamp(context, sprites.gem, tween.x[row], tween.y[row] + bob, worth[row] > 14 ? 1.7 : 1)
      continue
    }
    const sign = kind[row] === KIND.heal ? sprites.heal : kind[row] === KIND.clear ? sprites.clear : sprites.flame
    stamp(context, sign, tween.x[row], tween.y[row] + bob * 2)
  }
}

function drawEnemies({ context, tween, sprites, effects }: Kit, frame: NightFrame): void {
  const { after: world, nowMs } = frame
  const { minX, minY, maxX, maxY } = sight(frame, 50)
  const { count, kind, layer, id, isElite, radius, hp, maxHp, shield } = world.tables.things
  for (let row = 0; row < count; row++) {
    if (layer[row] !== LAYER.enemy) continue
    const place = kind[row] - 1
    const [x, y] = [tween.x[row], tween.y[row]]
    if (x < minX || x > maxX || y < minY || y > maxY) continue
    // A waddle: each on its own beat.
    const walk = Math.sin(nowMs / 110 + id[row]) * 0.6
    stamp(context, (isElite[row] === 1 ? sprites.elites : sprites.enemies)[place], x, y + walk)
    if (shield[row] > 0) {
      context.strokeStyle = 'rgba(150, 220, 255, 0.8)'
      context.lineWidth = 1.5
      context.beginPath()
      addDisc(context, x, y, radius[row] + 3)
      context.stroke()
    }
    const bright = flashOf(effects, id[row], nowMs)
    if (bright > 0) {
      context.globalAlpha = bright * 0.85
      stamp(context, sprites.white[place], x, y + walk)
      context.globalAlpha = 1
    }
    if (hp[row] >= maxHp[row] || (radius[row] < 9 && isElite[row] === 0)) continue
    bar(
      context,
      x,
      y - radius[row] - (ENEMIES[place].more ? 38 : 7),
      radius[row] * 2,
      2,
      hp[row] / maxHp[row],
      '#ff7a7a',
    )
  }
}

/** More things in the air than this are drawn as plain squares of light: a picture costs as much as twenty of them. */
const MOST_PICTURES = 500

function drawFlying({ context, tween, sprites }: Kit, frame: NightFrame): void {
  const isStorm = frame.after.tables.things.count > MOST_PICTURES * 3
  const { after: world, nowMs } = frame
  const { minX, minY, maxX, maxY } = sight(frame, 20)
  const { count, layer, weapon, radius } = world.tables.things
  for (let row = 0; row < count; row++) {
    const [x, y] = [tween.x[row], tween.y[row]]
    if (x < minX || x > maxX || y < minY || y > maxY) continue
    if (layer[row] === LAYER.bullet) stamp(context, sprites.bullet, x, y)
    if (layer[row] === LAYER.projectile && isStorm) {
      const side = radius[row] * 1.7
      context.fillStyle = WEAPON_COLOURS[weapon[row]]
      context.fillRect(x - side / 2, y - side / 2, side, side)
    } else if (layer[row] === LAYER.projectile) {
      const shot = sprites.shots[weapon[row]]
      stamp(context, shot, tween.x[row], tween.y[row], (radius[row] * 2.6) / shot.half)
    }
    if (layer[row] !== LAYER.strike) continue
    const { pattern, radius: size } = WEAPONS[weapon[row]]
    if (pattern !== 'returning' && pattern !== 'orbit') continue
    const turn = pattern === 'returning' ? nowMs / 60 : nowMs / 400
    stampTurned(
      context,
      sprites.shots[weapon[row]],
      tween.x[row],
      tween.y[row],
      turn,
      shotHalf(radius[row]) / shotHalf(size),
    )
  }
}

function drawSurvivors(kit: Kit, frame: NightFrame): void {
  const { context, tween, sprites, effects } = kit
  const { after, nowMs } = frame
  const { things, players } = after.tables
  for (let player = 0; player < players.count; player++) {
    const row = findRow(things, players.thing[player])
    if (row < 0) continue
    const [x, y, radius] = [tween.x[row], tween.y[row], things.radius[row]]
    const seat = players.seat[player] % sprites.survivors.length
    const size = radius / 12
    if (things.hp[row] <= 0) {
      context.globalAlpha = 0.5
      stampTurned(context, sprites.survivors[seat], x, y, Math.PI / 2, size)
      context.globalAlpha = 1
      continue
    }
    drawGaze(context, x, y, radius, players.facingX[player], players.facingY[player])
    stamp(context, sprites.survivors[seat], x, y, size)
    const bright = flashOf(effects, things.id[row], nowMs)
    if (after.clock < things.hittableFrom[row]) drawInvulnerable(kit, frame, row, seat)
    else if (bright > 0) burst(effects, x, y, 1, 60, 2, 200, '#ffffff')
    const part = things.hp[row] / things.maxHp[row]
    bar(context, x, y - radius - 16, 34, 4, part, healthColour(part))
    words(context, `${Math.ceil(things.hp[row])}/${things.maxHp[row]}`, x, y - radius - 23, 8, '#ffffff')
  }
}

/** Seed 001: brighter while nothing can hurt, and a white ring of radius r + 4 + 2 · sin(10 · t), t in seconds. */
function drawInvulnerable(
  { context, tween, sprites }: Kit,
  { after, alpha }: NightFrame,
  row: number,
  seat: number,
): void {
  const { things } = after.tables
  const seconds = (after.clock - 1 + alpha) / TICK_RATE
  context.globalCompositeOperation = 'lighter'
  context.globalAlpha = 0.6
  stamp(context, sprites.survivors[seat], tween.x[row], tween.y[row], things.radius[row] / 12)
  context.globalAlpha = 1
  context.globalCompositeOperation = 'source-over'
  context.strokeStyle = '#ffffff'
  context.lineWidth = 2
  context.beginPath()
  addDisc(context, tween.x[row], tween.y[row], things.radius[row] + 4 + 2 * Math.sin(10 * seconds))
  context.stroke()
}

function drawGaze(
  context: CanvasRenderingContext2D,
  x: number,
  y: number,
  radius: number,
  dx: number,
  dy: number,
): void {
  context.fillStyle = 'rgba(255, 224, 150, 0.75)'
  context.beginPath()
  context.moveTo(x + dx * (radius + 9), y + dy * (radius + 9))
  context.lineTo(x + dx * (radius + 2) - dy * 4, y + dy * (radius + 2) + dx * 4)
  context.lineTo(x + dx * (radius + 2) + dy * 4, y + dy * (radius + 2) - dx * 4)
  context.fill()
}

function drawWords(context: CanvasRenderingContext2D, frame: NightFrame): void {
  const { after } = frame
  useScreen(context, frame)
  const seconds = Math.floor(after.clock / TICK_RATE)
  words(
    context,
    `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`,
    frame.width / 2,
    22,
    20,
    '#e8ecff',
  )
  words(context, `${after.globals.kills} kills`, frame.width / 2, 43, 12, '#9fb0d8')
  if (after.globals.ending === 1) headline(context, frame, 'Dawn', result(after).summary ?? '', '#ffe08a')
  else if (after.globals.ending === 2)
    headline(context, frame, 'The night has won', result(after).summary ?? '', '#ff6b81')
  else drawDraft(context, frame)
}
