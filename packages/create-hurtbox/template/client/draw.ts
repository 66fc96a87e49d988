/** Draws the moment between two states. It reads the world and never writes it. */

import { each, playerAt, thing } from 'hurtbox'
import { type PitThing, type PitWorld, SWORD_REACH } from '../game/rules.ts'

type Moment = { readonly before: PitWorld; readonly after: PitWorld; readonly alpha: number }

/** `seat` is the player's own, whose knight is golden. */
export function draw(context: CanvasRenderingContext2D, { before, after, alpha }: Moment, seat: number): void {
  const { width, height } = context.canvas
  context.clearRect(0, 0, width, height)
  const own = playerAt(after, seat)?.thing
  for (const now of each(after)) {
    // The same thing in the state before, to move smoothly; new things stand where they are.
    const was = thing(before, now.id) ?? now
    context.save()
    context.translate(mix(was.x, now.x, alpha), mix(was.y, now.y, alpha))
    drawThing(context, now, after.clock, now === own ? '#ffc94d' : now.layer === 'knight' ? '#5aa2ff' : '#63c174')
    context.restore()
  }
}

function drawThing(context: CanvasRenderingContext2D, drawn: PitThing, clock: number, colour: string): void {
  const { radius, hp, maxHp } = drawn
  context.globalAlpha = hp > 0 ? 1 : 0.25
  if (drawn.swingEndsAt > clock) {
    const facing = Math.atan2(drawn.facingY, drawn.facingX)
    context.fillStyle = '#ffffff55'
    context.beginPath()
    context.moveTo(0, 0)
    context.arc(0, 0, SWORD_REACH, facing - Math.PI / 3, facing + Math.PI / 3)
    context.fill()
  }
  context.fillStyle = colour
  context.beginPath()
  context.arc(0, 0, radius, 0, 2 * Math.PI)
  context.fill()
  if (drawn.invulnerableUntil > clock) {
    context.strokeStyle = '#fff'
    context.lineWidth = 2
    context.stroke()
  }
  context.fillStyle = '#e4584d'
  context.fillRect(-radius, -radius - 8, (2 * radius * hp) / maxHp, 3)
}

function mix(a: number, b: number, alpha: number): number {
  return a + (b - a) * alpha
}
