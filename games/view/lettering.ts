/**
 * Words on a canvas, kept as bitmaps.
 *
 * Laying out text, its rim above all, costs a slow machine more than everything else in a frame, and most words are the same as in the frame before.
 * So words that come again at the same size on the screen become a bitmap, which costs as much as a sprite. What changes all the time is
 * written directly: a number that counts, a note that swells, everything while the camera zooms.
 */

type Align = 'left' | 'center' | 'right'

type Lettered = {
  readonly size: number
  readonly colour: string
  readonly align: Align
  /** In units of the canvas; undefined until it is asked for, because measuring takes as long as writing. */
  width: number | undefined
  /** Pixels per unit at which it was written last, and how often in a row. */
  sharpness: number
  times: number
  image: HTMLCanvasElement | undefined
  /** Where the words are anchored in the bitmap: a whole pixel, so that words at whole pixels look as if they were written. */
  anchor: number
  usedAt: number
}

type Lettering = {
  /** Pixels per unit now. */
  sharpness: number
  readonly known: Map<string, Lettered[]>
  count: number
  writes: number
}

/** Fewer are not worth a bitmap. */
const BEFORE_BITMAP = 3
/** A camera that comes to rest changes its scale ever so little. */
const SAME_SCALE = 0.004
const MOST_KNOWN = 400
/** What was not written for so many writes is forgotten when there are too many. */
const FORGET_WRITES = 1500

const letterings = new WeakMap<CanvasRenderingContext2D, Lettering>()

/** How many pixels a unit of the canvas has from here on. Words on contexts for which nobody says so are written directly. */
export function setSharpness(context: CanvasRenderingContext2D, sharpness: number): void {
  const lettering = letterings.get(context)
  if (lettering !== undefined) lettering.sharpness = sharpness
  // Contexts of tests have no document.
  else if (context.canvas?.ownerDocument !== undefined)
    letterings.set(context, { sharpness, known: new Map(), count: 0, writes: 0 })
}

/** Words with a dark rim, readable on anything. */
export function words(
  context: CanvasRenderingContext2D,
  text: string,
  x: number,
  y: number,
  size: number,
  colour: string,
  align: Align = 'center',
): void {
  const lettering = letterings.get(context)
  if (lettering === undefined) {
    write(context, text, x, y, size, colour, align)
    return
  }
  const lettered = letteredOf(lettering, context, text, size, colour, align)
  if (lettered.image === undefined) {
    write(context, text, x, y, size, colour, align)
    return
  }
  const { image, anchor, sharpness } = lettered
  const [wide, high] = [image.width / sharpness, image.height / sharpness]
  context.drawImage(image, x - anchor / sharpness, y - high / 2, wide, high)
}

/** How wide words are that were just written. */
export function widthOf(
  context: CanvasRenderingContext2D,
  text: string,
  size: number,
  colour: string,
  align: Align,
): number {
  const found = find(letterings.get(context)?.known.get(text), size, colour, align)
  return found === undefined ? measure(context, text, size) : (found.width ??= measure(context, text, size))
}

function measure(context: CanvasRenderingContext2D, text: string, size: number): number {
  context.font = font(size)
  return context.measureText(text).width
}

function letteredOf(
  lettering: Lettering,
  context: CanvasRenderingContext2D,
  text: string,
  size: number,
  colour: string,
  align: Align,
): Lettered {
  const { known, sharpness } = lettering
  const alike = known.get(text)
  const usedAt = ++lettering.writes
  let found = find(alike, size, colour, align)
  if (found === undefined) {
    if (lettering.count >= MOST_KNOWN) forget(lettering)
    found = { size, colour, align, width: undefined, sharpness, times: 0, image: undefined, anchor: 0, usedAt }
    lettering.count++
    if (alike === undefined) known.set(text, [found])
    else alike.push(found)
  }
  found.usedAt = usedAt
  if (Math.abs(found.sharpness - sharpness) > SAME_SCALE * sharpness) {
    found.sharpness = sharpness
    found.times = 0
    found.image = undefined
  } else if (found.image === undefined && ++found.times > BEFORE_BITMAP) {
    found.sharpness = sharpness
    found.width ??= measure(context, text, size)
    paint(context.canvas.ownerDocument, text, found, found.width)
  }
  return found
}

function find(alike: readonly Lettered[] = NONE, size: number, colour: string, align: Align): Lettered | undefined {
  for (const each of alike) if (each.size === size && each.colour === colour && each.align === align) return each
  return undefined
}

const NONE: readonly Lettered[] = []

/** Makes the bitmap, with room for the rim. */
function paint(document: Document, text: string, lettered: Lettered, width: number): void {
  const { size, colour, align, sharpness } = lettered
  const canvas = document.createElement('canvas')
  canvas.width = 2 * Math.ceil(((width + size) / 2) * sharpness)
  canvas.height = 2 * Math.ceil(size * 0.9 * sharpness)
  const rim = Math.round((size / 2) * sharpness)
  lettered.anchor = align === 'center' ? canvas.width / 2 : align === 'left' ? rim : canvas.width - rim
  lettered.image = canvas
  const context = canvas.getContext('2d')
  context?.setTransform(sharpness, 0, 0, sharpness, lettered.anchor, canvas.height / 2)
  if (context) write(context, text, 0, 0, size, colour, align)
}

function forget(lettering: Lettering): void {
  const { known, writes } = lettering
  lettering.count = 0
  for (const [text, alike] of known) {
    const kept = alike.filter(({ usedAt }) => writes - usedAt < FORGET_WRITES)
    lettering.count += kept.length
    if (kept.length === 0) known.delete(text)
    else known.set(text, kept)
  }
}

const FONT = '600 {}px ui-sans-serif, system-ui, "Segoe UI", Roboto, "DejaVu Sans", sans-serif'

function font(size: number): string {
  return FONT.replace('{}', String(size))
}

function write(
  context: CanvasRenderingContext2D,
  text: string,
  x: number,
  y: number,
  size: number,
  colour: string,
  align: Align,
): void {
  context.font = font(size)
  context.textAlign = align
  context.textBaseline = 'middle'
  context.lineJoin = 'round'
  context.lineWidth = size * 0.22
  context.strokeStyle = 'rgba(4, 6, 14, 0.8)'
  context.strokeText(text, x, y)
  context.fillStyle = colour
  context.fillText(text, x, y)
}
