/**
 * Corrections that are not seen as jumps.
 *
 * A prediction that turns out wrong moves things. What is drawn keeps its place: each thing gets an offset that leads from its
 * corrected place back to where it was drawn, and the offset fades. It is measured at the moment of the correction, between
 * two states of the same tick, so nothing that a thing does by itself is smoothed, however many ticks a frame brings.
 *
 * An offset is dropped where there is nothing to hide: beyond `jumpBeyond` a thing jumps, as it does when it teleports, and
 * when its id turns out to be another thing's.
 */

import { findRow } from 'hurtbox'
import { createPlace, type Place, placeBetween, shorter, type Wrap } from 'hurtbox/picture'
import type { AnyWorld } from 'hurtbox/tools'

export type Smoothing = {
  /** How long a correction takes to fade, ms; 0: it is seen at once. Default 150. */
  readonly fadeMs?: number
  /** Corrections beyond this are shown as jumps, in units of the world. Default: 16 radii of the thing, at least 100. */
  readonly jumpBeyond?: number
  /** Sides of a world that wraps around, so that a correction across its edge is a short one. */
  readonly wrap?: Wrap
}

export type Corrections = {
  smoothing: Smoothing
  readonly offsets: Map<number, Offset>
  /** By how much the last correction moved each thing that it moved, by id. */
  readonly last: Map<number, number>
  /** Scratch: where things were drawn before a correction, by row. */
  readonly drawn: Drawn[]
  count: number
}

/** `speed`: how fast it fades, units per ms. */
type Offset = { x: number; y: number; z: number; speed: number; readonly teleports: number }
type Drawn = Place & { id: number; layer: number; kind: number; owner: number; teleports: number }

type Shown = { readonly before: AnyWorld; readonly after: AnyWorld; readonly alpha: number }

const FADE_MS = 150
const JUMP_RADII = 16
const LEAST_JUMP = 100
/** Smaller than any screen shows. */
const NOTHING = 1e-6

export function createCorrections(smoothing: Smoothing = {}): Corrections {
  return { smoothing, offsets: new Map(), last: new Map(), drawn: [], count: 0 }
}

/** Notes where everything is drawn. Call before the states are replaced. */
export function noteDrawn(corrections: Corrections, shown: Shown): void {
  const { drawn, smoothing } = corrections
  const { things } = shown.after.tables
  corrections.count = things.count
  for (let row = 0; row < things.count; row++) {
    const each = (drawn[row] ??= { ...createPlace(), id: 0, layer: 0, kind: 0, owner: 0, teleports: 0 })
    each.id = things.id[row]
    each.layer = things.layer[row]
    each.kind = things.kind[row]
    each.owner = things.owner[row]
    each.teleports = things.teleports[row]
    placeBetween(shown, each.id, each, smoothing.wrap)
    addOffset(corrections, each.id, each.teleports, each)
  }
}

/** The states have been replaced: everything is still drawn where it was, and fades to where it is. */
export function noteCorrected(corrections: Corrections, shown: Shown): void {
  const { drawn, smoothing, offsets, last, count } = corrections
  const { wrap, fadeMs = FADE_MS } = smoothing
  const { things } = shown.after.tables
  last.clear()
  let at = 0
  for (let row = 0; row < things.count; row++) {
    const id: number = things.id[row]
    // Ids ascend with the rows, then and now.
    while (at < count && drawn[at].id < id) at++
    const was = drawn[at]
    if (at >= count || was.id !== id || !isSame(was, things, row)) {
      offsets.delete(id)
      continue
    }
    const before = offsets.get(id)
    placeBetween(shown, id, place, wrap)
    const x = shorter(was.x - place.x, wrap?.width)
    const y = shorter(was.y - place.y, wrap?.height)
    const z = was.z - place.z
    const size = Math.hypot(x, y, z)
    const moved = Math.hypot(x - (before?.x ?? 0), y - (before?.y ?? 0), z - (before?.z ?? 0))
    if (moved > NOTHING) last.set(id, moved)
    else if (before !== undefined) continue
    const jumpBeyond = smoothing.jumpBeyond ?? Math.max(LEAST_JUMP, JUMP_RADII * things.radius[row])
    if (size <= NOTHING || size > jumpBeyond || fadeMs === 0) offsets.delete(id)
    else offsets.set(id, { x, y, z, speed: Math.max(size / fadeMs, before?.speed ?? 0), teleports: was.teleports })
  }
}

/** Time has passed: offsets shrink, and those of things that have left go. */
export function fadeCorrections({ offsets }: Corrections, elapsedMs: number, world: AnyWorld): void {
  for (const [id, offset] of offsets) {
    const size = Math.hypot(offset.x, offset.y, offset.z)
    const left = size - offset.speed * elapsedMs
    if (left <= NOTHING || findRow(world.tables.things, id) < 0) {
      offsets.delete(id)
      continue
    }
    const part = left / size
    offset.x *= part
    offset.y *= part
    offset.z *= part
  }
}

/** Where a thing is drawn: between the two states, and off by what is left of its correction. */
export function drawnPlace(corrections: Corrections, shown: Shown, id: number, out: Place): boolean {
  if (!placeBetween(shown, id, out, corrections.smoothing.wrap)) return false
  const { things } = shown.after.tables
  if (corrections.offsets.size > 0) addOffset(corrections, id, things.teleports[findRow(things, id)], out)
  return true
}

const place = createPlace()

function addOffset({ offsets }: Corrections, id: number, teleports: number, out: Place): void {
  const offset = offsets.get(id)
  if (offset === undefined || offset.teleports !== teleports) return
  out.x += offset.x
  out.y += offset.y
  out.z += offset.z
}

// biome-ignore lint/suspicious/noExplicitAny: things of a game that the compiler does not know.
function isSame({ layer, kind, owner, teleports }: Drawn, things: any, row: number): boolean {
  return (
    things.layer[row] === layer &&
    things.kind[row] === kind &&
    things.owner[row] === owner &&
    things.teleports[row] === teleports
  )
}
