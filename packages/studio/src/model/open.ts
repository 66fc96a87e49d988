/** Opening a match: from a click on a card, or from an address. */

import { readKept } from '@hurtbox/view'
import { loadShownGame } from '../draw/views.ts'
import { type Moment, unpackRecord } from '../show/moment.ts'
import { createShow } from '../show/show.ts'
import type { MatchSetup } from '../sim/protocol.ts'
import { sceneOf } from '../sim/scene-of.ts'
import { openBookmarks } from './bookmarks.ts'
import { theClient } from './client.ts'
import { openBytes } from './proof.ts'
import { randomSeed, setupFor } from './setup.ts'
import { botEvery, readStrength } from './strength.ts'
import { createStudio, type Studio } from './studio.ts'

export async function openStudio(moment: Moment): Promise<Studio> {
  const { module, view } = await loadShownGame(moment.game)
  // An address with a tick is a moment to look at: bots have all seats, and the match is paused.
  const isMoment = moment.tick !== undefined
  const ownSeat = isMoment || moment.scene !== '' ? -1 : 0
  const scene = sceneOf(module, moment.scene)
  const seed = moment.seed ?? (isMoment || moment.scene !== '' ? scene.seed : randomSeed())
  const players = moment.scene === '' ? setupFor(module, seed, ownSeat) : { scene: moment.scene, seats: [] }
  const isPlayed = ownSeat >= 0 && moment.record === ''
  const inspects = moment.inspect ?? (!isPlayed || remembersPanels(module.id))
  // Developers want the bots as they are; who comes to play chooses.
  const strength = isPlayed && !inspects ? readStrength() : 'hard'
  const setup: MatchSetup = {
    ...players,
    game: module.id,
    seed,
    options: moment.options,
    botEvery: botEvery(module, strength),
  }
  const waits = isPlayed && !inspects
  const show = createShow(theClient(), module, setup, waits ? BEHIND_TITLE : moment.record === '' ? moment.tick : 0)
  const studio = createStudio(module, view, show, ownSeat)
  studio.isUiHidden.value = !inspects
  studio.strength.value = strength
  openBookmarks(studio, moment.bookmarks)
  if (waits) studio.phase.value = 'start'
  if (moment.record !== '') await openBytes(studio, await unpackRecord(moment.record), moment.tick)
  else show.playing.value = !isMoment && !waits
  return studio
}

/** The tick that is seen behind the title: all players have joined. */
export const BEHIND_TITLE = 2

/** The panels are open while a game is edited, and if they were open the last time that it was played. */
function remembersPanels(game: string): boolean {
  const kept = readKept(`inspect-${game}`)
  return kept === '' ? import.meta.env.DEV : kept === '1'
}
