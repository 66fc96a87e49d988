/**
 * Saying what happened: names instead of ids, words instead of columns, time left instead of ticks of the clock.
 *
 * A text becomes parts, so that a name in it can be pointed at. Which names there are comes from the game's own module.
 */

import { nameNow, namesFor, sentenceWith } from '@hurtbox/view'
import type { EventRecord } from 'hurtbox'
import { readChange, splitIds, type TraceEntry } from 'hurtbox/tools'
import { type Show, shownWorld } from '../show/show.ts'
import { timerWords } from '../sim/meter.ts'
import { fillName } from '../sim/register.ts'
import type { Studio } from './studio.ts'

/** What names and colours depend on: a studio, or a page that has only a world. */
export type Teller = Pick<Studio, 'module' | 'view' | 'seat' | 'names' | 'hovered'> & {
  readonly show: Pick<Show, 'states' | 'isReady'>
}

/** A piece of a sentence: plain, or the name of a thing (or of a wall, with a negative id). */
export type Part = string | { readonly id: number; readonly name: string }

/** What a thing is called, also when it is gone; a wall by its place in the map. */
export function nameOf(studio: Teller, id: number): string {
  if (id < 0) return `wall ${-1 - id}`
  const playerName = namesFor(studio.seat.value)
  const kept = studio.names.value.get(id)
  return (
    nameNow(studio.module, shownWorld(studio.show), id, playerName) ??
    (kept === undefined ? `something gone (#${id})` : fillName(kept, playerName))
  )
}

/** The event as the game says it; of a kind without a sentence its fields, with names for ids. */
export function tellEvent(studio: Teller, event: EventRecord): readonly Part[] {
  const named: { id: number; name: string }[] = []
  const sentence = sentenceWith(studio.module, event, (id) => {
    const name = nameOf(studio, id)
    named.push({ id, name })
    return name
  })
  if (sentence !== undefined) return splitNames(sentence, named)
  const fields = studio.module.game.declaration.events?.[event.kind] ?? {}
  return Object.entries(fields).flatMap(([field, spec], i): Part[] => {
    const value = (event as unknown as Record<string, number>)[field]
    const lead = `${i === 0 ? '' : ', '}${words(field)} `
    return spec === 'id' && value !== 0
      ? [lead, { id: value, name: nameOf(studio, value) }]
      : [`${lead}${short(value)}`]
  })
}

/** Finds the names in a sentence again, in the order in which they were asked for or any other. */
export function splitNames(sentence: string, named: readonly { id: number; name: string }[]): Part[] {
  const found = named
    .map(({ id, name }) => ({ id, ...placeOf(sentence, name) }))
    .filter(({ at }) => at >= 0)
    .sort((a, b) => a.at - b.at || b.length - a.length)
  const parts: Part[] = []
  let end = 0
  for (const { id, at, length } of found) {
    if (at < end) continue
    if (at > end) parts.push(sentence.slice(end, at))
    parts.push({ id, name: sentence.slice(at, at + length) })
    end = at + length
  }
  if (end < sentence.length) parts.push(sentence.slice(end))
  return parts
}

/** A person who is spoken to is "You", "you" or "Your". */
function placeOf(sentence: string, name: string): { at: number; length: number } {
  const at = sentence.toLowerCase().indexOf(name.toLowerCase())
  if (at >= 0) return { at, length: name.length }
  const yours = name.replace(/^You's/, 'your').toLowerCase()
  return { at: sentence.toLowerCase().indexOf(yours), length: yours.length }
}

/** What `why` said about two things, with their names. */
export function tellTrace(studio: Teller, { text, first, second, wall }: TraceEntry): readonly Part[] {
  const ids = wall === undefined ? [first, second] : [first]
  return namedParts(studio, text, ids)
}

function namedParts(studio: Teller, text: string, ids: readonly number[]): Part[] {
  return splitIds(text, ids).map((part) => (typeof part === 'string' ? part : { id: part, name: nameOf(studio, part) }))
}

/** One of the changes that `why` lists: `hp of things id 2: 30 → 18` is "P3's health: 30 → 18". */
export function tellChange(studio: Teller, change: string): readonly Part[] {
  const read = readChange(change)
  if (read === undefined) return namedParts(studio, change, [Number(/^\d+/.exec(change)?.[0] ?? 0)])
  const { column, id, before, after } = read
  const value = (text: string) => tellValue(studio, column, Number(text))
  return [{ id, name: nameOf(studio, id) }, `: ${columnWords(column)} ${value(before)} → ${value(after)}`]
}

/** Columns of the engine whose names are short for something. */
const COLUMN_WORDS: Readonly<Record<string, string>> = {
  hp: 'health',
  maxHp: 'full health',
  vx: 'speed x',
  vy: 'speed y',
  vz: 'speed z',
  invMass: 'inverse mass',
  endsAt: 'ends in',
}

export function columnWords(column: string): string {
  const [, name, place] = /^(\w+)(?:\[(\d+)\])?$/.exec(column) ?? [column, column]
  const said = COLUMN_WORDS[name] ?? (/(Until|At)$/.test(name) ? timerWords(name) : words(name))
  return place === undefined ? said : `${said} ${Number(place) + 1}`
}

/** A value as people read it: the time a timer has left, the name of what an id means, the name of a layer. */
export function tellValue(studio: Teller, column: string, value: number | undefined): string {
  if (value === undefined) return '–'
  const [, name] = /^(\w+)/.exec(column) ?? ['', column]
  const world = shownWorld(studio.show)
  const spec = world.tables.things.columns.find((each: { readonly name: string }) => each.name === name)?.spec
  const type = typeof spec === 'string' ? spec : spec?.type
  if (type === 'timer') return timeLeft(value - world.clock, world.game.declaration.tickRate)
  if (type === 'id' && name !== 'id' && value > 0) return nameOf(studio, value)
  if (name === 'layer') return String(world.game.layers.names[value] ?? value)
  return short(value)
}

/** `0.4 s (25)`: seconds for people, ticks for those who count them. */
function timeLeft(ticks: number, tickRate: number): string {
  return ticks <= 0 ? 'over' : `${short(Math.ceil((ticks / tickRate) * 100) / 100)} s (${ticks} ticks)`
}

/** `knockbackResistance` as words. */
export function words(name: string): string {
  return name.replace(/([a-z0-9])([A-Z])/g, (_, before: string, letter: string) => `${before} ${letter.toLowerCase()}`)
}

export function short(value: number): string {
  return typeof value === 'number' ? String(Math.round(value * 1000) / 1000) : String(value)
}
