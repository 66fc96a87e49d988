/** Painting that all views share: colours, sprites, bars, words in screen pixels. */

import type { Bounds, Frame, Places, Target } from '@hurtbox/view'
import { setSharpness } from './lettering.ts'
import { toneOf } from './words.ts'

/** Colours of seats and teams: bright on dark, and distinct for most eyes. */
export const SEAT_COLOURS: readonly string[] = [
  '#4cc9ff',
  '#ff5d73',
  '#ffd166',
  '#7ae582',
  '#c792ff',
  '#ff9f5a',
  '#5af0d0',
  '#ff8ad8',
  '#9db4ff',
  '#d6f05a',
  '#ff7043',
  '#66d9a8',
  '#f6a6ff',
  '#ffe08a',
  '#8bd3ff',
  '#e0a080',
]

/** From here on in CSS pixels of the canvas, from its upper left corner. */
export function useScreen(context: CanvasRenderingContext2D, { pixelRatio }: Pick<Frame, 'pixelRatio'>): void {
  setSharpness(context, pixelRatio)
  context.setTransform(pixelRatio, 0, 0, pixelRatio, 0, 0)
}

/** The part of the world that is on the screen, and `margin` units around it: what lies outside need not be drawn. */
export function sight({ camera, width, height }: Pick<Frame, 'camera' | 'width' | 'height'>, margin: number): Bounds {
  const reachX = width / camera.scale / 2 + margin
  const reachY = height / camera.scale / 2 + margin
  return { minX: camera.x - reachX, minY: camera.y - reachY, maxX: camera.x + reachX, maxY: camera.y + reachY }
}

/** Whether a row is on the screen, or at most `margin` units beside it. */
export function inSight(
  { x, y }: Pick<Places, 'x' | 'y'>,
  frame: Pick<Frame, 'camera' | 'width' | 'height'>,
  margin: number,
) {
  const { minX, minY, maxX, maxY } = sight(frame, margin)
  return (row: number): boolean => x[row] >= minX && x[row] <= maxX && y[row] >= minY && y[row] <= maxY
}

/** Paints the whole canvas, also what lies outside the world. */
export function fillScreen(context: CanvasRenderingContext2D, frame: Screen, colour: string): void {
  context.save()
  useScreen(context, frame)
  context.fillStyle = colour
  context.fillRect(0, 0, frame.width, frame.height)
  context.restore()
}

type Screen = Pick<Frame, 'width' | 'height' | 'pixelRatio'>

export type Sprite = { readonly image: CanvasImageSource; readonly half: number }

/**
 * Draws something once, to be stamped often: thousands of stamps cost what some dozens of paths do, and glow costs
 * nothing. `half` is half its side in world units, `sharpness` pixels per unit; `paint` draws around (0, 0).
 */
export function sprite(
  target: Target,
  half: number,
  sharpness: number,
  paint: (context: CanvasRenderingContext2D) => void,
): Sprite {
  const canvas = target.canvas.ownerDocument.createElement('canvas')
  const size = Math.max(2, Math.ceil(half * 2 * sharpness))
  canvas.width = size
  canvas.height = size
  const context = canvas.getContext('2d')
  if (context !== null) {
    context.setTransform(size / half / 2, 0, 0, size / half / 2, size / 2, size / 2)
    paint(context)
  }
  return { image: canvas, half }
}

/** Stamps a sprite in its own size times `scale`. */
export function stamp(
  context: CanvasRenderingContext2D,
  { image, half }: Sprite,
  x: number,
  y: number,
  scale = 1,
): void {
  const reach = half * scale
  context.drawImage(image, x - reach, y - reach, reach * 2, reach * 2)
}

/** Stamps a sprite turned clockwise by `angle`. */
export function stampTurned(
  context: CanvasRenderingContext2D,
  drawn: Sprite,
  x: number,
  y: number,
  angle: number,
  scale = 1,
): void {
  context.translate(x, y)
  context.rotate(angle)
  stamp(context, drawn, 0, 0, scale)
  context.rotate(-angle)
  context.translate(-x, -y)
}

/** A soft disc that fades to nothing at `radius`. */
export function paintGlow(context: CanvasRenderingContext2D, radius: number, colour: string, strength = 1): void {
  const gradient = context.createRadialGradient(0, 0, 0, 0, 0, radius)
  gradient.addColorStop(0, fade(colour, strength))
  gradient.addColorStop(0.4, fade(colour, strength * 0.35))
  gradient.addColorStop(1, fade(colour, 0))
  context.fillStyle = gradient
  context.fillRect(-radius, -radius, radius * 2, radius * 2)
}

/** A bubble whose rim is brighter than its middle: a shield. */
export function paintBubble(context: CanvasRenderingContext2D, clear: number, radius: number): void {
  const gradient = context.createRadialGradient(0, 0, clear, 0, 0, radius)
  gradient.addColorStop(0, 'rgba(120, 215, 255, 0)')
  gradient.addColorStop(0.88, 'rgba(120, 215, 255, 0.35)')
  gradient.addColorStop(1, 'rgba(200, 242, 255, 0.78)')
  context.fillStyle = gradient
  context.beginPath()
  addDisc(context, 0, 0, radius)
  context.fill()
}

/** A colour written #rrggbb with an opacity. */
export function fade(colour: string, opacity: number): string {
  const code = Math.round(Math.min(Math.max(opacity, 0), 1) * 255)
  return `${colour}${code.toString(16).padStart(2, '0')}`
}

/** A bar of health and the like, centred on x. */
export function bar(
  context: CanvasRenderingContext2D,
  x: number,
  y: number,
  width: number,
  height: number,
  part: number,
  colour: string,
): void {
  const rim = height * 0.25
  context.fillStyle = 'rgba(0, 0, 0, 0.65)'
  context.fillRect(x - width / 2 - rim, y - rim, width + rim * 2, height + rim * 2)
  context.fillStyle = colour
  context.fillRect(x - width / 2, y, width * Math.min(Math.max(part, 0), 1), height)
}

const TONES = { good: '#6ee787', warn: '#ffc44d', bad: '#ff5a5a' }

/** Green, amber, red: what is left of something. */
export function healthColour(part: number): string {
  return TONES[toneOf(part)]
}

export function fillDisc(
  context: CanvasRenderingContext2D,
  x: number,
  y: number,
  radius: number,
  colour: string,
): void {
  context.fillStyle = colour
  context.beginPath()
  addDisc(context, x, y, radius)
  context.fill()
}

/** Adds a circle to the path that is being made. */
export function addDisc(context: CanvasRenderingContext2D, x: number, y: number, radius: number): void {
  context.moveTo(x + radius, y)
  context.arc(x, y, radius, 0, 2 * Math.PI)
}
