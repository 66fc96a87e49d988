/**
 * A show: one match as the page displays it, and its clock.
 *
 * The page owns time. The playhead moves through ticks at the chosen speed; ticks are asked for a moment before they are
 * needed, so that an input takes effect soon and a slow match plays slower instead of piling up work. Every seek starts a
 * new epoch, and frames of an older one are thrown away.
 */

import { batch, effect, type Signal, signal } from '@preact/signals'
import type { EventRecord } from 'hurtbox'
import type { LoadedModule } from 'hurtbox/module'
import { pictureOf } from 'hurtbox/picture'
import type { AnyWorld } from 'hurtbox/tools'
import type { StudioPicture } from '../draw/stage.ts'
import type { Frame, HandInput, MatchSetup, Overlay, Request } from '../sim/protocol.ts'
import { sceneOf } from '../sim/scene-of.ts'
import type { Client } from './client.ts'
import { measurePace, throughImpact } from './pace.ts'
import { createStates, jumpToState, pushState, type States } from './states.ts'

type Shown = { readonly tick: number; readonly length: number; readonly hash: string }

export type Show = {
  readonly client: Client
  readonly module: LoadedModule
  readonly sim: number
  setup: MatchSetup
  states: States
  /** The time shown, in ticks; between `states.before` and `states.after`. */
  playhead: number
  /** Events since the last frame. */
  readonly unseen: EventRecord[]
  /** Set by a seek, cleared when a render state is taken. */
  jumped: boolean
  overlay: Overlay | undefined
  /** A blow that is felt: how long the picture stands still, and how long it is slow after that, in ms. Only what is shown waits. */
  readonly impact: { holdMs: number; slowMs: number }
  /** Asked once for every tick that is requested. */
  readInput: (() => HandInput | undefined) | undefined
  /** Called with every frame, for plots and feeds. */
  onFrame: ((frame: Frame) => void) | undefined

  readonly playing: Signal<boolean>
  readonly speed: Signal<number>
  /** The tick shown, and the number of ticks. */
  readonly tick: Signal<number>
  readonly length: Signal<number>
  readonly hash: Signal<string>
  /** The same for what people read: while the match plays it changes ten times a second, because each change draws a part of the page again. */
  readonly shown: Signal<Shown>
  readonly over: Signal<string>
  readonly failure: Signal<string>
  readonly isReady: Signal<boolean>
  /** How far the match has been played that is to begin at a later tick; undefined once it is there. */
  readonly progress: Signal<{ readonly done: number; readonly of: number } | undefined>
  /** How fast the match runs compared with how fast it should, 1 while the machine keeps up. */
  readonly pace: Signal<number>
  /**
   * The other future. It has no clock of its own: every frame brings both states, and both are shown at once, so that the two can
   * never be at different ticks.
   */
  beside: Show | undefined

  readonly line: Line
}

/** The state of the conversation with the worker. */
type Line = {
  epoch: number
  /** The highest tick asked for in this epoch. */
  requested: number
  inFlight: number
  readonly arrived: Frame[]
  /** A seek is under way; another one that came in the meantime waits here. */
  seeking: boolean
  wanted: number
  /** A buffer to give back. */
  spare: ArrayBuffer | undefined
  /** Since the pace was last worked out: ms, ticks that should have been shown, and those that were. */
  readonly paced: { ms: number; wanted: number; shown: number }
}

/** How long before it is needed a tick is asked for. */
const LEAD_MS = 20
const MOST_IN_FLIGHT = 4
/** States a second that are worth sending; faster play leaves some out. */
const STATES_PER_SECOND = 60

export const SPEEDS = [0.125, 0.25, 0.5, 1, 2, 4, 8] as const

export function createShow(
  client: Client,
  module: LoadedModule,
  setup: MatchSetup,
  tick = 0,
  again?: Extract<Request, { type: 'start' }>['again'],
): Show {
  const show = emptyShow(client, module, setup)
  show.line.seeking = true
  client.send({ type: 'start', sim: show.sim, epoch: 0, setup, tick, again })
  return show
}

/** Resolves with the first state; rejects with what went wrong before it. */
export function whenReady({ isReady, failure }: Show): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = effect(() => {
      if (failure.value !== '') reject(new Error(failure.value))
      else if (isReady.value) resolve()
      else return
      queueMicrotask(() => stop())
    })
  })
}

/** A show whose match is started elsewhere. With a leader it is the other future of that one. */
export function emptyShow(client: Client, module: LoadedModule, setup: MatchSetup, leader?: Show): Show {
  const sim = client.open({
    onFrame: (frame) => receive(show, frame),
    onFailure: (message) => fail(show, message),
    onProgress: (done, of) => {
      show.progress.value = { done, of }
    },
  })
  const show: Show = {
    client,
    module,
    sim,
    setup,
    states: statesFor(module, setup),
    playhead: 0,
    unseen: [],
    jumped: true,
    overlay: undefined,
    impact: { holdMs: 0, slowMs: 0 },
    readInput: undefined,
    onFrame: undefined,
    playing: leader?.playing ?? signal(false),
    speed: leader?.speed ?? signal(1),
    tick: signal(0),
    length: signal(0),
    hash: signal(''),
    shown: signal({ tick: 0, length: 0, hash: '' }),
    over: signal(''),
    failure: signal(''),
    isReady: signal(false),
    progress: signal(undefined),
    pace: signal(1),
    beside: undefined,
    line: {
      epoch: 0,
      requested: 0,
      inFlight: 0,
      arrived: [],
      seeking: false,
      wanted: -1,
      spare: undefined,
      paced: { ms: 0, wanted: 0, shown: 0 },
    },
  }
  tellShown(show, leader)
  return show
}

/** How often people read where the match is. */
const READ_MS = 100

/** The other future is told when its leader is, so that both pictures name one tick. */
function tellShown({ playing, tick, length, hash, shown }: Show, leader: Show | undefined): void {
  let toldAt = Number.NEGATIVE_INFINITY
  let toldWith: Shown | undefined
  effect(() => {
    const next = { tick: tick.value, length: length.value, hash: hash.value }
    const now = performance.now()
    const leaders = leader?.shown.value
    const isEarly = leader === undefined ? now - toldAt < READ_MS : leaders === toldWith
    if (playing.value && isEarly) return
    toldAt = now
    toldWith = leaders
    shown.value = next
  })
}

export function closeShow(show: Show): void {
  show.client.close(show.sim)
}

/** Starts another match in the same show. */
export function restartShow(show: Show, setup: MatchSetup, tick = 0): void {
  const { line, client, sim } = show
  show.setup = setup
  show.states = statesFor(show.module, setup)
  beginEpoch(show)
  line.seeking = true
  batch(() => {
    show.failure.value = ''
    show.over.value = ''
  })
  client.send({ type: 'start', sim, epoch: line.epoch, setup, tick })
}

/** The epoch of the next seek or start; for questions that make one. */
export function beginEpoch(show: Show): number {
  const { line } = show
  line.epoch++
  line.inFlight = 0
  line.arrived.length = 0
  line.wanted = -1
  return line.epoch
}

/** Moves on by `elapsedMs` of the wall clock. Once per frame of the screen. */
export function tickShow(show: Show, elapsedMs: number): void {
  moveOn(show, elapsedMs)
  if (show.beside !== undefined) show.beside.playhead = show.playhead
}

function moveOn(show: Show, elapsedMs: number): void {
  const { states, line, playing, speed, module } = show
  const { tickRate } = module.game.declaration
  if (!playing.value) {
    // Ticks requested before the pause are still on their way; the last of them stays on the screen.
    while (line.arrived.length > 0) showNext(show)
    show.playhead = states.after.tick
    return
  }
  if (line.seeking) return
  const perMs = (tickRate * speed.value) / 1000
  const from = show.playhead
  const passedMs = throughImpact(show, Math.min(elapsedMs, 100))
  const isFelt = passedMs < Math.min(elapsedMs, 100)
  show.playhead += passedMs * perMs
  while (show.playhead > show.states.after.tick && line.arrived.length > 0) showNext(show)
  show.playhead = Math.min(show.playhead, show.states.after.tick)
  if (!isFelt) measurePace(show, elapsedMs, elapsedMs * perMs, show.playhead - from)
  if (show.over.value !== '' && show.states.after.tick >= show.length.value) {
    playing.value = false
    return
  }
  askAhead(show, perMs)
}

function askAhead(show: Show, ticksPerMs: number): void {
  const { line, client, sim } = show
  const stride = Math.max(1, Math.floor((ticksPerMs * 1000) / STATES_PER_SECOND))
  const lead = LEAD_MS * ticksPerMs + stride
  while (line.inFlight + line.arrived.length < MOST_IN_FLIGHT && line.requested - show.playhead < lead) {
    line.requested += stride
    line.inFlight++
    const spare = line.spare
    line.spare = undefined
    client.send(
      {
        type: 'advance',
        sim,
        epoch: line.epoch,
        to: line.requested,
        beside: show.beside?.sim,
        input: show.readInput?.(),
        spare,
      },
      spare === undefined ? [] : [spare],
    )
  }
}

/** Shows the state before `tick`. While one seek is under way the latest of all others waits. */
export function seekShow(show: Show, tick: number): void {
  const { line, client, sim } = show
  const target = Math.max(0, Math.min(Math.round(tick), show.length.value))
  if (line.seeking) {
    line.wanted = target
    return
  }
  beginEpoch(show)
  line.seeking = true
  client.send({ type: 'seek', sim, epoch: line.epoch, tick: target, beside: show.beside?.sim })
}

/** One tick forward (a new one at the end of the record) or back. */
export function stepShow(show: Show, ticks: number): void {
  show.playing.value = false
  const target = show.states.after.tick + ticks
  const { line, client, sim } = show
  if (target <= show.length.value) {
    seekShow(show, target)
    return
  }
  if (line.seeking) return
  line.requested = target
  line.inFlight++
  const input = show.readInput?.()
  client.send({
    type: 'advance',
    sim,
    epoch: line.epoch,
    to: target,
    beside: show.beside?.sim,
    input,
    spare: undefined,
  })
}

/** Whether what plays now was recorded before, so that inputs change nothing. */
export function isInPast({ shown, tick, length, line }: Show): boolean {
  // A component that asks is drawn again when people read another tick.
  void shown.value
  // Ticks that were requested ahead of the time shown are as new as can be.
  return Math.max(tick.peek(), line.requested) < length.peek()
}

function receive(show: Show, frame: Frame): void {
  const { line } = show
  if (frame.epoch !== line.epoch) return
  if (!frame.jumped) {
    line.inFlight = Math.max(0, line.inFlight - 1)
    line.arrived.push(frame)
    batch(() => {
      show.length.value = Math.max(show.length.value, frame.length)
      show.over.value = overText(frame)
    })
    return
  }
  line.seeking = false
  line.requested = frame.tick
  line.inFlight = 0
  line.arrived.length = 0
  batch(() => {
    jumpTo(show, frame)
    if (show.beside !== undefined && frame.beside !== undefined) jumpTo(show.beside, frame.beside)
  })
  if (line.wanted >= 0) {
    const { wanted } = line
    line.wanted = -1
    // Asked for before there was another future, this frame has none.
    const isWhole = show.beside === undefined || frame.beside !== undefined
    if (wanted !== frame.tick || !isWhole) seekShow(show, wanted)
  }
}

function jumpTo(show: Show, frame: Frame): void {
  jumpToState(show.states, frame.bytes, frame.byteLength)
  show.playhead = frame.tick
  show.jumped = true
  show.unseen.length = 0
  apply(show, frame)
  show.isReady.value = true
  show.progress.value = undefined
}

function showNext(show: Show): void {
  showFrame(show, show.line.arrived.shift()!)
}

/** Shows the state that comes after the one shown. */
export function showFrame(show: Show, frame: Frame): void {
  const { beside } = show
  batch(() => {
    pushState(show.states, frame.bytes, frame.byteLength)
    show.unseen.push(...frame.events)
    apply(show, frame)
    if (beside !== undefined && frame.beside !== undefined) showFrame(beside, frame.beside)
  })
}

function apply(show: Show, frame: Frame): void {
  show.overlay = frame.overlay
  show.line.spare = frame.bytes
  batch(() => {
    show.tick.value = frame.tick
    show.length.value = frame.length
    show.hash.value = frame.hash
    show.over.value = overText(frame)
  })
  show.onFrame?.(frame)
}

function overText(frame: Frame): string {
  return frame.over ? frame.summary || 'The match is over.' : ''
}

function fail(show: Show, message: string): void {
  batch(() => {
    show.playing.value = false
    show.failure.value = message
  })
}

/** What to draw now; undefined before the first state has come. */
export function takePicture(show: Show): StudioPicture | undefined {
  if (!show.isReady.value) return undefined
  const { jumped, overlay, playhead } = show
  const { before, after } = show.states
  const alpha = after.tick <= before.tick ? 1 : (playhead - before.tick) / (after.tick - before.tick)
  show.jumped = false
  const shown = { before, after, alpha: Math.max(0, Math.min(1, alpha)), events: show.unseen.splice(0), jumped }
  return { ...pictureOf(shown), overlay, isSlow: show.pace.value < 1 }
}

/** The state shown, for panels and clicks. */
export function shownWorld({ states }: Pick<Show, 'states'>): AnyWorld {
  return states.after
}

function statesFor(module: LoadedModule, setup: MatchSetup): States {
  return createStates(module.game, { ...sceneOf(module, setup.scene).options, ...setup.options })
}
