/**
 * Drawing Sumo with three.js. The world's z is up, and so is the camera's: nothing is converted.
 *
 * The studio's camera says what of the plane is in the middle and how large; from that follows where this one stands. So
 * panning, zooming and following work as in the flat games.
 */

import type { Drawing, HudBox, Target } from '@hurtbox/view'
import { PerspectiveCamera, Vector3, WebGLRenderer } from 'three'
import type { declaration } from '../rules/declaration.ts'
import { spreadNames } from './names.ts'
import { createStage, type SumoFrame, showFrame } from './stage.ts'

const FIELD_OF_VIEW = 34
/**
 * How far above the ring the camera looks from, as the sine of the angle. On a phone held upright it looks from higher up, so that
 * fighters behind one another do not hide each other and the ring fills the screen.
 */
const HEIGHT = { wide: 0.54, upright: 0.74 } as const
/** What the camera looks at is this far above the ring. */
const GAZE = 0.9

export function createSumoDrawing(target: Target): Drawing<typeof declaration> {
  const renderer = new WebGLRenderer({ canvas: target.canvas, antialias: !target.isSmall })
  renderer.shadowMap.enabled = true
  const camera = new PerspectiveCamera(FIELD_OF_VIEW, 1, 0.5, 400)
  camera.up.set(0, 0, 1)
  const stage = createStage(target)
  const size = { width: 0, height: 0, pixelRatio: 0 }
  let names: readonly HudBox[] = []

  return {
    draw(frame) {
      const { width, height, pixelRatio } = frame
      // Only then: setting a size makes the drawing buffer anew.
      if (size.width !== width || size.height !== height || size.pixelRatio !== pixelRatio) {
        Object.assign(size, { width, height, pixelRatio })
        renderer.setPixelRatio(pixelRatio)
        renderer.setSize(width, height, false)
      }
      showFrame(stage, frame)
      aim(camera, frame, frame.isCalm ? 0 : stage.shake)
      names = spreadNames(stage.figures.objects(), camera, size)
      renderer.render(stage.scene, camera)
    },
    hud: () => names,
    project(x, y, z, out) {
      point.set(x, y, z).project(camera)
      out.x = ((point.x + 1) / 2) * size.width
      out.y = ((1 - point.y) / 2) * size.height
    },
    /** To the top of the ring. */
    unproject(screenX, screenY, out) {
      point
        .set((screenX / Math.max(1, size.width)) * 2 - 1, 1 - (screenY / Math.max(1, size.height)) * 2, 0.5)
        .unproject(camera)
      point.sub(camera.position)
      const far = point.z < 0 ? -camera.position.z / point.z : 0
      out.x = camera.position.x + point.x * far
      out.y = camera.position.y + point.y * far
    },
    dispose() {
      stage.dispose()
      renderer.dispose()
    },
  }
}

/** Scratch: written before it is read. */
const point = new Vector3()

function aim(
  camera: PerspectiveCamera,
  { camera: { x, y, scale }, width, height, nowMs }: SumoFrame,
  shake: number,
): void {
  // A little farther than the plane alone would need: fighters are tall, and fly.
  const visible = height / scale
  const far = (1.15 * visible) / 2 / Math.tan((FIELD_OF_VIEW / 360) * Math.PI)
  const up = width < height ? HEIGHT.upright : HEIGHT.wide
  camera.aspect = width / Math.max(1, height)
  camera.position.set(x, y - far * Math.sqrt(1 - up * up), GAZE + far * up)
  camera.lookAt(x, y, GAZE)
  camera.position.x += Math.sin(nowMs * 0.11) * shake
  camera.position.z += Math.sin(nowMs * 0.13 + 1) * shake
  camera.updateProjectionMatrix()
  camera.updateMatrixWorld()
}
