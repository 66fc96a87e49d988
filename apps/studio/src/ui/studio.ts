/**
 * The studio's model: one match on a stage, and everything people can do with it.
 *
 * Panels and keys call these functions and read these signals; nothing here knows how they look.
 */

import { batch, type Signal, signal } from '@preact/signals'
import type { AnyWorld, EventRecord } from 'hurtbox'
import type { View } from '../../../../games/view.ts'
import type { Layers } from '../draw/overlay.ts'
import { NO_LAYERS, type Stage } from '../draw/stage.ts'
import { loadView } from '../draw/views.ts'
import { type Client, createClient } from '../show/client.ts'
import { type Moment, packRecord, unpackRecord, writeMoment } from '../show/moment.ts'
import {
  beginEpoch,
  closeShow,
  createShow,
  emptyShow,
  isInPast,
  restartShow,
  type Show,
  SPEEDS,
  seekShow,
  shownWorld,
  stepShow,
} from '../show/show.ts'
import { type GameModule, gameIds, loadGame, sceneOf } from '../sim/games.ts'
import type { Figures, MatchSetup, Seat, SyncAnswer, Verdict, VerifyAnswer } from '../sim/protocol.ts'

export type Tab = 'inspect' | 'events' | 'tune' | 'measure' | 'replay' | 'layers'

export type Studio = {
  readonly module: GameModule
  readonly view: View
  readonly show: Show
  /** The other future, while one is compared. */
  readonly fork: Signal<Show | undefined>
  readonly tab: Signal<Tab>
  readonly layers: Signal<Layers>
  /** Up to two things: the one that was clicked, and the one to ask about it. */
  readonly selected: Signal<readonly number[]>
  readonly verdicts: Signal<{ readonly tick: number; readonly list: readonly Verdict[] } | undefined>
  readonly events: Signal<readonly EventRecord[]>
  /** The seat of the person at the keyboard; −1 while only watching. */
  readonly seat: Signal<number>
  /** Tuning that differs from the declaration now, in declared units. */
  readonly tuned: Signal<Readonly<Record<string, number>>>
  readonly divergence: Signal<Divergence | undefined>
  readonly toast: Signal<string>
  readonly isUiHidden: Signal<boolean>
  readonly isLoud: Signal<boolean>
  readonly isHelpOpen: Signal<boolean>
  readonly figures: FigureLog
  /** Counts frames about ten times a second, for panels that show the state. */
  readonly pulse: Signal<number>
  stages: Stage[]
  bookmark: number
  /** Whether hands have played in this match, so that a seed alone does not tell it. */
  isHandmade: boolean
}

type Divergence = { readonly title: string; readonly text: string; readonly tick: number }

/** The last figures, newest last. */
type FigureLog = { readonly ticks: number[]; readonly figures: Figures[] }
const MOST_FIGURES = 600

let sharedClient: Client | undefined
/** One worker for the whole page. */
export function theClient(): Client {
  sharedClient ??= createClient()
  return sharedClient
}

/** A setup with everybody seated as the view says; `ownSeat` −1 leaves all seats to bots. */
export function setupFor(module: GameModule, view: View, seed: number, ownSeat: number): MatchSetup {
  const { match } = view
  const seats = Array.from({ length: match.seats }, (_, seat): Seat => {
    const bot = module.bots.length === 0 ? 0 : (match.botOf?.(seat) ?? seat) % module.bots.length
    return { seat, team: match.teamOf?.(seat) ?? 0, bot: seat === ownSeat ? -1 : bot }
  })
  return { game: module.game.declaration.id, scene: match.scene ?? '', seed, seats }
}

export async function openStudio(moment: Moment): Promise<Studio> {
  const [module, view] = await Promise.all([loadGame(moment.game), loadView(moment.game)])
  // An address with a tick is a moment to look at: bots have all seats, and nothing moves until somebody wants it to.
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

function createStudio(module: GameModule, view: View, show: Show, ownSeat: number): Studio {
  const studio: Studio = {
    module,
    view,
    show,
    fork: signal(undefined),
    tab: signal<Tab>('inspect'),
    layers: signal({ ...NO_LAYERS }),
    selected: signal([]),
    verdicts: signal(undefined),
    events: signal([]),
    seat: signal(ownSeat),
    tuned: signal({}),
    divergence: signal(undefined),
    toast: signal(''),
    isUiHidden: signal(false),
    isLoud: signal(false),
    isHelpOpen: signal(false),
    figures: { ticks: [], figures: [] },
    pulse: signal(0),
    stages: [],
    bookmark: -1,
    isHandmade: ownSeat >= 0,
  }
  show.onFrame = (frame) => {
    if (frame.jumped) return
    const { ticks, figures } = studio.figures
    ticks.push(frame.tick)
    figures.push(frame.figures)
    if (ticks.length > MOST_FIGURES) {
      ticks.splice(0, ticks.length - MOST_FIGURES)
      figures.splice(0, figures.length - MOST_FIGURES)
    }
  }
  return studio
}

export function closeStudio(studio: Studio): void {
  closeShow(studio.show)
  if (studio.fork.value !== undefined) closeShow(studio.fork.value)
  for (const stage of studio.stages) stage.close()
}

// Time.

export function playPause(studio: Studio): void {
  const { show } = studio
  show.playing.value = !show.playing.value
  if (!show.playing.value) settle(studio)
}

export function step(studio: Studio, ticks: number): void {
  stepShow(studio.show, ticks)
  const fork = studio.fork.value
  if (fork !== undefined) stepShow(fork, ticks)
  settle(studio)
}

export function scrub(studio: Studio, tick: number): void {
  studio.show.playing.value = false
  seekShow(studio.show, tick)
  if (studio.fork.value !== undefined) seekShow(studio.fork.value, tick)
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
    say(studio, direction > 0 ? 'No hit within the next minute.' : 'No earlier hit.')
    return
  }
  show.length.value = Math.max(show.length.value, tick)
  scrub(studio, tick)
}

export function restart(studio: Studio, seed: number): void {
  const { show, seat } = studio
  closeFork(studio)
  const { setup } = show
  restartShow(show, { ...setup, seed, seats: seatsNow(studio) })
  studio.isHandmade = seat.value >= 0
  batch(() => {
    studio.selected.value = []
    studio.verdicts.value = undefined
    studio.events.value = []
    studio.tuned.value = {}
    studio.divergence.value = undefined
    show.playing.value = true
  })
  studio.figures.ticks.length = 0
  studio.figures.figures.length = 0
}

export function randomSeed(): number {
  return crypto.getRandomValues(new Uint32Array(1))[0] % 1_000_000
}

function seatsNow({ show, seat, module }: Studio): readonly Seat[] {
  return show.setup.seats.map((each) => {
    if (each.seat === seat.value) return { ...each, bot: -1 }
    return each.bot < 0 ? { ...each, bot: module.bots.length === 0 ? 0 : each.seat % module.bots.length } : each
  })
}

/** Takes seat 0, or gives it back to a bot. */
export async function toggleSeat(studio: Studio): Promise<void> {
  const { show, seat, module } = studio
  if (!show.setup.seats.some((each) => each.seat === 0)) {
    say(studio, 'This scene brings its own players. Start a match to play.')
    return
  }
  const plays = seat.value < 0
  await show.client.ask(show.sim, { ask: 'sit', seat: 0, bot: plays ? -1 : 0 % Math.max(1, module.bots.length) })
  seat.value = plays ? 0 : -1
  if (plays) studio.isHandmade = true
}

/** Forgets the future and goes on from here. */
export async function playOn(studio: Studio): Promise<void> {
  const { show } = studio
  closeFork(studio)
  await show.client.ask(show.sim, { ask: 'branch' })
  show.length.value = show.tick.value
  seekShow(show, show.tick.value + 1)
  show.playing.value = true
}

export function bookmark(studio: Studio): void {
  studio.bookmark = studio.show.tick.value
  say(studio, `Tick ${studio.bookmark} is kept. L comes back to it.`)
}

export function goToBookmark(studio: Studio): void {
  if (studio.bookmark < 0) say(studio, 'Nothing is kept yet: S keeps a tick.')
  else scrub(studio, studio.bookmark)
}

// Asking.

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

/** Why did the selected two (not) hit each other in the tick that led to the picture? */
export async function refreshVerdict(studio: Studio): Promise<void> {
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
    say(studio, messageOf(error))
  }
}

export async function refreshEvents(studio: Studio): Promise<void> {
  const { show, events } = studio
  const from = Math.max(0, show.tick.value - Math.ceil(show.module.game.declaration.tickRate * 20))
  try {
    events.value = (await show.client.ask(show.sim, { ask: 'events', from })).records
  } catch {
    // The match is just being replaced; the next pulse asks again.
  }
}

// Tuning.

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
    if (isInPast(show) || studio.fork.value !== undefined) await openFork(studio, next)
    else await show.client.ask(show.sim, { ask: 'tune', name, value })
    tuned.value = next
    studio.isHandmade = true
  } catch (error) {
    say(studio, messageOf(error))
  }
}

export async function resetTuning(studio: Studio): Promise<void> {
  for (const name of Object.keys(studio.tuned.value)) {
    await tune(studio, name, studio.module.game.declaration.tuning![name].value)
  }
}

async function openFork(studio: Studio, tuning: Readonly<Record<string, number>>): Promise<void> {
  const { show, module, fork } = studio
  show.playing.value = false
  const isNew = fork.value === undefined
  const into = fork.value ?? emptyShow(show.client, module, show.setup, show)
  const changes: Record<string, number> = { ...tuning }
  // What is back at its default must be said too: the past may have been tuned.
  for (const name of Object.keys(studio.tuned.value)) changes[name] ??= module.game.declaration.tuning![name].value
  await show.client.ask(show.sim, { ask: 'fork', into: into.sim, tuning: changes, epoch: beginEpoch(into) })
  into.length.value = show.length.value
  if (isNew) fork.value = into
  seekShow(into, show.tick.value)
}

export function closeFork(studio: Studio): void {
  if (studio.fork.value === undefined) return
  closeShow(studio.fork.value)
  studio.fork.value = undefined
  studio.tuned.value = {}
}

// Files and proofs.

export async function saveReplay(studio: Studio): Promise<Uint8Array<ArrayBuffer>> {
  return studio.show.client.ask(studio.show.sim, { ask: 'save', keyframes: true })
}

export async function openBytes(
  studio: Studio,
  bytes: Uint8Array<ArrayBuffer>,
  tick = 0,
): Promise<VerifyAnswer | undefined> {
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
    })
    studio.isHandmade = true
    if (tick > 0) seekShow(show, tick)
    say(
      studio,
      `${loaded.ticks} ticks. ${loaded.verification.ok ? 'They play exactly as recorded.' : 'They play differently.'}`,
    )
    return loaded.verification
  } catch (error) {
    show.line.seeking = false
    studio.divergence.value = { title: 'NOT READ', text: messageOf(error), tick: -1 }
    return undefined
  }
}

function divergenceOf(verification: VerifyAnswer, problems: readonly string[]): Divergence | undefined {
  if (!verification.ok) {
    return { title: 'DIVERGED', text: verification.message, tick: verification.tick }
  }
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
    say(studio, messageOf(error))
    return undefined
  }
}

// The address.

/** Called when the picture comes to rest: the address follows, and open questions are answered for the new tick. */
export function settle(studio: Studio): void {
  clearTimeout(settling)
  settling = window.setTimeout(() => {
    void writeAddress(studio)
    void refreshVerdict(studio)
    void refreshEvents(studio)
  }, 150)
}
let settling = 0

async function addressOf(studio: Studio): Promise<string> {
  const { show, isHandmade } = studio
  const { game, scene, seed, seats, options } = show.setup
  const record = isHandmade ? await packRecord(await show.client.ask(show.sim, { ask: 'save', keyframes: false })) : ''
  const isOwnScene = seats.length === 0
  return writeMoment({
    game,
    scene: isOwnScene ? scene : '',
    seed,
    tick: show.tick.value,
    options: (options ?? {}) as Moment['options'],
    record,
  })
}

async function writeAddress(studio: Studio): Promise<void> {
  if (studio.show.playing.value) return
  try {
    history.replaceState(null, '', await addressOf(studio))
  } catch {
    // A match that is just being replaced has no address yet.
  }
}

export async function copyLink(studio: Studio): Promise<void> {
  const hash = await addressOf(studio)
  history.replaceState(null, '', hash)
  const isWhole = !studio.isHandmade || hash.includes('record=')
  await copyText(location.href)
  say(
    studio,
    isWhole ? 'The link to this tick is copied.' : 'Copied, but the match is too long for a link: save the replay.',
  )
}

export async function copyText(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text)
  } catch {
    // No permission; the address bar still has it.
  }
}

export function otherGame(studio: Studio, by: number): string {
  const place = gameIds.indexOf(studio.module.game.declaration.id)
  return gameIds[(place + by + gameIds.length) % gameIds.length]
}

export function say(studio: Studio, text: string): void {
  studio.toast.value = text
  clearTimeout(silence)
  silence = window.setTimeout(() => {
    studio.toast.value = ''
  }, 4000)
}
let silence = 0

export function worldOf(studio: Studio): AnyWorld {
  return shownWorld(studio.show)
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
