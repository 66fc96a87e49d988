/** What the player may see: fog over the map, and a small map in the corner. */

import type { Frame, HudBox, Places, Target } from '@hurtbox/view'
import { playerAt } from 'hurtbox'
import { isHandheld } from '../../view/canvas.ts'
import { sight } from '../../view/paint.ts'
import { HALF, SIDE, STRUCTURES } from '../rules/content/map.ts'
import { KIND } from '../rules/content/units.ts'
import { type declaration, FOG_SIDE, LAYER, type SiegeWorld } from '../rules/declaration.ts'
import { sees } from '../rules/fog.ts'
import { SIDE_COLOURS } from './sprites.ts'

export type SiegeFrame = Frame<typeof declaration>

/** The side whose sight the frame shows; 0 for all: a spectator, or fog switched off. */
export function sideOf({ after, seat, showFog }: SiegeFrame): number {
  return (showFog ? playerAt(after, seat)?.team : 0) ?? 0
}

/** `visible` of the rules, for loops over all rows. */
export function isSeen(world: SiegeWorld, side: number, row: number): boolean {
  const { team, layer, x, y } = world.tables.things
  if (side === 0 || team[row] === side || layer[row] === LAYER.structure) return true
  return sees(world, side, { x: x[row], y: y[row] })
}

/** Fog as a picture of one pixel per cell: the browser smooths it when it is drawn as large as the map. */
export type Fog = { readonly canvas: HTMLCanvasElement; readonly context: CanvasRenderingContext2D | null }

export function createFog(target: Target): Fog {
  const canvas = target.canvas.ownerDocument.createElement('canvas')
  canvas.width = FOG_SIDE
  canvas.height = FOG_SIDE
  return { canvas, context: canvas.getContext('2d') }
}

export function drawFog(context: CanvasRenderingContext2D, fog: Fog, world: SiegeWorld, side: number): void {
  if (side === 0 || fog.context === null) return
  const seen = (side - 1) * FOG_SIDE * FOG_SIDE
  fog.context.clearRect(0, 0, FOG_SIDE, FOG_SIDE)
  fog.context.fillStyle = 'rgba(4, 8, 18, 0.62)'
  for (let line = 0; line < FOG_SIDE; line++) {
    // Runs of hidden cells, not single ones: a tenth of the calls.
    let start = -1
    for (let column = 0; column <= FOG_SIDE; column++) {
      const isHidden = column < FOG_SIDE && world.arrays.fog[seen + line * FOG_SIDE + column] === 0
      if (isHidden && start < 0) start = column
      if (isHidden || start < 0) continue
      fog.context.fillRect(start, line, column - start, 1)
      start = -1
    }
  }
  context.drawImage(fog.canvas, -HALF, -HALF, HALF * 2, HALF * 2)
}

const MINIMAP = 150

/** In screen pixels, in the lower right corner. Returns where it is. */
export function drawMinimap(context: CanvasRenderingContext2D, frame: SiegeFrame, at: Places, side: number): HudBox {
  const { after, width, height } = frame
  const { things } = after.tables
  // On a phone thumbs are below: there it is above, and smaller.
  const isAbove = isHandheld(frame)
  const size = Math.min(isAbove ? MINIMAP * 0.65 : MINIMAP, width * 0.3)
  const [left, scale] = [width - size - 12, size / (HALF * 2)]
  const top = isAbove ? 40 : height - size - 12
  context.fillStyle = 'rgba(10, 18, 28, 0.82)'
  context.fillRect(left, top, size, size)
  context.strokeStyle = '#5b6b8c'
  context.lineWidth = 1.5
  context.strokeRect(left, top, size, size)
  for (const team of [SIDE.blue, SIDE.red, SIDE.neutral]) {
    context.fillStyle = SIDE_COLOURS[team]
    for (let row = 0; row < things.count; row++) {
      const kind = things.kind[row]
      if (things.team[row] !== team || kind >= KIND.shot || things.hp[row] <= 0 || !isSeen(after, side, row)) continue
      const dot = kind === KIND.champion ? 7 : kind === KIND.nexus ? 9 : kind === KIND.tower ? 6 : 2
      const x = left + (at.x[row] + HALF) * scale
      const y = top + (at.y[row] + HALF) * scale
      context.fillRect(x - dot / 2, y - dot / 2, dot, dot)
    }
  }
  const { minX, minY, maxX, maxY } = sight(frame, 0)
  const clip = (value: number) => (Math.min(Math.max(value, -HALF), HALF) + HALF) * scale
  context.strokeStyle = '#ffffff'
  context.strokeRect(left + clip(minX), top + clip(minY), clip(maxX) - clip(minX), clip(maxY) - clip(minY))
  return { text: 'map', left, top, width: size, height: size }
}

/** Towers that stand, by side. */
export function towersLeft(world: SiegeWorld, side: number): number {
  const all = STRUCTURES.filter((each) => each.side === side && each.tier > 0).length
  const other = side === SIDE.blue ? SIDE.red : SIDE.blue
  return all - world.arrays.towersFelled[other]
}
