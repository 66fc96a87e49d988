/** The address: it always names the moment on the stage, so that it can be shared. */

import { type Moment, packRecord, writeMoment } from '../show/moment.ts'
import { writeBookmarks } from './bookmarks.ts'
import { type Studio, showToast } from './studio.ts'

async function addressOf(studio: Studio): Promise<string> {
  const { show, isHandmade } = studio
  const { game, scene, seed, seats, options } = show.setup
  const record = isHandmade ? await packRecord(await show.client.ask(show.sim, { ask: 'save', keyframes: false })) : ''
  const isOwnScene = seats.length === 0
  return writeMoment({
    game,
    scene: isOwnScene ? scene : '',
    seed,
    tick: show.tick.value,
    options: (options ?? {}) as Moment['options'],
    record,
    bookmarks: writeBookmarks(studio.bookmarks.value),
  })
}

export async function writeAddress(studio: Studio): Promise<void> {
  // Who only plays keeps the address of the game.
  if (studio.show.playing.value || studio.page !== undefined || studio.isUiHidden.value) return
  try {
    history.replaceState(null, '', await addressOf(studio))
  } catch {
    // A match that is just being replaced has no address yet.
  }
}

export async function copyLink(studio: Studio): Promise<void> {
  const hash = await addressOf(studio)
  history.replaceState(null, '', hash)
  const isWhole = !studio.isHandmade || hash.includes('record=')
  await copyText(location.href)
  showToast(
    studio,
    isWhole ? 'The link to this tick is copied.' : 'Copied, but the match is too long for a link: save the replay.',
  )
}

export async function copyText(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text)
  } catch {
    // No permission; the address bar still has it.
  }
}
