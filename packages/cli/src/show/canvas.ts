/**
 * A picture in the terminal: two square pixels per character, in 256 colours.
 *
 * The upper half block has a foreground and a background, so a character cell carries two pixels and circles come out
 * round. Frames are drawn over each other in place, not in a screen of their own: the last one stays when the show is
 * over.
 */

/** Number of one of the terminal's 256 colours; 0 is the background. */
export type Colour = number

export type Canvas = {
  readonly width: number
  readonly height: number
  readonly pixels: Uint8Array
}

/** A canvas of `columns` × `lines` characters. */
export function createCanvas(columns: number, lines: number): Canvas {
  return { width: columns, height: lines * 2, pixels: new Uint8Array(columns * lines * 2) }
}

/** Fills a circle, in pixels. At least the pixel it stands on. */
export function fillCircle(canvas: Canvas, x: number, y: number, radius: number, colour: Colour): void {
  const { width, height, pixels } = canvas
  const reach = Math.ceil(radius)
  const [column, row] = [Math.floor(x), Math.floor(y)]
  for (let py = Math.max(0, row - reach); py <= Math.min(height - 1, row + reach); py++) {
    for (let px = Math.max(0, column - reach); px <= Math.min(width - 1, column + reach); px++) {
      const [dx, dy] = [px + 0.5 - x, py + 0.5 - y]
      const isCentre = px === column && py === row
      if (isCentre || dx * dx + dy * dy <= radius * radius) pixels[py * width + px] = colour
    }
  }
}

/** The canvas as lines of text with colour codes. Only changes of colour are written; most of a picture is background. */
export function renderLines({ width, height, pixels }: Canvas): string[] {
  const lines: string[] = []
  for (let row = 0; row < height; row += 2) {
    let line = ''
    let [inkNow, paperNow] = [0, 0]
    for (let column = 0; column < width; column++) {
      const upper = pixels[row * width + column]
      const lower = pixels[(row + 1) * width + column]
      // A pixel of the background has no ink: the terminal's own colour cannot be named, only left alone.
      const ink = upper || lower
      const paper = upper === 0 ? 0 : lower
      if (paper !== paperNow) line += paper === 0 ? '\x1b[49m' : `\x1b[48;5;${paper}m`
      if (ink !== inkNow && ink !== 0) line += `\x1b[38;5;${ink}m`
      line += ink === 0 ? ' ' : upper === 0 ? '▄' : '▀'
      paperNow = paper
      if (ink !== 0) inkNow = ink
    }
    lines.push(`${line}\x1b[0m`)
  }
  return lines
}
