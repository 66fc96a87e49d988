/**
 * Text inside the state: names of things and what the announcer says.
 *
 * Names are made of numbers ("Vinyl 13.3"), other things' announcements are made of names, and both are compared with
 * the original letter by letter. So they are bytes of the block like everything else the step reads and writes.
 */

import { emit } from 'hurtbox'
import { ANNOUNCER_LENGTH, MESSAGE_LENGTH, NAME_LENGTH, type Readable, type VinylWorld } from './declaration.ts'

/** Longest name; the last byte stays 0. */
const MAX_NAME = NAME_LENGTH - 1

type Bytes = { readonly [index: number]: number }

export function writeName(world: VinylWorld, row: number, text: string): void {
  const { label } = world.tables.things
  writeBytes(label, row * NAME_LENGTH, NAME_LENGTH, text.slice(0, MAX_NAME))
}

export function readName(view: Pick<Readable, 'tables'>, row: number): string {
  return readBytes(view.tables.things.label, row * NAME_LENGTH, NAME_LENGTH)
}

/** The name as the values of a wide event column. */
export function nameBytes(view: Pick<Readable, 'tables'>, row: number): number[] {
  return Array.from({ length: NAME_LENGTH }, (_, i) => view.tables.things.label[row * NAME_LENGTH + i])
}

/** Says something. What does not fit into the announcer's buffer any more is counted. */
export function announce(world: VinylWorld, text: string): void {
  const { globals, arrays } = world
  const said = text.slice(0, MESSAGE_LENGTH - 1)
  const length = globals.announcerLength
  if (length + said.length + 2 >= ANNOUNCER_LENGTH) {
    globals.messagesLost++
    return
  }
  const start = length === 0 ? 0 : length + 1
  if (length > 0) arrays.announcer[length] = NEWLINE
  writeBytes(arrays.announcer, start, said.length, said)
  globals.announcerLength = start + said.length
  emit(world.events.message, { order: nextOrder(world), text: textBytes(said, MESSAGE_LENGTH) })
}

export function announcerText(world: VinylWorld): string {
  return readBytes(world.arrays.announcer, 0, world.globals.announcerLength)
}

export function clearAnnouncer(world: VinylWorld): void {
  world.arrays.announcer.fill(0, 0, world.globals.announcerLength)
  world.globals.announcerLength = 0
}

/** The place of the next event among all events of this tick, so that a log can be told in order. */
export function nextOrder({ events }: Pick<Readable, 'events'>): number {
  let count = 0
  for (const list of Object.values(events)) count += list.count
  return count
}

/** `%.1f` of C: one decimal, the exact value rounded, ties to even. */
export function oneDecimal(value: number): string {
  const magnitude = Math.abs(value)
  if (magnitude >= 1e15) return value.toFixed(1)
  // `toFixed` rounds the exact value too, but ties away from zero. A tie is a multiple of 0.25 that is none of 0.5.
  const isTie = Number.isInteger(magnitude * 4) && !Number.isInteger(magnitude * 2)
  const text = isTie ? tieToEven(magnitude) : magnitude.toFixed(1)
  return value < 0 || Object.is(value, -0) ? `-${text}` : text
}

function tieToEven(magnitude: number): string {
  const below = Math.floor(magnitude * 10)
  const tenths = below % 2 === 0 ? below : below + 1
  return `${Math.floor(tenths / 10)}.${tenths % 10}`
}

const NEWLINE = 10
const UNKNOWN = 63

export function textBytes(text: string, length: number): number[] {
  return Array.from({ length }, (_, i) => (i < text.length ? byteOf(text, i) : 0))
}

export function readBytes(bytes: Bytes, start: number, length: number): string {
  let text = ''
  for (let i = start; i < start + length && bytes[i] !== 0; i++) text += String.fromCharCode(bytes[i])
  return text
}

function writeBytes(bytes: Uint8Array, start: number, length: number, text: string): void {
  for (let i = 0; i < length; i++) bytes[start + i] = i < text.length ? byteOf(text, i) : 0
}

/** Names are Latin; a letter beyond becomes a question mark. A line break inside a name would end a message. */
function byteOf(text: string, index: number): number {
  const code = text.charCodeAt(index)
  if (code > 255 || code === 0) return UNKNOWN
  return code === NEWLINE ? 32 : code
}
