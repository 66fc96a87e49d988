/**
 * A match as a group of three.
 *
 * The ground of the game is three's plane of x and z, its height is y: x of the game is x, y is z, z is y. So a game in the
 * plane lies on the floor as it lies on a canvas, seen by a camera from above.
 *
 * @module @hurtbox/view/three
 */

import type { Match, Picture } from 'hurtbox/picture'
import type { Declaration } from 'hurtbox/tools'
import { BufferGeometry, Float32BufferAttribute, Group, type LineSegments, type Object3D } from 'three'
import { drawBoxes } from './boxes.ts'
import { createScene, type DrawnOptions, type Scene, type SceneOptions } from './scene.ts'

/**
 * `create` returns the object of a thing. It is added, and placed and turned before `update`, and taken out when the thing has
 * gone; dispose of what is its own (geometry, material) in `remove`. In a view, which is given its pictures, there is no match: call `draw`.
 */
export class MatchGroup<D extends Declaration> extends Group {
  readonly #scene: Scene<D>

  constructor(match: Match<D>, options: SceneOptions<D, Object3D>)
  constructor(match: undefined, options: DrawnOptions<D, Object3D>)
  constructor(match: Match<D> | undefined, options: DrawnOptions<D, Object3D>) {
    super()
    this.#scene = createScene<D, Object3D>(match, options, {
      add: (object) => this.add(object),
      put(object, { x, y, z, facingX, facingY }) {
        object.position.set(x, z, y)
        object.rotation.y = -Math.atan2(facingY, facingX)
      },
      end: (object) => object.removeFromParent(),
    })
  }

  /** Plays and draws up to now. Call it before the renderer renders. */
  update(): void {
    this.#scene.frame()
  }

  draw(picture: Picture<D>): void {
    this.#scene.draw(picture)
  }

  close(): void {
    this.#scene.close()
    this.removeFromParent()
  }
}

/** Draws the boxes of the last tick into lines, for debugging. Call it in `frame`. `height`: how far above the ground. */
export function drawBoxesWith(lines: LineSegments, picture: Picture, height = 0): void {
  const points: number[] = []
  drawBoxes(picture, (corners) => {
    for (let i = 0; i < corners.length; i += 2) {
      const next = (i + 2) % corners.length
      points.push(corners[i], height, corners[i + 1], corners[next], height, corners[next + 1])
    }
  })
  lines.geometry.dispose()
  lines.geometry = new BufferGeometry().setAttribute('position', new Float32BufferAttribute(points, 3))
}
