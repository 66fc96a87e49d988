/** Asking: what is this thing, what happened, why did these two (not) hit? */

import { messageOf } from '../words.ts'
import { type Studio, showToast } from './studio.ts'

/** Selects a thing; with `second` the pair is asked about. */
export function select(studio: Studio, id: number, second = false): void {
  const { selected } = studio
  if (id === 0) selected.value = []
  else if (second && selected.value.length > 0 && selected.value[0] !== id) selected.value = [selected.value[0], id]
  else selected.value = [id]
  studio.tab.value = 'inspect'
  void refreshVerdict(studio)
}

export function selectPair(studio: Studio, a: number, b: number): void {
  studio.selected.value = [a, b]
  studio.tab.value = 'inspect'
  void refreshVerdict(studio)
}

/** What the phases did to the selected thing in the tick before the one shown. */
async function refreshChanges(studio: Studio): Promise<void> {
  const { selected, show, changes, page } = studio
  const [id] = selected.value
  const tick = show.tick.value - 1
  if (id === undefined || id < 0 || tick < 0 || show.playing.value || page?.kind === 'is shown') {
    changes.value = undefined
    return
  }
  try {
    changes.value = await show.client.ask(show.sim, { ask: 'changes', tick, id })
  } catch {
    // Before what is known, or the match is just being replaced.
    changes.value = undefined
  }
}

/** Why did the selected two (not) hit each other in the tick before the one shown? */
export async function refreshVerdict(studio: Studio): Promise<void> {
  void refreshChanges(studio)
  const { selected, show, verdicts } = studio
  const [a, b] = selected.value
  const tick = show.tick.value - 1
  if (a === undefined || b === undefined || tick < 0 || show.playing.value) {
    verdicts.value = undefined
    return
  }
  try {
    verdicts.value = { tick, list: await show.client.ask(show.sim, { ask: 'why', tick, a, b }) }
  } catch (error) {
    showToast(studio, messageOf(error))
  }
}

export async function refreshEvents(studio: Studio): Promise<void> {
  const { show, events } = studio
  const from = Math.max(0, show.tick.value - Math.ceil(show.module.game.declaration.tickRate * 20))
  try {
    const { records, names } = await show.client.ask(show.sim, { ask: 'events', from })
    studio.names.value = new Map([...studio.names.value, ...names])
    events.value = records
  } catch {
    // The match is just being replaced; the next pulse asks again.
  }
}
