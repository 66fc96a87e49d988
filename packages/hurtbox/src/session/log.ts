/**
 * The input log: everything that entered a match, tick by tick.
 *
 * Only news is kept. A player who holds a stick still costs nothing, because an input that says what holds anyway
 * (same levels, no press) steps to the same bits as no input at all.
 */

import type { AnyGame } from '../game.ts'
import { idleCodes } from '../input.ts'
import type { Control, EncodedInputs } from '../step.ts'

export type InputLog = {
  readonly game: AnyGame
  /** Ticks covered: the log knows the inputs of ticks 0 … length − 1. */
  length: number
  readonly controls: { readonly tick: number; readonly control: Control }[]
  /** Player inputs in tick order, as parallel arrays. */
  count: number
  tick: Uint32Array
  seat: Uint8Array
  codes: Uint32Array
  /** What each seat holds now, to tell news from repetition. */
  readonly held: Uint32Array
  /** How often the log was truncated: whoever has written ticks down elsewhere must look again when it changes. */
  cuts: number
}

export function createLog(game: AnyGame): InputLog {
  const fields = game.input.fields.length
  const seats = game.declaration.seats.max
  const log: InputLog = {
    game,
    length: 0,
    controls: [],
    count: 0,
    tick: new Uint32Array(64),
    seat: new Uint8Array(64),
    codes: new Uint32Array(64 * fields),
    held: new Uint32Array(seats * fields),
    cuts: 0,
  }
  for (let seat = 0; seat < seats; seat++) log.held.set(idleCodes(game.input), seat * fields)
  return log
}

/** Adds the inputs of the next tick. */
export function appendInputs(log: InputLog, inputs: EncodedInputs): void {
  const tick = log.length++
  for (const control of inputs.controls) {
    log.controls.push({ tick, control })
    hold(log, control)
  }
  const fields = log.game.input.fields.length
  for (let i = 0; i < inputs.count; i++) {
    const seat = inputs.seats[i]
    if (!isNews(log, seat, inputs.codes, i * fields)) continue
    if (log.count === log.tick.length) grow(log)
    log.tick[log.count] = tick
    log.seat[log.count] = seat
    log.codes.set(inputs.codes.subarray(i * fields, (i + 1) * fields), log.count * fields)
    log.count++
    holdCodes(log, seat, inputs.codes, i * fields)
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
  log.cuts++
  log.length = Math.min(log.length, tick)
  log.count = firstEntry(log, tick)
  while (log.controls.length > 0 && log.controls[log.controls.length - 1].tick >= tick) log.controls.pop()
  rebuildHeld(log)
}

const NO_CONTROLS: readonly Control[] = []

function controlsAt(log: InputLog, tick: number): readonly Control[] {
  const { controls } = log
  let low = 0
  let high = controls.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (controls[middle].tick < tick) low = middle + 1
    else high = middle
  }
  if (low === controls.length || controls[low].tick !== tick) return NO_CONTROLS
  const found: Control[] = []
  for (let i = low; i < controls.length && controls[i].tick === tick; i++) found.push(controls[i].control)
  return found
}

/** The first entry at or after `tick`. */
function firstEntry(log: InputLog, tick: number): number {
  let low = 0
  let high = log.count
  while (low < high) {
    const middle = (low + high) >>> 1
    if (log.tick[middle] < tick) low = middle + 1
    else high = middle
  }
  return low
}

function isNews(log: InputLog, seat: number, codes: Uint32Array, at: number): boolean {
  const { fields } = log.game.input
  for (let f = 0; f < fields.length; f++) {
    // Presses and lists are news whenever there is one; the items of an empty list are not.
    if (fields[f].isLevel ? codes[at + f] !== log.held[seat * fields.length + f] : codes[at + f] !== 0) return true
  }
  return false
}

function holdCodes(log: InputLog, seat: number, codes: Uint32Array, at: number): void {
  const fields = log.game.input.fields.length
  for (let f = 0; f < fields; f++) log.held[seat * fields + f] = codes[at + f]
}

/** Whoever sits down starts idle. */
function hold(log: InputLog, control: Control): void {
  if (control.control === 'join') holdCodes(log, control.seat, idleCodes(log.game.input), 0)
}

function rebuildHeld(log: InputLog): void {
  const fields = log.game.input.fields.length
  const idle = idleCodes(log.game.input)
  for (let at = 0; at < log.held.length; at += fields) log.held.set(idle, at)
  let c = 0
  for (let i = 0; i <= log.count; i++) {
    const upTo = i < log.count ? log.tick[i] : Number.POSITIVE_INFINITY
    for (; c < log.controls.length && log.controls[c].tick <= upTo; c++) hold(log, log.controls[c].control)
    if (i < log.count) holdCodes(log, log.seat[i], log.codes, i * fields)
  }
}

function grow(log: InputLog): void {
  const fields = log.game.input.fields.length
  const capacity = log.tick.length * 2
  const [tick, seat, codes] = [new Uint32Array(capacity), new Uint8Array(capacity), new Uint32Array(capacity * fields)]
  tick.set(log.tick)
  seat.set(log.seat)
  codes.set(log.codes)
  log.tick = tick
  log.seat = seat
  log.codes = codes
}
