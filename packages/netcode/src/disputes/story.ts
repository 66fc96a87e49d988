/**
 * A dispute as a story: what happened between two things in one tick, what each player had on the screen, why it counted, which
 * phase did it, and how the match would have gone on without it.
 *
 * Plain data first (`Story`), so that a page can draw it; then the same as sentences (`tellStory`). Both come from the replay and,
 * for the screens, from its track.
 */

import { findRow, HurtboxError, type Id, playerAt, playerOf, thing, why } from 'hurtbox'
import { type LoadedModule, nameOfThing } from 'hurtbox/module'
import type { Place } from 'hurtbox/picture'
import type { ScreenFrame } from 'hurtbox/replay'
import {
  type AnyWorld,
  changesByPhase,
  collisionsOf,
  type EncodedInputs,
  inputsAt,
  type PhaseChanges,
  retrace,
  type TraceEntry,
  withoutHit,
} from 'hurtbox/tools'
import type { Mode } from '../protocol/protocol.ts'
import { findFrame, placeIn, rebuildScreen, type Screen, type Screens, truthAt } from '../screens/screens.ts'

export type Question = {
  readonly tick: number
  /** The two things it is about, by their ids in the match. */
  readonly ask: readonly [Id, Id]
  /** A player whose screen is wanted besides those of the two. */
  readonly player?: number
}

/** A player or a thing of the dispute. */
export type Party = {
  readonly id: Id
  readonly name: string
  /** The seat of the player whose thing it is, or who owns it; −1 for none. */
  readonly seat: number
  /** Where it was before the tick; undefined when it was not there. */
  readonly place: Place | undefined
}

export type SeenStory = {
  readonly seat: number
  readonly player: string
  readonly mode: Mode
  /** When the player acted in the tick. */
  readonly frame: ScreenFrame
  readonly screen: Screen
  /** Where the two were drawn then; undefined for what was not on this screen. */
  readonly places: readonly [Place | undefined, Place | undefined]
  /** How far from the truth that was, in units of the world. */
  readonly off: readonly [number | undefined, number | undefined]
  /** How many ticks before they were needed the player's inputs came; below 0: late. Undefined when none came near. */
  readonly early: number | undefined
  /** How long after that the player knew for certain what had happened: frames and ms. Undefined when it never did. */
  readonly learned: { readonly frames: number; readonly ms: number } | undefined
  /** Columns of the victim that this player's prediction of the tick had otherwise: a mirror that did not see it coming. */
  readonly mispredicted: readonly { readonly column: string; readonly shown: number; readonly truth: number }[]
}

/** A box of one of the two when the tick was decided. */
export type JudgedBox = {
  readonly id: Id
  readonly x: number
  readonly y: number
  readonly radius: number
  readonly ago: number
}

export type FutureChange = {
  readonly who: string
  readonly column: string
  readonly real: number
  readonly other: number
}

export type Story = {
  readonly game: string
  readonly seed: number
  readonly tick: number
  readonly tickRate: number
  /** The first of a rule, then the second, where one decided. */
  readonly parties: readonly [Party, Party]
  readonly verdict: 'hit' | 'no hit'
  readonly why: readonly TraceEntry[]
  /** The phase in which it was decided; '' when none was about the two. */
  readonly phase: string
  /** What each phase of the tick did to the second. */
  readonly changes: readonly PhaseChanges[]
  readonly boxes: readonly JudgedBox[]
  readonly screens: readonly SeenStory[]
  /** Why there are no screens, in a sentence; '' where there are. */
  readonly noScreens: string
  /** How things would stand some seconds later without the hit; undefined where there was none. */
  readonly future: { readonly tick: number; readonly changes: readonly FutureChange[] } | undefined
}

/** How far the other future goes. */
const FUTURE_SECONDS = 2

/** What happened. Throws when the tick or the things do not exist. */
export function readStory(module: LoadedModule, screens: Screens, question: Question): Story {
  const { session } = screens
  const { tick, player } = question
  const [a, b] = question.ask
  if (!Number.isInteger(tick) || tick < 0 || tick >= session.log.length) {
    throw new HurtboxError(
      'bad-argument',
      `there is no tick ${tick}: the match has ${session.log.length}, counted from 0.`,
    )
  }
  const trace = why(session, tick, a, b)
  const decided = trace.find(({ verdict }) => verdict === 'accepted') ?? trace.find(({ rule }) => rule !== '')
  const ids: readonly [Id, Id] = decided === undefined ? [a, b] : [decided.first, decided.second]
  const before = truthAt(screens, tick)
  const after = truthAt(screens, tick + 1)
  for (const id of ids) {
    if (findRow(before.tables.things, id) >= 0 || findRow(after.tables.things, id) >= 0) continue
    throw new HurtboxError(
      'bad-argument',
      `there is no thing with id ${id} in tick ${tick}. Ids are those that \`hurtbox why\` takes.`,
    )
  }
  const parties = [partyOf(module, before, after, ids[0]), partyOf(module, before, after, ids[1])] as const
  const isHit = trace.some(({ verdict }) => verdict === 'accepted')
  const seats = [...new Set([player ?? -1, parties[0].seat, parties[1].seat])].filter((seat) => seat >= 0)
  const seen = seats.flatMap((seat) => seenBy(module, screens, seat, tick, parties, [before, after]) ?? [])
  const phase =
    decided?.phase ?? trace.find(({ verdict }) => verdict === 'changed' || verdict === 'pushed')?.phase ?? ''
  return {
    game: module.title,
    seed: session.setup.seed,
    tick,
    tickRate: session.game.declaration.tickRate,
    parties,
    verdict: isHit ? 'hit' : 'no hit',
    why: trace,
    phase,
    changes: changesByPhase(session, tick, ids[1]),
    boxes: boxesOf(screens, tick, phase, ids),
    screens: seen,
    noScreens: seen.length > 0 ? '' : noScreensOf(screens, seats),
    future: isHit ? otherFuture(module, screens, tick, ids) : undefined,
  }
}

function noScreensOf({ track }: Screens, seats: readonly number[]): string {
  if (seats.length === 0) return 'No player had a part in it.'
  return track.clients.length === 0
    ? 'There is no track of this match (serve it with --track), so what players saw is not known.'
    : 'The players who had a part in it were bots, or reported nothing of this tick.'
}

function partyOf(module: LoadedModule, before: AnyWorld, after: AnyWorld, id: Id): Party {
  const world = findRow(before.tables.things, id) >= 0 ? before : after
  const own = thing(world, id)!
  return { id, name: nameOfThing(module, world, own), seat: seatOf(world, id), place: placeIn(before, id) }
}

/** The seat of the player whose thing this is, or whose thing owns it. */
function seatOf(world: AnyWorld, id: Id): number {
  for (let at = id, steps = 0; at !== 0 && steps < 8; steps++) {
    const player = playerOf(world, at)
    if (player !== undefined) return player.seat
    const row = findRow(world.tables.things, at)
    at = row < 0 ? 0 : world.tables.things.owner[row]
  }
  return -1
}

function seenBy(
  module: LoadedModule,
  screens: Screens,
  seat: number,
  tick: number,
  parties: readonly [Party, Party],
  [before, after]: readonly [AnyWorld, AnyWorld],
): SeenStory | undefined {
  const acted = findFrame(screens, seat, tick, 'acted')
  if (acted === undefined) return undefined
  const learned = findFrame(screens, seat, tick, 'learned')
  const screen = rebuildScreen(screens, acted)
  const places = parties.map(({ id, place }) => screen.places.get(screen.idOf(id, place ? before : after)))
  const off = parties.map(({ place }, i) => {
    const shown = places[i]
    return place && shown && Math.hypot(shown.x - place.x, shown.y - place.y, shown.z - place.z)
  })
  return {
    seat,
    player: playerName(module, before, seat),
    mode: screen.mode,
    frame: acted.frame,
    screen,
    places: [places[0], places[1]],
    off: [off[0], off[1]],
    early: earlyBy(screens, seat, tick),
    learned:
      learned?.run === acted.run
        ? { frames: learned.at - acted.at, ms: learned.frame.atMs - acted.frame.atMs }
        : undefined,
    mispredicted: mispredictedBy(screens, seat, tick, parties[1].id, after),
  }
}

/** Players are called as the game calls their things. */
function playerName(module: LoadedModule, world: AnyWorld, seat: number): string {
  const own = playerAt(world, seat)?.thing
  return own === undefined ? `P${seat + 1}` : nameOfThing(module, world, own)
}

/** How early the newest input came that was meant for the tick or before it. */
function earlyBy({ track }: Screens, seat: number, tick: number): number | undefined {
  let early: number | undefined
  for (const packet of track.packets) {
    if (packet.seat !== seat) continue
    for (const input of packet.inputs) if (input.tick <= tick) early = input.tick - packet.tick
    if (packet.inputs.some((input) => input.tick > tick)) break
  }
  return early
}

/** Whether a mirror, when it first showed the tick, had the victim otherwise than it was. */
function mispredictedBy(
  screens: Screens,
  seat: number,
  tick: number,
  victim: Id,
  truth: AnyWorld,
): SeenStory['mispredicted'] {
  const run = screens.runs.find((each) => each.seat === seat && each.mode === 'mirror')
  const at = run?.frames.findIndex((frame) => frame.after === tick + 1) ?? -1
  if (run === undefined || at < 0 || run.frames[at].received > tick) return []
  const { after } = rebuildScreen(screens, { run, at, frame: run.frames[at] })
  const shownRow = findRow(after.tables.things, victim)
  const row = findRow(truth.tables.things, victim)
  if (shownRow < 0 || row < 0) return []
  const differing: { column: string; shown: number; truth: number }[] = []
  for (const { name, array, width } of truth.tables.things.columns) {
    const shown = after.tables.things[name][shownRow * width]
    if (!Object.is(shown, array[row * width])) differing.push({ column: name, shown, truth: array[row * width] })
  }
  return differing
}

/** The boxes of the two as the phase had them; those that were judged as seen are from the past. */
function boxesOf(screens: Screens, tick: number, phase: string, ids: readonly [Id, Id]): JudgedBox[] {
  const { session } = screens
  const world = truthAt(screens, tick)
  const found: JudgedBox[] = []
  const inputsOf = (at: number, into: EncodedInputs) => inputsAt(session.log, at, into)
  retrace(world, tick + 1, inputsOf, (place) => {
    const collision = place.phase === phase ? collisionsOf(world).get(phase) : undefined
    if (collision === undefined) return false
    const { boxes, judged } = collision
    const { things } = world.tables
    const idOf = (box: number) => (boxes.owner[box] < things.count ? things.id[boxes.owner[box]] : 0)
    const own = Array.from({ length: boxes.count }, (_, box) => box).filter((box) => ids.includes(idOf(box)))
    for (const box of own) {
      const ago = judged?.agoOf(box) ?? 0
      // Others may have attacked the same victim, each at a moment of its own.
      if (ago > 0 && !own.some((other) => idOf(other) !== idOf(box) && judged!.isPair(other, box))) continue
      found.push({ id: idOf(box), x: boxes.x[box], y: boxes.y[box], radius: boxes.radius[box], ago })
    }
    return true
  })
  return found
}

function otherFuture(module: LoadedModule, screens: Screens, tick: number, [a, b]: readonly [Id, Id]): Story['future'] {
  const { session } = screens
  const end = Math.min(tick + Math.ceil(FUTURE_SECONDS * session.game.declaration.tickRate), session.log.length)
  const { world: other, left } = withoutHit(session, { tick, a, b, end })
  if (left === 0) return undefined
  const real = truthAt(screens, end)
  const changes: FutureChange[] = []
  for (let seat = 0; seat < session.game.declaration.seats.max; seat++) {
    const [own, otherwise] = [playerAt(real, seat), playerAt(other, seat)]
    if (own === undefined || otherwise === undefined) continue
    const who = playerName(module, real, seat)
    const rows = [real, other].map((world) => rowOfSeat(world, seat))
    compareRows(
      real,
      other,
      'players',
      rows,
      (name) => isInput(real, name),
      (change) => changes.push({ who, ...change }),
    )
    const ids = [own.thing?.id ?? 0, otherwise.thing?.id ?? 0]
    const thingRows = [findRow(real.tables.things, ids[0]), findRow(other.tables.things, ids[1])]
    compareRows(
      real,
      other,
      'things',
      thingRows,
      () => false,
      (change) => changes.push({ who, ...change }),
    )
  }
  return { tick: end, changes }
}

function rowOfSeat({ tables: { players } }: AnyWorld, seat: number): number {
  for (let row = 0; row < players.count; row++) if (players.seat[row] === seat) return row
  return -1
}

function isInput({ game }: AnyWorld, column: string): boolean {
  return game.input.fields.some(({ label }: { label: string }) => label.split('.')[0] === column)
}

/** Columns that are bookkeeping, and say nothing to people. */
const NOT_TOLD: readonly string[] = ['id', 'leaving', 'thing', 'seat']

function compareRows(
  real: AnyWorld,
  other: AnyWorld,
  table: 'players' | 'things',
  [row, otherRow]: readonly number[],
  skips: (column: string) => boolean,
  tell: (change: Omit<FutureChange, 'who'>) => void,
): void {
  if (row < 0 || otherRow < 0) return
  for (const { name, array, width } of real.tables[table].columns) {
    if (width !== 1 || NOT_TOLD.includes(name) || skips(name)) continue
    const [is, would] = [array[row], other.tables[table][name][otherRow]]
    if (!Object.is(is, would)) tell({ column: name, real: is, other: would })
  }
}
