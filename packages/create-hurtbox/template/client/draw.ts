/** Draws the moment between two states. It reads the world and never writes it. */

import { findRow, seatRow, thingOf } from 'hurtbox'
import { isKnight, type PitWorld, SWORD_REACH } from '../game/rules.ts'

/** `seat` is the player's own, whose knight is golden. */
export function draw(
  context: CanvasRenderingContext2D,
  before: PitWorld,
  after: PitWorld,
  alpha: number,
  seat: number,
): void {
  const { width, height } = context.canvas
  context.clearRect(0, 0, width, height)
  const { things } = after.tables
  const own = thingOf(after, seatRow(after, seat))
  for (let row = 0; row < things.count; row++) {
    // The same thing in the state before, to move smoothly; new things stand where they are.
    const was = findRow(before.tables.things, things.id[row])
    const x = was < 0 ? things.x[row] : mix(before.tables.things.x[was], things.x[row], alpha)
    const y = was < 0 ? things.y[row] : mix(before.tables.things.y[was], things.y[row], alpha)
    const colour = row === own ? '#ffc94d' : isKnight(after, row) ? '#5aa2ff' : '#63c174'
    drawThing(context, after, row, x, y, colour)
  }
}

function drawThing(
  context: CanvasRenderingContext2D,
  world: PitWorld,
  row: number,
  x: number,
  y: number,
  colour: string,
): void {
  const { clock, tables } = world
  const { things } = tables
  const radius = things.radius[row]
  context.globalAlpha = things.hp[row] > 0 ? 1 : 0.25
  if (isKnight(world, row) && things.swingEndsAt[row] > clock) {
    const facing = Math.atan2(things.facingY[row], things.facingX[row])
    context.fillStyle = '#ffffff55'
    context.beginPath()
    context.moveTo(x, y)
    context.arc(x, y, SWORD_REACH, facing - Math.PI / 3, facing + Math.PI / 3)
    context.fill()
  }
  context.fillStyle = colour
  context.beginPath()
  context.arc(x, y, radius, 0, 2 * Math.PI)
  context.fill()
  if (things.hittableFrom[row] > clock) {
    context.strokeStyle = '#fff'
    context.lineWidth = 2
    context.stroke()
  }
  context.fillStyle = '#e4584d'
  context.fillRect(x - radius, y - radius - 8, (2 * radius * things.hp[row]) / things.maxHp[row], 3)
  context.globalAlpha = 1
}

function mix(a: number, b: number, alpha: number): number {
  return a + (b - a) * alpha
}
