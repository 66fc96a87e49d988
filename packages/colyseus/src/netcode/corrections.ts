/**
 * Corrections that are not seen as jumps.
 *
 * A prediction that turns out wrong moves things. What is drawn keeps its place: each correction becomes an offset that leads
 * from the corrected place and facing back to those that were drawn, and fades evenly, each by itself. It is measured at the moment of
 * the correction, between two states of the same tick, so nothing that a thing does by itself is smoothed, however many ticks
 * a frame brings.
 *
 * What is seen of a correction is how fast it fades. In a given time an even fade is the slowest there is, so large ones take longer:
 * all that fades of a thing together moves it by no more than a part of its own speed and a few radii a second. What would take longer
 * than `longestMs` that way is not faded at all: a thing jumps by it, because one jump is less wrong than a second of drawing it
 * elsewhere. Players must know where they are themselves, so their own things come to their places at once.
 *
 * Offsets are dropped where there is nothing to hide: beyond `jumpBeyond` a thing jumps all the way, as it does when it teleports.
 *
 * Things that were spawned in a prediction have no id to rely on: another spawn before theirs, and it is another's. They are
 * followed by what they are (layer, kind, owner) and where they are, and keep the key that they were first drawn with.
 */

import { findRow, HurtboxError } from 'hurtbox'
import { createPlace, type Place, placeBetween, shorter, type Wrap } from 'hurtbox/picture'
import { type AnyWorld, lastId } from 'hurtbox/tools'

export type Smoothing = {
  /** How long a correction takes to fade, ms; 0: it is seen at once. Default 200. */
  readonly fadeMs?: number
  /**
   * How long a large correction of another thing may take, ms. Longer: fewer and smaller jumps, but things are drawn in a wrong
   * place for longer. Default: twice `fadeMs`.
   */
  readonly longestMs?: number
  /** Corrections beyond this are shown as jumps, in units of the world. Default: 16 radii of the thing, at least 100. */
  readonly jumpBeyond?: number
  /** Sides of a world that wraps around, so that a correction across its edge is a short one. */
  readonly wrap?: Wrap
  /**
   * Layers whose things, but for the player's own, are drawn where the host last had them: never corrected, but as old as a message
   * takes from there. Default: none; everything is predicted.
   */
  readonly asConfirmed?: readonly string[]
}

export type Corrections = {
  smoothing: Smoothing
  /** The id of the player's own thing: it is where it is soon, however far it was corrected. 0: none. */
  own: number
  readonly offsets: Map<number, Offset>
  /** By how much the last correction moved each thing that it moved, by id. */
  readonly last: Map<number, number>
  /** How far each thing jumped by it, where it was too far to fade. */
  readonly jumps: Map<number, number>
  /** What to call a thing whose id is or was once another's: by id. */
  keys: Map<number, number>
  nextKey: number
  /** The last id of the present prediction, and the highest that was ever drawn. */
  lastId: number
  highestId: number
  /** Scratch: where things were drawn before a correction. */
  drawn: Drawn[]
}

/**
 * What is left of the corrections of a thing; `teleports` is what the thing had when they were made, `pace` how far they may move it in
 * a millisecond.
 */
type Offset = { readonly parts: OffsetPart[]; readonly teleports: number; readonly pace: number }
/** `turn` is by how much the facing that was drawn is turned against the corrected one, in radians. */
type OffsetPart = { x: number; y: number; z: number; readonly turn: number; left: number }

type Drawn = Place & {
  readonly id: number
  readonly key: number
  readonly layer: number
  readonly kind: number
  readonly owner: number
  readonly teleports: number
  readonly offset: Offset | undefined
  isTaken: boolean
}

type Shown = { readonly before: AnyWorld; readonly after: AnyWorld; readonly alpha: number }

const FADE_MS = 200
/** The pace at which corrections may move a thing: a part of its own speed, and radii a second. */
const PACE_OF_SPEED = 1 / 6
const PACE_RADII = 3
/** Things without a radius, such as platforms of posed shapes, need a pace as well: without one their corrections would never fade. */
const LEAST_RADIUS = 0.1
/** `longestMs`, in times of `fadeMs`. */
const SLOWEST = 2
const JUMP_RADII = 16
const LEAST_JUMP = 100
/** Smaller than any screen shows. */
const NOTHING = 1e-6
/** Keys that are no ids: ids are 32 bits wide. */
const FIRST_KEY = 2 ** 32

/** Refuses numbers with which things would be drawn nowhere. */
export function checkSmoothing({ fadeMs = 0, longestMs = 0, jumpBeyond = 0, wrap }: Smoothing = {}): void {
  const { width = 0, height = 0 } = wrap ?? {}
  const numbers = { fadeMs, longestMs, jumpBeyond, 'wrap.width': width, 'wrap.height': height }
  for (const [name, value] of Object.entries(numbers)) {
    const isEndless = value === Number.POSITIVE_INFINITY && (name === 'longestMs' || name === 'jumpBeyond')
    if (isEndless || (Number.isFinite(value) && value >= 0)) continue
    const message = `smoothing.${name} must be a number of 0 or more, got ${String(value)}. Leave it out for the default.`
    throw new HurtboxError('bad-argument', message, { name, value })
  }
}

export function createCorrections(smoothing: Smoothing = {}): Corrections {
  return {
    smoothing,
    own: 0,
    offsets: new Map(),
    last: new Map(),
    jumps: new Map(),
    keys: new Map(),
    nextKey: FIRST_KEY,
    lastId: 0,
    highestId: 0,
    drawn: [],
  }
}

/** Notes where everything is drawn. Call before the states are replaced. */
export function noteDrawn(corrections: Corrections, shown: Shown): void {
  const { offsets } = corrections
  const { things } = shown.after.tables
  corrections.drawn = []
  for (let row = 0; row < things.count; row++) {
    const id: number = things.id[row]
    const each = {
      ...createPlace(),
      id,
      key: keyOf(corrections, id),
      layer: things.layer[row],
      kind: things.kind[row],
      owner: things.owner[row],
      teleports: things.teleports[row],
      offset: offsets.get(id),
      isTaken: false,
    }
    drawnPlace(corrections, shown, id, each)
    corrections.drawn.push(each)
  }
}

/**
 * The states have been replaced: everything is still drawn where it was, and fades to where it is. `lastSafeId` is the last
 * id of the confirmed state that was predicted from: those above it were given by the prediction.
 */
export function noteCorrected(corrections: Corrections, shown: Shown, lastSafeId: number): void {
  const { offsets, last, jumps, smoothing } = corrections
  const { wrap } = smoothing
  const { things } = shown.after.tables
  const keys = new Map<number, number>()
  offsets.clear()
  last.clear()
  jumps.clear()
  for (let row = 0; row < things.count; row++) {
    const id: number = things.id[row]
    placeBetween(shown, id, place, wrap)
    const was = findDrawn(corrections, things, row, lastSafeId)
    if (was !== undefined) {
      was.isTaken = true
      if (was.key !== id) keys.set(id, was.key)
      correct(corrections, was, shown, row)
    } else if (id <= corrections.highestId || (id > lastSafeId && areIdsKept(corrections))) {
      keys.set(id, corrections.nextKey++)
    }
  }
  corrections.keys = keys
  noteLastId(corrections, things)
}

/** A tick was predicted for the first time: an id that something else was drawn with does not name what it spawned. */
export function noteSpawned(corrections: Corrections, world: AnyWorld): void {
  const { things } = world.tables
  for (let row = things.count - 1; row >= 0 && things.id[row] > corrections.lastId; row--) {
    const id: number = things.id[row]
    if (id <= corrections.highestId || areIdsKept(corrections)) corrections.keys.set(id, corrections.nextKey++)
  }
  noteLastId(corrections, things)
}

/** Where things are drawn as confirmed, ids are their keys, and what a prediction spawns must not be called by one: it may be another's. */
function areIdsKept({ smoothing }: Corrections): boolean {
  return smoothing.asConfirmed !== undefined
}

function noteLastId(corrections: Corrections, things: Things): void {
  corrections.lastId = lastId(things)
  corrections.highestId = Math.max(corrections.highestId, corrections.lastId)
}

/** The thing of row `row` as it was drawn, `place` being where it is now. */
function findDrawn(corrections: Corrections, things: Things, row: number, lastSafeId: number): Drawn | undefined {
  const { drawn, smoothing } = corrections
  const id = things.id[row]
  if (id <= lastSafeId) return drawn[lowerBound(drawn, id)]?.id === id ? drawn[lowerBound(drawn, id)] : undefined
  let found: Drawn | undefined
  let nearest = jumpOf(smoothing, things, row)
  // Those spawned in the prediction are the last ones, and few.
  for (let at = lowerBound(drawn, lastSafeId + 1); at < drawn.length; at++) {
    const was = drawn[at]
    if (was.isTaken || !isAlike(was, things, row)) continue
    const apart = Math.hypot(...difference(was, smoothing.wrap))
    if (apart > nearest) continue
    found = was
    nearest = apart
  }
  return found
}

function correct(corrections: Corrections, was: Drawn, shown: Shown, row: number): void {
  const { smoothing, offsets, last, jumps } = corrections
  const { fadeMs = FADE_MS } = smoothing
  const { things } = shown.after.tables
  if (was.teleports !== things.teleports[row]) return
  const sum = offsetOf(was.offset)
  const [x, y, z] = difference(was, smoothing.wrap)
  const turn = turnBetween(place, was) - sum.turn
  const part = { x: x - sum.x, y: y - sum.y, z: z - sum.z, turn: turn - TURN * Math.round(turn / TURN), left: 1 }
  const moved = Math.hypot(part.x, part.y, part.z)
  if (moved > NOTHING) last.set(things.id[row], moved)
  const off = Math.hypot(x, y, z)
  if (off > jumpOf(smoothing, things, row) || fadeMs === 0) {
    jumps.set(things.id[row], off)
    return
  }
  const parts = was.offset?.parts ?? []
  if (moved > NOTHING || Math.abs(part.turn) > NOTHING) parts.push(part)
  if (parts.length === 0) return
  const isOwn = things.id[row] === corrections.own
  const pace = isOwn ? Number.POSITIVE_INFINITY : paceOf(shown, row, smoothing.wrap)
  // It jumps by what cannot fade in time.
  const most = pace * longestOf(smoothing)
  if (off > most) {
    jumps.set(things.id[row], off - most)
    for (const each of parts) {
      each.x *= most / off
      each.y *= most / off
      each.z *= most / off
    }
  }
  offsets.set(things.id[row], { parts, teleports: was.teleports, pace })
}

function longestOf({ fadeMs = FADE_MS, longestMs = SLOWEST * fadeMs }: Smoothing): number {
  return Math.max(fadeMs, longestMs)
}

/** How far corrections may move a thing in a millisecond. */
function paceOf({ before, after }: Shown, row: number, wrap: Wrap | undefined): number {
  const { things } = after.tables
  const id: number = things.id[row]
  placeBetween({ before, after, alpha: 0 }, id, start, wrap)
  placeBetween({ before, after, alpha: 1 }, id, end, wrap)
  const speed = Math.hypot(end.x - start.x, end.y - start.y, end.z - start.z) * after.game.declaration.tickRate
  return (PACE_OF_SPEED * speed + PACE_RADII * Math.max(things.radius[row], LEAST_RADIUS)) / 1000
}

const start = createPlace()
const end = createPlace()

/** Time has passed: offsets shrink, and those of things that have left go. */
export function fadeCorrections({ offsets, smoothing }: Corrections, elapsedMs: number, world: AnyWorld): void {
  const { fadeMs = FADE_MS } = smoothing
  const slowest = longestOf(smoothing) / fadeMs
  for (const [id, { parts, pace }] of offsets) {
    const sum = { x: 0, y: 0, z: 0 }
    for (const { x, y, z } of parts) {
      sum.x += x
      sum.y += y
      sum.z += z
    }
    // What all parts together would move it in a millisecond, against what they may.
    const wanted = Math.hypot(sum.x, sum.y, sum.z) / fadeMs
    const slower = Math.min(slowest, Math.max(1, wanted / pace))
    for (const part of parts) part.left -= elapsedMs / (fadeMs * slower)
    // The oldest come first.
    while (parts.length > 0 && parts[0].left <= 0) parts.shift()
    if (parts.length === 0 || findRow(world.tables.things, id) < 0) offsets.delete(id)
  }
}

/** Where a thing is drawn: between the two states, and off by what is left of its corrections. */
export function drawnPlace({ offsets, smoothing }: Corrections, shown: Shown, id: number, out: Place): boolean {
  if (!placeBetween(shown, id, out, smoothing.wrap)) return false
  const offset = offsets.get(id)
  if (offset === undefined) return true
  const { things } = shown.after.tables
  if (offset.teleports !== things.teleports[findRow(things, id)]) return true
  const { x, y, z, turn } = offsetOf(offset)
  out.x += x
  out.y += y
  out.z += z
  if (turn === 0) return true
  const { facingX, facingY } = out
  const [cosine, sine] = [Math.cos(turn), Math.sin(turn)]
  out.facingX = facingX * cosine - facingY * sine
  out.facingY = facingY * cosine + facingX * sine
  return true
}

/** What a thing is drawn as: its id, or the key that it had before its id turned out to be another. */
export function keyOf({ keys }: Corrections, id: number): number {
  return keys.get(id) ?? id
}

// biome-ignore lint/suspicious/noExplicitAny: things of a game that the compiler does not know.
type Things = any

const place = createPlace()

/** From where a thing is to where it was drawn. */
function difference(was: Place, wrap: Wrap | undefined): [x: number, y: number, z: number] {
  return [shorter(was.x - place.x, wrap?.width), shorter(was.y - place.y, wrap?.height), was.z - place.z]
}

const TURN = 2 * Math.PI

/** The angle from one facing to another. Only drawing uses it, so it need not be the same everywhere. */
function turnBetween(from: Place, to: Place): number {
  return Math.atan2(
    from.facingX * to.facingY - from.facingY * to.facingX,
    from.facingX * to.facingX + from.facingY * to.facingY,
  )
}

function offsetOf(offset: Offset | undefined): { x: number; y: number; z: number; turn: number } {
  const sum = { x: 0, y: 0, z: 0, turn: 0 }
  for (const { x, y, z, turn, left } of offset?.parts ?? []) {
    sum.x += x * left
    sum.y += y * left
    sum.z += z * left
    sum.turn += turn * left
  }
  return sum
}

function jumpOf({ jumpBeyond }: Smoothing, things: Things, row: number): number {
  return jumpBeyond ?? Math.max(LEAST_JUMP, JUMP_RADII * things.radius[row])
}

function isAlike({ layer, kind, owner }: Drawn, things: Things, row: number): boolean {
  return things.layer[row] === layer && things.kind[row] === kind && things.owner[row] === owner
}

/** The first of those with this id or a later one; ids ascend. */
function lowerBound(drawn: readonly Drawn[], id: number): number {
  let from = 0
  let to = drawn.length
  while (from < to) {
    const middle = (from + to) >> 1
    if (drawn[middle].id < id) from = middle + 1
    else to = middle
  }
  return from
}
