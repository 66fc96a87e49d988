/**
 * What all views on a canvas share.
 *
 * A frame is painted from back to front: the background, the world between its two states, particles, floating numbers,
 * text. A game brings its sprites and its painting; the order, interpolated places and particles are here.
 */

import type { Drawing, Frame, HudBox, Target } from '@hurtbox/view'
import { createPlaces, type Places, placeAll } from '@hurtbox/view'
import type { Wrap } from 'hurtbox/picture'
import type { Declaration } from 'hurtbox/tools'
import { beginEffects, createEffects, drawEffects, drawNotes, type Effects, takeBackNotes } from './effects.ts'
import { setSharpness, widthOf, words } from './lettering.ts'
import { fillScreen, useScreen } from './paint.ts'

export type Kit<D extends Declaration> = {
  readonly context: CanvasRenderingContext2D
  readonly effects: Effects
  /** Where the things of the frame's later state are at the moment that is drawn. */
  readonly at: Places<D>
  readonly isSmall: boolean
  /** Whether names, scores and maps are drawn. */
  readonly hasWords: boolean
  /** What has been written over the world in this frame. */
  readonly hud: HudBox[]
}

/** How a game is painted. `Own` is what it keeps besides the kit: its sprites, and state that lasts longer than a frame. */
type Picture<D extends Declaration, Own extends object> = {
  readonly background: string
  /** Sides of a plane that wraps around. */
  readonly wrap?: Wrap
  /** Once per canvas. */
  own(target: Target): Own
  /** Which rows are drawn, for games with more than fits on a screen. Default: all. */
  isShown?(at: Places<D>, frame: Frame<D>): (row: number) => boolean
  /** Events become particles, flashes and numbers. */
  react(kit: Kit<D> & Own, frame: Frame<D>): void
  /** The world, in its units. */
  paint(kit: Kit<D> & Own, frame: Frame<D>): void
  /** Text over it, in CSS pixels, by `write`. Pictures without words have none. */
  write(kit: Kit<D> & Own, frame: Frame<D>): void
}

/** What the player on a seat is called in the picture. */
export function nameOf({ seat: own, playerName }: Pick<Frame, 'seat' | 'playerName'>, seat: number): string {
  return seat === own ? 'You' : (playerName?.(seat) ?? `P${seat + 1}`)
}

/** Narrower than this, time and scores stand on the right: a player's own figures take up the left. */
const NARROW = 700

/** Where the middle of the time and the common score is. */
export function headX({ width }: Pick<Frame, 'width'>): number {
  return width < NARROW ? width - 62 : width / 2
}

/** Whether thumbs cover the lower part of the picture. */
export function isHandheld({ width, height }: Pick<Frame, 'width' | 'height'>): boolean {
  return Math.min(width, height) < 500
}

/** Words over the world, in CSS pixels; noted as a part of the HUD. */
export function writeWords(
  { context, hud }: Pick<Kit<Declaration>, 'context' | 'hud'>,
  text: string,
  { x, y, size, colour, align = 'center' }: Writing,
): void {
  words(context, text, x, y, size, colour, align)
  const width = widthOf(context, text, size, colour, align)
  hud.push({
    text,
    left: align === 'right' ? x - width : align === 'left' ? x : x - width / 2,
    top: y - size / 2,
    width,
    height: size,
  })
}

type Writing = {
  readonly x: number
  readonly y: number
  readonly size: number
  readonly colour: string
  readonly align?: 'left' | 'center' | 'right'
}

export function drawOnCanvas<D extends Declaration, Own extends object>(
  declaration: D,
  target: Target,
  { background, wrap, own, isShown, react, paint, write }: Picture<D, Own>,
): Drawing<D> {
  const { context, isSmall, isWordless = false } = target
  if (context === undefined) return { draw() {} }
  const effects = createEffects(isSmall ? 256 : 1500)
  const at = createPlaces(declaration, wrap)
  const hud: HudBox[] = []
  const kit = { ...own(target), context, effects, at, isSmall, hasWords: !isWordless, hud }
  return {
    draw(frame) {
      placeAll(at, frame, isShown?.(at, frame))
      context.save()
      fillScreen(context, frame, background)
      setSharpness(context, frame.camera.scale * frame.pixelRatio)
      beginEffects(effects, context, frame)
      react(kit, frame)
      takeBackNotes(effects, frame.withdrawn)
      paint(kit, frame)
      drawEffects(effects, context)
      drawNotes(effects, context)
      hud.length = 0
      if (kit.hasWords) {
        useScreen(context, frame)
        write(kit, frame)
      }
      context.restore()
    },
    hud: () => hud,
  }
}
