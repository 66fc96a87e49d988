/** Playing a match from its title to its end: starting, who killed whom, playing again, looking at the last hit. */

import { keep, keepKnown, namesFor, ownThing, sentenceOf } from '@hurtbox/view'
import { batch } from '@preact/signals'
import { type EventRecord, playerAt } from 'hurtbox'
import { meaningOfEvent } from 'hurtbox/module'
import { isInPast, restartShow, type Show } from '../show/show.ts'
import { copyLink } from './address.ts'
import { BEHIND_TITLE } from './open.ts'
import { botEvery, keepStrength, type Strength } from './strength.ts'
import { type Studio, worldOf } from './studio.ts'
import { restart, scrub } from './time.ts'

/** How long each number of the countdown stays. */
export const COUNT_MS = 650

/** From the title to the countdown. */
export function beginMatch(studio: Studio): void {
  if (studio.phase.value !== 'start') return
  studio.phase.value = 'countdown'
  keepKnown(studio.module)
}

/** From the countdown into the match. */
export function letGo(studio: Studio): void {
  if (studio.phase.value !== 'countdown') return
  batch(() => {
    studio.phase.value = 'on'
    studio.show.playing.value = true
  })
}

/** Once more, with a countdown. Another seed is another match. */
export function playAgain(studio: Studio, seed: number): void {
  restart(studio, seed)
  if (studio.seat.value < 0) return
  batch(() => {
    studio.show.playing.value = false
    studio.show.speed.value = 1
    studio.phase.value = 'countdown'
  })
}

/** How quickly the bots react. Before the match begins it is simply another match. */
export function chooseStrength(studio: Studio, strength: Strength): void {
  const { show, module } = studio
  keepStrength(strength)
  studio.strength.value = strength
  restartShow(show, { ...show.setup, botEvery: botEvery(module, strength) }, BEHIND_TITLE)
}

/** Opens or closes the panels, and remembers it for this game: another one begins with its title. */
export function toggleInspect(studio: Studio): void {
  const { isUiHidden, phase, show, module } = studio
  isUiHidden.value = !isUiHidden.value
  keep(`inspect-${module.id}`, isUiHidden.value ? '0' : '1')
  if (phase.value === 'on') return
  // There is a title only where nothing else is to be seen.
  phase.value = 'on'
  show.playing.value = true
}

/** How long the end of a life is told at least, s. */
export const TOLD_SECONDS = 2.5

/** Seconds before the hit at which its repetition begins. */
const LEAD_SECONDS = 1.5

/** Shows the last hit of the match again, slowly. */
export async function watchLastHit(studio: Studio): Promise<void> {
  const { show, module } = studio
  const tick = await show.client.ask(show.sim, { ask: 'hit', from: show.length.value + 1, direction: -1 })
  if (tick < 0) return
  scrub(studio, Math.max(0, tick - Math.round(LEAD_SECONDS * module.game.declaration.tickRate)))
  show.speed.value = 0.5
  show.playing.value = true
}

/** Gives the match to others: by the share sheet of a phone, else as a link in the clipboard. */
export async function shareMatch(studio: Studio): Promise<void> {
  const isHandheld = matchMedia('(pointer: coarse)').matches
  await copyLink(studio)
  if (!isHandheld || navigator.share === undefined) return
  await navigator.share({ title: studio.module.title, url: location.href }).catch(() => {
    // Closed without a choice.
  })
}

/** Whether the match has been played to its end and the end is what is seen. */
export function isAtEnd(show: Show): boolean {
  return show.over.value !== '' && !show.playing.value && !isInPast(show) && show.tick.value >= show.length.value
}

/** Lets a blow be felt, unless little motion is wanted: the picture stands still, then goes on slowly. */
function feel({ show }: Studio, holdMs: number, slowMs: number): void {
  if (globalThis.matchMedia?.('(prefers-reduced-motion: reduce)').matches) return
  show.impact.holdMs = Math.max(show.impact.holdMs, holdMs)
  show.impact.slowMs = Math.max(show.impact.slowMs, slowMs)
}

/** Forgets the end of one's life once it goes on and nothing protects it any more. */
export function tendDeath(studio: Studio): void {
  const { module, seat, death } = studio
  if (death.value === undefined) return
  const world = worldOf(studio)
  const own = ownThing(world, seat.value)
  const player = playerAt(world, seat.value)
  const returnsAt = player === undefined ? 0 : (module.meaning.returnsAt?.(player, world as never) ?? 0)
  const safeUntil = Math.max(returnsAt, Number((own as { invulnerableUntil?: number })?.invulnerableUntil ?? 0))
  const isOld = world.tick - death.value.tick > TOLD_SECONDS * module.game.declaration.tickRate
  if (world.tick < death.value.tick || (isOld && safeUntil <= world.clock)) death.value = undefined
}

/** Takes in what happened: the end of one's own life, and a sentence for those who do not see the stage. */
export function noteEvents(studio: Studio, events: readonly EventRecord[]): void {
  const { module, seat } = studio
  const world = worldOf(studio)
  const own = ownThing(world, seat.value)?.id
  for (const event of events) {
    const meaning = meaningOfEvent(module, event.kind)
    if (meaning === undefined || !(['kill', 'score', 'end'] as unknown[]).includes(meaning.is)) continue
    const mine = Object.values(event).includes(own)
    if (meaning.is === 'kill' && own !== undefined && mine) feel(studio, 90, 260)
    else if (meaning.is === 'end') feel(studio, 120, 700)
    const text = sentenceOf(module, world, event, namesFor(seat.value))
    if (text === undefined) continue
    studio.news.value = text
    const victim = (event as unknown as Record<string, number>)[(meaning.victim as string | undefined) ?? 'victim']
    if (meaning.is === 'kill' && own !== undefined && victim === own) studio.death.value = { tick: event.tick, text }
  }
}
