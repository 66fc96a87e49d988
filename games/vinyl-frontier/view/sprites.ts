/** The pictures of Vinyl Frontier. Ships and stations look along +x; rocks come in several forms. */

import type { Target } from '@hurtbox/view'
import { type Chance, chance } from '../../view/chance.ts'
import { addDisc, fade, fillDisc, paintBubble, paintGlow, SEAT_COLOURS, type Sprite, sprite } from '../../view/paint.ts'
import { SHIP, STATION } from '../rules/declaration.ts'
import { SIDE } from '../rules/torus.ts'

type Brush = CanvasRenderingContext2D

export type VinylSprites = {
  readonly space: Sprite
  readonly ships: readonly Sprite[]
  readonly white: Sprite
  readonly shield: Sprite
  readonly stations: readonly Sprite[]
  readonly vinyl: readonly Sprite[]
  readonly uranium: readonly Sprite[]
}

/** The size rocks are painted in. */
export const ROCK_RADIUS = 20
const FORMS = [1, 2, 3, 4, 5]

export function createVinylSprites(target: Target): VinylSprites {
  const teams = SEAT_COLOURS.slice(0, 4)
  return {
    space: sprite(target, SIDE / 2, 1.3, paintSpace),
    ships: teams.map((colour) => sprite(target, 24, 5, (brush) => paintShip(brush, colour))),
    white: sprite(target, 24, 5, (brush) => {
      hull(brush)
      brush.fillStyle = '#ffffff'
      brush.fill()
    }),
    shield: sprite(target, 22, 4, (brush) => paintBubble(brush, 10, 17)),
    stations: teams.map((colour) => sprite(target, 66, 3, (brush) => paintStation(brush, colour))),
    vinyl: FORMS.map((form) => sprite(target, ROCK_RADIUS * 1.7, 4, (brush) => paintVinyl(brush, form))),
    uranium: FORMS.map((form) => sprite(target, ROCK_RADIUS * 1.7, 4, (brush) => paintUranium(brush, form))),
  }
}

function paintSpace(brush: Brush): void {
  const reach = SIDE / 2
  brush.fillStyle = '#070a18'
  brush.fillRect(-reach, -reach, reach * 2, reach * 2)
  for (const [x, y, radius, colour] of [
    [-260, -180, 420, '#5a2fa8'],
    [300, 220, 460, '#1d6aa8'],
    [120, -360, 300, '#8a2a7c'],
  ] as const) {
    brush.translate(x, y)
    paintGlow(brush, radius, colour, 0.55)
    brush.translate(-x, -y)
  }
  const dust = { chance: 1 }
  for (let star = 0; star < 420; star++) {
    const size = 0.6 + chance(dust) * 1.8
    brush.fillStyle = fade(star % 5 === 0 ? '#ffd9b8' : '#dbe6ff', 0.15 + chance(dust) * 0.65)
    brush.fillRect((chance(dust) - 0.5) * 2 * reach, (chance(dust) - 0.5) * 2 * reach, size, size)
  }
}

function hull(brush: Brush): void {
  brush.beginPath()
  brush.moveTo(14, 0)
  brush.lineTo(-4, 9)
  brush.lineTo(-11, 8)
  brush.lineTo(-7, 0)
  brush.lineTo(-11, -8)
  brush.lineTo(-4, -9)
  brush.closePath()
}

function paintShip(brush: Brush, colour: string): void {
  paintGlow(brush, SHIP.radius * 2, colour, 0.4)
  hull(brush)
  brush.fillStyle = colour
  brush.fill()
  brush.lineJoin = 'round'
  brush.lineWidth = 1.8
  brush.strokeStyle = '#0a0d1c'
  brush.stroke()
  brush.fillStyle = '#f4f7ff'
  brush.beginPath()
  brush.ellipse(3, 0, 5, 2.6, 0, 0, 2 * Math.PI)
  brush.fill()
}

/** A ring with four arms; the hub carries the number of tons. */
function paintStation(brush: Brush, colour: string): void {
  paintGlow(brush, 66, colour, 0.4)
  brush.strokeStyle = '#2a3352'
  brush.lineWidth = 9
  brush.beginPath()
  for (let arm = 0; arm < 4; arm++) {
    const angle = (arm / 4) * 2 * Math.PI
    brush.moveTo(0, 0)
    brush.lineTo(Math.cos(angle) * 38, Math.sin(angle) * 38)
  }
  brush.stroke()
  for (const [width, stroke] of [
    [8, '#151b31'],
    [5, colour],
  ] as const) {
    brush.lineWidth = width
    brush.strokeStyle = stroke
    brush.beginPath()
    addDisc(brush, 0, 0, STATION.radius - 3)
    brush.stroke()
  }
  brush.fillStyle = '#f4f7ff'
  for (let arm = 0; arm < 4; arm++) {
    const angle = (arm / 4) * 2 * Math.PI
    brush.beginPath()
    addDisc(brush, Math.cos(angle) * 38, Math.sin(angle) * 38, 4)
    brush.fill()
  }
  fillDisc(brush, 0, 0, 19, '#10162b')
}

/** A rock's outline: a circle that somebody has been at with a hammer. */
function rock(brush: Brush, dust: Chance): void {
  brush.beginPath()
  for (let corner = 0; corner < 12; corner++) {
    const angle = (corner / 12) * 2 * Math.PI
    const reach = ROCK_RADIUS * (0.86 + chance(dust) * 0.2)
    brush.lineTo(Math.cos(angle) * reach, Math.sin(angle) * reach)
  }
  brush.closePath()
}

function dustOf(form: number): Chance {
  return { chance: form * 7919 }
}

/** Black, with grooves and a label: the frontier is where records come from. */
function paintVinyl(brush: Brush, form: number): void {
  paintGlow(brush, ROCK_RADIUS * 1.7, '#b38bff', 0.55)
  rock(brush, dustOf(form))
  brush.fillStyle = '#2d2547'
  brush.fill()
  brush.lineWidth = 1.6
  brush.strokeStyle = '#b79bff'
  brush.stroke()
  brush.strokeStyle = 'rgba(210, 195, 255, 0.55)'
  brush.lineWidth = 0.8
  for (let groove = 8; groove <= 15; groove += 2) {
    brush.beginPath()
    brush.arc(0, 0, groove, groove * 0.7, groove * 0.7 + 4.4)
    brush.stroke()
  }
  fillDisc(brush, 0, 0, 6.5, ['#ff5d73', '#ffd166', '#4cc9ff', '#7ae582', '#ff9f5a'][form % 5])
  brush.fillStyle = '#0b0912'
  brush.beginPath()
  addDisc(brush, 0, 0, 1.4)
  brush.fill()
}

function paintUranium(brush: Brush, form: number): void {
  paintGlow(brush, ROCK_RADIUS * 1.7, '#8dff3d', 0.6)
  rock(brush, dustOf(form + 9))
  brush.fillStyle = '#48663a'
  brush.fill()
  brush.lineWidth = 1.6
  brush.strokeStyle = '#9cff57'
  brush.stroke()
  const dust = dustOf(form + 30)
  brush.fillStyle = '#b6ff7a'
  for (let crystal = 0; crystal < 6; crystal++) {
    const angle = chance(dust) * 2 * Math.PI
    const away = chance(dust) * ROCK_RADIUS * 0.65
    const size = 1.6 + chance(dust) * 3
    brush.translate(Math.cos(angle) * away, Math.sin(angle) * away)
    brush.rotate(angle)
    brush.fillRect(-size / 2, -size, size, size * 2)
    brush.rotate(-angle)
    brush.translate(-Math.cos(angle) * away, -Math.sin(angle) * away)
  }
}
