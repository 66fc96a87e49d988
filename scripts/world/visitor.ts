/** Somebody with a browser: what they do in a page of the studio or of a created project, and what they see there. */

import { openChromium } from './chromium.ts'
import { openFirefox } from './firefox.ts'
import type { Net } from './net.ts'
import type { BrowserName, OpenOptions, Tab } from './tab.ts'

export type Look = {
  /** Colours in the largest canvas: 1 for a rectangle in which nothing is drawn, 0 without a canvas. */
  readonly colours: number
  /** Changes with the picture in it. */
  readonly picture: number
  /** -1 without a seat. */
  readonly seat: number
  readonly room: string
  /** `playing`, `reconnecting`, …; '' where no match is shown. */
  readonly status: string
  /** The last tick; -1 on pages that do not show it. */
  readonly tick: number
  readonly desyncs: number
  /** There and back; NaN on pages that do not show it. */
  readonly pingMs: number
  /** By which path inputs go, in the page's words. */
  readonly path: string
  readonly visibility: string
  /** The page has done what it does without being asked: words in the studio, a match of one in a project. */
  readonly isReady: boolean
  /** What can be read on the page. */
  readonly words: string
}

export type Visitor = Tab & {
  readonly browser: BrowserName
  look(): Promise<Look>
  /** Asks for a match of its own on the page that is open, or, on one of the studio, for a seat in a room. */
  join(room?: string): Promise<void>
}

export async function openVisitor(net: Net, browser: BrowserName, options: OpenOptions): Promise<Visitor> {
  const tab = browser === 'firefox' ? await openFirefox(net, options) : await openChromium(net, options)
  return {
    ...tab,
    browser,
    look: () => tab.evaluate<Look>(`(${look})()`),
    join: (room = '') => tab.evaluate<void>(`(${join})(${JSON.stringify(room)})`),
  }
}

/** Runs in the page. */
function join(room: string): void {
  const button = document.querySelector<HTMLButtonElement>('[data-part=online]')
  if (button !== null) button.click()
  else if (room === '') location.hash = '#game=jet-raiders&page=online&join=create'
  else location.hash = `#game=jet-raiders&page=online&room=${room}&join=seat`
}

/** Runs in the page. */
function look(): Look {
  const online = document.querySelector<HTMLElement>('[data-testid=online]')
  const status = document.querySelector('[data-part=status]')?.textContent ?? ''
  const seatInWords = /^online, seat (\d)/.exec(status)
  const canvases = [...document.querySelectorAll('canvas')].sort((a, b) => b.width * b.height - a.width * a.height)
  const small = document.createElement('canvas')
  small.width = small.height = 64
  const pen = small.getContext('2d')
  const colours = new Set<number>()
  let picture = 0
  if (canvases.length > 0 && canvases[0].width > 0 && pen !== null) {
    for (const canvas of canvases) pen.drawImage(canvas, 0, 0, 64, 64)
    const pixels = new Uint32Array(pen.getImageData(0, 0, 64, 64).data.buffer)
    for (const pixel of pixels) {
      colours.add(pixel)
      picture = (Math.imul(picture, 31) + pixel) | 0
    }
  }
  const room = document.querySelector('[data-testid=room]')?.textContent ?? location.hash
  // biome-ignore lint/performance/useDomNodeTextContent: what is hidden is not seen.
  const words = (document.body?.innerText ?? '').replace(/\s+/g, ' ')
  return {
    colours: colours.size,
    picture,
    seat: Number(online?.dataset.seat ?? seatInWords?.[1] ?? -1),
    room,
    status: online?.dataset.status ?? (seatInWords === null ? '' : 'playing'),
    tick: Number(online?.dataset.tick ?? -1),
    desyncs: Number(online?.dataset.desyncs ?? 0),
    pingMs: Number.parseInt(document.querySelector('[data-testid=line]')?.textContent ?? '', 10),
    path: document.querySelector('[data-testid=path]')?.textContent ?? '',
    visibility: document.visibilityState,
    isReady: document.querySelector('[data-part=online]') === null ? words !== '' : colours.size > 3,
    words: words.slice(0, 400),
  }
}
