/**
 * Text inside the state: names of things and what the announcer says.
 *
 * Both are compared with the original letter by letter, so they are bytes of the block like everything that a step writes.
 */

import { emit, perWorld } from 'hurtbox'
import { ANNOUNCER_LENGTH, MESSAGE_LENGTH, NAME_LENGTH, type VinylRuleWorld, type VinylWorld } from './declaration.ts'

type Bytes = { readonly [index: number]: number }
export type Named = { readonly label: { get(index: number): number } }

export function readName(thing: Named): string {
  return readBytes(nameBytes(thing), 0, NAME_LENGTH)
}

/** The name as the values of a wide column. */
export function nameBytes({ label }: Named, out: number[] = []): number[] {
  for (let i = 0; i < NAME_LENGTH; i++) out[i] = label.get(i)
  return out
}

/** Adds a message. One that does not fit into the announcer's buffer is only counted. */
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
  arrays.announcer.set(textBytes(said, said.length), start)
  globals.announcerLength = start + said.length
  emit(world, 'message', { order: nextOrder(world), text: textBytes(said, MESSAGE_LENGTH) })
}

export function announcerText({ arrays, globals }: VinylWorld): string {
  return readBytes(arrays.announcer, 0, globals.announcerLength)
}

export function clearAnnouncer({ arrays, globals }: VinylWorld): void {
  arrays.announcer.fill(0, 0, globals.announcerLength)
  globals.announcerLength = 0
}

/** The place of the next event among all events of this tick, so that a log can list them in order. */
export function nextOrder(world: VinylRuleWorld): number {
  let count = 0
  for (const list of eventLists(world)) count += list.count
  return count
}

const eventLists = perWorld(({ events }: VinylRuleWorld) => Object.values(events))

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

/** The bytes of a text, filled up with zeros; a name ends with at least one. */
function textBytes(text: string, length: number): number[] {
  return Array.from({ length }, (_, i) => (i < text.length ? byteOf(text, i) : 0))
}

export function labelBytes(name: string): number[] {
  return textBytes(name.slice(0, NAME_LENGTH - 1), NAME_LENGTH)
}

export function readBytes(bytes: Bytes, start: number, length: number): string {
  let text = ''
  for (let i = start; i < start + length && bytes[i] !== 0; i++) text += String.fromCharCode(bytes[i])
  return text
}

/** Names are Latin; a letter beyond becomes a question mark. A line break inside a name would end a message. */
function byteOf(text: string, index: number): number {
  const code = text.charCodeAt(index)
  if (code > 255 || code === 0) return UNKNOWN
  return code === NEWLINE ? 32 : code
}
