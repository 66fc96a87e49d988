/** Draws Nightfall: a dark field, lanterns, and everything that walks into their light. */

import type { Drawing, Frame, Target } from '@hurtbox/view'
import { players } from 'hurtbox'
import { rowOf } from 'hurtbox/tools'
import { drawOnCanvas, headX, type Kit, writeWords } from '../../view/canvas.ts'
import { burst, flashOf, spark } from '../../view/effects.ts'
import { words } from '../../view/lettering.ts'
import { addDisc, bar, healthColour, inSight, stamp, stampTurned } from '../../view/paint.ts'
import { timeText } from '../../view/words.ts'
import { ENEMIES } from '../rules/content/enemies.ts'
import { WEAPONS } from '../rules/content/weapons.ts'
import { declaration, HEIGHT, KIND, type NightWorld, TICK_RATE, WIDTH } from '../rules/declaration.ts'
import { type Bolt, drawBolts, react } from './react.ts'
import { createNightSprites, type NightSprites, shotHalf, WEAPON_COLOURS } from './sprites.ts'

export type NightFrame = Frame<typeof declaration>

type Own = { readonly sprites: NightSprites; bolts: Bolt[] }
export type NightKit = Kit<typeof declaration> & Own

export function createNightDrawing(target: Target): Drawing<typeof declaration> {
  return drawOnCanvas(declaration, target, {
    background: '#0b1120',
    own: (): Own => ({ sprites: createNightSprites(target), bolts: [] }),
    react,
    paint,
    write,
  })
}

function paint(kit: NightKit, frame: NightFrame): void {
  const { after } = frame
  stamp(kit.context, kit.sprites.ground, WIDTH / 2, HEIGHT / 2)
  drawHazards(kit, frame)
  drawLanterns(kit, after)
  drawPickups(kit, after, frame.nowMs)
  drawEnemies(kit, frame)
  drawFlying(kit, frame)
  drawSurvivors(kit, frame)
  drawBolts(kit, frame.elapsedMs)
}

function drawHazards(kit: NightKit, { after, nowMs }: NightFrame): void {
  const { context, at, effects } = kit
  const { slot, readyAt } = after.tables.things
  for (const row of at.rows.hazard) {
    const [halfX, halfY] = slot[row] === 0 ? [60, 30] : [30, 60]
    const [x, y] = [at.x[row], at.y[row]]
    const burns = after.clock >= readyAt[row]
    const beat = 0.5 + 0.5 * Math.sin(nowMs / 90 + row)
    context.fillStyle = burns ? `rgba(255, 96, 24, ${0.26 + 0.1 * beat})` : `rgba(255, 190, 60, ${0.1 + 0.12 * beat})`
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

function drawLanterns({ context, at, sprites }: NightKit, world: NightWorld): void {
  const { hp } = world.tables.things
  context.globalCompositeOperation = 'lighter'
  for (const row of at.rows.survivor) if (hp[row] > 0) stamp(context, sprites.lantern, at.x[row], at.y[row])
  context.globalCompositeOperation = 'source-over'
}

function drawPickups({ context, at, sprites }: NightKit, world: NightWorld, nowMs: number): void {
  const { kind, worth } = world.tables.things
  for (const row of at.rows.pickup) {
    const bob = Math.sin(nowMs / 260 + row) * 1.5
    if (kind[row] === KIND.gem) {
      stamp(context, sprites.gem, at.x[row], at.y[row] + bob, worth[row] > 14 ? 1.7 : 1)
      continue
    }
    const sign = kind[row] === KIND.heal ? sprites.heal : kind[row] === KIND.clear ? sprites.clear : sprites.flame
    stamp(context, sign, at.x[row], at.y[row] + bob * 2)
  }
}

function drawEnemies({ context, at, sprites, effects }: NightKit, frame: NightFrame): void {
  const { after: world, nowMs } = frame
  const isSeen = inSight(at, frame, 50)
  const { kind, id, isElite, radius, hp, maxHp, shield } = world.tables.things
  for (const row of at.rows.enemy) {
    const place = kind[row] - 1
    if (!isSeen(row)) continue
    const [x, y] = [at.x[row], at.y[row]]
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

function drawFlying({ context, at, sprites }: NightKit, frame: NightFrame): void {
  const isStorm = frame.after.tables.things.count > MOST_PICTURES * 3
  const { after: world, nowMs } = frame
  const { weapon, radius } = world.tables.things
  const isSeen = inSight(at, frame, 20)
  for (const row of at.rows.bullet) if (isSeen(row)) stamp(context, sprites.bullet, at.x[row], at.y[row])
  for (const row of at.rows.projectile) {
    if (!isSeen(row)) continue
    const shot = sprites.shots[weapon[row]]
    if (isStorm) {
      const side = radius[row] * 1.7
      context.fillStyle = WEAPON_COLOURS[weapon[row]]
      context.fillRect(at.x[row] - side / 2, at.y[row] - side / 2, side, side)
    } else stamp(context, shot, at.x[row], at.y[row], (radius[row] * 2.6) / shot.half)
  }
  for (const row of at.rows.strike) {
    const { pattern, radius: size } = WEAPONS[weapon[row]]
    if ((pattern !== 'returning' && pattern !== 'orbit') || !isSeen(row)) continue
    const turn = pattern === 'returning' ? nowMs / 60 : nowMs / 400
    const scale = shotHalf(radius[row]) / shotHalf(size)
    stampTurned(context, sprites.shots[weapon[row]], at.x[row], at.y[row], turn, scale)
  }
}

function drawSurvivors(kit: NightKit, frame: NightFrame): void {
  const { context, at, sprites, effects } = kit
  const { after, nowMs } = frame
  for (const player of players(after)) {
    const survivor = player.thing
    if (survivor === undefined) continue
    const { id, radius, hp, maxHp } = survivor
    const row = rowOf(after.tables.things, id)
    const [x, y] = [at.x[row], at.y[row]]
    const seat = player.seat % sprites.survivors.length
    const size = radius / 12
    if (hp <= 0) {
      context.globalAlpha = 0.5
      stampTurned(context, sprites.survivors[seat], x, y, Math.PI / 2, size)
      context.globalAlpha = 1
      continue
    }
    drawGaze(context, x, y, radius, player.facingX, player.facingY)
    stamp(context, sprites.survivors[seat], x, y, size)
    const bright = flashOf(effects, id, nowMs)
    if (after.clock < survivor.invulnerableUntil) drawInvulnerable(kit, frame, row, seat)
    else if (bright > 0) burst(effects, x, y, 1, 60, 2, 200, '#ffffff')
    bar(context, x, y - radius - 16, 34, 4, hp / maxHp, healthColour(hp / maxHp))
    words(context, `${Math.ceil(hp)}/${maxHp}`, x, y - radius - 23, 8, '#ffffff')
  }
}

/** Seed 001: brighter while invulnerable, and a white ring of radius r + 4 + 2 · sin(10 · t), t in seconds. */
function drawInvulnerable(
  { context, at, sprites }: NightKit,
  { after, alpha }: NightFrame,
  row: number,
  seat: number,
): void {
  const { things } = after.tables
  const seconds = (after.clock - 1 + alpha) / TICK_RATE
  context.globalCompositeOperation = 'lighter'
  context.globalAlpha = 0.6
  stamp(context, sprites.survivors[seat], at.x[row], at.y[row], things.radius[row] / 12)
  context.globalAlpha = 1
  context.globalCompositeOperation = 'source-over'
  context.strokeStyle = '#ffffff'
  context.lineWidth = 2
  context.beginPath()
  addDisc(context, at.x[row], at.y[row], things.radius[row] + 4 + 2 * Math.sin(10 * seconds))
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

/** The time and the kills of all. */
function write(kit: NightKit, frame: NightFrame): void {
  const { clock, globals } = frame.after
  const x = headX(frame)
  writeWords(kit, timeText(Math.floor(clock / TICK_RATE)), { x, y: 22, size: 20, colour: '#e8ecff' })
  writeWords(kit, `${globals.kills} kills`, { x, y: 43, size: 12, colour: '#9fb0d8' })
}
