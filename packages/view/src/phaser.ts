/**
 * A match as a scene plugin of Phaser 4.
 *
 * It plays and draws with every update of its scene until the scene shuts down. Things become game objects of the scene.
 *
 * @module @hurtbox/view/phaser
 */

import type { Match, Picture } from 'hurtbox/picture'
import type { AnyDeclaration, Declaration } from 'hurtbox/tools'
import { type GameObjects, Plugins, Scenes } from 'phaser'
import { drawBoxes } from './boxes.ts'
import { createScene, type DrawnOptions, type Scene, type SceneOptions } from './scene.ts'

/** What every game object that is seen can do. */
export type Placed = GameObjects.GameObject & {
  setPosition(x: number, y: number): unknown
  setRotation(radians: number): unknown
}

/**
 * Install it as a scene plugin: `plugins: { scene: [{ key: 'hurtbox', plugin: HurtboxPlugin, mapping: 'hurtbox' }] }`, and call
 * `this.hurtbox.play(match, { … })` in `create` of the scene.
 */
export class HurtboxPlugin extends Plugins.ScenePlugin {
  #scene: Scene<AnyDeclaration> | undefined
  readonly #frame = () => this.#scene?.frame()
  readonly #end = () => this.stop()

  /**
   * `create` returns the game object of a thing, as `scene.add` makes it. It is placed and turned before `update`, and
   * destroyed when the thing has gone. A match that is played already is stopped first. In a view, which is given its pictures, there is no
   * match: call `draw`.
   */
  play<D extends Declaration>(match: Match<D>, options: SceneOptions<D, Placed>): void
  play<D extends Declaration>(match: undefined, options: DrawnOptions<D, Placed>): void
  play<D extends Declaration>(match: Match<D> | undefined, options: DrawnOptions<D, Placed>): void {
    this.stop()
    this.#scene = createScene<D, Placed>(match, options, {
      add() {},
      put(object, { x, y, facingX, facingY }) {
        object.setPosition(x, y)
        object.setRotation(Math.atan2(facingY, facingX))
      },
      end: (object) => object.destroy(),
    }) as unknown as Scene<AnyDeclaration>
    this.systems?.events.on(Scenes.Events.UPDATE, this.#frame)
    this.systems?.events.once(Scenes.Events.SHUTDOWN, this.#end)
  }

  draw(picture: Picture): void {
    this.#scene?.draw(picture)
  }

  /** Removes everything of the match from the scene. The match itself goes on; `match.leave()` ends it. */
  override stop(): void {
    this.systems?.events.off(Scenes.Events.UPDATE, this.#frame)
    this.systems?.events.off(Scenes.Events.SHUTDOWN, this.#end)
    this.#scene?.close()
    this.#scene = undefined
  }

  override destroy(): void {
    this.stop()
    super.destroy()
  }
}

/** Draws the boxes of the last tick, for debugging. Call it in `frame`. */
export function drawBoxesWith(graphics: GameObjects.Graphics, picture: Picture, colour = 0xff3355): void {
  graphics.clear().lineStyle(1, colour)
  drawBoxes(picture, (corners) => {
    const points = Array.from({ length: corners.length / 2 }, (_, i) => ({ x: corners[2 * i], y: corners[2 * i + 1] }))
    graphics.strokePoints(points as never, true, true)
  })
}
