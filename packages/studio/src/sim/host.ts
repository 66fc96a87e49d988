/**
 * Plays the matches the page asks for: in a worker, or in a page that has its own match and looks into it.
 *
 * Several matches live here side by side (the cards of the front page, a match and its fork). Requests are handled in
 * order; each `advance` sends one frame. A match that throws is reported and stands still, the others go on.
 */

import { type EventRecord, hashWorld, snapshot } from 'hurtbox'
import type { LoadedModule } from 'hurtbox/module'
import { recordPushes, resultOf, type Snapshot } from 'hurtbox/tools'
import type { OpenDispute } from './disputes.ts'
import { forkMatch, goTo, lengthOf, type Match, playAgain, playTo, startMatch } from './match.ts'
import type { Figures, Frame, Question, Request, Response } from './protocol.ts'
import { told } from './told.ts'

type DisputeAsked = Extract<Question, { ask: 'open dispute' | 'tell dispute' }>

type Sim = { readonly match: Match; overlay: boolean; epoch: number; spare: ArrayBuffer | undefined }

export type SimHost = {
  /** Handles requests one at a time and in order, although starting a match has to wait for its code. */
  handle(request: Request): void
  /** Takes a match that was made elsewhere. */
  adopt(sim: number, match: Match): void
  /** The state of a match as it is now, for the page. */
  frameOf(sim: number, events: readonly EventRecord[], jumped: boolean): Frame
}

export type HostOptions = {
  /** The game of a setup or a replay, by its id. */
  load(id: string): Promise<LoadedModule>
  reply(message: Response, transfer: Transferable[]): void
  /** What looks into disputes; loaded when one is opened. Left out where none can be. */
  disputes?(): Promise<typeof import('./disputes.ts')>
}

/** Hashing every state is worth it while it takes a fraction of a tick. */
const SMALL_STATE = 1 << 16

const PROGRESS_MS = 150
/** How far ahead the other future is played at a time in search of a difference. */
const DIFFERENCE_TICKS = 400

/** Loaded when first wanted: a front page with playing cards needs neither overlays nor replays. */
const loadQuestions = () => import('./questions.ts')
const loadReplays = () => import('./replays.ts')

/** What the functions below share. */
type Inside = HostOptions & {
  readonly opened: Map<number, OpenDispute>
  readonly sims: Map<number, Sim>
  /** Whether overlays are wanted; kept apart because it may be set before there is a match. */
  readonly wantsOverlay: Map<number, boolean>
  packOverlay: typeof import('./overlay.ts').packOverlay | undefined
}

export function createSimHost(options: HostOptions): SimHost {
  const inside: Inside = {
    ...options,
    ...{ opened: new Map(), sims: new Map(), wantsOverlay: new Map(), packOverlay: undefined },
  }
  let queue = Promise.resolve()
  return {
    handle(request) {
      queue = queue
        .then(() => handle(inside, request))
        .catch((error) => options.reply({ type: 'failed', sim: request.sim, message: String(error) }, []))
    },
    adopt: (sim, match) => addSim(inside, sim, match, 0),
    frameOf: (sim, events, jumped) => frameOf(inside, sim, events, jumped),
  }
}

async function handle(inside: Inside, request: Request): Promise<void> {
  const { sims, opened, reply } = inside
  try {
    switch (request.type) {
      case 'start':
        return await start(inside, request)
      case 'advance':
        return advanceTo(inside, request)
      case 'seek': {
        const sim = simOf(inside, request.sim)
        sim.epoch = request.epoch
        return sendFrame(inside, request.sim, goTo(sim.match, request.tick), true, request.beside)
      }
      case 'want': {
        if (request.overlay) inside.packOverlay ??= (await import('./overlay.ts')).packOverlay
        const changed = [request.sim, request.beside].filter((each) => setOverlay(inside, each, request.overlay))
        const sim = sims.get(request.sim)
        if (sim === undefined || changed.length === 0) return
        return sendFrame(inside, request.sim, goTo(sim.match, sim.match.session.world.tick), true, request.beside)
      }
      case 'stop':
        sims.delete(request.sim)
        opened.delete(request.sim)
        return
      case 'ask':
        return await ask(inside, request)
    }
  } catch (error) {
    if (request.type === 'ask') reply({ type: 'refused', id: request.id, message: await told(error) }, [])
    else reply({ type: 'failed', sim: request.sim, message: await told(error) }, [])
  }
}

async function start(inside: Inside, request: Extract<Request, { type: 'start' }>): Promise<void> {
  const match = startMatch(await inside.load(request.setup.game), request.setup)
  addSim(inside, request.sim, match, request.epoch)
  const { script = [], length = 0 } = request.again ?? {}
  const of = Math.max(length, request.tick)
  playAgain(match, script, of, tellProgress(inside, request.sim, of))
  sendFrame(inside, request.sim, goTo(match, request.tick), true)
}

function advanceTo(inside: Inside, request: Extract<Request, { type: 'advance' }>): void {
  const sim = inside.sims.get(request.sim)
  if (sim === undefined || sim.epoch !== request.epoch) return
  if (request.spare !== undefined) sim.spare = request.spare
  const { match } = sim
  const events = playTo(match, request.to, request.input)
  sendFrame(inside, request.sim, events, false, request.beside)
}

async function ask(inside: Inside, { sim, id, question }: Extract<Request, { type: 'ask' }>): Promise<void> {
  const { reply, load } = inside
  if (question.ask === 'open dispute' || question.ask === 'tell dispute') {
    return await askDispute(inside, sim, id, question)
  }
  if (question.ask === 'load') {
    const { openReplay } = await loadReplays()
    const opened = await openReplay(question.bytes, load)
    addSim(inside, sim, opened.match, question.epoch)
    reply({ type: 'answer', id, value: opened.answer }, [])
    return sendFrame(inside, sim, [], true)
  }
  const { match } = simOf(inside, sim)
  if (question.ask === 'difference') {
    const { firstDifference } = await import('./looking.ts')
    const other = simOf(inside, question.beside).match
    // The other future is played as far as this one: what is not played yet cannot differ.
    const there = other.session.world.tick
    goTo(other, Math.min(lengthOf(other), question.from + DIFFERENCE_TICKS))
    goTo(other, there)
    const value = firstDifference(match, other, question.from, question.budgetMs)
    return reply({ type: 'answer', id, value }, [])
  }
  if (question.ask === 'fork') {
    addSim(inside, question.into, forkMatch(match, question.tick, question.tuning), 0)
    return reply({ type: 'answer', id, value: null }, [])
  }
  const value =
    question.ask === 'save' || question.ask === 'verify'
      ? (await loadReplays()).answerFile(match, question)
      : (await loadQuestions()).answer(match, question)
  reply({ type: 'answer', id, value }, [])
}

async function askDispute(inside: Inside, sim: number, id: number, question: DisputeAsked): Promise<void> {
  const { disputes, opened, reply, load } = inside
  if (disputes === undefined) throw new Error('disputes are looked into in the studio.')
  const { openDispute, tellDispute } = await disputes()
  if (question.ask === 'open dispute') {
    const { open, match } = await openDispute(question.bytes, question.track, load)
    opened.set(sim, open)
    return reply({ type: 'answer', id, value: match }, [])
  }
  const open = opened.get(sim)
  if (open === undefined) throw new Error('the match is not there any more.')
  reply({ type: 'answer', id, value: tellDispute(open, question) }, [])
}

function addSim({ sims, wantsOverlay }: Inside, number: number, match: Match, epoch: number): void {
  sims.set(number, { match, overlay: wantsOverlay.get(number) ?? false, epoch, spare: undefined })
}

/** Tells the page a few times a second how far a long start has come. */
function tellProgress({ reply }: Inside, sim: number, of: number): (tick: number) => void {
  let toldAt = performance.now()
  return (tick) => {
    // Looking at the clock costs more than a small tick.
    if (tick % 64 !== 0 || performance.now() - toldAt < PROGRESS_MS) return
    toldAt = performance.now()
    reply({ type: 'progress', sim, tick, of }, [])
  }
}

function simOf({ sims }: Inside, number: number): Sim {
  const sim = sims.get(number)
  if (sim === undefined) throw new Error('the match is not there any more.')
  return sim
}

/** Returns whether that is a change for a match that is there. */
function setOverlay({ sims, wantsOverlay }: Inside, number: number | undefined, isWanted: boolean): boolean {
  if (number === undefined) return false
  wantsOverlay.set(number, isWanted)
  const sim = sims.get(number)
  if (sim === undefined || sim.overlay === isWanted) return false
  sim.overlay = isWanted
  // From before the tick that is shown first.
  if (isWanted) recordPushes(sim.match.session.world)
  return true
}

function sendFrame(inside: Inside, number: number, events: EventRecord[], jumped: boolean, beside?: number): void {
  const frame = frameOf(inside, number, events, jumped)
  const other = beside === undefined ? undefined : besideAt(inside, beside, frame.tick, jumped)
  inside.reply(other === undefined ? frame : { ...frame, beside: other }, [...buffersOf(frame), ...buffersOf(other)])
}

/** The other future, brought to the same tick. */
function besideAt(inside: Inside, number: number, tick: number, jumped: boolean): Frame | undefined {
  const sim = inside.sims.get(number)
  if (sim === undefined) return undefined
  return frameOf(inside, number, jumped ? goTo(sim.match, tick) : playTo(sim.match, tick), jumped)
}

function frameOf(inside: Inside, number: number, events: readonly EventRecord[], jumped: boolean): Frame {
  const sim = simOf(inside, number)
  const { match, epoch, overlay } = sim
  const { session, collisions, phases } = match
  const { world } = session
  const packed = packState(sim)
  const isSmall = packed.byteLength <= SMALL_STATE
  const result = resultOf(world)
  return {
    type: 'frame',
    sim: number,
    epoch,
    tick: world.tick,
    length: lengthOf(match),
    jumped,
    bytes: packed.bytes.buffer as ArrayBuffer,
    byteLength: packed.byteLength,
    hash: jumped || isSmall ? hashWorld(world) : '',
    over: result?.over === true,
    summary: result?.summary ?? '',
    events,
    figures: figuresOf(match),
    overlay: overlay ? inside.packOverlay?.(world, collisions, phases.ids) : undefined,
  }
}

function buffersOf(frame: Frame | undefined): ArrayBuffer[] {
  if (frame === undefined) return []
  const { bytes, overlay } = frame
  return overlay === undefined ? [bytes] : [bytes, overlay.boxes.buffer, overlay.contacts.buffer]
}

/** The state, in the buffer that the page gave back if it fits. */
function packState(sim: Sim): Snapshot {
  const { world } = sim.match.session
  const { spare } = sim
  sim.spare = undefined
  if (spare === undefined) return snapshot(world)
  const into: Snapshot = {
    layout: world.memory.layout,
    optionsKey: world.memory.optionsKey,
    bytes: new Uint8Array(spare),
    byteLength: 0,
  }
  return snapshot(world, into)
}

/** Figures of the last tick. */
export function figuresOf({ session, collisions, phases, tickMs, history }: Match): Figures {
  const { world } = session
  const hits = world.memory.events.filter(({ name }) => history.hitKinds.includes(name))
  return {
    tickMs,
    phaseMs: [...phases.ms],
    checks: collisions.reduce((sum, { contacts }) => sum + contacts.checks, 0),
    contacts: collisions.reduce((sum, { contacts }) => sum + contacts.count, 0),
    hits: hits.reduce((sum, { count }) => sum + count, 0),
    things: world.tables.things.count,
    heapBytes: (performance as { readonly memory?: { readonly usedJSHeapSize: number } }).memory?.usedJSHeapSize ?? 0,
  }
}
