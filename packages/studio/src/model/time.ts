/** Time: play, step, scrub, start again, go on differently. */

import { batch } from '@preact/signals'
import { players } from 'hurtbox'
import { restartShow, SPEEDS, seekShow, stepShow } from '../show/show.ts'
import type { Seat } from '../sim/protocol.ts'
import { writeAddress } from './address.ts'
import { refreshEvents, refreshVerdict } from './ask.ts'
import { botFor } from './setup.ts'
import { type Studio, showToast, worldOf } from './studio.ts'
import { closeFork } from './tune.ts'

export function playPause(studio: Studio): void {
  const { show } = studio
  show.playing.value = !show.playing.value
  if (!show.playing.value) settle(studio)
}

export function step(studio: Studio, ticks: number): void {
  stepShow(studio.show, ticks)
  settle(studio)
}

export function scrub(studio: Studio, tick: number): void {
  studio.show.playing.value = false
  seekShow(studio.show, tick)
  settle(studio)
}

export function changeSpeed(studio: Studio, by: number): void {
  const { speed } = studio.show
  const place = SPEEDS.indexOf(speed.value as (typeof SPEEDS)[number]) + by
  speed.value = SPEEDS[Math.max(0, Math.min(SPEEDS.length - 1, place))]
}

/** Goes to the next (1) or previous (−1) hit; at the end of the record it plays on until there is one. */
export async function goToHit(studio: Studio, direction: 1 | -1): Promise<void> {
  const { show } = studio
  show.playing.value = false
  const tick = await show.client.ask(show.sim, { ask: 'hit', from: show.tick.value, direction })
  if (tick < 0) {
    showToast(studio, direction > 0 ? 'No hit within the next minute.' : 'No earlier hit.')
    return
  }
  show.length.value = Math.max(show.length.value, tick)
  scrub(studio, tick)
}

export function restart(studio: Studio, seed: number): void {
  const { show, seat } = studio
  closeFork(studio)
  studio.file = undefined
  const { setup } = show
  restartShow(show, { ...setup, seed, seats: seatsNow(studio) })
  // In a scene nobody else knows that the person plays on.
  if (setup.seats.length === 0 && seat.value >= 0) {
    void show.client.ask(show.sim, { ask: 'sit', seat: seat.value, bot: -1 })
  }
  studio.isHandmade = seat.value >= 0
  batch(() => {
    studio.selected.value = []
    studio.verdicts.value = undefined
    studio.events.value = []
    studio.tuned.value = {}
    studio.divergence.value = undefined
    studio.verified.value = ''
    studio.death.value = undefined
    show.playing.value = true
  })
  studio.figures.ticks.length = 0
  studio.figures.figures.length = 0
}

function seatsNow({ show, seat, module }: Studio): readonly Seat[] {
  return show.setup.seats.map((each) => ({
    ...each,
    bot: each.seat === seat.value ? -1 : botFor(module, each.seat),
  }))
}

/** A seat that its scene plays. */
const NO_BOT = 0xff

/** Takes the first seat, or gives it back to who had it. */
export async function toggleSeat(studio: Studio): Promise<void> {
  const { show, seat, module } = studio
  const plays = seat.value < 0
  // In a scene the hand replaces what the scene has its first player do; given back, the scene goes on with it.
  const isScene = show.setup.seats.length === 0
  const own = !plays ? seat.value : isScene ? ([...players(worldOf(studio))][0]?.seat ?? 0) : 0
  await show.client.ask(show.sim, { ask: 'sit', seat: own, bot: plays ? -1 : isScene ? NO_BOT : botFor(module, own) })
  seat.value = plays ? own : -1
  if (plays) studio.isHandmade = true
}

/** Forgets the future and goes on from here. */
export async function playOn(studio: Studio): Promise<void> {
  const { show } = studio
  closeFork(studio)
  await show.client.ask(show.sim, { ask: 'branch' })
  studio.file = undefined
  show.length.value = show.tick.value
  seekShow(show, show.tick.value + 1)
  show.playing.value = true
}

/** Called when the match comes to rest: the address follows, and open questions are answered for the new tick. */
export function settle(studio: Studio): void {
  clearTimeout(settling)
  settling = window.setTimeout(() => {
    const { line } = studio.show
    // On a slow machine the tick is still on its way.
    if (line.seeking || line.inFlight > 0) return settle(studio)
    void writeAddress(studio)
    void refreshVerdict(studio)
    void refreshEvents(studio)
  }, 150)
}
let settling = 0
