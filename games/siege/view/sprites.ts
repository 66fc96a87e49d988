/** The pictures of Siege: the map, its buildings, and two sides of everybody. */

import type { Target } from '@hurtbox/view'
import { chance } from '../../view/chance.ts'
import { addDisc, fade, fillDisc, paintGlow, type Sprite, sprite } from '../../view/paint.ts'
import { CAMPS, FOUNTAINS, HALF, LAND, SIDE, WAYS } from '../rules/content/map.ts'

type Brush = CanvasRenderingContext2D

/** By team: nobody, blue, red, neutral. */
export const SIDE_COLOURS = ['#c8c8c8', '#4cb5ff', '#ff5d6e', '#e8c15a'] as const

export type SiegeSprites = {
  readonly map: Sprite
  /** By team. */
  readonly melee: readonly Sprite[]
  readonly caster: readonly Sprite[]
  readonly super: readonly Sprite[]
  readonly monster: Sprite
  readonly tower: readonly Sprite[]
  readonly nexus: readonly Sprite[]
  /** By team, then by champion. */
  readonly champions: readonly (readonly Sprite[])[]
  readonly shot: readonly Sprite[]
  readonly white: Sprite
}

/** What a champion carries before it, so that each is known by its form: sword, bow, hammer, staff, knives. */
const EMBLEMS: readonly ((brush: Brush) => void)[] = [
  (brush) => blade(brush, 26, 5),
  (brush) => {
    brush.arc(10, 0, 17, -1.2, 1.2)
    brush.moveTo(16, -16)
    brush.lineTo(16, 16)
  },
  (brush) => {
    brush.moveTo(8, 0)
    brush.lineTo(28, 0)
    brush.rect(24, -11, 9, 22)
  },
  (brush) => {
    brush.moveTo(4, 10)
    brush.lineTo(30, 10)
    addDisc(brush, 33, 10, 5)
  },
  (brush) => {
    brush.moveTo(10, -12)
    brush.lineTo(28, -16)
    brush.moveTo(10, 12)
    brush.lineTo(28, 16)
  },
]

export function createSiegeSprites(target: Target): SiegeSprites {
  const sharpness = target.isSmall ? 0.6 : 1.6
  const bySide = (half: number, paint: (brush: Brush, colour: string) => void) =>
    SIDE_COLOURS.map((colour) => sprite(target, half, sharpness, (brush) => paint(brush, colour)))
  return {
    map: sprite(target, HALF, target.isSmall ? 0.15 : 0.55, paintMap),
    melee: bySide(32, paintMelee),
    caster: bySide(32, paintCaster),
    super: bySide(38, paintSuper),
    monster: sprite(target, 34, sharpness, paintMonster),
    tower: bySide(95, paintTower),
    nexus: bySide(150, paintNexus),
    champions: SIDE_COLOURS.map((colour) =>
      EMBLEMS.map((emblem) => sprite(target, 46, sharpness * 1.4, (brush) => paintChampion(brush, colour, emblem))),
    ),
    shot: bySide(30, (brush, colour) => {
      paintGlow(brush, 30, colour, 1)
      fillDisc(brush, 0, 0, 9, '#ffffff')
    }),
    white: sprite(target, 32, 1, (brush) => {
      fillDisc(brush, 0, 0, 20, '#ffffff')
    }),
  }
}

function paintMap(brush: Brush): void {
  brush.fillStyle = '#0d2436'
  brush.fillRect(-HALF, -HALF, HALF * 2, HALF * 2)
  brush.fillStyle = '#1f3b2e'
  brush.beginPath()
  brush.roundRect(-LAND - 40, -LAND - 40, 2 * LAND + 80, 2 * LAND + 80, 120)
  brush.fill()
  brush.fillStyle = '#264a37'
  brush.beginPath()
  brush.roundRect(-LAND, -LAND, 2 * LAND, 2 * LAND, 90)
  brush.fill()
  paintTrees(brush)
  // The river, from the upper left to the lower right.
  strip(
    brush,
    [
      { x: -LAND, y: -LAND },
      { x: LAND, y: LAND },
    ],
    210,
    '#1d4a63',
  )
  strip(
    brush,
    [
      { x: -LAND, y: -LAND },
      { x: LAND, y: LAND },
    ],
    150,
    '#25607f',
  )
  for (const way of WAYS[SIDE.blue]) strip(brush, way, 210, '#4a4433')
  for (const way of WAYS[SIDE.blue]) strip(brush, way, 170, '#6d634a')
  for (const way of WAYS[SIDE.blue]) strip(brush, way, 60, '#7d7257')
  for (const camp of CAMPS) {
    fillDisc(brush, camp.x, camp.y, 130, '#3d4a2c')
  }
  for (const side of [SIDE.blue, SIDE.red]) {
    const { x, y } = FOUNTAINS[side]
    brush.translate(x, y)
    paintGlow(brush, 300, SIDE_COLOURS[side], 0.5)
    brush.translate(-x, -y)
    brush.strokeStyle = fade(SIDE_COLOURS[side], 0.6)
    brush.lineWidth = 10
    brush.beginPath()
    addDisc(brush, x, y, 120)
    brush.stroke()
  }
}

function paintTrees(brush: Brush): void {
  const dust = { chance: 1 }
  for (let tree = 0; tree < 520; tree++) {
    const x = (2 * chance(dust) - 1) * LAND
    const y = (2 * chance(dust) - 1) * LAND
    const size = 18 + chance(dust) * 34
    fillDisc(brush, x + 8, y + 12, size, 'rgba(8, 20, 16, 0.35)')
    brush.fillStyle = ['#1f5136', '#2a6142', '#19452f'][tree % 3]
    brush.beginPath()
    addDisc(brush, x, y, size)
    brush.fill()
    fillDisc(brush, x - size * 0.3, y - size * 0.3, size * 0.5, 'rgba(160, 220, 150, 0.13)')
  }
}

function strip(brush: Brush, way: readonly { x: number; y: number }[], width: number, colour: string): void {
  brush.strokeStyle = colour
  brush.lineWidth = width
  brush.lineJoin = 'round'
  brush.lineCap = 'round'
  brush.beginPath()
  for (const { x, y } of way) brush.lineTo(x, y)
  brush.stroke()
}

function shadow(brush: Brush, radius: number): void {
  brush.fillStyle = 'rgba(0, 0, 0, 0.35)'
  brush.beginPath()
  brush.ellipse(3, radius * 0.5, radius * 1.1, radius * 0.7, 0, 0, 2 * Math.PI)
  brush.fill()
}

/** Round for blue, with corners for red: the sides are told apart without their colours. */
function body(brush: Brush, radius: number, colour: string): void {
  brush.fillStyle = colour
  brush.beginPath()
  if (colour === SIDE_COLOURS[SIDE.red]) {
    const corner = radius * 1.24
    for (const [x, y] of [
      [0, -corner],
      [corner, 0],
      [0, corner],
      [-corner, 0],
    ])
      brush.lineTo(x, y)
    brush.closePath()
  } else addDisc(brush, 0, 0, radius)
  brush.fill()
  brush.lineWidth = radius * 0.16
  brush.strokeStyle = '#10141f'
  brush.stroke()
  fillDisc(brush, -radius * 0.28, -radius * 0.3, radius * 0.45, 'rgba(255, 255, 255, 0.22)')
}

function paintMelee(brush: Brush, colour: string): void {
  shadow(brush, 20)
  body(brush, 19, colour)
  brush.fillStyle = '#10141f'
  brush.fillRect(-9, -9, 18, 18)
  brush.fillStyle = '#e9eefc'
  brush.fillRect(-6, -6, 12, 12)
}

function paintCaster(brush: Brush, colour: string): void {
  shadow(brush, 20)
  body(brush, 17, colour)
  brush.fillStyle = '#10141f'
  brush.beginPath()
  brush.moveTo(0, -22)
  brush.lineTo(15, 10)
  brush.lineTo(-15, 10)
  brush.fill()
  fillDisc(brush, 0, 1, 6, '#fff3c4')
}

function paintSuper(brush: Brush, colour: string): void {
  paintGlow(brush, 38, colour, 0.6)
  shadow(brush, 24)
  body(brush, 24, colour)
  brush.strokeStyle = '#ffe08a'
  brush.lineWidth = 4
  brush.beginPath()
  addDisc(brush, 0, 0, 13)
  brush.stroke()
}

function paintMonster(brush: Brush): void {
  shadow(brush, 22)
  brush.fillStyle = '#8b5fbf'
  brush.beginPath()
  for (let i = 0; i < 14; i++) {
    const reach = i % 2 === 0 ? 27 : 18
    const angle = (i / 14) * 2 * Math.PI
    brush.lineTo(Math.cos(angle) * reach, Math.sin(angle) * reach)
  }
  brush.closePath()
  brush.fill()
  brush.lineWidth = 3
  brush.strokeStyle = '#1c1029'
  brush.stroke()
  fillDisc(brush, -7, -3, 5, '#ffe96b')
  fillDisc(brush, 7, -3, 5, '#ffe96b')
}

function paintTower(brush: Brush, colour: string): void {
  paintGlow(brush, 95, colour, 0.35)
  shadow(brush, 52)
  polygon(brush, 8, 50)
  brush.fillStyle = '#3b4154'
  brush.fill()
  brush.lineWidth = 5
  brush.strokeStyle = '#12151f'
  brush.stroke()
  polygon(brush, 8, 36)
  brush.fillStyle = '#565f78'
  brush.fill()
  polygon(brush, 4, 26)
  brush.fillStyle = colour
  brush.fill()
  brush.lineWidth = 3
  brush.stroke()
  polygon(brush, 4, 11)
  brush.fillStyle = '#ffffff'
  brush.fill()
}

function paintNexus(brush: Brush, colour: string): void {
  paintGlow(brush, 150, colour, 0.7)
  shadow(brush, 80)
  polygon(brush, 6, 76)
  brush.fillStyle = '#2c3247'
  brush.fill()
  brush.lineWidth = 7
  brush.strokeStyle = colour
  brush.stroke()
  polygon(brush, 6, 46)
  brush.fillStyle = colour
  brush.fill()
  polygon(brush, 6, 26)
  brush.fillStyle = '#ffffff'
  brush.fill()
}

/** Looks along +x. */
function paintChampion(brush: Brush, colour: string, emblem: (brush: Brush) => void): void {
  paintGlow(brush, 46, colour, 0.5)
  shadow(brush, 26)
  body(brush, 25, colour)
  fillDisc(brush, 0, 0, 13, '#f3e3cd')
  brush.lineCap = 'round'
  for (const [width, stroke] of [
    [8, '#10141f'],
    [4, '#ffe9b8'],
  ] as const) {
    brush.lineWidth = width
    brush.strokeStyle = stroke
    brush.beginPath()
    emblem(brush)
    brush.stroke()
  }
}

function blade(brush: Brush, length: number, guard: number): void {
  brush.moveTo(8, 0)
  brush.lineTo(8 + length, 0)
  brush.moveTo(14, -guard)
  brush.lineTo(14, guard)
}

function polygon(brush: Brush, corners: number, radius: number): void {
  brush.beginPath()
  for (let i = 0; i < corners; i++) {
    const angle = ((i + 0.5) / corners) * 2 * Math.PI
    brush.lineTo(Math.cos(angle) * radius, Math.sin(angle) * radius)
  }
  brush.closePath()
}
