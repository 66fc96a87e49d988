/** How the events of Nightfall look: sparks, numbers, and bolts of light for blows that last one tick. */

import { type EventRecord, playerAt, playerOf, thing } from 'hurtbox'
import { burst, flash, note, ring, shake } from '../../view/effects.ts'
import { WEAPONS } from '../rules/content/weapons.ts'
import { type declaration, KIND } from '../rules/declaration.ts'
import type { NightFrame, NightKit } from './draw.ts'
import { WEAPON_COLOURS } from './sprites.ts'

/** A line of light that fades: lightning, or the lash of a whip. */
export type Bolt = { readonly path: readonly number[]; ageMs: number; readonly colour: string; readonly width: number }

const BOLT_MS = 220

type NightEvent = EventRecord<typeof declaration>
type Damage = Extract<NightEvent, { kind: 'damage' }>
type Fired = Extract<NightEvent, { kind: 'fired' }>

/** Turns events into effects. */
export function react(kit: NightKit, frame: NightFrame): void {
  const { effects } = kit
  const { after } = frame
  if (frame.jumped) kit.bolts = []
  // A storm has thousands of hits in a tick: too many numbers to read.
  let numbers = 0
  for (const event of frame.events) {
    if (event.kind === 'damage') reactToDamage(kit, frame, event, numbers++ < 24)
    else if (event.kind === 'fired') reactToFire(kit, frame, event)
    else if (event.kind === 'clash') burst(effects, event.x, event.y, 6, 120, 2, 250, '#ffd7e0')
    else if (event.kind === 'taken') {
      const survivor = thing(after, event.survivor)
      if (survivor !== undefined) ring(effects, survivor.x, survivor.y, 8, 26, 260, '#4df0c0')
    } else if (event.kind === 'levelled') {
      const survivor = playerAt(after, event.seat)?.thing
      if (survivor === undefined) continue
      ring(effects, survivor.x, survivor.y, 10, 90, 700, '#ffe08a')
      note(effects, survivor.x, survivor.y - 30, `LEVEL ${event.level}`, 14, '#ffe08a')
    }
  }
}

function reactToDamage(kit: NightKit, frame: NightFrame, event: Damage, withNumber: boolean): void {
  const { effects } = kit
  // An enemy that was killed has left the later state; it is still in the earlier one.
  const victim = thing(frame.after, event.victim) ?? thing(frame.before, event.victim)
  if (victim === undefined) return
  const { x, y, radius } = victim
  flash(effects, victim.id, frame.nowMs)
  const taken = Math.round(event.taken)
  if (victim.kind === KIND.survivor) {
    burst(effects, x, y, 18, 190, 3.5, 500, '#ff5a6e')
    ring(effects, x, y, 8, 50, 350, '#ff5a6e')
    note(effects, x, y - 18, `−${taken}`, 17, '#ff6b81', event)
    shake(effects, 7)
    return
  }
  if (withNumber && taken > 0) note(effects, x, y - radius, String(taken), taken >= 25 ? 12 : 9, '#ffffff', event)
  burst(effects, x, y, 3, 110, 2, 260, '#ffe9a8')
  if (event.hpAfter > 0) return
  burst(effects, x, y, radius > 15 ? 40 : 9, 130, radius * 0.4, 520, '#9ad36a')
  if (radius <= 15) return
  ring(effects, x, y, 10, 130, 800, '#ffe08a')
  shake(effects, 10)
}

/** Pulses, lashes and chains last one tick, so they are drawn from their event. */
function reactToFire(kit: NightKit, frame: NightFrame, event: Fired): void {
  const { effects } = kit
  const { before, after } = frame
  const player = playerOf(after, event.survivor)
  const survivor = thing(after, event.survivor)
  if (player === undefined || survivor === undefined || WEAPONS[event.weapon] === undefined) return
  const { pattern, radius } = WEAPONS[event.weapon]
  const colour = WEAPON_COLOURS[event.weapon]
  const { x, y } = survivor
  if (pattern === 'pulse') ring(effects, x, y, radius * 0.55, radius, 300, colour)
  if (pattern === 'sweep') {
    const { aimX, aimY, facingX, facingY } = player
    const isAimed = aimX !== 0 || aimY !== 0
    const middle = isAimed ? Math.atan2(aimY, aimX) : Math.atan2(facingY, facingX)
    const path: number[] = []
    for (let i = 0; i <= 14; i++) {
      const angle = middle + (i / 14 - 0.5) * ((2 * Math.PI) / 3)
      path.push(x + Math.cos(angle) * radius * 0.92, y + Math.sin(angle) * radius * 0.92)
    }
    kit.bolts.push({ path, ageMs: 0, colour, width: 9 })
  }
  if (pattern !== 'chain') return
  // Its links are strikes of this tick: sources of damage that were not there before.
  const path = [x, y]
  for (const hit of frame.events) {
    if (hit.kind !== 'damage' || hit.tick !== event.tick || hit.attacker !== event.survivor) continue
    const victim = thing(before, hit.victim)
    if (victim === undefined || thing(before, hit.source) !== undefined) continue
    const { x: toX, y: toY } = victim
    const [fromX, fromY] = [path[path.length - 2], path[path.length - 1]]
    for (let i = 1; i < 5; i++) {
      const aside = (i % 2 === 0 ? 1 : -1) * 7
      const [dx, dy] = [toX - fromX, toY - fromY]
      const length = Math.max(1, Math.hypot(dx, dy))
      path.push(fromX + (dx * i) / 5 - (dy / length) * aside, fromY + (dy * i) / 5 + (dx / length) * aside)
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
