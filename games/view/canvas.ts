/**
 * What all views on a canvas share.
 *
 * A frame is painted from back to front: the background, the world between its two states, particles, floating numbers,
 * text. A game brings its sprites and its painting; the order, interpolated places and particles are here.
 */

import type { Drawing, Frame, Target } from 'hurtbox/module'
import type { Declaration } from 'hurtbox/tools'
import { beginEffects, createEffects, drawEffects, drawNotes, type Effects, takeBackNotes } from './effects.ts'
import { fillScreen, useScreen } from './paint.ts'
import { createTween, type Tween, tweenPlaces } from './tween.ts'

export type Kit = {
  readonly context: CanvasRenderingContext2D
  readonly effects: Effects
  /** Where the things of the frame's later state are at the moment that is drawn. */
  readonly tween: Tween
  readonly isSmall: boolean
}

/** How a game is painted. `Own` is what it keeps besides the kit: its sprites, and state that lasts longer than a frame. */
type Picture<D extends Declaration, Own extends object> = {
  readonly background: string
  /** Side of a plane that wraps around. */
  readonly side?: number
  /** Once per canvas. */
  own(target: Target): Own
  /** Events become particles, flashes and numbers. */
  react(kit: Kit & Own, frame: Frame<D>): void
  /** The world, in its units. */
  paint(kit: Kit & Own, frame: Frame<D>): void
  /** Text over it, in CSS pixels. Small pictures have none. */
  write(kit: Kit & Own, frame: Frame<D>): void
}

/** What the player on a seat is called in the picture. */
export function nameOf({ seat: own, playerName }: Pick<Frame, 'seat' | 'playerName'>, seat: number): string {
  return seat === own ? 'YOU' : (playerName?.(seat) ?? `P${seat + 1}`)
}

export function drawOnCanvas<D extends Declaration, Own extends object>(
  declaration: D,
  target: Target,
  { background, side = 0, own, react, paint, write }: Picture<D, Own>,
): Drawing<D> {
  const { context, isSmall } = target
  if (context === undefined) return { draw() {} }
  const effects = createEffects(isSmall ? 256 : 1500)
  const tween = createTween(declaration.capacity, side)
  const kit = { ...own(target), context, effects, tween, isSmall }
  return {
    draw(frame) {
      tweenPlaces(tween, frame)
      context.save()
      fillScreen(context, frame, background)
      beginEffects(effects, context, frame)
      react(kit, frame)
      takeBackNotes(effects, frame.withdrawn)
      paint(kit, frame)
      drawEffects(effects, context)
      drawNotes(effects, context)
      if (!isSmall) {
        useScreen(context, frame)
        write(kit, frame)
      }
      context.restore()
    },
  }
}
