/**
 * What all views on a canvas do around their own painting.
 *
 * A frame is painted from the ground up: the background, the world between its two states, the light of what has just
 * happened, floating numbers, words. A game brings its sprites and its paint; order, places and particles are here.
 */

import type { AnyWorld, Declaration } from 'hurtbox'
import type { Drawing, Frame, Target } from '../view.ts'
import { beginEffects, createEffects, drawEffects, drawNotes, type Effects } from './effects.ts'
import { fillScreen, useScreen } from './paint.ts'
import { createTween, type Tween, tweenPlaces } from './tween.ts'

export type Kit = {
  readonly context: CanvasRenderingContext2D
  readonly effects: Effects
  /** Where the things of the frame's later state are at the moment that is drawn. */
  readonly tween: Tween
  readonly isSmall: boolean
}

/** How a game is painted. `Own` is what it keeps besides the kit: its sprites, and what lives longer than a frame. */
type Picture<D extends Declaration, Own extends object> = {
  readonly background: string
  /** Side of a plane that closes upon itself. */
  readonly side?: number
  /** Once per canvas. */
  own(target: Target): Own
  /** Events become light. */
  react(kit: Kit & Own, frame: Frame<D>): void
  /** The world, in its units. */
  paint(kit: Kit & Own, frame: Frame<D>): void
  /** What is written over it, in CSS pixels. Small pictures have no words. */
  write(kit: Kit & Own, frame: Frame<D>): void
}

export function drawOnCanvas<D extends Declaration, Own extends object>(
  declaration: D,
  target: Target,
  { background, side = 0, own, react, paint, write }: Picture<D, Own>,
): Drawing<D> {
  const { context, isSmall } = target
  if (context === undefined) return { draw() {} }
  const effects = createEffects(isSmall ? 256 : 1500)
  const tween = createTween(declaration.tables.things.capacity, side)
  const kit = { ...own(target), context, effects, tween, isSmall }
  return {
    draw(frame) {
      const [before, after] = [frame.before, frame.after] as unknown as [AnyWorld, AnyWorld]
      tweenPlaces(tween, before.tables.things, after.tables.things, frame.alpha)
      context.save()
      fillScreen(context, frame, background)
      beginEffects(effects, context, frame)
      react(kit, frame)
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
