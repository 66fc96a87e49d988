/** A canvas over the page's own, for boxes: it follows the place and size of what the game is drawn on. */

import type { Project, ScreenPlace } from '@hurtbox/view/stage'
import type { AnyWorld } from 'hurtbox/tools'
import { drawOverlay, type Layers, type Pointed } from '../draw/overlay.ts'
import type { AttachOptions } from '../model/attach-types.ts'
import type { Overlay } from '../sim/protocol.ts'

export type BoxesOver = {
  readonly project: Project
  draw(overlay: Overlay | undefined, world: AnyWorld, layers: Layers, pointed: Pointed): void
  close(): void
}

export function createBoxesOver({ canvas: page, project: given }: AttachOptions): BoxesOver {
  const canvas = document.createElement('canvas')
  canvas.dataset.testid = 'attached-boxes'
  // What the page's styles say of canvases is not meant for this one.
  Object.assign(canvas.style, { all: 'initial', position: 'fixed', pointerEvents: 'none', zIndex: '2147483000' })
  document.body.append(canvas)
  const context = canvas.getContext('2d')!
  const project: Project = given ?? ownPixels(page)
  return {
    project,
    draw(overlay, world, layers, pointed) {
      const { left, top, width, height } = page.getBoundingClientRect()
      const ratio = globalThis.devicePixelRatio || 1
      Object.assign(canvas.style, { left: `${left}px`, top: `${top}px`, width: `${width}px`, height: `${height}px` })
      const [wide, high] = [Math.round(width * ratio), Math.round(height * ratio)]
      if (canvas.width !== wide) canvas.width = wide
      if (canvas.height !== high) canvas.height = high
      context.setTransform(ratio, 0, 0, ratio, 0, 0)
      context.clearRect(0, 0, width, height)
      const { scale, visible } = seenFrom(project, width, height)
      drawOverlay({ context, width, height, project, scale, visible }, overlay, world, layers, pointed)
    },
    close: () => canvas.remove(),
  }
}

/** One unit of the world is one pixel of the canvas's own, however large it is shown. */
function ownPixels(page: HTMLElement): Project {
  return (x, y, _z, out) => {
    const { width, height } = page as Partial<HTMLCanvasElement>
    out.x = (x * page.clientWidth) / (width || page.clientWidth || 1)
    out.y = (y * page.clientHeight) / (height || page.clientHeight || 1)
  }
}

/**
 * What part of the plane is seen and how large, found out by projecting three places. The scale is 0 where the plane is not
 * seen straight from above, and nothing is known of what is seen where it cannot be turned around.
 */
function seenFrom(project: Project, width: number, height: number) {
  const [origin, right, up]: ScreenPlace[] = [0, 0, 0].map(() => ({ x: 0, y: 0 }))
  project(0, 0, 0, origin)
  project(100, 0, 0, right)
  project(0, 100, 0, up)
  const [ax, ay] = [(right.x - origin.x) / 100, (right.y - origin.y) / 100]
  const [bx, by] = [(up.x - origin.x) / 100, (up.y - origin.y) / 100]
  const area = ax * by - ay * bx
  const isStraight =
    Math.abs(ay) + Math.abs(bx) < 1e-6 * Math.abs(ax) && Math.abs(Math.abs(ax) - Math.abs(by)) < 1e-6 * Math.abs(ax)
  const worldX = (x: number, y: number) => ((x - origin.x) * by - (y - origin.y) * bx) / area
  const worldY = (x: number, y: number) => ((y - origin.y) * ax - (x - origin.x) * ay) / area
  const [x0, x1] = [worldX(0, 0), worldX(width, height)]
  const [y0, y1] = [worldY(0, 0), worldY(width, height)]
  return {
    scale: isStraight ? Math.abs(ax) : 0,
    visible: { minX: Math.min(x0, x1), minY: Math.min(y0, y1), maxX: Math.max(x0, x1), maxY: Math.max(y0, y1) },
  }
}
