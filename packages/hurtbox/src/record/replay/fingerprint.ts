/**
 * The fingerprint of a game: what two builds must share to play together or to read each other's replays.
 *
 * It is not a hash of the source text: the same rules, plain and minified, are different texts. Instead it covers what
 * the game declares (layout, layers, input, …), and the state after a fixed probe scene, which differs as soon as rules
 * behave differently, and states in which things were brought together. Each part is kept on its own, so that a refusal can say what differs. Texts for people (`help`)
 * are no part of it.
 */

import { columnType, columnWidth } from '../../state/columns.ts'
import { hashBytes } from '../../state/hash.ts'
import type { AnyGame, Declaration } from '../../world/game.ts'
import type { InputSpecs } from '../../world/input.ts'
import { type ContactsProbe, runContactsProbe } from './contacts-probe.ts'
import { asciiBytes, canonicalJson } from './json.ts'
import { runProbe } from './probe.ts'

/** Equal to the version in package.json; a test holds that. */
export const ENGINE_VERSION = '0.1.0'

export type Fingerprint = {
  /** 16 hexadecimal digits over all parts. */
  readonly hash: string
  /** Each part as canonical JSON where that is short, else as a hash of it. */
  readonly parts: Readonly<Record<string, string>>
}

/** The state block in plain data: enough to name every byte of a keyframe when the game is long gone. */
export type LayoutDescription = {
  readonly streams: readonly string[]
  /** Name and capacity, in the order of the block. */
  readonly tables: readonly (readonly [name: string, capacity: number])[]
  /** Number of the table (-1: an array, globals or tuning), column, type, values a row, rows. */
  readonly regions: readonly (readonly [table: number, column: string, type: string, width: number, rows: number])[]
}

/** Parts that are what the rules do. */
const BEHAVIOUR: readonly string[] = ['probe', 'contacts']

/** Longer parts are shown by their hash. */
const MAX_SHOWN = 40

// Computed once per game, because the probe steps a world. A game is frozen, so its fingerprint cannot change.
const known = new WeakMap<AnyGame, Fingerprint>()

export function fingerprint(game: AnyGame): Fingerprint {
  let found = known.get(game)
  if (found === undefined) {
    found = computeFingerprint(game)
    known.set(game, found)
  }
  return found
}

const probed = new WeakMap<AnyGame, ContactsProbe>()

function contactsOf(game: AnyGame): ContactsProbe {
  let found = probed.get(game)
  if (found === undefined) {
    found = runContactsProbe(game)
    probed.set(game, found)
  }
  return found
}

/**
 * The rules of `collide` that no probe of the fingerprint comes to: two builds that differ only in them have one fingerprint, so a change of
 * them needs a new `rulesVersion`.
 */
export function unprobedRules(game: AnyGame): readonly string[] {
  return contactsOf(game).unreached
}

/** What differs between two fingerprints, or only in the parts given, a sentence for each; empty when they are equal. */
export function compareFingerprints(
  here: Fingerprint,
  there: Fingerprint,
  names: Iterable<string> = new Set([...Object.keys(here.parts), ...Object.keys(there.parts)]),
): string[] {
  const differences: string[] = []
  for (const name of names) {
    const [a, b] = [partOf(here, name), partOf(there, name)]
    if (a === b) continue
    const values = isHash(a) || isHash(b) ? 'differs' : `is ${a} here and ${b} there`
    differences.push(`${name} ${values}${BEHAVIOUR.includes(name) ? ' (the rules behave differently)' : ''}`)
  }
  return differences
}

export function describeLayout(game: AnyGame): LayoutDescription {
  const { layout, declaration } = game
  return {
    streams: declaration.streams ?? [],
    tables: layout.tableNames.map((name, table) => [name, layout.capacities[table]]),
    regions: layout.regions.map(({ table, column, spec, capacity }) => [
      table,
      column,
      columnType(spec),
      columnWidth(spec),
      capacity,
    ]),
  }
}

function computeFingerprint(game: AnyGame): Fingerprint {
  const parts: Record<string, string> = {}
  for (const [name, value] of Object.entries(describeGame(game))) {
    const text = canonicalJson(value, name)
    parts[name] = text.length <= MAX_SHOWN ? text : hashText(text)
  }
  parts.probe = runProbe(game)
  parts.contacts = hashText(contactsOf(game).outcomes.join())
  return Object.freeze({ hash: hashText(canonicalJson(parts, 'parts')), parts: Object.freeze(parts) })
}

/** Order is meaning in most of these (of columns, of input fields, of layers), so records become lists of pairs. */
function describeGame(game: AnyGame): Record<string, unknown> {
  const { id, rulesVersion, tickRate, seats, options, tuning, events, eventCapacity, content, join }: Declaration =
    game.declaration
  const { streams, ...layout } = describeLayout(game)
  return {
    engine: ENGINE_VERSION,
    game: id,
    rulesVersion,
    tickRate,
    seats: [seats.min, seats.max],
    layout,
    layers: [game.layers.names, game.layers.meets.subarray(0, game.layers.names.length)],
    streams,
    input: inputPairs(game.input.specs),
    // Only where there is any: games without keep their fingerprints.
    ...(join && { join: inputPairs(join) }),
    events: [eventCapacity ?? null, Object.entries(events ?? {}).map(([name, fields]) => [name, pairs(fields)])],
    options: withoutHelp(options ?? {}),
    tuning: withoutHelp(tuning ?? {}),
    content: content ?? {},
  }
}

function inputPairs(specs: InputSpecs): unknown[] {
  return Object.entries(specs).map(([name, spec]) => [
    name,
    spec.kind === 'list' ? { ...spec, fields: inputPairs(spec.fields) } : spec,
  ])
}

function withoutHelp(specs: Readonly<Record<string, { readonly help: string }>>): unknown[] {
  return Object.entries(specs).map(([name, { help: _, ...spec }]) => [name, spec])
}

function pairs(record: Readonly<Record<string, unknown>>): unknown[] {
  return Object.entries(record)
}

function hashText(text: string): string {
  return hashBytes(asciiBytes(text))
}

function partOf(print: Fingerprint, name: string): string {
  return Object.hasOwn(print.parts, name) ? print.parts[name] : 'missing'
}

function isHash(part: string): boolean {
  return /^[0-9a-f]{16}$/.test(part)
}
