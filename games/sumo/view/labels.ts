/** Words and bars in space: small canvases on sprites, painted again only when their text changes. */

import type { Target } from '@hurtbox/view'
import { CanvasTexture, LinearFilter, Sprite, SpriteMaterial, SRGBColorSpace } from 'three'
import { words } from '../../view/lettering.ts'
import { bar, healthColour } from '../../view/paint.ts'

export type Label = {
  readonly sprite: Sprite
  readonly canvas: HTMLCanvasElement
  readonly texture: CanvasTexture
  readonly isWordless: boolean
  said: string
}

/** A label of so many pixels, `wide` × `high` m in the world. It is seen through everything. */
export function createLabel(target: Target, width: number, height: number, wide: number, high: number): Label {
  const canvas = target.canvas.ownerDocument.createElement('canvas')
  canvas.width = width
  canvas.height = height
  const texture = new CanvasTexture(canvas)
  texture.colorSpace = SRGBColorSpace
  texture.minFilter = LinearFilter
  const sprite = new Sprite(new SpriteMaterial({ map: texture, depthTest: false, transparent: true }))
  sprite.scale.set(wide, high, 1)
  return { sprite, canvas, texture, isWordless: target.isWordless === true, said: '' }
}

/** Words and, with `part`, a bar below them. */
export function setLabel(label: Label, text: string, colour: string, part: number | undefined): void {
  const said = `${text} ${colour} ${part === undefined ? '' : Math.round(part * 50)}`
  if (said === label.said) return
  label.said = said
  const { canvas, texture } = label
  const context = canvas.getContext('2d')
  if (context === null) return
  const { width, height } = canvas
  const hasBar = part !== undefined
  context.clearRect(0, 0, width, height)
  const size = Math.min(height * (hasBar ? 0.5 : 0.6), (width / Math.max(1, text.length)) * 1.6)
  words(context, text, width / 2, hasBar ? height * 0.32 : height / 2, size, colour)
  if (hasBar) bar(context, width / 2, height * 0.71, width * 0.76, height * 0.14, part, healthColour(part))
  texture.needsUpdate = true
}
