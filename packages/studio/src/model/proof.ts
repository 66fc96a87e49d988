/** Files and proofs: saving, loading and verifying replays. */

import { batch } from '@preact/signals'
import type { Verification } from 'hurtbox/replay'
import { beginEpoch, seekShow } from '../show/show.ts'
import type { LoadAnswer, SyncAnswer } from '../sim/protocol.ts'
import { messageOf } from '../words.ts'
import { type Divergence, type Studio, showToast } from './studio.ts'
import { closeFork } from './tune.ts'

export async function saveReplay(studio: Studio): Promise<Uint8Array<ArrayBuffer>> {
  return studio.show.client.ask(studio.show.sim, { ask: 'save', keyframes: true })
}

export async function openBytes(studio: Studio, bytes: Uint8Array<ArrayBuffer>, tick = 0): Promise<void> {
  const { show } = studio
  closeFork(studio)
  show.playing.value = false
  const epoch = beginEpoch(show)
  show.line.seeking = true
  try {
    const loaded = await show.client.ask(show.sim, { ask: 'load', bytes, epoch })
    show.setup = loaded.setup
    batch(() => {
      show.length.value = loaded.ticks
      studio.seat.value = -1
      studio.tuned.value = {}
      studio.selected.value = []
      studio.divergence.value = divergenceOf(loaded.verification, loaded.problems)
      studio.verified.value = ''
    })
    studio.isHandmade = true
    studio.file = bytes
    if (tick > 0) seekShow(show, tick)
    showToast(studio, describeLoaded(loaded))
  } catch (error) {
    show.line.seeking = false
    studio.verified.value = ''
    studio.divergence.value = { title: 'NOT READ', text: messageOf(error), tick: -1 }
  }
}

function describeLoaded({ ticks, problems, verification }: LoadAnswer): string {
  if (ticks === 0) return 'No tick of this file can be played.'
  const count = problems.length === 0 ? `${ticks} ticks.` : `Only the first ${ticks} ticks can be played.`
  return `${count} They play ${verification.ok ? 'exactly as recorded' : 'differently'}.`
}

function divergenceOf({ mismatch }: Verification, problems: readonly string[]): Divergence | undefined {
  if (mismatch !== undefined) return { title: 'DIVERGED', text: mismatch.message, tick: mismatch.toTick }
  return problems.length === 0 ? undefined : { title: 'DAMAGED', text: problems.join(' '), tick: -1 }
}

export async function syncTest(studio: Studio): Promise<SyncAnswer | undefined> {
  const { show } = studio
  show.playing.value = false
  try {
    const outcome = await show.client.ask(show.sim, { ask: 'synctest', depth: 4 })
    if (!outcome.ok) studio.divergence.value = { title: 'DIVERGED', text: outcome.message, tick: outcome.tick }
    return outcome
  } catch (error) {
    showToast(studio, messageOf(error))
    return undefined
  }
}
