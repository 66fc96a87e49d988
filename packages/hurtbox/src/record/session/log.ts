/**
 * The input log: everything that entered a match, tick by tick.
 *
 * Only changes are kept (`keepChanges`). A stick held still costs nothing, because an input that repeats the current values
 * (same levels, no press) steps to the same bits as no input at all.
 */

import { growColumns } from '../../base/grow.ts'
import type { Control } from '../../world/controls.ts'
import type { AnyGame } from '../../world/game.ts'
import { seatRow } from '../../world/handles/things.ts'
import { changesNothing } from '../../world/input-codes.ts'
import type { EncodedInputs } from '../../world/step.ts'
import type { AnyWorld } from '../../world/world.ts'

export type InputLog = {
  readonly game: AnyGame
  /** Ticks covered: the log knows the inputs of ticks from … length − 1. */
  from: number
  length: number
  readonly controls: { readonly tick: number; readonly control: Control }[]
  /** Player inputs in tick order, as parallel arrays. */
  count: number
  tick: Uint32Array
  seat: Uint8Array
  codes: Uint32Array
  /** The ticks at which the log was truncated. A replay writer must write the ticks after such a cut again. */
  readonly cuts: number[]
}

export function createLog(game: AnyGame): InputLog {
  return {
    game,
    from: 0,
    length: 0,
    controls: [],
    count: 0,
    tick: new Uint32Array(64),
    seat: new Uint8Array(64),
    codes: new Uint32Array(64 * game.input.fields.length),
    cuts: [],
  }
}

/** Writes into `changes` those of `inputs` that differ from what `world` holds. `world` is about to run their tick. */
export function keepChanges(world: AnyWorld, inputs: EncodedInputs, changes: EncodedInputs): void {
  const { input } = world.game
  const fields = input.fields.length
  changes.controls = inputs.controls
  changes.count = 0
  // Controls run first and may change what a seat holds; then every input counts as a change. Entropy changes nothing of it.
  const isHeld = inputs.controls.every(isEntropy)
  for (let i = 0; i < inputs.count; i++) {
    const row = seatRow(world, inputs.seats[i])
    if (isHeld && row >= 0 && changesNothing(input, world.tables.players, row, inputs.codes, i * fields)) continue
    changes.seats[changes.count] = inputs.seats[i]
    for (let f = 0; f < fields; f++) changes.codes[changes.count * fields + f] = inputs.codes[i * fields + f]
    changes.count++
  }
}

function isEntropy({ control }: Control): boolean {
  return control === 'entropy'
}

/** Adds the inputs of the next tick. */
export function appendInputs(log: InputLog, inputs: EncodedInputs): void {
  const tick = log.length++
  // A copy: the caller may use its own object again.
  for (const control of inputs.controls) log.controls.push({ tick, control: { ...control } })
  const fields = log.game.input.fields.length
  for (let i = 0; i < inputs.count; i++) {
    if (log.count === log.tick.length) grow(log)
    log.tick[log.count] = tick
    log.seat[log.count] = inputs.seats[i]
    for (let f = 0; f < fields; f++) log.codes[log.count * fields + f] = inputs.codes[i * fields + f]
    log.count++
  }
}

/** Writes the inputs of `tick` into `into`. */
export function inputsAt(log: InputLog, tick: number, into: EncodedInputs): void {
  const fields = log.game.input.fields.length
  into.controls = controlsAt(log, tick)
  into.count = 0
  for (let i = firstEntry(log, tick); i < log.count && log.tick[i] === tick; i++) {
    into.seats[into.count] = log.seat[i]
    for (let f = 0; f < fields; f++) into.codes[into.count * fields + f] = log.codes[i * fields + f]
    into.count++
  }
}

/** Forgets everything from `tick` on, so that the match can go on differently from there. */
export function truncateLog(log: InputLog, tick: number): void {
  log.cuts.push(tick)
  log.length = Math.min(log.length, tick)
  log.count = firstEntry(log, tick)
  log.controls.length = firstControl(log, tick)
}

/** Forgets everything before `tick`. */
export function forgetInputs(log: InputLog, tick: number): void {
  const old = firstEntry(log, tick)
  const fields = log.game.input.fields.length
  log.tick.copyWithin(0, old, log.count)
  log.seat.copyWithin(0, old, log.count)
  log.codes.copyWithin(0, old * fields, log.count * fields)
  log.count -= old
  log.controls.splice(0, firstControl(log, tick))
  log.from = Math.max(log.from, tick)
}

export function cloneLog(log: InputLog): InputLog {
  const { controls, cuts, tick, seat, codes } = log
  return {
    ...log,
    controls: [...controls],
    cuts: [...cuts],
    tick: tick.slice(),
    seat: seat.slice(),
    codes: codes.slice(),
  }
}

const NO_CONTROLS: readonly Control[] = []

function controlsAt(log: InputLog, tick: number): readonly Control[] {
  const { controls } = log
  const first = firstControl(log, tick)
  if (first === controls.length || controls[first].tick !== tick) return NO_CONTROLS
  const found: Control[] = []
  for (let i = first; i < controls.length && controls[i].tick === tick; i++) found.push(controls[i].control)
  return found
}

function firstEntry({ tick: ticks, count }: InputLog, tick: number): number {
  return firstFrom(tick, count, (i) => ticks[i])
}

function firstControl({ controls }: InputLog, tick: number): number {
  return firstFrom(tick, controls.length, (i) => controls[i].tick)
}

/** The first of `count` places, ascending by tick, that is at or after `tick`. */
function firstFrom(tick: number, count: number, tickOf: (place: number) => number): number {
  let low = 0
  let high = count
  while (low < high) {
    const middle = (low + high) >>> 1
    if (tickOf(middle) < tick) low = middle + 1
    else high = middle
  }
  return low
}

function grow(log: InputLog): void {
  const capacity = 2 * log.tick.length
  growColumns(log, ['tick', 'seat'], capacity)
  growColumns(log, ['codes'], capacity * log.game.input.fields.length)
}
