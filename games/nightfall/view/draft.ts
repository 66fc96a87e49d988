/** The draft: three cards in the middle of the screen while the match is paused for it. */

import { playerAt, players } from 'hurtbox'
import { fade, font, words } from '../../view/paint.ts'
import { UPGRADES } from '../rules/content/upgrades.ts'
import { OFFERS } from '../rules/declaration.ts'
import type { NightFrame } from './draw.ts'

const RARITY_COLOURS = { common: '#9fc3ff', rare: '#c792ff', epic: '#ffb347', never: '#9fc3ff' } as const

/** Shows the offer of the player on this seat; for a spectator, of the first player who has one. In screen pixels. */
export function drawDraft(context: CanvasRenderingContext2D, { after, seat, width, height }: NightFrame): void {
  const player = playerAt(after, seat) ?? [...players(after)].find(({ offer }) => offer.get(0) !== 0)
  if (player === undefined || player.offer.get(0) === 0) return
  context.fillStyle = 'rgba(5, 8, 18, 0.6)'
  context.fillRect(0, 0, width, height)
  const isNarrow = width < 640
  const cardWidth = isNarrow ? width - 40 : 200
  const cardHeight = isNarrow ? 84 : 180
  words(context, 'Choose', width / 2, isNarrow ? 40 : height / 2 - cardHeight / 2 - 42, 26, '#ffffff')
  for (let i = 0; i < OFFERS; i++) {
    const offer = player.offer.get(i)
    if (offer === 0) continue
    const { name, about, rarity } = UPGRADES[offer - 1]
    const level = player.owned.get(offer - 1)
    const left = isNarrow ? 20 : width / 2 + (i - 1) * (cardWidth + 22) - cardWidth / 2
    const top = isNarrow ? 70 + i * (cardHeight + 12) : height / 2 - cardHeight / 2
    const colour = RARITY_COLOURS[rarity]
    context.fillStyle = '#131a2e'
    context.strokeStyle = colour
    context.lineWidth = 2.5
    context.beginPath()
    context.roundRect(left, top, cardWidth, cardHeight, 12)
    context.fill()
    context.stroke()
    context.fillStyle = fade(colour, 0.16)
    context.fillRect(left + 2, top + 12, cardWidth - 4, isNarrow ? 24 : 40)
    const middle = left + cardWidth / 2
    words(context, name, middle, top + (isNarrow ? 24 : 32), isNarrow ? 16 : 20, colour)
    words(context, level === 0 ? 'new' : `level ${level + 1}`, middle, top + (isNarrow ? 44 : 68), 12, '#cdd6f4')
    wrapText(context, about, middle, top + (isNarrow ? 62 : 94), cardWidth - 24, 14)
    words(context, `press ${i + 1}`, middle, top + cardHeight - (isNarrow ? 8 : 18), isNarrow ? 10 : 13, '#ffe08a')
  }
}

function wrapText(
  context: CanvasRenderingContext2D,
  text: string,
  x: number,
  y: number,
  width: number,
  size: number,
): void {
  context.font = font(size)
  let line = ''
  let down = y
  for (const word of text.split(' ')) {
    const longer = line === '' ? word : `${line} ${word}`
    if (context.measureText(longer).width > width && line !== '') {
      words(context, line, x, down, size, '#e8ecff')
      down += size * 1.3
      line = word
    } else line = longer
  }
  words(context, line, x, down, size, '#e8ecff')
}
