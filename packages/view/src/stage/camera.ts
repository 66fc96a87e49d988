/**
 * The camera: which part of the world is on the screen.
 *
 * It shows the whole field, follows the player, or stays where it was dragged. It moves smoothly and only on
 * the page; the simulation knows nothing of it.
 */

import { playerAt } from 'hurtbox'
import type { AnyWorld } from 'hurtbox/tools'
import type { Camera, View } from '../view.ts'
import type { ScreenPlace } from './pick.ts'

export type CameraControl = {
  readonly camera: Camera
  mode: 'rest' | 'follow' | 'free'
  /** Whether it was placed once. The first time the camera jumps instead of moving. */
  isSet: boolean
}

const MARGIN = 1.04
/**
 * On a stage whose shorter side has fewer CSS pixels, the player's own thing is at least so large, and the field is no strip: it has at
 * least this part of the longer side.
 */
const SMALL_STAGE = 500
const SMALLEST_RADIUS = 13
const SMALLEST_PART = 0.48
/** Part of the way to its goal that the camera goes in a second, as a rate. */
const RATE_PER_SECOND = 7

export function createCameraControl(yUp: boolean): CameraControl {
  return { camera: { x: 0, y: 0, scale: 1, yUp }, mode: 'follow', isSet: false }
}

export function moveCamera(
  control: CameraControl,
  view: View,
  world: AnyWorld,
  seat: number,
  width: number,
  height: number,
  elapsedMs: number,
): void {
  if (control.mode === 'free' && control.isSet) return
  const { camera } = control
  const focus = control.mode === 'follow' && seat >= 0 ? view.focus?.(world, seat) : undefined
  let { x, y, scale } = camera
  if (focus !== undefined) {
    ;({ x, y } = focus)
    scale = Math.min(width, height) / (2 * focus.reach)
  } else {
    const { minX, minY, maxX, maxY } = view.bounds(world)
    x = (minX + maxX) / 2
    y = (minY + maxY) / 2
    scale = Math.min(width / ((maxX - minX) * MARGIN), height / ((maxY - minY) * MARGIN))
    const own = control.mode === 'follow' && seat >= 0 ? playerAt(world, seat)?.thing : undefined
    if (own !== undefined && Math.min(width, height) < SMALL_STAGE) {
      // The whole field would be too small to play on: as much of it as leaves the player and the field large enough.
      const [wide, high] = [SMALLEST_PART * (width / (maxX - minX)), SMALLEST_PART * (height / (maxY - minY))]
      scale = Math.max(scale, SMALLEST_RADIUS / own.radius, wide, high)
      x = within(own.x, minX, maxX, width / scale)
      y = within(own.y, minY, maxY, height / scale)
    }
  }
  if (!(scale > 0) || !Number.isFinite(x + y + scale)) return
  const part = control.isSet ? 1 - Math.exp((-elapsedMs / 1000) * RATE_PER_SECOND) : 1
  camera.x += (x - camera.x) * part
  camera.y += (y - camera.y) * part
  camera.scale *= Math.pow(scale / camera.scale, part)
  control.isSet = true
}

/** The middle of a view `seen` wide that shows `at` and nothing beyond the field, as far as it is large enough. */
function within(at: number, min: number, max: number, seen: number): number {
  if (seen >= max - min) return (min + max) / 2
  return Math.min(Math.max(at, min + seen / 2), max - seen / 2)
}

/** Lets a context draw in world units. */
export function applyCamera(
  context: CanvasRenderingContext2D,
  camera: Camera,
  width: number,
  height: number,
  pixelRatio: number,
): void {
  const scale = camera.scale * pixelRatio
  const scaleY = camera.yUp ? -scale : scale
  context.setTransform(
    scale,
    0,
    0,
    scaleY,
    (width / 2) * pixelRatio - camera.x * scale,
    (height / 2) * pixelRatio - camera.y * scaleY,
  )
}

export function toScreen(camera: Camera, width: number, height: number, x: number, y: number, out: ScreenPlace): void {
  out.x = (x - camera.x) * camera.scale + width / 2
  out.y = (y - camera.y) * (camera.yUp ? -camera.scale : camera.scale) + height / 2
}

export function toWorld(camera: Camera, width: number, height: number, x: number, y: number, out: ScreenPlace): void {
  out.x = (x - width / 2) / camera.scale + camera.x
  out.y = (y - height / 2) / (camera.yUp ? -camera.scale : camera.scale) + camera.y
}

/** Zooms so that the place under (x, y) stays there. */
export function zoomAt(
  control: CameraControl,
  factor: number,
  x: number,
  y: number,
  width: number,
  height: number,
): void {
  const { camera } = control
  const under = { x: 0, y: 0 }
  toWorld(camera, width, height, x, y, under)
  camera.scale *= factor
  const now = { x: 0, y: 0 }
  toWorld(camera, width, height, x, y, now)
  camera.x += under.x - now.x
  camera.y += under.y - now.y
  control.mode = 'free'
}

export function dragCamera(control: CameraControl, dx: number, dy: number): void {
  const { camera } = control
  camera.x -= dx / camera.scale
  camera.y -= dy / (camera.yUp ? -camera.scale : camera.scale)
  control.mode = 'free'
}
