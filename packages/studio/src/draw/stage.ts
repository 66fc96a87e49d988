/**
 * A stage: the canvas that a match is drawn on, with its camera and overlays.
 *
 * Two canvases lie on each other. The lower belongs to the view, whatever it draws with, the upper to the studio, so that overlays
 * look the same over every game and cost nothing while they are off.
 */

import type { EventRecord } from 'hurtbox'
import type { Drawing, Frame, LoadedModule, View } from 'hurtbox/module'
import { type Picture, placeBetween } from 'hurtbox/picture'
import { type AnyWorld, failureOf, type GameFailure } from 'hurtbox/tools'
import { type PlayerName, seatName } from '../model/names.ts'
import type { Overlay } from '../sim/protocol.ts'
import {
  applyCamera,
  type CameraControl,
  createCameraControl,
  moveCamera,
  type Place,
  toScreen,
  toWorld,
} from './camera.ts'
import { fallbackView } from './fallback-view.ts'
import { drawOverlay, type Layers } from './overlay.ts'
import { thingUnder } from './pick.ts'
import { createSlowness, noteDrawn, type Slowness } from './slow.ts'

/** What to draw: two states, how far between them the moment is, and the events since the last frame. */
export type RenderState = {
  readonly before: AnyWorld
  readonly after: AnyWorld
  /** 0 is `before`, 1 is `after`. */
  readonly alpha: number
  readonly events: readonly EventRecord[]
  /** The match has jumped since the last frame: forget trails and shakes. */
  readonly jumped: boolean
  readonly overlay?: Overlay | undefined
  /** Given where corrections of predictions fade. */
  readonly place?: Picture['place']
  readonly key?: Picture['key']
  readonly withdrawn?: readonly EventRecord[]
  /** The match itself takes more time than there is. */
  readonly isSlow?: boolean
}

export type Stage = {
  /** Of the view that draws; undefined when it has failed. */
  module: LoadedModule | undefined
  view: View
  readonly element: HTMLElement
  canvas: HTMLCanvasElement
  readonly cameraControl: CameraControl
  readonly layers: Layers
  /** Ids of selected things. */
  selected: readonly number[]
  /** What the pointer is over, here or in a panel; 0 for nothing. */
  hovered: number
  playerName: PlayerName
  /** Whose eyes; −1 for a spectator. */
  seat: number
  /** The seat that a spectator's camera follows; −1 for none. */
  watched: number
  width: number
  height: number
  drawing: Drawing | undefined
  /** What was drawn last; undefined before the first frame. */
  renderState: RenderState | undefined
  /** What came into sight while nothing could be drawn, and whether it jumped. */
  readonly unseen: EventRecord[]
  readonly unseenWithdrawn: EventRecord[]
  jumped: boolean
  /** Milliseconds that drawing the last frame took, and whether that is too much. */
  drawMs: number
  readonly slowness: Slowness
  /** Whether nothing is on the upper canvas. */
  isUpperClear: boolean
  /** Other states drawn faintly over this one (server truth in the network lab). */
  ghosts: readonly Ghost[]
  close(): void
}

export type Ghost = { readonly world: AnyWorld; readonly colour: string; readonly dash: readonly number[] }

export const NO_LAYERS: Readonly<Layers> = {
  boxes: false,
  grid: false,
  bounds: false,
  contacts: false,
  velocities: false,
  fog: true,
  hiddenLayers: 0,
}

/**
 * `stage`: everything; `card`: a small picture among others, without overlays, for which no renderer is loaded: it would be too large
 * for it, and a page may have only a few that use WebGL; `live-card`: the same with the game's own renderer.
 */
type Look = 'stage' | 'card' | 'live-card'

export function createStage(element: HTMLElement, module: LoadedModule, view: View, look: Look = 'stage'): Stage {
  const isSmall = look !== 'stage'
  const canvas = addCanvas(element, 'stage-view')
  nameCanvas(canvas, isSmall ? '' : `${module.title}: the match as it is played`)
  const upper = isSmall ? undefined : addCanvas(element, 'stage-overlay')
  if (upper !== undefined) nameCanvas(upper, '')
  const drawn = look === 'card' && view.target === 'own' ? flatView(module, view) : view
  const observer = new ResizeObserver(() => measure(stage))
  const stage: Stage = {
    module,
    view: drawn,
    element,
    canvas,
    cameraControl: createCameraControl(drawn.yUp === true),
    layers: { ...NO_LAYERS },
    selected: [],
    hovered: 0,
    playerName: seatName,
    seat: -1,
    watched: -1,
    width: 0,
    height: 0,
    drawing: undefined,
    renderState: undefined,
    unseen: [],
    unseenWithdrawn: [],
    jumped: true,
    drawMs: 0,
    slowness: createSlowness(),
    isUpperClear: false,
    ghosts: [],
    close() {
      observer.disconnect()
      stage.drawing?.dispose?.()
      element.replaceChildren()
    },
  }
  observer.observe(element)
  measure(stage)
  const context = drawn.target === 'canvas' ? (canvas.getContext('2d') ?? undefined) : undefined
  contexts.set(stage, { lower: context, upper: upper?.getContext('2d') ?? undefined })
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
  const { drawFlat } = await import('./flat-stage.ts')
  stage.drawing = await drawFlat(stage, module, view, what, error)
}

/** The same match seen from above, played by the same keys. */
export function flatView(module: LoadedModule, view: View): View {
  const { bounds, controls, help, hud } = view
  return { ...fallbackView(module, { bounds, colour: '#b98350' }), bounds, controls, help, ...(hud && { hud }) }
}

export function nameCanvas(canvas: HTMLCanvasElement, name: string): void {
  if (name === '') canvas.ariaHidden = 'true'
  else {
    canvas.role = 'img'
    canvas.ariaLabel = name
  }
}

export const contexts = new WeakMap<
  Stage,
  { readonly lower: CanvasRenderingContext2D | undefined; readonly upper: CanvasRenderingContext2D | undefined }
>()

const SMALL_WIDTH = 480

const calm = globalThis.matchMedia?.('(prefers-reduced-motion: reduce)')

/** A higher resolution is not visible, and every pixel is drawn sixty times a second. */
const MOST_PIXEL_RATIO = 2

export function drawStage(stage: Stage, renderState: RenderState, nowMs: number, elapsedMs: number): void {
  const { drawing, cameraControl, view, width, height, seat, canvas, unseen, unseenWithdrawn } = stage
  const { before, after: world, alpha, key = byId, withdrawn = [] } = renderState
  const place: Picture['place'] = renderState.place ?? ((id, out) => placeBetween(renderState, id, out))
  stage.renderState = renderState
  stage.jumped ||= renderState.jumped
  if (renderState.jumped) forgetUnseen(stage)
  unseen.push(...renderState.events)
  unseenWithdrawn.push(...withdrawn)
  if (drawing === undefined || width === 0 || height === 0) return
  const begin = performance.now()
  const pixelRatio = ratioOf()
  moveCamera(
    cameraControl,
    view,
    world,
    seat >= 0 ? seat : stage.watched,
    width,
    height,
    stage.jumped ? 1000 : elapsedMs,
  )
  const { lower, upper } = contexts.get(stage)!
  if (lower !== undefined) {
    fitCanvas(canvas, width, height, pixelRatio)
    lower.setTransform(1, 0, 0, 1, 0, 0)
    lower.clearRect(0, 0, canvas.width, canvas.height)
    applyCamera(lower, cameraControl.camera, width, height, pixelRatio)
  }
  const frame: Frame = {
    before: before as never,
    after: world as never,
    alpha,
    events: unseen,
    withdrawn: unseenWithdrawn,
    place,
    key,
    jumped: stage.jumped,
    seat,
    nowMs,
    elapsedMs: Math.min(elapsedMs, 100),
    width,
    height,
    pixelRatio,
    camera: cameraControl.camera,
    showFog: stage.layers.fog,
    playerName: stage.playerName,
    isCalm: calm?.matches === true,
    isSlow: stage.slowness.isSlow || renderState.isSlow === true,
  }
  try {
    drawing.draw(frame)
  } catch (error) {
    replaceView(stage, failureOf(error, { what: 'draw of the view', tick: world.tick }))
    return
  }
  forgetUnseen(stage)
  stage.jumped = false
  const isPlain = hasNothingOver(stage, renderState.overlay)
  if (upper !== undefined && !(isPlain && stage.isUpperClear)) drawUpper(stage, upper, renderState, pixelRatio)
  stage.isUpperClear = isPlain
  stage.drawMs = performance.now() - begin
  noteDrawn(stage.slowness, nowMs, stage.drawMs)
}

const byId = (id: number) => id

function forgetUnseen({ unseen, unseenWithdrawn }: Stage): void {
  unseen.length = 0
  unseenWithdrawn.length = 0
}

function hasNothingOver({ layers, selected, hovered, ghosts }: Stage, overlay: Overlay | undefined): boolean {
  const { grid, boxes, bounds, contacts, velocities } = layers
  if (overlay !== undefined && (grid || boxes || bounds || contacts)) return false
  return !velocities && selected.length === 0 && hovered === 0 && ghosts.length === 0
}

function drawUpper(
  stage: Stage,
  context: CanvasRenderingContext2D,
  renderState: RenderState,
  pixelRatio: number,
): void {
  const { width, height, layers, cameraControl, drawing } = stage
  fitCanvas(context.canvas, width, height, pixelRatio)
  context.setTransform(pixelRatio, 0, 0, pixelRatio, 0, 0)
  context.clearRect(0, 0, width, height)
  const corner = { x: 0, y: 0 }
  const opposite = { x: 0, y: 0 }
  placeAt(stage, 0, 0, corner)
  placeAt(stage, width, height, opposite)
  const target = {
    context,
    width,
    height,
    scale: drawing?.project === undefined ? cameraControl.camera.scale : 0,
    visible: {
      minX: Math.min(corner.x, opposite.x),
      minY: Math.min(corner.y, opposite.y),
      maxX: Math.max(corner.x, opposite.x),
      maxY: Math.max(corner.y, opposite.y),
    },
    project: (x: number, y: number, z: number, out: Place) => screenAt(stage, x, y, z, out),
  }
  drawOverlay(target, renderState.overlay, renderState.after, layers, stage)
  for (const ghost of stage.ghosts) drawGhost(stage, context, ghost)
}

const at = { x: 0, y: 0 }
const beside = { x: 0, y: 0 }

function drawGhost(stage: Stage, context: CanvasRenderingContext2D, { world, colour, dash }: Ghost): void {
  const { things } = world.tables
  context.strokeStyle = colour
  context.lineWidth = 1.5
  context.setLineDash(dash as number[])
  context.beginPath()
  for (let row = 0; row < things.count; row++) {
    if (things.maxHp?.[row] > 0 && things.hp[row] === 0) continue
    const z = things.z?.[row] ?? 0
    screenAt(stage, things.x[row], things.y[row], z, at)
    screenAt(stage, things.x[row] + things.radius[row], things.y[row], z, beside)
    const radius = Math.max(2, Math.abs(beside.x - at.x))
    context.moveTo(at.x + radius, at.y)
    context.arc(at.x, at.y, radius, 0, Math.PI * 2)
  }
  context.stroke()
  context.setLineDash([])
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
export function screenAt(stage: Stage, x: number, y: number, z: number, out: Place): void {
  const { drawing, cameraControl, width, height } = stage
  if (drawing?.project !== undefined) drawing.project(x, y, z, out)
  else toScreen(cameraControl.camera, width, height, x, y, out)
}

/** From CSS pixels of the stage to the world. */
export function placeAt(stage: Stage, screenX: number, screenY: number, out: Place): void {
  const { drawing, cameraControl, width, height } = stage
  if (drawing?.unproject !== undefined) drawing.unproject(screenX, screenY, out)
  else toWorld(cameraControl.camera, width, height, screenX, screenY, out)
}

/** The id of the thing under a place of the stage; 0 for none. */
export function thingAt(stage: Stage, screenX: number, screenY: number): number {
  if (stage.renderState === undefined) return 0
  return thingUnder(stage.renderState.after, (x, y, z, out) => screenAt(stage, x, y, z, out), screenX, screenY)
}

export function addCanvas(element: HTMLElement, name: string): HTMLCanvasElement {
  const canvas = document.createElement('canvas')
  canvas.className = name
  element.append(canvas)
  return canvas
}

function measure(stage: Stage): void {
  stage.width = stage.element.clientWidth
  stage.height = stage.element.clientHeight
}

function ratioOf(): number {
  return Math.min(globalThis.devicePixelRatio || 1, MOST_PIXEL_RATIO)
}

/** Setting the size of a canvas empties it, so only when it has changed. */
function fitCanvas(canvas: HTMLCanvasElement, width: number, height: number, pixelRatio: number): void {
  const [wide, high] = [Math.round(width * pixelRatio), Math.round(height * pixelRatio)]
  if (canvas.width !== wide) canvas.width = wide
  if (canvas.height !== high) canvas.height = high
}
