/**
 * Ticks to come back to, with a note each, and the stretch that is played again and again.
 *
 * They travel in the address of the moment, and this browser keeps those of each match.
 */

import { keep, readKept } from '@hurtbox/view'
import { seekShow } from '../show/show.ts'
import { type Bookmark, type Studio, showToast } from './studio.ts'
import { scrub } from './time.ts'

/** As in an address: `120:first hit;300`. */
export function writeBookmarks(bookmarks: readonly Bookmark[]): string {
  return bookmarks.map(({ tick, note }) => (note === '' ? `${tick}` : `${tick}:${note.replaceAll(';', ',')}`)).join(';')
}

export function readBookmarks(text: string): Bookmark[] {
  const found = text.split(';').flatMap((part): Bookmark[] => {
    const [, tick, note = ''] = /^(\d{1,9})(?::(.*))?$/s.exec(part) ?? []
    return tick === undefined ? [] : [{ tick: Number(tick), note: note.slice(0, LONGEST_NOTE) }]
  })
  return inOrder(found)
}

const LONGEST_NOTE = 80

function inOrder(bookmarks: readonly Bookmark[]): Bookmark[] {
  return [...bookmarks].sort((a, b) => a.tick - b.tick)
}

/** By what makes a match: another one has other ticks. */
function keyOf({ show: { setup } }: Studio): string {
  return `bookmarks-${setup.game}-${setup.scene}-${setup.seed}`
}

/** Those of the address, else those that this browser has kept. */
export function openBookmarks(studio: Studio, given: string): void {
  studio.bookmarks.value = readBookmarks(given || readKept(keyOf(studio)))
}

function setBookmarks(studio: Studio, bookmarks: readonly Bookmark[]): void {
  studio.bookmarks.value = inOrder(bookmarks)
  keep(keyOf(studio), writeBookmarks(studio.bookmarks.value))
}

export function bookmark(studio: Studio): void {
  const tick = studio.show.tick.value
  if (studio.bookmarks.value.some((each) => each.tick === tick)) return
  setBookmarks(studio, [...studio.bookmarks.value, { tick, note: '' }])
  showToast(studio, `Tick ${tick} is kept. L comes back to it.`)
}

export function noteBookmark(studio: Studio, tick: number, note: string): void {
  const kept = studio.bookmarks.value.map((each) =>
    each.tick === tick ? { tick, note: note.slice(0, LONGEST_NOTE) } : each,
  )
  setBookmarks(studio, kept)
}

export function dropBookmark(studio: Studio, tick: number): void {
  setBookmarks(
    studio,
    studio.bookmarks.value.filter((each) => each.tick !== tick),
  )
}

/** The next one, and after the last the first again. */
export function goToBookmark(studio: Studio): void {
  const { bookmarks, show } = studio
  const next = bookmarks.value.find(({ tick }) => tick > show.tick.value) ?? bookmarks.value[0]
  if (next === undefined) showToast(studio, 'Nothing is kept yet: S keeps a tick.')
  else scrub(studio, next.tick)
}

/** From here; to here; no more. */
export function markLoop(studio: Studio): void {
  const { loop, show } = studio
  const tick = show.tick.value
  if (loop.value === undefined) {
    loop.value = { from: tick, to: tick }
    showToast(studio, `A loop begins at tick ${tick}. K again ends it.`)
  } else if (loop.value.to === loop.value.from && tick !== loop.value.from) {
    loop.value = { from: Math.min(tick, loop.value.from), to: Math.max(tick, loop.value.from) }
    show.playing.value = true
  } else loop.value = undefined
}

/** Goes back to the beginning of the loop at its end. Once per frame. */
export function tendLoop({ loop, show }: Studio): void {
  const stretch = loop.value
  if (stretch === undefined || stretch.to <= stretch.from || !show.playing.value || show.line.seeking) return
  if (show.tick.value >= stretch.to || show.tick.value < stretch.from) seekShow(show, stretch.from)
}
