/**
 * The studio's stage: the stage that every page draws on, and a canvas over it for what the engine saw.
 *
 * The two lie on each other, so that overlays look the same over every game and cost nothing while they are off.
 */

import type { Playable, View } from '@hurtbox/view'
import {
  addCanvas,
  createStage,
  drawStage,
  fitCanvas,
  nameCanvas,
  pixelRatioOf,
  placeAt,
  type ScreenPlace,
  type Stage,
  screenAt,
} from '@hurtbox/view/stage'
import type { Picture } from 'hurtbox/picture'
import type { AnyWorld } from 'hurtbox/tools'
import type { Overlay } from '../sim/protocol.ts'
import { drawOverlay, type Layers } from './overlay.ts'

/** A picture, and what the engine saw in its tick. */
export type StudioPicture = Picture & {
  readonly overlay?: Overlay | undefined
  /** The match itself takes more time than there is. */
  readonly isSlow?: boolean
}

export type StudioStage = Stage & {
  readonly layers: Layers
  /** Ids of selected things. */
  selected: readonly number[]
  /** What the pointer is over, here or in a panel; 0 for nothing. */
  hovered: number
  /** What the engine saw in the tick that is shown. */
  overlay: Overlay | undefined
  /** Other states drawn faintly over this one (server truth in the network lab). */
  ghosts: readonly Ghost[]
  readonly upper: CanvasRenderingContext2D
  /** Whether nothing is on the upper canvas. */
  isUpperClear: boolean
}

export type Ghost = { readonly world: AnyWorld; readonly colour: string; readonly dash: readonly number[] }

export const NO_LAYERS: Readonly<Layers> = {
  boxes: false,
  grid: false,
  bounds: false,
  contacts: false,
  velocities: false,
  fog: true,
  hiddenLayers: 0,
}

export function createStudioStage(element: HTMLElement, module: Playable, view: View): StudioStage {
  const stage = createStage(element, module, view)
  const upper = addCanvas(element, 'stage-overlay')
  upper.style.pointerEvents = 'none'
  nameCanvas(upper, '')
  return Object.assign(stage, {
    layers: { ...NO_LAYERS },
    selected: [],
    hovered: 0,
    overlay: undefined,
    ghosts: [],
    upper: upper.getContext('2d')!,
    isUpperClear: false,
  })
}

export function drawStudioStage(stage: StudioStage, shown: StudioPicture, nowMs: number): void {
  stage.overlay = shown.overlay
  stage.showFog = stage.layers.fog
  stage.isMatchSlow = shown.isSlow === true
  if (!drawStage(stage, shown, nowMs)) return
  const isPlain = hasNothingOver(stage)
  if (!(isPlain && stage.isUpperClear)) drawUpper(stage, shown.after)
  stage.isUpperClear = isPlain
}

function hasNothingOver({ layers, selected, hovered, ghosts, overlay }: StudioStage): boolean {
  const { grid, boxes, bounds, contacts, velocities } = layers
  if (overlay !== undefined && (grid || boxes || bounds || contacts)) return false
  return !velocities && selected.length === 0 && hovered === 0 && ghosts.length === 0
}

function drawUpper(stage: StudioStage, world: AnyWorld): void {
  const { width, height, layers, cameraControl, drawing, upper: context } = stage
  const pixelRatio = pixelRatioOf()
  fitCanvas(context.canvas, width, height, pixelRatio)
  context.setTransform(pixelRatio, 0, 0, pixelRatio, 0, 0)
  context.clearRect(0, 0, width, height)
  const corner = { x: 0, y: 0 }
  const opposite = { x: 0, y: 0 }
  placeAt(stage, 0, 0, corner)
  placeAt(stage, width, height, opposite)
  const target = {
    context,
    width,
    height,
    scale: drawing?.project === undefined ? cameraControl.camera.scale : 0,
    visible: {
      minX: Math.min(corner.x, opposite.x),
      minY: Math.min(corner.y, opposite.y),
      maxX: Math.max(corner.x, opposite.x),
      maxY: Math.max(corner.y, opposite.y),
    },
    project: (x: number, y: number, z: number, out: ScreenPlace) => screenAt(stage, x, y, z, out),
  }
  drawOverlay(target, stage.overlay, world, layers, stage)
  for (const ghost of stage.ghosts) drawGhost(stage, context, ghost)
}

const at = { x: 0, y: 0 }
const beside = { x: 0, y: 0 }

function drawGhost(stage: Stage, context: CanvasRenderingContext2D, { world, colour, dash }: Ghost): void {
  const { things } = world.tables
  context.strokeStyle = colour
  context.lineWidth = 1.5
  context.setLineDash(dash as number[])
  context.beginPath()
  for (let row = 0; row < things.count; row++) {
    if (things.maxHp?.[row] > 0 && things.hp[row] === 0) continue
    const z = things.z?.[row] ?? 0
    screenAt(stage, things.x[row], things.y[row], z, at)
    screenAt(stage, things.x[row] + things.radius[row], things.y[row], z, beside)
    const radius = Math.max(2, Math.abs(beside.x - at.x))
    context.moveTo(at.x + radius, at.y)
    context.arc(at.x, at.y, radius, 0, Math.PI * 2)
  }
  context.stroke()
  context.setLineDash([])
}
