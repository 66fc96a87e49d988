/**
 * The same match under edited rules: same seed, same inputs, same tick.
 *
 * The new rules play in a worker of their own until they have reached the tick on the stage. Only then they take over; if they do
 * not compile, throw or never get there, the last good match stays and the mistake is told.
 */

import { viewOf } from '@hurtbox/view/stage'
import { batch } from '@preact/signals'
import { createShow, seekShow, whenReady } from '../show/show.ts'
import { startWorker } from '../show/worker-line.ts'
import { reloadGame } from '../sim/games.ts'
import { part } from '../sim/part.ts'
import { messageOf } from '../words.ts'
import { useClient } from './client.ts'
import { openBytes } from './proof.ts'
import { createStudio, type Studio, showToast } from './studio.ts'

/** Counts edits, so that one that is overtaken by the next does not take over. */
let latest = 0

export async function followEdit(studio: Studio, stamp: number, replace: (next: Studio) => void): Promise<void> {
  latest = stamp
  try {
    const next = await reopen(studio, stamp)
    if (latest !== stamp) {
      next.show.client.end()
      return
    }
    useClient(next.show.client)
    replace(next)
    studio.show.client.end()
    showToast(next, `Reloaded at tick ${next.show.tick.value}.`)
  } catch (error) {
    if (latest === stamp) studio.mistake.value = messageOf(error)
  }
}

async function reopen(studio: Studio, stamp: number): Promise<Studio> {
  const { show: old, file } = studio
  const module = await reloadGame(studio.module.id, stamp)
  const view = await viewOf(module, part)
  const tick = old.tick.value
  const isPlaying = old.playing.value
  const again = { script: await old.client.ask(old.sim, { ask: 'script' }), length: old.length.value }
  const client = startWorker()
  try {
    const setup = { ...old.setup, game: module.id }
    const show = createShow(
      client,
      module,
      setup,
      file === undefined ? tick : 0,
      file === undefined ? again : undefined,
    )
    await whenReady(show)
    const next = createStudio(module, view, show, studio.seat.value)
    if (file !== undefined) await openBytes(next, file, tick)
    keepWhatIsOpen(studio, next)
    if (file === undefined && show.tick.value !== tick) seekShow(show, tick)
    show.playing.value = isPlaying
    return next
  } catch (error) {
    client.end()
    throw error
  }
}

function keepWhatIsOpen(from: Studio, to: Studio): void {
  batch(() => {
    to.tab.value = from.tab.value
    to.layers.value = from.layers.value
    to.selected.value = from.selected.value
    to.seat.value = from.seat.value
    to.tuned.value = from.tuned.value
    to.isUiHidden.value = from.isUiHidden.value
    to.strength.value = from.strength.value
    to.phase.value = from.phase.value
    to.show.speed.value = from.show.speed.value
  })
  to.bookmarks.value = from.bookmarks.value
  to.isHandmade = from.isHandmade
}
