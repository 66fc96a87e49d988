/** How loud the page is, remembered: one volume for all games, and a mute that leaves it as it was. */

import { keep, readKept } from '@hurtbox/view'
import { effect, type Signal, signal } from '@preact/signals'

const DEFAULT_VOLUME = 0.6

/** 0 … 1. */
export const volume: Signal<number> = signal(readVolume())
export const isMuted: Signal<boolean> = signal(readKept('muted') === '1')

effect(() => keep('volume', String(volume.value)))
effect(() => keep('muted', isMuted.value ? '1' : '0'))

function readVolume(): number {
  const kept = Number.parseFloat(readKept('volume'))
  return kept >= 0 && kept <= 1 ? kept : DEFAULT_VOLUME
}
