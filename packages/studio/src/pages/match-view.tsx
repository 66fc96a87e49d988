/** The stage with everything on it: the match, its other future, the HUD, overlay switches, touch controls. */

import { namesFor, ownThing } from '@hurtbox/view'
import {
  createHand,
  createKeyboard,
  type Hand,
  keysOf,
  readHand,
  readPads,
  tapStage,
  wantsPause,
} from '@hurtbox/view/hand'
import { createSound, type Sound } from '@hurtbox/view/sound'
import { createRest, describeHud, endRest, isResting } from '@hurtbox/view/stage'
import { useEffect, useRef } from 'preact/hooks'
import { createStudioStage, drawStudioStage, type Ghost } from '../draw/stage.ts'
import { listenToPointer } from '../input/pointer.ts'
import { tendLoop } from '../model/bookmarks.ts'
import { beginMatch, noteEvents, tendDeath } from '../model/play.ts'
import { type Studio, worldOf } from '../model/studio.ts'
import { refreshSurvey, surveyedPart } from '../model/survey.ts'
import { playPause, settle } from '../model/time.ts'
import { theVolume } from '../model/volume.ts'
import { FrameMeter } from '../panels/frames/meter.tsx'
import { isInPast, type Show, takePicture, tickShow } from '../show/show.ts'
import { onEachFrame } from '../ui/loop.ts'
import { keepAwake } from './awake.ts'
import { EndScreen } from './end.tsx'
import { Hud } from './hud.tsx'
import { runKey } from './keymap.ts'
import { Notices } from './notices.tsx'
import { Choices, TouchControls } from './parts.tsx'
import { OnTheWay, PauseScreen } from './pause.tsx'
import { StartScreen } from './start.tsx'

/** How often panels look at the state again. */
const PULSE_MS = 100
const TOUCHES = ['pointermove', 'pointerdown', 'keydown', 'wheel', 'resize'] as const

export function MatchView({ studio }: { studio: Studio }) {
  const { view } = studio
  const main = useRef<HTMLDivElement>(null)
  const other = useRef<HTMLDivElement>(null)
  const hand = useRef<Hand | undefined>(undefined)
  const sound = useRef<Sound | undefined>(undefined)
  const fork = studio.fork.value

  const tap = (x: number, y: number) => {
    const [stage] = studio.stages
    if (stage !== undefined && hand.current !== undefined) tapStage(stage, hand.current.mouse, x, y)
  }

  useEffect(() => {
    const made = createSound(studio.module, view, theVolume)
    sound.current = made
    return () => made.close()
  }, [studio])

  useEffect(() => playMatch(studio, main.current!, hand, sound), [studio])

  // The other future gets a stage of its own, with the camera of the first.
  useEffect(() => {
    if (fork === undefined || other.current === null) return
    const stage = createStudioStage(other.current, studio.module, view)
    studio.stages = [studio.stages[0], stage]
    return () => {
      stage.close()
      studio.stages = studio.stages.filter((each) => each !== stage)
    }
  }, [fork])

  useEffect(() => wantOverlay(studio), [studio.layers.value, fork])

  return (
    <main class={`match-view ${fork === undefined ? '' : 'is-split'}`}>
      <div class="stage" data-testid="stage">
        <div class="stage-canvases" ref={main} />
        {fork !== undefined && <span class="stage-label">as it was</span>}
      </div>
      {fork !== undefined && (
        <div class="stage" data-testid="fork" data-hash={fork.shown.value.hash} data-tick={fork.shown.value.tick}>
          <div class="stage-canvases" ref={other} />
          <span class="stage-label is-new">as it would be: {describeTuned(studio)}</span>
        </div>
      )}
      <Hud studio={studio} />
      {!studio.isUiHidden.value && <FrameMeter studio={studio} />}
      {studio.phase.value === 'on' && <TouchControls studio={studio} hand={hand} onTap={tap} />}
      <Notices studio={studio} />
      <Asked studio={studio} hand={hand} />
      <StartScreen studio={studio} />
      <PauseScreen studio={studio} />
      <OnTheWay studio={studio} />
      <EndScreen studio={studio} />
    </main>
  )
}

/** Lets the match be played on the stage, by hand and ear. Returns what ends it. */
function playMatch(
  studio: Studio,
  element: HTMLElement,
  hand: { current: Hand | undefined },
  sound: { readonly current: Sound | undefined },
): () => void {
  const { show, view, seat } = studio
  const gameKeys = keysOf(view.controls)
  const plays = () => seat.value >= 0 && show.playing.value && !isInPast(show) && !studio.isHelpOpen.value
  const { acts } = studio.remap
  const keyboard = createKeyboard({
    isGameKey: (code) => plays() && gameKeys.has(code),
    onOtherKey: (event) => !studio.isHelpOpen.value && runKey(studio, event),
    acts,
  })
  const own = createHand(keyboard, acts)
  hand.current = own
  const stage = createStudioStage(element, studio.module, view)
  studio.stages = [stage]
  const endPointer = listenToPointer(stage, own.mouse, studio, plays)
  show.readInput = () =>
    plays() ? readHand(own, studio.module.game, view.controls, worldOf(studio), seat.value) : undefined
  let pulseAt = 0
  const rest = createRest()
  const touch = () => endRest(rest, performance.now())
  for (const kind of TOUCHES) addEventListener(kind, touch)
  let wasPlaying = show.playing.value
  let wasLow = false
  const playerName = (each: number) => namesFor(seat.value)(each)
  const endAwake = keepAwake(() => show.playing.value)
  const endLoop = onEachFrame((nowMs, elapsedMs) => {
    const beside = studio.fork.value
    tendLoop(studio)
    tickShow(show, elapsedMs)
    for (const each of studio.stages) {
      each.seat = seat.value
      each.playerName = playerName
      each.selected = studio.selected.value
      each.hovered = studio.hovered.value
      Object.assign(each.layers, studio.layers.value)
    }
    const rests = isResting(rest, nowMs, shownOn(studio, beside)) && !show.playing.value
    if (!rests) {
      const shows = [show, beside]
      studio.stages.forEach((each, i) => {
        const picture = shows[i] && takePicture(shows[i])
        if (picture === undefined) return
        each.ghosts = ghostsOf(shows[1 - i])
        drawStudioStage(each, picture, nowMs)
        if (each !== stage || picture.events.length === 0) return
        sound.current?.play(picture.events, each.slowness.isSlow)
        if (show.playing.value) noteEvents(studio, picture.events)
      })
    }
    if (!plays()) readPads(own.pads, acts)
    if (studio.phase.value === 'start' && take(own.pads.presses, 0)) beginMatch(studio)
    if (wantsPause(own.pads)) playPause(studio)
    // Panels may still learn about the match while it rests.
    const isIdle = rests && (studio.isUiHidden.value || surveyedPart(studio) === 1)
    if (!isIdle && nowMs - pulseAt > PULSE_MS) {
      pulseAt = nowMs
      studio.pulse.value++
      if (!studio.isUiHidden.value) void refreshSurvey(studio)
      describeHud(stage)
      tendDeath(studio)
      const isLow = isHealthLow(studio)
      if (isLow && !wasLow) sound.current?.playOne('lowHealth')
      wasLow = isLow
    }
    if (wasPlaying && !show.playing.value) settle(studio)
    wasPlaying = show.playing.value
    return isIdle
  })
  return () => {
    endLoop()
    endAwake()
    endPointer()
    for (const kind of TOUCHES) removeEventListener(kind, touch)
    keyboard.close()
    stage.close()
    show.readInput = undefined
  }
}

/** All that the stages show while the match stands still. */
function shownOn(
  { show, stages, selected, hovered, layers, seat, phase }: Studio,
  beside: Show | undefined,
): unknown[] {
  const [stage] = stages
  const { before, after } = show.states
  const states = [after, after.tick, before.tick, show.jumped, show.overlay, beside, beside?.states.after.tick]
  const own = [selected.value, hovered.value, layers.value, seat.value, phase.value, show.over.value]
  return [...states, ...own, stage?.drawing, stage?.width, stage?.height, globalThis.devicePixelRatio]
}

/** The other future, faintly, in each of the two. */
function ghostsOf(other: Show | undefined): readonly Ghost[] {
  if (other === undefined || !other.isReady.value) return NO_GHOSTS
  return [{ world: other.states.after, colour: '#ffd16688', dash: [3, 3] }]
}
const NO_GHOSTS: readonly Ghost[] = []

/** What the player is asked to choose now; only shown to those who watch. */
function Asked({ studio, hand }: { studio: Studio; hand: { readonly current: Hand | undefined } }) {
  void studio.pulse.value
  const { show, view, seat, remap, phase } = studio
  if (!show.isReady.value || phase.value !== 'on' || show.over.value !== '') return null
  return <Choices view={view} world={worldOf(studio)} seat={seat.value} remap={remap} hand={hand} />
}

function take(presses: Map<number, number>, button: number): boolean {
  return presses.delete(button)
}

/** Below this part of its health a player is warned. */
const LOW_HEALTH = 0.3

function isHealthLow(studio: Studio): boolean {
  if (!studio.show.playing.value || !studio.show.isReady.value) return false
  const own = ownThing(worldOf(studio), studio.seat.value) as { hp?: number; maxHp?: number } | undefined
  return own?.hp !== undefined && own.maxHp !== undefined && own.hp > 0 && own.hp < own.maxHp * LOW_HEALTH
}

function describeTuned(studio: Studio): string {
  const entries = Object.entries(studio.tuned.value)
  return entries.length === 0 ? 'nothing changed' : entries.map(([name, value]) => `${name} ${value}`).join(', ')
}

/** Boxes and contacts are packed by the worker only while they are shown. */
function wantOverlay({ show, layers }: Studio): void {
  const { boxes, grid, bounds, contacts } = layers.value
  show.client.send({
    type: 'want',
    sim: show.sim,
    overlay: boxes || grid || bounds || contacts,
    epoch: show.line.epoch,
    beside: show.beside?.sim,
  })
}
