/**
 * A stage: an element that a match is drawn on by the view of its game, with its camera.
 *
 * Every page draws by it: one's own, the studio, a replay in an article. So a view is written once, and a page that has a picture
 * (`match.update` gives one) has a frame. What lies over the game, such as boxes, is the business of whoever wants it.
 */

import type { EventRecord } from 'hurtbox'
import type { LoadedModule } from 'hurtbox/module'
import type { Picture } from 'hurtbox/picture'
import { failureOf, type GameFailure } from 'hurtbox/tools'
import { type PlayerName, seatName } from '../names.ts'
import { moduleOf, type Playable } from '../playable.ts'
import type { Drawing, Frame, View } from '../view.ts'
import { applyCamera, type CameraControl, createCameraControl, moveCamera, toScreen, toWorld } from './camera.ts'
import { fallbackView } from './fallback-view.ts'
import { type ScreenPlace, thingUnder } from './pick.ts'
import { createSlowness, noteDrawn, type Slowness } from './slow.ts'

export type Stage = {
  /** Of the view that draws; undefined when it has failed. */
  module: LoadedModule | undefined
  view: View
  readonly element: HTMLElement
  canvas: HTMLCanvasElement
  readonly cameraControl: CameraControl
  playerName: PlayerName
  /** Whose eyes; −1 for a spectator. */
  seat: number
  /** The seat that a spectator's camera follows; −1 for none. */
  watched: number
  /** Whether fog of war is drawn where the game has one. */
  showFog: boolean
  /** The match itself takes more time than there is. */
  isMatchSlow: boolean
  width: number
  height: number
  drawing: Drawing | undefined
  /** What was drawn last; undefined before the first frame. */
  picture: Picture | undefined
  /** What came into sight while nothing could be drawn, and whether it jumped. */
  readonly unseen: EventRecord[]
  readonly unseenWithdrawn: EventRecord[]
  jumped: boolean
  /** When the last frame was drawn, ms; undefined before the first. */
  drawnAt: number | undefined
  /** Milliseconds that drawing the last frame took, and whether that is too much. */
  drawMs: number
  readonly slowness: Slowness
  /** Called with what the view has thrown; the match is drawn from above then. */
  onFailure: ((error: unknown) => void) | undefined
  close(): void
}

/**
 * `stage`: everything; `card`: a small picture among others, for which no renderer is loaded: it would be too large for it, and a page
 * may have only a few that use WebGL; `live-card`: the same with the game's own renderer.
 */
export type Look = 'stage' | 'card' | 'live-card'

/** Lets the view of a game draw on an element, which the page sizes. */
export function createStage(element: HTMLElement, playable: Playable, view: View, look: Look = 'stage'): Stage {
  const module = moduleOf(playable)
  const isSmall = look !== 'stage'
  const canvas = addCanvas(element, 'stage-view')
  nameCanvas(canvas, isSmall ? '' : `${module.title}: the match as it is played`)
  const drawn = look === 'card' && view.target === 'own' ? flatView(module, view) : view
  const observer = new ResizeObserver(() => measure(stage))
  const stage: Stage = {
    module,
    view: drawn,
    element,
    canvas,
    cameraControl: createCameraControl(drawn.yUp === true),
    playerName: seatName,
    seat: -1,
    watched: -1,
    showFog: true,
    isMatchSlow: false,
    width: 0,
    height: 0,
    drawing: undefined,
    picture: undefined,
    unseen: [],
    unseenWithdrawn: [],
    jumped: true,
    drawnAt: undefined,
    drawMs: 0,
    slowness: createSlowness(),
    onFailure: undefined,
    close() {
      observer.disconnect()
      stage.drawing?.dispose?.()
      element.replaceChildren()
    },
  }
  observer.observe(element)
  measure(stage)
  const context = drawn.target === 'canvas' ? (canvas.getContext('2d') ?? undefined) : undefined
  contexts.set(stage, context)
  // A phone is small, too, and has little power to spare.
  const isSmallView = isSmall || globalThis.innerWidth < SMALL_WIDTH
  const create = async () => drawn.create({ element, canvas, context, isSmall: isSmallView, isWordless: isSmall })
  create().then(
    (drawing) => {
      stage.drawing = drawing
    },
    (error) => drawInstead(stage, module, drawn, 'the view could not be made: ', error),
  )
  return stage
}

/** A view that throws would throw in every frame. What it threw is told, and the match is drawn from above. */
function replaceView(stage: Stage, failure: GameFailure): void {
  const { module, view, drawing } = stage
  // The console of a browser leads to the line in the source.
  console.error(failure)
  stage.drawing = undefined
  if (module === undefined) return
  stage.module = undefined
  drawing?.dispose?.()
  void drawInstead(stage, module, view, '', failure)
}

/** Instead of a view that cannot draw here: the match from above. Loaded when something was thrown. */
async function drawInstead(stage: Stage, module: LoadedModule, view: View, what: string, error: unknown) {
  stage.onFailure?.(error)
  const { drawFlat } = await import('./flat-stage.ts')
  stage.drawing = await drawFlat(stage, module, view, what, error)
}

/** The same match seen from above, played by the same keys. */
export function flatView(module: LoadedModule, view: View): View {
  const { bounds, controls, help, hud, colourOf } = view
  const ground = { bounds, colour: '#b98350', ...(colourOf && { colourOf }) }
  const own = { bounds, controls, help, ...(hud && { hud }), ...(colourOf && { colourOf }) }
  return { ...fallbackView(module, ground), ...own }
}

export function nameCanvas(canvas: HTMLCanvasElement, name: string): void {
  if (name === '') canvas.ariaHidden = 'true'
  else {
    canvas.role = 'img'
    canvas.ariaLabel = name
  }
}

/** Of stages whose view draws on a plain canvas. */
export const contexts = new WeakMap<Stage, CanvasRenderingContext2D | undefined>()

const SMALL_WIDTH = 480

const calm = globalThis.matchMedia?.('(prefers-reduced-motion: reduce)')

/** A higher resolution is not visible, and every pixel is drawn sixty times a second. */
const MOST_PIXEL_RATIO = 2

/**
 * Draws one frame, and says whether it could: before the view is there it keeps the events of the picture for later. `nowMs` is the
 * time of the frame.
 */
export function drawStage(stage: Stage, picture: Picture, nowMs: number): boolean {
  const { drawing, width, height, canvas, unseen, unseenWithdrawn } = stage
  const elapsedMs = nowMs - (stage.drawnAt ?? nowMs)
  stage.picture = picture
  stage.jumped ||= picture.jumped
  if (picture.jumped) forgetUnseen(stage)
  unseen.push(...picture.events)
  unseenWithdrawn.push(...picture.withdrawn)
  if (drawing === undefined || width === 0 || height === 0) return false
  stage.drawnAt = nowMs
  const begin = performance.now()
  const pixelRatio = pixelRatioOf()
  const followed = stage.seat >= 0 ? stage.seat : stage.watched
  const cameraMs = stage.jumped ? 1000 : elapsedMs
  moveCamera(stage.cameraControl, stage.view, picture.after, followed, width, height, cameraMs)
  const context = contexts.get(stage)
  if (context !== undefined) {
    fitCanvas(canvas, width, height, pixelRatio)
    context.setTransform(1, 0, 0, 1, 0, 0)
    context.clearRect(0, 0, canvas.width, canvas.height)
    applyCamera(context, stage.cameraControl.camera, width, height, pixelRatio)
  }
  try {
    drawing.draw(frameOf(stage, picture, nowMs, Math.min(elapsedMs, 100), pixelRatio))
  } catch (error) {
    replaceView(stage, failureOf(error, { what: 'draw of the view', tick: picture.after.tick }))
    return false
  }
  forgetUnseen(stage)
  stage.jumped = false
  stage.drawMs = performance.now() - begin
  noteDrawn(stage.slowness, nowMs, stage.drawMs)
  return true
}

/** The picture, and what this canvas adds to it. */
function frameOf(stage: Stage, picture: Picture, nowMs: number, elapsedMs: number, pixelRatio: number): Frame {
  return {
    ...picture,
    events: stage.unseen,
    withdrawn: stage.unseenWithdrawn,
    jumped: stage.jumped,
    seat: stage.seat,
    nowMs,
    elapsedMs,
    width: stage.width,
    height: stage.height,
    pixelRatio,
    camera: stage.cameraControl.camera,
    showFog: stage.showFog,
    playerName: stage.playerName,
    isCalm: calm?.matches === true,
    isSlow: stage.slowness.isSlow || stage.isMatchSlow,
  }
}

function forgetUnseen({ unseen, unseenWithdrawn }: Stage): void {
  unseen.length = 0
  unseenWithdrawn.length = 0
}

/**
 * What the view has written over the world, on the canvas: its words for those who do not see them, its boxes for tests that
 * see whether anything is covered.
 */
export function describeHud({ canvas, drawing }: Stage): void {
  const boxes = drawing?.hud?.() ?? []
  const words = boxes.map(({ text }) => text).join(', ')
  if (canvas.ariaDescription !== words) canvas.ariaDescription = words
  canvas.dataset.hud = boxes
    .map(({ left, top, width, height }) => [left, top, width, height].map(Math.round).join(' '))
    .join(',')
}

/** From the world to CSS pixels of the stage. */
export function screenAt(stage: Stage, x: number, y: number, z: number, out: ScreenPlace): void {
  const { drawing, cameraControl, width, height } = stage
  if (drawing?.project !== undefined) drawing.project(x, y, z, out)
  else toScreen(cameraControl.camera, width, height, x, y, out)
}

/** From CSS pixels of the stage to the world. */
export function placeAt(stage: Stage, screenX: number, screenY: number, out: ScreenPlace): void {
  const { drawing, cameraControl, width, height } = stage
  if (drawing?.unproject !== undefined) drawing.unproject(screenX, screenY, out)
  else toWorld(cameraControl.camera, width, height, screenX, screenY, out)
}

/** The id of the thing under a place of the stage; 0 for none. */
export function thingAt(stage: Stage, screenX: number, screenY: number): number {
  if (stage.picture === undefined) return 0
  return thingUnder(stage.picture.after, (x, y, z, out) => screenAt(stage, x, y, z, out), screenX, screenY)
}

export function addCanvas(element: HTMLElement, name: string): HTMLCanvasElement {
  const canvas = document.createElement('canvas')
  canvas.className = name
  Object.assign(canvas.style, { position: 'absolute', inset: '0', width: '100%', height: '100%' })
  element.append(canvas)
  return canvas
}

function measure(stage: Stage): void {
  stage.width = stage.element.clientWidth
  stage.height = stage.element.clientHeight
}

/** Pixels of a canvas per CSS pixel. */
export function pixelRatioOf(): number {
  return Math.min(globalThis.devicePixelRatio || 1, MOST_PIXEL_RATIO)
}

/** Setting the size of a canvas empties it, so only when it has changed. */
export function fitCanvas(canvas: HTMLCanvasElement, width: number, height: number, pixelRatio: number): void {
  const [wide, high] = [Math.round(width * pixelRatio), Math.round(height * pixelRatio)]
  if (canvas.width !== wide) canvas.width = wide
  if (canvas.height !== high) canvas.height = high
}
