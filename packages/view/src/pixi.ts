/**
 * A match as a container of Pixi 8.
 *
 * It plays and draws with every tick of its ticker until it is destroyed. Things become its children.
 *
 * @module @hurtbox/view/pixi
 */

import type { Match, Picture } from 'hurtbox/picture'
import type { Declaration } from 'hurtbox/tools'
import { Container, type DestroyOptions, type Graphics, Ticker } from 'pixi.js'
import { drawBoxes } from './boxes.ts'
import { createScene, type DrawnOptions, type Scene, type SceneOptions } from './scene.ts'

export type MatchContainerOptions<D extends Declaration> = SceneOptions<D, Container> & {
  /** What calls it. Default: `Ticker.shared`, which an `Application` uses with `sharedTicker`; else give `app.ticker`. */
  readonly ticker?: Ticker
}

/**
 * `create` returns the child of a thing. It is placed and turned before `update`, and destroyed when the thing has gone. In a view, which is
 * given its pictures, there is no match: call `draw`.
 */
export class MatchContainer<D extends Declaration> extends Container {
  readonly #ticker: Ticker | undefined
  readonly #scene: Scene<D>
  readonly #frame = () => this.#scene.frame()

  constructor(match: Match<D>, options: MatchContainerOptions<D>)
  constructor(match: undefined, options: DrawnOptions<D, Container>)
  constructor(match: Match<D> | undefined, options: DrawnOptions<D, Container> & Partial<MatchContainerOptions<D>>) {
    super()
    this.#ticker = match && (options.ticker ?? Ticker.shared)
    this.#scene = createScene<D, Container>(match, options, {
      add: (child) => this.addChild(child),
      put(child, { x, y, facingX, facingY }) {
        child.position.set(x, y)
        child.rotation = Math.atan2(facingY, facingX)
      },
      end: (child) => child.destroy({ children: true }),
    })
    this.#ticker?.add(this.#frame)
  }

  draw(picture: Picture<D>): void {
    this.#scene.draw(picture)
  }

  override destroy(options?: DestroyOptions): void {
    this.#ticker?.remove(this.#frame)
    this.#scene.close()
    super.destroy(options ?? { children: true })
  }
}

/** Draws the boxes of the last tick, for debugging. Call it in `frame`. */
export function drawBoxesWith(graphics: Graphics, picture: Picture, colour = 0xff3355): void {
  graphics.clear()
  drawBoxes(picture, (corners) => graphics.poly([...corners]))
  graphics.stroke({ color: colour, pixelLine: true })
}
