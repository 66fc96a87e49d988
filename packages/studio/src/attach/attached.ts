/**
 * The studio's model on a match of the page: a copy of the match in this page instead of a worker's, and the page's canvas
 * instead of a stage.
 *
 * While it plays, the page's own world is shown, prediction and all. Paused, the copy is shown, which can go anywhere.
 */

import { fallbackView, thingUnder } from '@hurtbox/view/stage'
import { effect } from '@preact/signals'
import { snapshot } from 'hurtbox'
import { type LoadedModule, readModule } from 'hurtbox/module'
import { type AnyWorld, collisionsOf, type Snapshot } from 'hurtbox/tools'
import { select } from '../model/ask.ts'
import type { AttachOptions } from '../model/attach-types.ts'
import { closeStudio, createStudio, type Studio } from '../model/studio.ts'
import { refreshSurvey } from '../model/survey.ts'
import { createClient } from '../show/client.ts'
import { emptyShow, seekShow, showFrame } from '../show/show.ts'
import { noteTick } from '../sim/history.ts'
import { createSimHost, figuresOf } from '../sim/host.ts'
import { goTo, lookThrough, type Match, matchFromSession } from '../sim/match.ts'
import { packOverlay } from '../sim/overlay.ts'
import type { Figures, MatchSetup, Overlay, Response } from '../sim/protocol.ts'
import { type BoxesOver, createBoxesOver } from './boxes-over.ts'
import { interceptUpdate } from './hold.ts'
import type { Held } from './index.ts'
import type { Live } from './page-match.ts'

export type Attached = {
  readonly live: Live
  readonly studio: Studio
  /** Once per frame. False when the page's match has become another one. */
  frame(nowMs: number): boolean
  close(): void
}

/** How much of the past is looked through for events when the studio is opened. */
const RECENT_SECONDS = 20
const PULSE_MS = 100
const NO_FIGURES: Figures = { tickMs: 0, phaseMs: [], checks: 0, contacts: 0, hits: 0, things: 0, heapBytes: 0 }

export function attach(live: Live, options: AttachOptions, held: Held): Attached {
  const world = live.world()
  const { game } = live.match
  const module = readModule({ default: options.module ?? { game } }, game.declaration.id)
  const { seed = 0, options: worldOptions = {} } = world ?? {}
  const setup: MatchSetup = { game: module.id, scene: '', seed, options: worldOptions, seats: [] }
  const { host, client } = hostHere(module)
  const show = emptyShow(client, module, setup)
  show.playing.value = true
  const studio = createStudio(module, fallbackView(module), show, -1, live)
  const match = live.follower && followedMatch(module, setup, live)
  if (match !== undefined) host.adopt(show.sim, match)
  const boxes = createBoxesOver(options)
  const endUpdate = interceptUpdate(live, held)
  const endClicks = selectByClick(options, held, studio, boxes)
  const endWish = effect(() => wantOverlay(studio))
  let state: Snapshot | undefined
  let isHolding = false
  let pulseAt = 0

  /** Shows the page's world as it is now. */
  function showPresent(now: AnyWorld): void {
    state = snapshot(now, state)
    showFrame(show, {
      type: 'frame',
      sim: show.sim,
      epoch: show.line.epoch,
      tick: now.tick,
      length: live.follower?.session.log.length ?? now.tick,
      jumped: false,
      bytes: state.bytes.buffer as ArrayBuffer,
      byteLength: state.byteLength,
      hash: '',
      over: false,
      summary: '',
      events: [],
      figures: match === undefined ? NO_FIGURES : figuresOf(match),
      overlay: presentOverlay(studio, now),
    })
    show.isReady.value = true
  }

  const catchUp = () =>
    live.follower?.catchUp(() => void noteTick(match!.history, match!.session.world, match!.phases)) !== false

  return {
    live,
    studio,
    frame(nowMs) {
      if (live.hasChanged()) return false
      const now = live.world()
      if (show.playing.value) {
        isHolding = false
        held.moment = undefined
        if (!catchUp()) return false
        if (now !== undefined) showPresent(now)
      } else {
        if (!isHolding) {
          if (!catchUp()) return false
          show.length.value = live.follower?.session.log.length ?? show.tick.value
          if (live.follower !== undefined) seekShow(show, show.length.value)
        }
        isHolding = true
        const { before, after } = show.states
        held.moment = { before, after, alpha: 1 }
        options.draw?.(held.moment)
      }
      if (show.isReady.value) {
        const pointed = { selected: studio.selected.value, hovered: studio.hovered.value }
        boxes.draw(show.overlay, show.states.after, studio.layers.value, pointed)
      }
      if (nowMs - pulseAt > PULSE_MS) {
        pulseAt = nowMs
        studio.pulse.value++
        void refreshSurvey(studio)
      }
      return true
    },
    close() {
      held.moment = undefined
      endUpdate()
      endClicks()
      endWish()
      live.follower?.end()
      boxes.close()
      closeStudio(studio)
    },
  }
}

/** What a worker does elsewhere, in this page. */
function hostHere(module: LoadedModule) {
  let respond: (response: Response) => void = () => {}
  const host = createSimHost({ load: async () => module, reply: (response) => respond(response) })
  const client = createClient({
    send: (request) => host.handle(request),
    listen: (onResponse) => {
      respond = onResponse
    },
    end() {},
  })
  return { host, client }
}

function wantOverlay({ layers, show: { client, sim } }: Studio): void {
  const { boxes, contacts, grid, bounds } = layers.value
  client.send({ type: 'want', sim, epoch: 0, overlay: boxes || contacts || grid || bounds, beside: undefined })
}

function followedMatch(module: LoadedModule, setup: MatchSetup, { follower, first }: Live): Match {
  const { session } = follower!
  const match = matchFromSession(module, setup, session, true)
  const recent = Math.ceil(RECENT_SECONDS * module.game.declaration.tickRate)
  match.history.indexed = Math.max(first, session.log.length - recent)
  lookThrough(match, Number.POSITIVE_INFINITY)
  goTo(match, session.log.length)
  return match
}

/** What the page's own world tested in its last tick. Of a world that is only shown, the circles of its things. */
function presentOverlay({ layers }: Studio, world: AnyWorld): Overlay | undefined {
  const { boxes, contacts, grid, bounds } = layers.value
  if (!(boxes || contacts || grid || bounds)) return undefined
  return packOverlay(world, [...collisionsOf(world).values()], world.tables.things.id)
}

/** While another moment is shown, clicks are the studio's. */
function selectByClick({ canvas }: AttachOptions, held: Held, studio: Studio, { project }: BoxesOver): () => void {
  const onClick = (event: PointerEvent) => {
    if (held.moment === undefined) return
    event.stopImmediatePropagation()
    event.preventDefault()
    const { left, top } = canvas.getBoundingClientRect()
    const id = thingUnder(held.moment.after, project, event.clientX - left, event.clientY - top)
    select(studio, id, event.shiftKey)
  }
  canvas.addEventListener('pointerdown', onClick, { capture: true })
  return () => canvas.removeEventListener('pointerdown', onClick, { capture: true })
}
