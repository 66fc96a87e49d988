/**
 * Decoration: particles, rings, floating numbers, flashes and shakes.
 *
 * Events start it and it ends by itself; none of it is in the world, and after a jump in time all of it can be dropped.
 */

import type { Frame } from '@hurtbox/view'
import { type Chance, chance } from './chance.ts'
import { words } from './lettering.ts'

type Ring = { x: number; y: number; from: number; to: number; ageMs: number; lifeMs: number; colour: string }
type Note = {
  x: number
  y: number
  text: string
  ageMs: number
  size: number
  colour: string
  readonly event: object | undefined
}

export type Effects = Chance & {
  /** Particles, as parallel arrays; the oldest is overwritten when there is no room. */
  readonly x: Float32Array
  readonly y: Float32Array
  readonly vx: Float32Array
  readonly vy: Float32Array
  readonly ageMs: Float32Array
  readonly lifeMs: Float32Array
  readonly size: Float32Array
  readonly colour: string[]
  next: number
  rings: Ring[]
  notes: Note[]
  /** When the flash of a thing ends, by its id, in `nowMs`. */
  readonly flashUntil: Map<number, number>
  /** World units by which the picture shakes now. */
  shake: number
  /** The part of the particles that is made: fewer on a machine that cannot keep up. */
  density: number
}

const NOTE_MS = 900
/** The part of the particles that is left where the machine cannot keep up. */
const SPARSE = 0.25
const FLASH_MS = 130

export function createEffects(capacity = 1024): Effects {
  const column = () => new Float32Array(capacity)
  return {
    x: column(),
    y: column(),
    vx: column(),
    vy: column(),
    ageMs: column(),
    lifeMs: column(),
    size: column(),
    colour: new Array<string>(capacity).fill('#ffffff'),
    next: 0,
    rings: [],
    notes: [],
    flashUntil: new Map(),
    shake: 0,
    density: 1,
    chance: 1,
  }
}

export function clearEffects(effects: Effects): void {
  effects.lifeMs.fill(0)
  effects.rings = []
  effects.notes = []
  effects.flashUntil.clear()
  effects.shake = 0
}

/** One particle; speeds are per second. */
export function spark(
  effects: Effects,
  x: number,
  y: number,
  vx: number,
  vy: number,
  size: number,
  lifeMs: number,
  colour: string,
): void {
  if (effects.density < 1 && chance(effects) >= effects.density) return
  const at = effects.next
  effects.next = (at + 1) % effects.x.length
  effects.x[at] = x
  effects.y[at] = y
  effects.vx[at] = vx
  effects.vy[at] = vy
  effects.ageMs[at] = 0
  effects.lifeMs[at] = lifeMs
  effects.size[at] = size
  effects.colour[at] = colour
}

/** Particles in all directions, no two alike. */
export function burst(
  effects: Effects,
  x: number,
  y: number,
  count: number,
  speed: number,
  size: number,
  lifeMs: number,
  colour: string,
): void {
  for (let i = 0; i < count; i++) {
    const angle = chance(effects) * 2 * Math.PI
    const fast = speed * (0.25 + 0.75 * chance(effects))
    const life = lifeMs * (0.5 + 0.5 * chance(effects))
    spark(effects, x, y, Math.cos(angle) * fast, Math.sin(angle) * fast, size * (0.5 + chance(effects)), life, colour)
  }
}

/** A circle that grows from one radius to another and fades. */
export function ring(
  effects: Effects,
  x: number,
  y: number,
  from: number,
  to: number,
  lifeMs: number,
  colour: string,
): void {
  if (effects.rings.length < 200) effects.rings.push({ x, y, from, to, ageMs: 0, lifeMs, colour })
}

/** A number or a word that rises from a place and fades. */
/** A floating text, taken back with the event it is of. */
export function note(
  effects: Effects,
  x: number,
  y: number,
  text: string,
  size: number,
  colour: string,
  event?: object,
): void {
  if (effects.notes.length > 80) effects.notes.shift()
  // A random offset, so that the numbers of one fight do not cover each other.
  const aside = (chance(effects) - 0.5) * size * 1.5
  effects.notes.push({ x: x + aside, y, text, ageMs: 0, size, colour, event })
}

/** Removes the texts of events that did not happen. */
export function takeBackNotes(effects: Effects, withdrawn: readonly object[]): void {
  if (withdrawn.length > 0) effects.notes = effects.notes.filter(({ event }) => !withdrawn.includes(event!))
}

export function shake(effects: Effects, amount: number): void {
  effects.shake = Math.max(effects.shake, amount)
}

export function flash(effects: Effects, id: number, nowMs: number): void {
  effects.flashUntil.set(id, nowMs + FLASH_MS)
}

/** How bright the flash of a thing is: 1 at once, 0 when it is over. */
export function flashOf(effects: Effects, id: number, nowMs: number): number {
  const until = effects.flashUntil.get(id)
  if (until === undefined) return 0
  if (until > nowMs) return (until - nowMs) / FLASH_MS
  effects.flashUntil.delete(id)
  return 0
}

type Moment = Pick<Frame, 'jumped' | 'elapsedMs' | 'isCalm' | 'isSlow'>

/** Call first in a frame: advances the effects and moves the picture by the current shake. */
export function beginEffects(effects: Effects, context: CanvasRenderingContext2D, frame: Moment): void {
  if (frame.jumped) clearEffects(effects)
  effects.density = frame.isSlow ? SPARSE : 1
  advance(effects, frame.elapsedMs)
  if (effects.shake < 0.05 || frame.isCalm) return
  context.translate((chance(effects) - 0.5) * 2 * effects.shake, (chance(effects) - 0.5) * 2 * effects.shake)
}

/** Advances all effects by this much time. */
export function advance(effects: Effects, elapsedMs: number): void {
  const { x, y, vx, vy, ageMs, lifeMs } = effects
  const seconds = elapsedMs / 1000
  const drag = Math.exp(-2.5 * seconds)
  for (let i = 0; i < x.length; i++) {
    if (lifeMs[i] === 0) continue
    ageMs[i] += elapsedMs
    if (ageMs[i] >= lifeMs[i]) {
      lifeMs[i] = 0
      continue
    }
    x[i] += vx[i] * seconds
    y[i] += vy[i] * seconds
    vx[i] *= drag
    vy[i] *= drag
  }
  for (const each of effects.rings) each.ageMs += elapsedMs
  for (const each of effects.notes) each.ageMs += elapsedMs
  effects.rings = effects.rings.filter((each) => each.ageMs < each.lifeMs)
  effects.notes = effects.notes.filter((each) => each.ageMs < NOTE_MS)
  effects.shake *= Math.exp(-9 * seconds)
}

/** Particles and rings, in world units; they add up like light. */
export function drawEffects(effects: Effects, context: CanvasRenderingContext2D): void {
  const { x, y, ageMs, lifeMs, size, colour } = effects
  context.globalCompositeOperation = 'lighter'
  let lastColour = ''
  for (let i = 0; i < x.length; i++) {
    if (lifeMs[i] === 0) continue
    const left = 1 - ageMs[i] / lifeMs[i]
    if (colour[i] !== lastColour) {
      lastColour = colour[i]
      context.fillStyle = lastColour
    }
    context.globalAlpha = left
    const side = size[i] * (0.4 + 0.6 * left)
    context.fillRect(x[i] - side / 2, y[i] - side / 2, side, side)
  }
  for (const each of effects.rings) {
    const part = each.ageMs / each.lifeMs
    context.globalAlpha = 1 - part
    context.strokeStyle = each.colour
    context.lineWidth = (1 - part) * 0.07 * each.to + 0.5
    context.beginPath()
    context.arc(each.x, each.y, each.from + (each.to - each.from) * Math.sqrt(part), 0, 2 * Math.PI)
    context.stroke()
  }
  context.globalAlpha = 1
  context.globalCompositeOperation = 'source-over'
}

/** The floating numbers, above everything else. */
export function drawNotes(effects: Effects, context: CanvasRenderingContext2D): void {
  for (const each of effects.notes) {
    const part = each.ageMs / NOTE_MS
    context.globalAlpha = Math.min(1, 2 - 2 * part)
    // A short swell at birth, then a slow rise.
    const size = each.size * (1 + 0.6 * Math.max(0, 1 - part * 6))
    words(context, each.text, each.x, each.y - each.size * 2.2 * Math.sqrt(part), size, each.colour)
  }
  context.globalAlpha = 1
}
