/** What the events of Nightfall look like: sparks, numbers, and bolts of light for blows that are over within their tick. */

import { type EventRecord, findRow, seatRow, thingOf } from 'hurtbox'
import { burst, flash, note, ring, shake } from '../../view/effects.ts'
import { WEAPONS } from '../rules/content/weapons.ts'
import { KIND } from '../rules/declaration.ts'
import type { NightFrame, NightKit } from './draw.ts'
import { WEAPON_COLOURS } from './sprites.ts'

/** A line of light that fades: lightning, or the lash of a whip. */
export type Bolt = { readonly path: readonly number[]; ageMs: number; readonly colour: string; readonly width: number }

const BOLT_MS = 220

/** Events become light. */
export function react(kit: NightKit, frame: NightFrame): void {
  const { effects } = kit
  const { things } = frame.after.tables
  if (frame.jumped) kit.bolts = []
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
      const row = thingOf(frame.after, seatRow(frame.after, event.seat as number))
      if (row < 0) continue
      ring(effects, things.x[row], things.y[row], 10, 90, 700, '#ffe08a')
      note(effects, things.x[row], things.y[row] - 30, `LEVEL ${event.level}`, 14, '#ffe08a')
    }
  }
}

function reactToDamage(kit: NightKit, frame: NightFrame, event: EventRecord, withNumber: boolean): void {
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
function reactToFire(kit: NightKit, frame: NightFrame, event: EventRecord): void {
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

export function drawBolts(kit: NightKit, elapsedMs: number): void {
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
