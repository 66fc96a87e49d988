/** Draws the court on a canvas. It reads the match and never changes it. */

import { each, playerAt } from 'hurtbox'
import { createPlace, type Picture } from 'hurtbox/picture'
import { court } from '../game/map.ts'
import type { ShieldBall } from '../game/rules.ts'
import { COLOURS, type CourtMatch, MARGIN, type Page, SHIELD, SIZE, TEAMS } from './page.ts'

/** Plays a match on the stage; the function returned takes it off again. */
export async function show(stage: HTMLElement, match: CourtMatch, page: Page): Promise<() => void> {
  const canvas = document.createElement('canvas')
  canvas.width = SIZE.width
  canvas.height = SIZE.height
  stage.replaceChildren(canvas)
  const context = canvas.getContext('2d')!
  let next = requestAnimationFrame(function frame() {
    next = requestAnimationFrame(frame)
    const picture = match.update(performance.now(), page.input)
    if (picture === undefined) return
    draw(context, picture, match.seat)
    page.frame(picture)
  })
  return () => {
    cancelAnimationFrame(next)
    canvas.remove()
  }
}

const place = createPlace()

function draw(context: CanvasRenderingContext2D, picture: Picture<ShieldBall>, seat: number): void {
  const { after } = picture
  context.setTransform(1, 0, 0, 1, MARGIN, 0)
  context.fillStyle = COLOURS.floor
  context.fillRect(-MARGIN, 0, SIZE.width, SIZE.height)
  for (const piece of court) {
    context.fillStyle = COLOURS[piece.layer]
    context.beginPath()
    if ('radius' in piece) context.arc(piece.x, piece.y, piece.radius, 0, 2 * Math.PI)
    else context.rect(piece.minX, piece.minY, piece.maxX - piece.minX, piece.maxY - piece.minY)
    context.fill()
  }
  const own = playerAt(after, seat)?.thing
  for (const thing of each(after)) {
    // Where it is drawn: between two ticks, and without a jump where a prediction was corrected.
    picture.place(thing.id, place)
    context.globalAlpha = thing.stunnedUntil > after.clock ? 0.4 : 1
    context.fillStyle = thing.layer === 'ball' ? COLOURS.ball : TEAMS[thing.team]
    context.beginPath()
    context.arc(place.x, place.y, thing.radius, 0, 2 * Math.PI)
    context.fill()
    context.globalAlpha = 1
    if (thing === own) {
      context.strokeStyle = COLOURS.own
      context.lineWidth = 3
      context.stroke()
    }
    if (thing.shieldUp === 0) continue
    const facing = Math.atan2(place.facingY, place.facingX)
    context.beginPath()
    context.arc(place.x, place.y, SHIELD.radius, facing - SHIELD.half, facing + SHIELD.half)
    context.strokeStyle = TEAMS[thing.team]
    context.lineWidth = thing.bashUntil > after.clock ? 2 * SHIELD.width : SHIELD.width
    context.stroke()
  }
}
