/** How loud the page is, as signals: one volume for all games, and a mute that leaves it as it was. */

import { createVolume } from '@hurtbox/view/sound'
import { effect, type Signal, signal } from '@preact/signals'

export const theVolume = createVolume()

/** 0 … 1. */
export const volume: Signal<number> = signal(theVolume.level)
export const isMuted: Signal<boolean> = signal(theVolume.isMuted)

effect(() => {
  theVolume.level = volume.value
})
effect(() => {
  theVolume.isMuted = isMuted.value
})
