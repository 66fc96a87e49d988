/** The pictures of Nightfall, painted once when the view is made. Each is drawn around (0, 0) in world units. */

import type { Target } from '@hurtbox/view'
import { chance } from '../../view/chance.ts'
import { addDisc, fade, fillDisc, paintGlow, SEAT_COLOURS, type Sprite, sprite } from '../../view/paint.ts'
import { ENEMIES } from '../rules/content/enemies.ts'
import { WEAPONS } from '../rules/content/weapons.ts'
import { HEIGHT, WIDTH } from '../rules/declaration.ts'

type Brush = CanvasRenderingContext2D

export type NightSprites = {
  readonly ground: Sprite
  readonly enemies: readonly Sprite[]
  readonly elites: readonly Sprite[]
  /** What a hit enemy is for a moment. */
  readonly white: readonly Sprite[]
  readonly survivors: readonly Sprite[]
  readonly lantern: Sprite
  readonly shots: readonly Sprite[]
  readonly bullet: Sprite
  readonly gem: Sprite
  readonly heal: Sprite
  readonly clear: Sprite
  readonly flame: Sprite
}

/** Body colours by place in the list of enemies: each kind its own hue and its own outline. */
const ENEMY_COLOURS = ['#7fb069', '#f4a259', '#8d6e63', '#b56bd6', '#5b8def', '#8fa3ad', '#d1495b']
export const WEAPON_COLOURS = WEAPONS.map(({ type }) =>
  type === 'physical' ? '#ffe9a8' : type === 'magic' ? '#9ad7ff' : '#ff9a4d',
)

/** Room around a body for ears, horns and glow, in radii. */
const ROOM = 2

export function createNightSprites(target: Target): NightSprites {
  const enemy = (paint: (brush: Brush, kind: number) => void) =>
    ENEMIES.map(({ radius }, kind) => sprite(target, radius * ROOM, 5, (brush) => paint(brush, kind)))
  return {
    ground: sprite(target, WIDTH / 2 + 40, 1.5, paintGround),
    enemies: enemy((brush, kind) => paintEnemy(brush, kind, false)),
    elites: enemy((brush, kind) => paintEnemy(brush, kind, true)),
    white: enemy((brush, kind) => {
      brush.fillStyle = '#ffffff'
      brush.beginPath()
      outline(brush, kind)
      brush.fill()
    }),
    survivors: SEAT_COLOURS.slice(0, 4).map((colour) => sprite(target, 24, 5, (brush) => paintSurvivor(brush, colour))),
    lantern: sprite(target, 170, 0.5, (brush) => paintGlow(brush, 170, '#ffcf7d', 0.34)),
    shots: WEAPONS.map((weapon, place) =>
      sprite(target, shotHalf(weapon.radius), 6, (brush) => paintShot(brush, place)),
    ),
    bullet: sprite(target, 9, 6, paintBullet),
    gem: sprite(target, 9, 6, paintGem),
    heal: sprite(target, 15, 5, (brush) => paintPowerUp(brush, '#ff6b81', heart)),
    clear: sprite(target, 15, 5, (brush) => paintPowerUp(brush, '#8fe3ff', star)),
    flame: sprite(target, 15, 5, (brush) => paintPowerUp(brush, '#ffae42', drop)),
  }
}

/** Half the side of a shot's picture; pulses and sweeps are drawn otherwise and only need something small. */
export function shotHalf(radius: number): number {
  return Math.min(radius, 12) * 2.6
}

function paintGround(brush: Brush): void {
  const reach = WIDTH / 2 + 40
  const dark = brush.createRadialGradient(0, 0, 60, 0, 0, reach)
  dark.addColorStop(0, '#23314a')
  dark.addColorStop(0.6, '#182338')
  dark.addColorStop(1, '#0b1120')
  brush.fillStyle = dark
  brush.fillRect(-reach, -reach, reach * 2, reach * 2)
  const dust = { chance: 1 }
  const within = () => (chance(dust) - 0.5) * 2
  for (let tuft = 0; tuft < 420; tuft++) {
    const [x, y] = [(within() * WIDTH) / 2, (within() * HEIGHT) / 2]
    brush.strokeStyle = fade(tuft % 3 === 0 ? '#4d6b57' : '#35506a', 0.35)
    brush.lineWidth = 1
    brush.beginPath()
    brush.moveTo(x, y)
    brush.lineTo(x - 2.5, y - 5)
    brush.moveTo(x, y)
    brush.lineTo(x + 0.5, y - 6)
    brush.moveTo(x, y)
    brush.lineTo(x + 3, y - 4.5)
    brush.stroke()
  }
  for (let stone = 0; stone < 40; stone++) {
    brush.fillStyle = fade('#6b7a94', 0.18 + chance(dust) * 0.16)
    brush.beginPath()
    const [x, y] = [(within() * WIDTH) / 2, (within() * HEIGHT) / 2]
    brush.ellipse(x, y, 3 + chance(dust) * 8, 2 + chance(dust) * 4, 0, 0, 2 * Math.PI)
    brush.fill()
  }
  brush.strokeStyle = '#46587c'
  brush.lineWidth = 3
  brush.strokeRect(-WIDTH / 2, -HEIGHT / 2, WIDTH, HEIGHT)
  brush.fillStyle = '#5d7099'
  for (let at = -WIDTH / 2; at <= WIDTH / 2; at += 40) {
    brush.fillRect(at - 2, -HEIGHT / 2 - 7, 4, 12)
    brush.fillRect(at - 2, HEIGHT / 2 - 6, 4, 12)
  }
  for (let at = -HEIGHT / 2; at <= HEIGHT / 2; at += 40) {
    brush.fillRect(-WIDTH / 2 - 2, at - 6, 4, 12)
    brush.fillRect(WIDTH / 2 - 2, at - 6, 4, 12)
  }
}

/** The body of an enemy as a path: its outline shows its kind, not colour alone. */
function outline(brush: Brush, kind: number): void {
  const { radius, more = [], name } = ENEMIES[kind]
  if (name === 'fast') spikes(brush, radius, 3, 1.35)
  else if (name === 'tank') roundedSquare(brush, radius)
  else if (name === 'swarm') spikes(brush, radius, 5, 1.3)
  else if (name === 'ranged') spikes(brush, radius, 4, 1.3)
  else if (name === 'shielded') spikes(brush, radius, 6, 1.1)
  else if (name === 'boss') spikes(brush, radius, 11, 1.18)
  else addDisc(brush, 0, 0, radius)
  for (const part of more) addDisc(brush, part.x, part.y, part.radius)
}

function paintEnemy(brush: Brush, kind: number, isElite: boolean): void {
  const { radius, name, more = [] } = ENEMIES[kind]
  const colour = ENEMY_COLOURS[kind % ENEMY_COLOURS.length]
  brush.fillStyle = 'rgba(0, 0, 0, 0.35)'
  brush.beginPath()
  brush.ellipse(0, radius * 0.75, radius * 1.05, radius * 0.5, 0, 0, 2 * Math.PI)
  brush.fill()
  if (isElite) paintGlow(brush, radius * ROOM, '#ffd23f', 0.75)
  brush.beginPath()
  outline(brush, kind)
  brush.lineJoin = 'round'
  brush.lineWidth = isElite ? 2.4 : 1.6
  brush.strokeStyle = isElite ? '#ffd23f' : 'rgba(8, 10, 18, 0.85)'
  brush.stroke()
  brush.fillStyle = colour
  brush.fill()
  fillDisc(brush, -radius * 0.25, -radius * 0.3, radius * 0.5, 'rgba(255, 255, 255, 0.16)')
  const eyeY = more.length > 0 ? more[0].y : -radius * 0.12
  const eye = (more[0]?.radius ?? radius) * 0.24
  fillDisc(brush, -eye * 1.6, eyeY, eye, name === 'boss' ? '#ffe08a' : '#fff3f0')
  fillDisc(brush, eye * 1.6, eyeY, eye, name === 'boss' ? '#ffe08a' : '#fff3f0')
  brush.fillStyle = '#b00020'
  brush.beginPath()
  addDisc(brush, -eye * 1.5, eyeY, eye * 0.5)
  addDisc(brush, eye * 1.7, eyeY, eye * 0.5)
  brush.fill()
}

function paintSurvivor(brush: Brush, colour: string): void {
  brush.fillStyle = 'rgba(0, 0, 0, 0.4)'
  brush.beginPath()
  brush.ellipse(0, 9, 12, 6, 0, 0, 2 * Math.PI)
  brush.fill()
  brush.lineWidth = 2
  brush.strokeStyle = '#0a0e1c'
  brush.fillStyle = colour
  brush.beginPath()
  addDisc(brush, 0, 0, 11)
  brush.fill()
  brush.stroke()
  fillDisc(brush, 0, -2, 6.5, '#ffe2c4')
  // The hat.
  brush.fillStyle = '#3a2a24'
  brush.beginPath()
  brush.ellipse(0, -6, 9.5, 3, 0, 0, 2 * Math.PI)
  brush.fill()
  brush.fillRect(-5, -13, 10, 7)
  fillDisc(brush, -2.3, -1.6, 1.1, '#11131f')
  fillDisc(brush, 2.3, -1.6, 1.1, '#11131f')
}

function paintShot(brush: Brush, place: number): void {
  const { pattern, radius } = WEAPONS[place]
  const colour = WEAPON_COLOURS[place]
  const size = Math.min(radius, 12)
  paintGlow(brush, size * 2.6, colour, 0.8)
  brush.fillStyle = '#ffffff'
  brush.beginPath()
  if (pattern === 'returning') spikes(brush, size, 4, 1.2)
  else if (pattern === 'orbit') brush.rect(-size * 0.7, -size * 0.9, size * 1.4, size * 1.8)
  else addDisc(brush, 0, 0, size * 0.8)
  brush.fill()
  brush.strokeStyle = colour
  brush.lineWidth = size * 0.25
  brush.stroke()
}

function paintBullet(brush: Brush): void {
  paintGlow(brush, 9, '#ff4d6d', 0.9)
  fillDisc(brush, 0, 0, 3, '#ffe3e8')
}

function paintGem(brush: Brush): void {
  paintGlow(brush, 9, '#4df0c0', 0.6)
  brush.fillStyle = '#39d9a8'
  brush.beginPath()
  diamond(brush, 3.6, 5)
  brush.fill()
  brush.fillStyle = '#d5fff1'
  brush.beginPath()
  diamond(brush, 1.6, 2.6)
  brush.fill()
}

function paintPowerUp(brush: Brush, colour: string, sign: (brush: Brush) => void): void {
  paintGlow(brush, 15, colour, 0.9)
  brush.fillStyle = '#10131f'
  brush.strokeStyle = colour
  brush.lineWidth = 1.6
  brush.beginPath()
  addDisc(brush, 0, 0, 8)
  brush.fill()
  brush.stroke()
  brush.fillStyle = colour
  brush.beginPath()
  sign(brush)
  brush.fill()
}

function heart(brush: Brush): void {
  brush.moveTo(0, 4.5)
  brush.bezierCurveTo(-8, -1, -3.5, -6, 0, -2)
  brush.bezierCurveTo(3.5, -6, 8, -1, 0, 4.5)
}

function star(brush: Brush): void {
  spikes(brush, 3, 5, 1.8)
}

function drop(brush: Brush): void {
  brush.moveTo(0, -5.5)
  brush.bezierCurveTo(6, 0, 4, 5, 0, 5)
  brush.bezierCurveTo(-4, 5, -6, 0, 0, -5.5)
}

function diamond(brush: Brush, halfWidth: number, halfHeight: number): void {
  brush.moveTo(0, -halfHeight)
  brush.lineTo(halfWidth, 0)
  brush.lineTo(0, halfHeight)
  brush.lineTo(-halfWidth, 0)
  brush.closePath()
}

function spikes(brush: Brush, radius: number, count: number, sharp: number): void {
  for (let i = 0; i < count * 2; i++) {
    const reach = radius * (i % 2 === 0 ? sharp : 0.92)
    const angle = (i / (count * 2)) * 2 * Math.PI - Math.PI / 2
    if (i === 0) brush.moveTo(Math.cos(angle) * reach, Math.sin(angle) * reach)
    else brush.lineTo(Math.cos(angle) * reach, Math.sin(angle) * reach)
  }
  brush.closePath()
}

function roundedSquare(brush: Brush, radius: number): void {
  brush.roundRect(-radius * 0.95, -radius * 0.95, radius * 1.9, radius * 1.9, radius * 0.45)
}
