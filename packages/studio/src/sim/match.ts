/**
 * A match in the worker: a session, its players, and what it keeps for going back.
 *
 * While the world stands in the past, playing on repeats what was recorded; at the end of the record the players take over
 * again: the scene's own, bots, the person at the keyboard, or the record of another match (a fork).
 */

import { advance, createSession, type EventRecord, type Scene, type Session, seek } from 'hurtbox'
import type { LoadedModule } from 'hurtbox/module'
import {
  type AnyBot,
  type AnyWorld,
  advanceEncoded,
  botInputs,
  type Collision,
  type Control,
  cloneSession,
  collisionsOf,
  createEncodedInputs,
  createTwin,
  type EncodedInputs,
  encodeInputs,
  inputsAt,
  type PlayerInput,
  replayTo,
  resultOf,
  seatRow,
  stepEncoded,
  type TickInputs,
  worldBytes,
} from 'hurtbox/tools'
import { createDummy, type Dummy, dummyInput } from './dummy.ts'
import { createHistory, forgetFrom, type History, noteTick } from './history.ts'
import { type PhaseTimes, watchPhases } from './phase-times.ts'
import type { HandInput, MatchSetup, Outside, Seat } from './protocol.ts'
import { sceneOf } from './scene-of.ts'

export type Match = {
  readonly module: LoadedModule
  readonly setup: MatchSetup
  readonly session: Session
  readonly history: History
  readonly collisions: readonly Collision[]
  readonly phases: PhaseTimes
  /** The players by seat. */
  seats: Seat[]
  /** Where inputs come from when they are not thought up: the scene, or the record of another match. */
  readonly source: Source
  /** Tuning that waits for the next new tick. */
  controls: Extract<Control, { control: 'tune' }>[]
  /** All that came from outside so far, by tick. */
  script: Outside[]
  readonly inputs: EncodedInputs
  readonly dummy: Dummy
  /** Milliseconds of the last tick. */
  tickMs: number
  /** A second world of the match, which looks through ticks that have not been seen, while the first stays where it is. */
  scout: { readonly world: AnyWorld; readonly phases: PhaseTimes } | undefined
  /** A third one, for looking at other ticks. */
  probe: AnyWorld | undefined
}

type Source = {
  readonly scene?: Scene
  readonly recorded?: Session
  /** The match is played elsewhere: here are only the ticks that have come. */
  readonly isFollowed?: boolean
}

export function startMatch(module: LoadedModule, setup: MatchSetup): Match {
  const scene = sceneOf(module, setup.scene)
  const session = createSession(
    module.game,
    {
      seed: setup.seed,
      options: { ...scene.options, ...setup.options },
      tuning: { ...scene.tuning, ...setup.tuning },
    },
    keyframeEvery(module),
  )
  return matchOf(module, setup, session, setup.seats.length === 0 ? { scene } : {})
}

/** A match from a session that was made elsewhere (a replay file, a page). Its boxes are seen once it has stepped. */
export function matchFromSession(module: LoadedModule, setup: MatchSetup, session: Session, isFollowed = false): Match {
  return matchOf(module, setup, session, { isFollowed })
}

/** The same past, and from `tick` on the same inputs under other tuning. */
export function forkMatch(match: Match, tick: number, tuning: Readonly<Record<string, number>>): Match {
  const { module, setup, session } = match
  const clone = cloneSession(session)
  seek(clone, tick)
  const fork = matchOf(module, setup, clone, { recorded: session })
  fork.seats = [...match.seats]
  fork.controls = Object.entries(tuning).map(([name, value]) => ({ control: 'tune', name, value }))
  // The past is known; from here on the record is that of the other match, read tick by tick.
  fork.history.indexed = tick
  playNewTick(fork, undefined)
  noteTick(fork.history, clone.world, fork.phases)
  return fork
}

function matchOf(module: LoadedModule, setup: MatchSetup, session: Session, source: Source): Match {
  const phases = watchPhases(session.world)
  return {
    module,
    setup,
    session,
    history: createHistory(module, phases.names.length),
    collisions: [...collisionsOf(session.world).values()],
    phases,
    seats: [...setup.seats],
    source,
    controls: [],
    script: [],
    inputs: createEncodedInputs(session.world),
    dummy: createDummy(),
    tickMs: 0,
    scout: undefined,
    probe: undefined,
  }
}

/** Plays one tick: what was recorded, or something new at the end of the record. Returns its events. */
export function playTick(match: Match, input: HandInput | undefined): EventRecord[] {
  const { session, history } = match
  const begin = performance.now()
  if (session.world.tick < session.log.length) repeatTick(match)
  else playNewTick(match, input)
  match.tickMs = performance.now() - begin
  return noteTick(history, session.world, match.phases)
}

/** Plays on to `tick`, as far as the match goes. Returns the events on the way. */
export function playTo(match: Match, tick: number, input?: HandInput): EventRecord[] {
  const events: EventRecord[] = []
  let given = input
  while (match.session.world.tick < tick && canPlay(match)) {
    events.push(...playTick(match, given))
    // Levels hold by themselves; a press must not count again.
    given = undefined
  }
  return events
}

/** How many ticks there are to see: a fork is as long as the match whose inputs it repeats. */
export function lengthOf({ session, source }: Match): number {
  return Math.max(session.log.length, source.recorded?.log.length ?? 0)
}

/** Whether the match may go on: at its end, or if it is played elsewhere, only what is recorded can be played. */
export function canPlay({ session, source }: Match): boolean {
  if (session.world.tick < session.log.length) return true
  // Another future stands still after its own end, but keeps step with the match that it is compared with.
  if (source.recorded !== undefined && session.world.tick < source.recorded.log.length) return true
  return source.isFollowed !== true && resultOf(session.world)?.over !== true
}

/**
 * Brings the match to the state before `tick`. The last tick is stepped rather than restored, so that its events, boxes
 * and contacts are there to be seen. Returns the events.
 */
export function goTo(match: Match, tick: number): EventRecord[] {
  const { session, history } = match
  const { from } = session.log
  const target = Math.max(from, Math.min(tick, lengthOf(match)))
  if (target > session.log.length) return playUpTo(match, target)
  if (target === from) {
    seek(session, from)
    return []
  }
  seek(session, target - 1)
  repeatTick(match)
  return noteTick(history, session.world, match.phases)
}

/**
 * Looks through ticks that have not been seen (of a file that was just opened), in order, for at most `budgetMs`. Returns whether
 * all of them are known now.
 */
export function lookThrough(match: Match, budgetMs: number): boolean {
  const { session, history, inputs } = match
  const end = performance.now() + budgetMs
  while (history.indexed < session.log.length) {
    if (performance.now() > end) return false
    match.scout ??= startScout(session)
    const { world, phases } = match.scout
    if (world.tick !== history.indexed) replayTo(session, world, history.indexed)
    inputsAt(session.log, world.tick, inputs)
    stepEncoded(world, inputs)
    noteTick(history, world, phases)
  }
  return true
}

function startScout(session: Session): { readonly world: AnyWorld; readonly phases: PhaseTimes } {
  const world = createTwin(session)
  return { world, phases: watchPhases(world) }
}

/** Plays what a fork has not played yet. */
function playUpTo(match: Match, tick: number): EventRecord[] {
  const { session } = match
  seek(session, session.log.length)
  let events: EventRecord[] = []
  while (session.world.tick < tick && canPlay(match)) events = playTick(match, undefined)
  return events
}

/** Forgets what comes after the present tick. */
export function branch(match: Match): void {
  const { session, history } = match
  const { tick } = session.world
  if (tick === session.log.length) return
  forgetFrom(history, tick)
  match.script = match.script.filter((each) => each.tick < tick)
  // The engine forgets the rest of its log when it advances; an empty tick would be a tick too many, so play one.
  playNewTick(match, undefined)
  noteTick(history, session.world, match.phases)
}

/** Plays up to `length` as it was played before, under other rules. What these no longer know is left out. */
export function playAgain(
  match: Match,
  script: readonly Outside[],
  length: number,
  onProgress: (tick: number) => void = () => {},
): void {
  const { session, module } = match
  const known = module.game.declaration.input ?? {}
  let next = 0
  while (session.world.tick < length && canPlay(match)) {
    const { tick } = session.world
    let input: HandInput | undefined
    for (; next < script.length && script[next].tick <= tick; next++) {
      const { sit: seated, tune: tuned, input: given } = script[next]
      if (seated !== undefined) sit(match, seated.seat, seated.bot)
      if (tuned !== undefined && tuned.name in (module.game.declaration.tuning ?? {}))
        tune(match, tuned.name, tuned.value)
      if (given !== undefined) input = Object.fromEntries(Object.entries(given).filter(([name]) => name in known))
    }
    playTick(match, input)
    onProgress(session.world.tick)
  }
}

/** Changes a number from the next new tick on. Throws when the engine would refuse it. */
export function tune(match: Match, name: string, value: number): void {
  const control = { control: 'tune', name, value } as const
  encodeInputs(match.session.world, { controls: [control] }, match.inputs)
  match.controls = [...match.controls.filter((each) => each.name !== name), control]
}

/** Changes the player of a seat from the next new tick on. */
export function sit(match: Match, seat: number, bot: number): void {
  match.script.push({ tick: match.session.world.tick, sit: { seat, bot } })
  const known = match.seats.find((each) => each.seat === seat)
  const others = match.seats.filter((each) => each !== known)
  // A scene seats its own players: only a person who takes a place among them is written down.
  match.seats = [...others, { team: 0, ...known, seat, bot }].sort((a, b) => a.seat - b.seat)
}

function repeatTick(match: Match): void {
  const { session, inputs } = match
  inputsAt(session.log, session.world.tick, inputs)
  stepEncoded(session.world, inputs)
}

function playNewTick(match: Match, input: HandInput | undefined): void {
  const { session, source, inputs } = match
  const { tick } = session.world
  const { controls } = match
  match.controls = []
  for (const { name, value } of controls) match.script.push({ tick, tune: { name, value } })
  if (input !== undefined) match.script.push({ tick, input })
  if (source.recorded !== undefined && tick < source.recorded.log.length) {
    inputsAt(source.recorded.log, tick, inputs)
    inputs.controls = [...inputs.controls, ...controls]
    advanceEncoded(session, inputs)
    return
  }
  const given = inputsFor(match, tick, input)
  advance(session, { ...given, controls: [...(given.controls ?? []), ...controls] } as never)
}

/** The inputs of a new tick. All players join in tick 0 and act from the next one on. */
function inputsFor(match: Match, tick: number, input: HandInput | undefined): TickInputs {
  const { session, seats, source, module, setup } = match
  const { world } = session
  const own = seats.find(({ bot }) => bot < 0)
  if (source.scene?.inputs !== undefined && tick < source.scene.ticks) {
    return withHand(source.scene.inputs(tick, world), own?.seat, input, world)
  }
  if (tick === 0) return { controls: seats.map(({ seat, team }): Control => ({ control: 'join', seat, team })) }
  const players: PlayerInput[] = []
  const { botEvery = 1 } = setup
  const { dummy } = match
  if (dummy.isRecording && tick > 0) dummy.recorded.push(input ?? {})
  // The training partner is the first who is not the person at the controls.
  const partner = dummy.does === 'bot' ? undefined : seats.find(({ bot }) => bot >= 0)?.seat
  if (partner !== undefined && seatRow(world, partner) >= 0) {
    players.push({ ...dummyInput(dummy, module.game, tick), seat: partner })
  }
  module.bots.forEach((bot: AnyBot, place) => {
    // Not all in the same tick.
    const isIts = (seat: number) =>
      seat !== partner &&
      (tick + seat * 3) % botEvery === 0 &&
      seats.some((each) => each.seat === seat && each.bot === place)
    players.push(...botInputs(bot, world, setup.seed, isIts))
  })
  return withHand({ players }, own?.seat, input, world)
}

/** What others do, and what the person on `seat` does instead of what was written down for it. */
function withHand(
  given: TickInputs,
  seat: number | undefined,
  input: HandInput | undefined,
  world: AnyWorld,
): TickInputs {
  if (seat === undefined) return given
  const players = (given.players ?? []).filter((each) => each.seat !== seat)
  if (input !== undefined && seatRow(world, seat) >= 0) players.push({ ...input, seat })
  return { ...given, players }
}

/** Close keyframes make scrubbing instant; large worlds cannot afford as many. */
function keyframeEvery({ game }: LoadedModule): number {
  return worldBytes(game) < 1 << 20 ? 32 : 128
}
