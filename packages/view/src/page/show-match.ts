/** One match on a stage: drawn, heard and played by hand, with its figures, sticks and choices. */

import type { EventRecord } from 'hurtbox'
import type { Match, Picture } from 'hurtbox/picture'
import type { AnyWorld } from 'hurtbox/tools'
import { createHand, type Hand, keysOf, readHand } from '../hand/hand.ts'
import { createKeyboard } from '../hand/keys.ts'
import { followMouse, tapStage } from '../hand/mouse.ts'
import type { Remap } from '../hand/remap.ts'
import { type PlayerName, seatName } from '../names.ts'
import { make } from '../parts/dom.ts'
import { moduleOf, type Playable } from '../playable.ts'
import { createChoices, createHud } from '../sheets/index.ts'
import { createSound, type Volume } from '../sound/index.ts'
import { createRest, endRest, isResting } from '../stage/rest.ts'
import { createStage, describeHud, drawStage, type Stage } from '../stage/stage.ts'
import { createTouchPad } from '../touch/index.ts'
import type { View } from '../view.ts'

export type ShowOptions = {
  readonly playable: Playable
  readonly view: View
  readonly match: Match
  readonly remap: Remap
  readonly volume: Volume
  /** False for those who only watch. Default true. */
  readonly plays?: boolean
  readonly playerName?: PlayerName
  /** Where the figures stand. Default: over the stage. */
  readonly figures?: HTMLElement
  /** How long a device shakes when a button on the glass goes down, ms. */
  readonly vibrateMs?: number
  /** While it returns true the match stands still, and keys are not the game's. */
  isHeld?(): boolean
  /** A key that is not the game's; true for one that was taken. */
  onOtherKey?(event: KeyboardEvent): boolean
  /** What has come into sight with a picture. */
  onEvents?(events: readonly EventRecord[], world: AnyWorld): void
  /** Ten times a second; `world` is undefined before there is one. */
  onPulse?(world: AnyWorld | undefined): void
  /** The match has thrown, or cannot be drawn by its view. */
  onError?(error: unknown): void
}

export type Shown = {
  readonly stage: Stage
  readonly hand: Hand
  /** The world that was drawn last. */
  readonly world: AnyWorld | undefined
  close(): void
}

const PULSE_MS = 100
/** What may move the camera. */
const TOUCHES = ['pointermove', 'pointerdown', 'keydown', 'wheel', 'resize'] as const

/** Plays a match on an element, which has `position: relative` and a size, until it is closed. The match itself goes on: leave it. */
export function showMatch(element: HTMLElement, options: ShowOptions): Shown {
  const { view, match, remap, volume, plays = true, playerName = seatName } = options
  const module = moduleOf(options.playable)
  // Who only watches has no figures and no choices of one's own.
  const seat = plays ? match.seat : -1
  const isHeld = () => options.isHeld?.() === true
  const canvases = make('div')
  Object.assign(canvases.style, { position: 'absolute', inset: '0' })
  canvases.dataset.part = 'stage'
  element.append(canvases)
  const stage = createStage(canvases, module, view)
  Object.assign(stage, { seat, playerName, onFailure: options.onError })
  const gameKeys = keysOf(view.controls)
  const keyboard = createKeyboard({
    isGameKey: (code) => plays && gameKeys.has(code) && !isHeld(),
    onOtherKey: (event) => options.onOtherKey?.(event) === true,
    acts: remap.acts,
  })
  const hand = createHand(keyboard, remap.acts)
  const endMouse = followMouse(stage, hand.mouse, () => plays && !isHeld())
  const sound = createSound(module, view, volume)
  const hud = createHud(options.figures ?? element, view, remap)
  const choices = createChoices(element, { view, remap, take: (control) => void hand.touch.presses.set(control, 1) })
  const { vibrateMs = 0 } = options
  const onTap = (x: number, y: number) => tapStage(stage, hand.mouse, x, y)
  const touch = plays ? createTouchPad(element, { view, hand, onTap, vibrateMs }) : undefined
  const read = (_tick: number, now: AnyWorld) => readHand(hand, module.game, view.controls, now, match.seat)
  const rest = createRest()
  const wake = () => endRest(rest, performance.now())
  for (const kind of TOUCHES) addEventListener(kind, wake)
  const clock = createClock(match)
  let world: AnyWorld | undefined
  let pulseAt = 0

  const pulse = () => {
    describeHud(stage)
    const lines = world === undefined ? [] : (view.hud?.(world as never, seat) ?? [])
    hud.update(lines)
    touch?.update(lines)
    const asked = world === undefined || isHeld() ? [] : (view.choices?.(world as never, seat) ?? [])
    choices.update({ choices: asked, isPlayer: plays })
    options.onPulse?.(world)
  }
  const frame = (nowMs: number) => {
    const picture = match.update(clock(nowMs, isHeld()), read as never)
    world = picture?.after ?? world
    if (picture !== undefined && !isResting(rest, nowMs, shownOn(stage, picture))) {
      // A mirror says that its machine cannot keep up.
      const isSlow = (match as { isSlow?: boolean }).isSlow === true
      stage.isMatchSlow = isSlow
      drawStage(stage, picture, nowMs)
      sound.play(picture.events, isSlow || stage.slowness.isSlow)
      options.onEvents?.(picture.events, picture.after)
    }
    if (nowMs - pulseAt < PULSE_MS) return
    pulseAt = nowMs
    pulse()
  }
  const endLoop = eachFrame(frame, (error) => options.onError?.(error))
  return {
    stage,
    hand,
    get world() {
      return world
    },
    close() {
      endLoop()
      for (const kind of TOUCHES) removeEventListener(kind, wake)
      endMouse()
      for (const part of [keyboard, sound, hud, choices, touch, stage]) part?.close()
      canvases.remove()
    },
  }
}

/** What the match is asked for. One in the page stands still while it is held; one on a server goes on. */
function createClock(match: Match): (nowMs: number, isHeld: boolean) => number {
  if ('room' in match) return () => performance.now()
  let [last, elapsed] = [0, 0]
  return (nowMs, isHeld) => {
    if (!isHeld) elapsed += nowMs - last
    last = nowMs
    return elapsed
  }
}

function shownOn({ drawing, width, height }: Stage, { after, alpha, events }: Picture): unknown[] {
  return [drawing, width, height, after, after.tick, alpha, events.length]
}

/** A frame that throws is told, and the next one comes all the same. */
function eachFrame(frame: (nowMs: number) => void, tell: (error: unknown) => void): () => void {
  let next = requestAnimationFrame(function run(nowMs) {
    next = requestAnimationFrame(run)
    try {
      frame(nowMs)
    } catch (error) {
      tell(error)
    }
  })
  return () => cancelAnimationFrame(next)
}
