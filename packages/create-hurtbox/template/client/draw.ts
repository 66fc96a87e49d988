/** Draws the moment between two states. It reads the world and never writes it. */

import { each, playerAt, type Thing } from 'hurtbox'
import { createPlace, type Picture } from 'hurtbox/picture'
import { type Pit, SWORD_REACH } from '../game/rules.ts'

const place = createPlace()

/** `seat` is the player's own, whose knight is golden. */
export function draw(context: CanvasRenderingContext2D, picture: Picture<Pit>, seat: number): void {
  const { width, height } = context.canvas
  const { after } = picture
  context.clearRect(0, 0, width, height)
  const own = playerAt(after, seat)?.thing
  for (const now of each(after)) {
    // Between two ticks, and without a jump where a prediction was corrected.
    picture.place(now.id, place)
    context.save()
    context.translate(place.x, place.y)
    drawThing(context, now, after.clock, now === own ? '#ffc94d' : now.layer === 'knight' ? '#5aa2ff' : '#63c174')
    context.restore()
  }
}

function drawThing(context: CanvasRenderingContext2D, drawn: Thing<Pit>, clock: number, colour: string): void {
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
