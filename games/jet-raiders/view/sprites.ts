/** The pictures of Jet Raiders: the sky, a jet in every colour, the shield. */

import type { Target } from '@hurtbox/view'
import { chance } from '../../view/chance.ts'
import { fade, paintBubble, paintGlow, SEAT_COLOURS, type Sprite, sprite } from '../../view/paint.ts'
import { WIDTH } from '../rules/declaration.ts'

export type JetSprites = {
  readonly sky: Sprite
  /** By seat. */
  readonly jets: readonly Sprite[]
  readonly whiteJet: Sprite
  readonly shield: Sprite
}

/** A jet's sprite is this much larger than its circle, so that wings and glow have room. */
const JET_ROOM = 1.7
export const SPRITE_RADIUS = 24

export function createJetSprites(target: Target): JetSprites {
  return {
    sky: sprite(target, WIDTH / 2 + 60, 2, paintSky),
    jets: SEAT_COLOURS.map((colour) => sprite(target, SPRITE_RADIUS * JET_ROOM, 3, (to) => paintJet(to, colour))),
    whiteJet: sprite(target, SPRITE_RADIUS * JET_ROOM, 3, (to) => paintJet(to, '#ffffff')),
    shield: sprite(target, 40, 3, (context) => paintBubble(context, 18, 32)),
  }
}

function paintSky(context: CanvasRenderingContext2D): void {
  const reach = WIDTH / 2 + 60
  const gradient = context.createRadialGradient(-80, -60, 40, 0, 0, reach * 1.2)
  gradient.addColorStop(0, '#16254d')
  gradient.addColorStop(0.55, '#0b1430')
  gradient.addColorStop(1, '#050816')
  context.fillStyle = gradient
  context.fillRect(-reach, -reach, reach * 2, reach * 2)
  context.strokeStyle = 'rgba(110, 150, 230, 0.07)'
  context.lineWidth = 1
  context.beginPath()
  for (let at = -reach; at <= reach; at += 40) {
    context.moveTo(at, -reach)
    context.lineTo(at, reach)
    context.moveTo(-reach, at)
    context.lineTo(reach, at)
  }
  context.stroke()
  const dust = { chance: 1 }
  for (let star = 0; star < 260; star++) {
    const size = 0.5 + chance(dust) * 1.4
    context.fillStyle = fade('#dfe8ff', 0.15 + chance(dust) * 0.6)
    context.fillRect((chance(dust) - 0.5) * 2 * reach, (chance(dust) - 0.5) * 2 * reach, size, size)
  }
}

/** A jet that looks up, with its glow. */
function paintJet(context: CanvasRenderingContext2D, colour: string): void {
  paintGlow(context, SPRITE_RADIUS * JET_ROOM, colour, 0.4)
  context.lineJoin = 'round'
  // Wings.
  context.beginPath()
  polygon(context, [0, -6, 21, 13, 21, 18, 6, 14, 8, 21, 0, 18, -8, 21, -6, 14, -21, 18, -21, 13])
  context.fillStyle = colour
  context.fill()
  context.lineWidth = 2
  context.strokeStyle = 'rgba(4, 8, 20, 0.85)'
  context.stroke()
  // Body.
  context.beginPath()
  polygon(context, [0, -25, 4.5, -12, 5.5, 14, 0, 20, -5.5, 14, -4.5, -12])
  context.fillStyle = '#eaf1ff'
  context.fill()
  context.stroke()
  context.beginPath()
  context.ellipse(0, -8, 2.6, 6, 0, 0, 2 * Math.PI)
  context.fillStyle = '#14305c'
  context.fill()
}

function polygon(context: CanvasRenderingContext2D, corners: readonly number[]): void {
  context.moveTo(corners[0], corners[1])
  for (let i = 2; i < corners.length; i += 2) context.lineTo(corners[i], corners[i + 1])
  context.closePath()
}
