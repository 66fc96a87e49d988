/** Names above fighters: on the screen none covers another, wherever the camera stands. */

import type { HudBox } from '@hurtbox/view'
import { type PerspectiveCamera, type Sprite, Vector3 } from 'three'
import { type Figure, NAME_HEIGHT } from './figure.ts'

/** The part of a label that its words and its bar take up, and the room left between two, px. */
const FILLED = 0.8
const GAP = 2

type Screen = { readonly width: number; readonly height: number }

/** Lifts names that would cover another one, the nearest fighter's first. Returns where all of them are. */
export function spreadNames(figures: Iterable<Figure>, camera: PerspectiveCamera, screen: Screen): HudBox[] {
  const placed: HudBox[] = []
  const shown = [...figures].filter(({ label, group }) => label.sprite.visible && group.visible)
  for (const { label, group } of shown.sort((a, b) => a.group.position.y - b.group.position.y)) {
    const { sprite } = label
    sprite.position.z = NAME_HEIGHT
    // Each turn it rises above one that it covers; it can cover each of the others once.
    for (let tries = 0; tries <= placed.length; tries++) {
      const box = boxOf(sprite, group.position, camera, screen, label.said)
      const other = placed.find((each) => covers(each, box))
      if (other === undefined) break
      sprite.position.z += (box.top + box.height + GAP - other.top) / rise(sprite, group.position, camera, screen)
    }
    placed.push(boxOf(sprite, group.position, camera, screen, label.said))
  }
  return placed
}

function covers(a: HudBox, b: HudBox): boolean {
  return a.left < b.left + b.width && b.left < a.left + a.width && a.top < b.top + b.height && b.top < a.top + a.height
}

/** Scratch: written before it is read. */
const point = new Vector3()

/** Pixels by which a name goes up for each metre. */
function rise(sprite: Sprite, foot: Vector3, camera: PerspectiveCamera, { height }: Screen): number {
  const z = foot.z + sprite.position.z
  const low = point.set(foot.x, foot.y, z).project(camera).y
  return Math.max(1, ((point.set(foot.x, foot.y, z + 1).project(camera).y - low) / 2) * height)
}

/** Where a label is on the screen. It always faces the camera, so its size follows from its distance alone. */
function boxOf(
  { position, scale }: Sprite,
  foot: Vector3,
  camera: PerspectiveCamera,
  { width, height }: Screen,
  said: string,
): HudBox {
  point.set(foot.x + position.x, foot.y + position.y, foot.z + position.z)
  const far = -point.applyMatrix4(camera.matrixWorldInverse).z
  point.applyMatrix4(camera.projectionMatrix)
  const pixelsPerMetre = height / (2 * far * Math.tan((camera.fov / 360) * Math.PI))
  const [wide, high] = [scale.x * FILLED * pixelsPerMetre, scale.y * FILLED * pixelsPerMetre]
  const [x, y] = [((point.x + 1) / 2) * width, ((1 - point.y) / 2) * height]
  return { text: said.split(' ')[0], left: x - wide / 2, top: y - high / 2, width: wide, height: high }
}
