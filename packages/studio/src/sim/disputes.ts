/** Disputes, in the worker: the match is played here, and what each player saw is sent to the page as states. */

import {
  type Chapter,
  findFrame,
  readScreensOf,
  readStory,
  rebuildScreen,
  type Screen,
  type Screens,
  type Story,
  storyPage,
  tellStory,
  truthAt,
} from '@hurtbox/netcode/disputes'
import { addRow, HurtboxError, playerAt, snapshot } from 'hurtbox'
import { type LoadedModule, nameOfThing } from 'hurtbox/module'
import type { Place } from 'hurtbox/picture'
import { loadReplay, readReplayHeader, readTrack, type Track, verifyReplay } from 'hurtbox/replay'
import { type AnyWorld, type Capacity, capacityOf, createEmptyWorld, withoutHit } from 'hurtbox/tools'

/** A match and its track, opened. */
export type OpenDispute = { readonly module: LoadedModule; readonly screens: Screens }

export type DisputeMatch = {
  readonly game: string
  readonly capacity: Capacity
  readonly options: Readonly<Record<string, unknown>>
  readonly ticks: number
  /** Players of whom screens are known. */
  readonly seen: readonly number[]
  /** What is wrong with the files, or with the match; empty when nothing is. */
  readonly problems: readonly string[]
}

/** A picture for the page: two states, how far between them, and where things were drawn. */
export type ShownScreen = {
  readonly title: string
  readonly about: string
  /** Whose eyes; −1 for none. */
  readonly seat: number
  readonly before: Uint8Array<ArrayBuffer>
  readonly after: Uint8Array<ArrayBuffer>
  readonly alpha: number
  readonly places: readonly (readonly [number, Place])[]
  /** The two, by the ids they have in this picture. */
  readonly selected: readonly number[]
  readonly isProven: boolean | undefined
  /** Whether this is what was so when the players acted. */
  readonly isTruth: boolean
  /** Boxes that were judged where the attacker saw them, as things of a state of their own; undefined for none. */
  readonly judged: Uint8Array<ArrayBuffer> | undefined
}

export type DisputeAnswer = {
  readonly title: string
  readonly chapters: readonly Chapter[]
  readonly screens: readonly ShownScreen[]
  /** How it went on, and how it would have gone on. */
  readonly futures: readonly ShownScreen[]
  /** The same as one file. */
  readonly html: string
}

export type DisputeQuestion = {
  readonly tick: number
  readonly player: number | undefined
  readonly pair: readonly [number, number] | undefined
  /** The address of this dispute, for the file. */
  readonly link: string
}

const NO_TRACK: Track = { packets: [], clients: [], terminal: {}, problem: undefined }

export async function openDispute(
  bytes: Uint8Array,
  trackBytes: Uint8Array | undefined,
  load: (id: string) => Promise<LoadedModule>,
): Promise<{ readonly open: OpenDispute; readonly match: DisputeMatch }> {
  const module = await load(readReplayHeader(bytes).game)
  const replay = loadReplay(module.game, bytes)
  const { mismatch } = verifyReplay(module.game, replay)
  const track = trackBytes === undefined ? NO_TRACK : readTrack(replay.game, trackBytes)
  const screens = readScreensOf(replay, track)
  const problems = [
    ...replay.problems,
    ...(mismatch ? [mismatch.message] : []),
    ...(track.problem ? [track.problem] : []),
  ]
  const match = {
    game: module.id,
    capacity: capacityOf(replay.game),
    options: replay.setup.options,
    ticks: replay.ticks,
    seen: [...new Set(screens.runs.map(({ seat }) => seat))].sort((a, b) => a - b),
    problems,
  }
  return { open: { module, screens }, match }
}

export function tellDispute({ module, screens }: OpenDispute, question: DisputeQuestion): DisputeAnswer {
  const { tick, player, pair, link } = question
  const { length } = screens.session.log
  if (tick >= length) throw new HurtboxError('bad-argument', `there is no tick ${tick}: the match has ${length}.`)
  if (pair === undefined) return lookAt(module, screens, tick, player)
  const story = readStory(module, screens, { tick, ask: pair, ...(player !== undefined && { player }) })
  const [headline, ...chapters] = tellStory(story)
  const ids = story.parties.map(({ id }) => id)
  const judged = judgedOf(screens, story)
  const seen = [
    ...story.screens.map(({ screen, player: name }) => shownScreen(screen, name, truthAt(screens, tick), ids)),
    truthOf(screens, tick, ids),
  ]
  return {
    title: headline.title,
    chapters,
    screens: seen.map((shown) => ({ ...shown, judged })),
    futures: futuresOf(screens, story),
    html: storyPage(screens, story, link),
  }
}

/** Nothing was asked: what the player saw, and what was so. */
function lookAt(module: LoadedModule, screens: Screens, tick: number, player: number | undefined): DisputeAnswer {
  const frame = player === undefined ? undefined : findFrame(screens, player, tick, 'acted')
  const truth = truthAt(screens, tick)
  const own = player === undefined ? undefined : playerAt(truth, player)?.thing
  const name = own === undefined ? `P${(player ?? 0) + 1}` : nameOfThing(module, truth, own)
  const seen = frame === undefined ? [] : [shownScreen(rebuildScreen(screens, frame), name, truth, [])]
  const title = `${module.title}, seed ${screens.session.setup.seed}, tick ${tick}`
  return { title, chapters: [], screens: [...seen, truthOf(screens, tick, [])], futures: [], html: '' }
}

function shownScreen(screen: Screen, name: string, truth: AnyWorld, ids: readonly number[]): ShownScreen {
  const { tick } = truth
  const { mode, frame, seat, before, after, alpha, places, isProven } = screen
  const ahead = frame.after - frame.received
  const about =
    mode === 'mirror'
      ? `when it acted in tick ${tick}: ${ahead} ticks of it predicted`
      : `when it acted in tick ${tick}: ${(tick - frame.shown).toFixed(1)} ticks old`
  return {
    title: `${name}’s screen`,
    about,
    seat,
    before: packed(before),
    after: packed(after),
    alpha,
    places: [...places],
    selected: ids.map((id) => screen.idOf(id, truth)).filter((id) => id > 0),
    isProven,
    isTruth: false,
    judged: undefined,
  }
}

function truthOf(screens: Screens, tick: number, ids: readonly number[]): ShownScreen {
  return { ...stateOf(truthAt(screens, tick), 'The truth', `before tick ${tick}, by the server`, ids), isTruth: true }
}

function futuresOf(screens: Screens, { future, parties, tick }: Story): ShownScreen[] {
  if (future === undefined) return []
  const [{ id: a }, { id: b }] = parties
  const { world } = withoutHit(screens.session, { tick, a, b, end: future.tick })
  const about = `before tick ${future.tick}`
  return [
    stateOf(truthAt(screens, future.tick), 'As it went on', about, [a, b]),
    stateOf(world, 'Without this hit', about, [a, b]),
  ]
}

function stateOf(world: AnyWorld, title: string, about: string, selected: readonly number[]): ShownScreen {
  const state = packed(world)
  const picture = { title, about, seat: -1, before: state, after: state, alpha: 1, places: [], selected }
  return { ...picture, isProven: undefined, isTruth: false, judged: undefined }
}

/** A state with nothing in it but the boxes of the past. */
function judgedOf({ session }: Screens, { boxes }: Story): Uint8Array<ArrayBuffer> | undefined {
  const past = boxes.filter(({ ago }) => ago > 0)
  if (past.length === 0) return undefined
  const world: AnyWorld = createEmptyWorld(session.game, session.setup)
  const { things } = world.tables
  for (const { x, y, radius } of past) {
    const row = addRow(things)
    if (row >= 0) Object.entries({ x, y, radius }).forEach(([column, value]) => void (things[column][row] = value))
  }
  return packed(world)
}

function packed(world: AnyWorld): Uint8Array<ArrayBuffer> {
  const { bytes, byteLength } = snapshot(world)
  return bytes.slice(0, byteLength) as Uint8Array<ArrayBuffer>
}
