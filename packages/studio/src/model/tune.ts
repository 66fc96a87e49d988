/** Tuning: from now on, or in another future beside the one that was. */

import { batch } from '@preact/signals'
import { closeShow, emptyShow, isInPast, seekShow, whenReady } from '../show/show.ts'
import { messageOf } from '../words.ts'
import { findParting } from './futures.ts'
import { type Studio, showToast } from './studio.ts'

/** Changes a number from now on; in the past it opens the other future beside this one. */
export async function tune(studio: Studio, name: string, value: number): Promise<void> {
  const { show, tuned } = studio
  const { tuning } = studio.module.game.declaration
  const spec = tuning?.[name]
  if (spec === undefined) return
  const next = { ...tuned.value }
  if (value === spec.value) delete next[name]
  else next[name] = value
  try {
    if (studio.page !== undefined) studio.page.tune(name, value)
    else if (isInPast(show) || studio.fork.value !== undefined) await openFork(studio, next)
    else await show.client.ask(show.sim, { ask: 'tune', name, value })
    tuned.value = next
    studio.isHandmade = true
  } catch (error) {
    showToast(studio, messageOf(error))
  }
}

export async function resetTuning(studio: Studio): Promise<void> {
  for (const name of Object.keys(studio.tuned.value)) {
    await tune(studio, name, studio.module.game.declaration.tuning![name].value)
  }
}

async function openFork(studio: Studio, tuning: Readonly<Record<string, number>>): Promise<void> {
  const { show, module, fork } = studio
  const tick = show.tick.value
  show.playing.value = false
  // What was asked for beyond this tick is not shown any more: the futures part here.
  seekShow(show, tick)
  const isNew = fork.value === undefined
  const into = fork.value ?? emptyShow(show.client, module, show.setup, show)
  const changes: Record<string, number> = { ...tuning }
  // A value that is back at its default must be sent too: the past may have been tuned.
  for (const name of Object.keys(studio.tuned.value)) changes[name] ??= module.game.declaration.tuning![name].value
  await show.client.ask(show.sim, { ask: 'fork', into: into.sim, tuning: changes, tick })
  show.beside = into
  seekShow(show, tick)
  await whenReady(into)
  batch(() => {
    if (isNew) fork.value = into
    studio.forkedAt.value = tick
  })
  void findParting(studio)
}

export function closeFork(studio: Studio): void {
  if (studio.fork.value === undefined) return
  closeShow(studio.fork.value)
  studio.show.beside = undefined
  studio.fork.value = undefined
  studio.tuned.value = {}
}
