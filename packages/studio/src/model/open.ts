/** Opening a match: from a click on a card, or from an address. */

import type { LoadedModule } from 'hurtbox/module'
import { loadShownGame } from '../draw/views.ts'
import { type Client, createClient } from '../show/client.ts'
import { type Moment, unpackRecord } from '../show/moment.ts'
import { createShow } from '../show/show.ts'
import type { MatchSetup, Seat } from '../sim/protocol.ts'
import { sceneOf } from '../sim/scene-of.ts'
import { openBytes } from './proof.ts'
import { createStudio, type Studio } from './studio.ts'

export async function openStudio(moment: Moment): Promise<Studio> {
  const { module, view } = await loadShownGame(moment.game)
  // An address with a tick is a moment to look at: bots have all seats, and the match is paused.
  const isMoment = moment.tick !== undefined
  const ownSeat = isMoment || moment.scene !== '' ? -1 : 0
  const scene = sceneOf(module, moment.scene)
  const seed = moment.seed ?? (isMoment || moment.scene !== '' ? scene.seed : randomSeed())
  const players = moment.scene === '' ? setupFor(module, seed, ownSeat) : { scene: moment.scene, seats: [] }
  const setup: MatchSetup = { ...players, game: module.id, seed, options: moment.options }
  const show = createShow(theClient(), module, setup, moment.record === '' ? moment.tick : 0)
  const studio = createStudio(module, view, show, ownSeat)
  if (moment.record !== '') await openBytes(studio, await unpackRecord(moment.record), moment.tick)
  else show.playing.value = !isMoment
  return studio
}

/** A setup with the seats of the game's seating; `ownSeat` −1 leaves all of them to bots. */
export function setupFor(module: LoadedModule, seed: number, ownSeat: number): MatchSetup {
  const seats = Array.from({ length: module.seats }, (_, seat): Seat => {
    const bot = seat === ownSeat ? -1 : botFor(module, seat)
    return { seat, team: module.teamOf(seat), bot }
  })
  return { game: module.id, scene: '', seed, seats }
}

/** The place in the game's list of the bot that plays a seat nobody has. */
export function botFor({ bots, botOf }: LoadedModule, seat: number): number {
  const bot = botOf(seat)
  return bot === undefined ? 0 : bots.indexOf(bot)
}

export function randomSeed(): number {
  return crypto.getRandomValues(new Uint32Array(1))[0] % 1_000_000
}

let sharedClient: Client | undefined

/** From now on the page's worker is this one. */
export function useClient(client: Client): void {
  sharedClient = client
}

/** One worker for the whole page. */
export function theClient(): Client {
  sharedClient ??= createClient()
  return sharedClient
}
