/** Draws the court on a canvas. It reads the match and never changes it. */

import type { View } from '@hurtbox/view'
import { each, playerAt } from 'hurtbox'
import { createPlace } from 'hurtbox/picture'
import { court } from '../game/map.ts'
import type { ShieldBall } from '../game/rules.ts'
import { COLOURS, cornersOf, courtView, SHIELD, TEAMS } from './court.ts'

const place = createPlace()

export const view: View<ShieldBall> = {
  ...courtView,
  target: 'canvas',
  create: ({ context }) => ({
    draw({ after, place: placeOf, seat, camera, width, height }) {
      const pen = context!
      const own = playerAt(after, seat)?.thing
      drawCourt(pen, width / camera.scale, height / camera.scale)
      for (const thing of each(after)) {
        // Where it is drawn: between two ticks, and without a jump where a prediction was corrected.
        if (!placeOf(thing.id, place)) continue
        pen.globalAlpha = thing.stunnedUntil > after.clock ? 0.4 : 1
        pen.fillStyle = thing.layer === 'ball' ? COLOURS.ball : TEAMS[thing.team]
        pen.beginPath()
        pen.arc(place.x, place.y, thing.radius, 0, 2 * Math.PI)
        pen.fill()
        pen.globalAlpha = 1
        if (thing.id === own?.id) {
          pen.strokeStyle = COLOURS.own
          pen.lineWidth = 3
          pen.stroke()
        }
        if (thing.shieldUp === 0) continue
        const facing = Math.atan2(place.facingY, place.facingX)
        pen.beginPath()
        pen.arc(place.x, place.y, SHIELD.radius, facing - SHIELD.half, facing + SHIELD.half)
        pen.strokeStyle = TEAMS[thing.team]
        pen.lineWidth = thing.bashUntil > after.clock ? 2 * SHIELD.width : SHIELD.width
        pen.stroke()
      }
    },
  }),
}

/** The floor fills what is shown beside the court, too. */
function drawCourt(pen: CanvasRenderingContext2D, width: number, height: number): void {
  pen.fillStyle = COLOURS.floor
  pen.fillRect(-width, -height, 4 * width, 4 * height)
  for (const piece of court) {
    pen.fillStyle = COLOURS[piece.layer]
    pen.beginPath()
    if ('x' in piece) pen.arc(piece.x, piece.y, piece.radius, 0, 2 * Math.PI)
    else for (const [x, y] of cornersOf(piece)) pen.lineTo(x, y)
    pen.fill()
  }
}
