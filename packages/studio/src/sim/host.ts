/**
 * Plays the matches the page asks for: in a worker, or in a page that has its own match and looks into it.
 *
 * Several matches live here side by side (the cards of the front page, a match and its fork). Requests are handled in
 * order; each `advance` sends one frame. A match that throws is reported and stands still, the others go on.
 */

import { type EventRecord, hashWorld, snapshot } from 'hurtbox'
import type { LoadedModule } from 'hurtbox/module'
import { recordPushes, type Snapshot } from 'hurtbox/tools'
import { describeError, messageOf } from '../words.ts'
import type { OpenDispute } from './disputes.ts'
import { canPlay, forkMatch, goTo, lengthOf, type Match, playAgain, playTick, startMatch } from './match.ts'
import type { Figures, Frame, Question, Request, Response } from './protocol.ts'

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

/** Loaded when first wanted: a front page with playing cards needs neither overlays nor replays. */
const loadQuestions = () => import('./questions.ts')

export function createSimHost({ load, reply, disputes }: HostOptions): SimHost {
  const opened = new Map<number, OpenDispute>()
  const sims = new Map<number, Sim>()
  /** Whether overlays are wanted; kept apart because it may be set before there is a match. */
  const wantsOverlay = new Map<number, boolean>()
  let packOverlay: typeof import('./overlay.ts').packOverlay | undefined

  async function handle(request: Request): Promise<void> {
    try {
      switch (request.type) {
        case 'start': {
          const match = startMatch(await load(request.setup.game), request.setup)
          addSim(request.sim, match, request.epoch)
          const { script = [], length = 0 } = request.again ?? {}
          playAgain(match, script, Math.max(length, request.tick))
          return sendFrame(request.sim, goTo(match, request.tick), true)
        }
        case 'advance':
          return advanceTo(request)
        case 'seek': {
          const sim = simOf(request.sim)
          sim.epoch = request.epoch
          return sendFrame(request.sim, goTo(sim.match, request.tick), true)
        }
        case 'want': {
          wantsOverlay.set(request.sim, request.overlay)
          if (request.overlay) packOverlay ??= (await import('./overlay.ts')).packOverlay
          const sim = sims.get(request.sim)
          if (sim === undefined || sim.overlay === request.overlay) return
          sim.overlay = request.overlay
          // From before the tick that is shown first.
          if (request.overlay) recordPushes(sim.match.session.world)
          return sendFrame(request.sim, goTo(sim.match, sim.match.session.world.tick), true)
        }
        case 'stop':
          sims.delete(request.sim)
          opened.delete(request.sim)
          return
        case 'ask':
          return await ask(request)
      }
    } catch (error) {
      if (request.type === 'ask') reply({ type: 'refused', id: request.id, message: messageOf(error) }, [])
      else reply({ type: 'failed', sim: request.sim, message: describeError(error) }, [])
    }
  }

  function advanceTo(request: Extract<Request, { type: 'advance' }>): void {
    const sim = sims.get(request.sim)
    if (sim === undefined || sim.epoch !== request.epoch) return
    if (request.spare !== undefined) sim.spare = request.spare
    const { match } = sim
    const events: EventRecord[] = []
    let { input } = request
    while (match.session.world.tick < request.to && canPlay(match)) {
      events.push(...playTick(match, input))
      // Levels hold by themselves; a press must not count again.
      input = undefined
    }
    sendFrame(request.sim, events, false)
  }

  async function ask({ sim, id, question }: Extract<Request, { type: 'ask' }>): Promise<void> {
    if (question.ask === 'open dispute' || question.ask === 'tell dispute') return await askDispute(sim, id, question)
    const { answer, openReplay } = await loadQuestions()
    if (question.ask === 'load') {
      const opened = await openReplay(question.bytes, load)
      addSim(sim, opened.match, question.epoch)
      reply({ type: 'answer', id, value: opened.answer }, [])
      return sendFrame(sim, [], true)
    }
    const { match } = simOf(sim)
    if (question.ask === 'fork') {
      const fork = forkMatch(match, question.tuning)
      addSim(question.into, fork, question.epoch)
      return reply({ type: 'answer', id, value: null }, [])
    }
    reply({ type: 'answer', id, value: answer(match, question) }, [])
  }

  async function askDispute(sim: number, id: number, question: DisputeAsked): Promise<void> {
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

  function addSim(number: number, match: Match, epoch: number): void {
    sims.set(number, { match, overlay: wantsOverlay.get(number) ?? false, epoch, spare: undefined })
  }

  function simOf(number: number): Sim {
    const sim = sims.get(number)
    if (sim === undefined) throw new Error('the match is not there any more.')
    return sim
  }

  function sendFrame(number: number, events: EventRecord[], jumped: boolean): void {
    const frame = frameOf(number, events, jumped)
    const { overlay } = frame
    reply(frame, [frame.bytes, ...(overlay === undefined ? [] : [overlay.boxes.buffer, overlay.contacts.buffer])])
  }

  function frameOf(number: number, events: readonly EventRecord[], jumped: boolean): Frame {
    const sim = simOf(number)
    const { match, epoch, overlay } = sim
    const { session, collisions, phases } = match
    const { world } = session
    const packed = packState(sim)
    const isSmall = packed.byteLength <= SMALL_STATE
    const result = match.module.game.behaviour.result?.(world)
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
      overlay: overlay ? packOverlay?.(world, collisions, phases.ids) : undefined,
    }
  }

  let queue = Promise.resolve()
  return {
    handle(request) {
      queue = queue
        .then(() => handle(request))
        .catch((error) => reply({ type: 'failed', sim: request.sim, message: String(error) }, []))
    },
    adopt: (sim, match) => addSim(sim, match, 0),
    frameOf,
  }
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
  }
}
