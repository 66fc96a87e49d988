/** Opening a match: from a click on a card, or from an address. */

import type { View } from '../../../../games/view.ts'
import { loadView } from '../draw/views.ts'
import { type Client, createClient } from '../show/client.ts'
import { type Moment, unpackRecord } from '../show/moment.ts'
import { createShow } from '../show/show.ts'
import { type GameModule, loadGame, sceneOf } from '../sim/games.ts'
import type { MatchSetup, Seat } from '../sim/protocol.ts'
import { openBytes } from './proof.ts'
import { createStudio, type Studio } from './studio.ts'

export async function openStudio(moment: Moment): Promise<Studio> {
  const [module, view] = await Promise.all([loadGame(moment.game), loadView(moment.game)])
  // An address with a tick is a moment to look at: bots have all seats, and the match is paused.
  const isMoment = moment.tick !== undefined
  const ownSeat = isMoment || moment.scene !== '' ? -1 : 0
  const scene = sceneOf(module, moment.scene)
  const seed = moment.seed ?? (isMoment || moment.scene !== '' ? scene.seed : randomSeed())
  const players = moment.scene === '' ? setupFor(module, view, seed, ownSeat) : { scene: moment.scene, seats: [] }
  const setup: MatchSetup = { ...players, game: moment.game, seed, options: moment.options }
  const show = createShow(theClient(), module, setup, moment.record === '' ? moment.tick : 0)
  const studio = createStudio(module, view, show, ownSeat)
  if (moment.record !== '') await openBytes(studio, await unpackRecord(moment.record), moment.tick)
  else show.playing.value = !isMoment
  return studio
}

/** A setup with all players seated as the view says; `ownSeat` −1 leaves all seats to bots. */
export function setupFor(module: GameModule, view: View, seed: number, ownSeat: number): MatchSetup {
  const { match } = view
  const seats = Array.from({ length: match.seats }, (_, seat): Seat => {
    const bot = seat === ownSeat ? -1 : botFor(module, view, seat)
    return { seat, team: match.teamOf?.(seat) ?? 0, bot }
  })
  return { game: module.game.declaration.id, scene: match.scene ?? '', seed, seats }
}

/** The place in the game's list of the bot that plays an empty seat. */
export function botFor({ bots }: GameModule, { match }: View, seat: number): number {
  return bots.length === 0 ? 0 : (match.botOf?.(seat) ?? seat) % bots.length
}

export function randomSeed(): number {
  return crypto.getRandomValues(new Uint32Array(1))[0] % 1_000_000
}

let sharedClient: Client | undefined
/** One worker for the whole page. */
export function theClient(): Client {
  sharedClient ??= createClient()
  return sharedClient
}
