/**
 * Checking content: every error names the file, the ability and the field.
 *
 * Readers take a value out of a record, check it and return it with its type. Unknown fields are refused: a misspelt field
 * would otherwise silently be the default.
 */

import { HurtboxError, MAX_MAGNITUDE, nearestNames } from '../../base/errors.ts'

/** A place in the content. */
export type FieldPath = { readonly source: string; readonly ability: string; readonly field: string }

export function fail(place: FieldPath, message: string): HurtboxError {
  const { source, ability, field } = place
  const where = field === '' ? `ability "${ability}"` : `ability "${ability}", ${field}`
  return new HurtboxError('bad-declaration', `${source}: ${where} ${message}`, { ...place })
}

export function fieldIn(place: FieldPath, field: string): FieldPath {
  return { ...place, field: place.field === '' ? field : `${place.field}.${field}` }
}

export type Fields = Readonly<Record<string, unknown>>

/** A record without other fields than these. */
export function readFields(value: unknown, place: FieldPath, known: readonly string[]): Fields {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw fail(place, 'must be a record { … }.')
  for (const name of Object.keys(value)) {
    if (known.includes(name)) continue
    throw fail(fieldIn(place, name), `is not known. Known: ${nearestNames(name, known).join(', ')}.`)
  }
  return value as Fields
}

export type Range = { readonly min?: number; readonly max?: number; readonly otherwise?: number }

export function readNumber(fields: Fields, name: string, place: FieldPath, range: Range = {}): number {
  const { min = -MAX_MAGNITUDE, max = MAX_MAGNITUDE, otherwise } = range
  const value = fields[name]
  if (value === undefined && otherwise !== undefined) return otherwise
  if (typeof value !== 'number' || !(value >= min && value <= max)) {
    throw fail(fieldIn(place, name), `must be a number from ${min} to ${max}, got ${shown(value)}.`)
  }
  return value + 0
}

/** The longest duration that content may ask for: a quarter of an hour at 64 ticks a second. */
const MOST_TICKS = 57_600

export function readWhole(fields: Fields, name: string, place: FieldPath, range: Range = {}): number {
  const { min = 0, max = MOST_TICKS, otherwise } = range
  const value = fields[name]
  if (value === undefined && otherwise !== undefined) return otherwise
  if (typeof value !== 'number' || !Number.isInteger(value) || value < min || value > max) {
    throw fail(fieldIn(place, name), `must be a whole number from ${min} to ${max}, got ${shown(value)}.`)
  }
  return value
}

export function readFlag(fields: Fields, name: string, place: FieldPath): boolean {
  const value = fields[name]
  if (value === undefined || typeof value === 'boolean') return value === true
  throw fail(fieldIn(place, name), `must be true or false, got ${shown(value)}.`)
}

/** One of some words. */
export function readWord<W extends string>(
  fields: Fields,
  name: string,
  place: FieldPath,
  words: readonly W[],
  otherwise?: NoInfer<W>,
): W {
  const value = fields[name] ?? otherwise
  const at = words.indexOf(value as W)
  if (at >= 0) return words[at]
  throw fail(fieldIn(place, name), `must be one of ${words.join(', ')}, got ${shown(value)}.`)
}

export function readThree(fields: Fields, name: string, place: FieldPath, min = -MAX_MAGNITUDE): readonly number[] {
  const value = fields[name]
  if (!Array.isArray(value) || value.length !== 3) {
    throw fail(fieldIn(place, name), `must be three numbers, got ${shown(value)}.`)
  }
  return value.map((part, i) => {
    if (typeof part === 'number' && part >= min && part <= MAX_MAGNITUDE) return part + 0
    throw fail(fieldIn(place, `${name}[${i}]`), `must be a number from ${min} to ${MAX_MAGNITUDE}, got ${shown(part)}.`)
  })
}

export function shown(value: unknown): string {
  if (value === undefined) return 'nothing'
  if (typeof value === 'number') return String(value)
  return JSON.stringify(value) ?? typeof value
}
