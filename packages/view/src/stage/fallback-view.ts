/**
 * The view of a game that has none: every thing as its circle with its name, coloured by team and kind.
 *
 * Made from the declaration alone, so that a game is playable in the studio from its first rule on. Keys are guessed from
 * the names of the inputs.
 */

import { findRow, thing } from 'hurtbox'
import { type LoadedModule, nameOfThing } from 'hurtbox/module'
import { createPlace } from 'hurtbox/picture'
import { type AnyWorld, type InputSpec, seatRow } from 'hurtbox/tools'
import { seatName } from '../names.ts'
import type { Bounds, Drawing, Frame, InputBinding, View } from '../view.ts'

const COLOURS = ['#9fb4d8', '#59c3ff', '#ff6b7d', '#5ef08c', '#ffd166', '#c792ea', '#ff9f5a', '#6ee7d8'] as const

export type Ground = {
  readonly bounds: View['bounds']
  readonly colour: string
  /** Of players, as the game draws them. */
  readonly colourOf?: View['colourOf']
}

/** With this many things and more, names would cover each other. */
const MOST_NAMES = 60

/** `ground` is drawn under the things, as large as what the view shows. */
export function fallbackView(module: LoadedModule, ground?: Ground): View {
  const { declaration, tables } = module.game
  return {
    help: [],
    target: 'canvas',
    controls: { fields: guessBindings(declaration.input ?? {}) },
    bounds: (world) => boundsOf(world),
    hud: (world: AnyWorld, seat) => {
      const row = ownRow(world, seat)
      const { hp, maxHp } = world.tables.things
      return row < 0 || hp === undefined ? [] : [{ label: 'hp', value: hp[row], max: maxHp?.[row] ?? hp[row] }]
    },
    create: ({ context, isSmall }) => {
      const { capacity } = tables.things
      const places: Places = { x: new Float64Array(capacity), y: new Float64Array(capacity) }
      return drawingOn(context!, places, isSmall ? undefined : module, ground)
    },
  }
}

/** Where the things of the later state are at the moment that is drawn, by row. */
type Places = { readonly x: Float64Array; readonly y: Float64Array }

/** `named` is the module that knows the names; without it none are written. */
function drawingOn(
  context: CanvasRenderingContext2D,
  places: Places,
  named: LoadedModule | undefined,
  ground: Ground | undefined,
): Drawing {
  return {
    draw(frame) {
      const after: AnyWorld = frame.after
      const { things } = after.tables
      placeThings(places, frame)
      const pixel = 1 / frame.camera.scale
      if (ground !== undefined) drawGround(context, ground, frame)
      context.lineWidth = 1.5 * pixel
      const seats = seatsOf(after)
      const groups = groupRows(after, (row) => {
        const seat = seats.get(things.id[row])
        const own = seat === undefined ? undefined : ground?.colourOf?.(seat - 1, after as never)
        return own ?? COLOURS[(things.team[row] || (seat ?? things.kind[row])) % COLOURS.length]
      })
      for (const [colour, rows] of groups) {
        context.fillStyle = ground === undefined ? `${colour}55` : `${colour}cc`
        context.strokeStyle = colour
        context.beginPath()
        for (const row of rows) {
          const radius = Math.max(things.radius[row], 1.5 * pixel)
          context.moveTo(places.x[row] + radius, places.y[row])
          context.arc(places.x[row], places.y[row], radius, 0, Math.PI * 2)
        }
        context.fill()
        context.stroke()
      }
      drawOwn(context, frame, places, pixel)
      if (named !== undefined && things.count < MOST_NAMES) writeNames(context, frame, places, named)
    },
  }
}

/** The rows of the things of each colour. */
function groupRows({ tables: { things } }: AnyWorld, colourOf: (row: number) => string): Map<string, number[]> {
  const groups = new Map<string, number[]>()
  for (let row = 0; row < things.count; row++) {
    const colour = colourOf(row)
    const rows = groups.get(colour)
    if (rows === undefined) groups.set(colour, [row])
    else rows.push(row)
  }
  return groups
}

const place = createPlace()

function placeThings({ x, y }: Places, frame: Frame): void {
  const { things } = (frame.after as AnyWorld).tables
  for (let row = 0; row < things.count; row++) {
    // What is being corrected may be in the later state and not be drawn.
    if (!frame.place(things.id[row], place)) Object.assign(place, { x: things.x[row], y: things.y[row] })
    x[row] = place.x
    y[row] = place.y
  }
}

function writeNames(context: CanvasRenderingContext2D, frame: Frame, { x, y }: Places, module: LoadedModule): void {
  const world: AnyWorld = frame.after
  const { things } = world.tables
  const { camera, width, height, pixelRatio } = frame
  context.save()
  context.setTransform(pixelRatio, 0, 0, pixelRatio, 0, 0)
  context.font = '11px ui-sans-serif, system-ui, sans-serif'
  context.textAlign = 'center'
  context.fillStyle = '#ffffffb0'
  for (let row = 0; row < things.count; row++) {
    const named = thing(world, things.id[row])
    if (named === undefined) continue
    const screenX = (x[row] - camera.x) * camera.scale + width / 2
    const screenY = (y[row] - camera.y) * (camera.yUp ? -camera.scale : camera.scale) + height / 2
    context.fillText(
      nameOfThing(module, world, named, frame.playerName ?? seatName),
      screenX,
      screenY - things.radius[row] * camera.scale - 5,
    )
  }
  context.restore()
}

function drawGround(context: CanvasRenderingContext2D, { bounds, colour }: Ground, frame: Frame): void {
  const { minX, minY, maxX, maxY } = bounds(frame.after)
  context.fillStyle = colour
  context.fillRect(minX, minY, maxX - minX, maxY - minY)
  context.strokeStyle = '#ffffff55'
  const inset = (maxX - minX) * 0.05
  context.lineWidth = inset / 4
  context.strokeRect(minX + inset, minY + inset, maxX - minX - 2 * inset, maxY - minY - 2 * inset)
}

/** The colour of a player's thing, by its id. */
function seatsOf(world: AnyWorld): Map<number, number> {
  const { players } = world.tables
  return new Map(Array.from({ length: players.count }, (_, row) => [players.thing[row], players.seat[row] + 1]))
}

function drawOwn(context: CanvasRenderingContext2D, frame: Frame, places: Places, pixel: number): void {
  const after: AnyWorld = frame.after
  const row = ownRow(after, frame.seat)
  if (row < 0) return
  context.strokeStyle = '#ffffff'
  context.lineWidth = 2 * pixel
  context.beginPath()
  context.arc(places.x[row], places.y[row], after.tables.things.radius[row] + 4 * pixel, 0, Math.PI * 2)
  context.stroke()
}

function ownRow(world: AnyWorld, seat: number): number {
  const { things, players } = world.tables
  const row = seatRow(world, seat)
  return row < 0 ? -1 : findRow(things, players.thing[row])
}

/** The rectangle around everything, in steps so that the camera does not jitter. */
function boundsOf(world: AnyWorld): Bounds {
  const { things } = world.tables
  let [minX, minY, maxX, maxY] = [-100, -100, 100, 100]
  for (let row = 0; row < things.count; row++) {
    minX = Math.min(minX, things.x[row] - things.radius[row])
    maxX = Math.max(maxX, things.x[row] + things.radius[row])
    minY = Math.min(minY, things.y[row] - things.radius[row])
    maxY = Math.max(maxY, things.y[row] + things.radius[row])
  }
  const step = 200
  const down = (value: number) => Math.floor(value / step) * step
  const up = (value: number) => Math.ceil(value / step) * step
  return { minX: down(minX), minY: down(minY), maxX: up(maxX), maxY: up(maxY) }
}

const BUTTON_KEYS = ['Space', 'KeyJ', 'KeyK', 'KeyL', 'KeyE', 'KeyQ'] as const

function guessBindings(input: Readonly<Record<string, InputSpec>>): Record<string, InputBinding> {
  const bindings: Record<string, InputBinding> = {}
  let buttons = 0
  let axes = 0
  for (const [name, spec] of Object.entries(input)) {
    if (spec.kind === 'axis' && axes < 2) bindings[name] = guessAxis(name, axes++)
    else if ((spec.kind === 'button' || spec.kind === 'press') && buttons < BUTTON_KEYS.length) {
      bindings[name] = { kind: spec.kind, keys: [BUTTON_KEYS[buttons]], pad: [buttons], touch: name, label: name }
      buttons++
    } else if (spec.kind === 'point') bindings[name] = { kind: 'point', pointer: 'hover', label: name }
    else if (spec.kind === 'thing') bindings[name] = { kind: 'thing', pointer: 'primary', label: name }
    else if (spec.kind === 'choice' && spec.names.length <= 9) {
      const keys = Object.fromEntries(spec.names.map((each, i) => [each, [`Digit${i + 1}`]]))
      bindings[name] = { kind: 'choice', keys, label: name }
    }
  }
  return bindings
}

function guessAxis(name: string, place: number): InputBinding {
  const isVertical = /y$|thrust|forward|ahead|walk/i.test(name) || (place === 1 && !/x$|turn|side/i.test(name))
  const isThrust = /thrust|forward|ahead|walk/i.test(name)
  const [up, down] = [
    ['KeyW', 'ArrowUp'],
    ['KeyS', 'ArrowDown'],
  ]
  if (!isVertical) {
    return { kind: 'axis', less: ['KeyA', 'ArrowLeft'], more: ['KeyD', 'ArrowRight'], stick: 'leftX', label: name }
  }
  return {
    kind: 'axis',
    less: isThrust ? down : up,
    more: isThrust ? up : down,
    stick: 'leftY',
    invertStick: isThrust,
    label: name,
  }
}
