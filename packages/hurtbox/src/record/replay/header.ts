/**
 * The header of a replay: which game, and how the match started.
 *
 * JSON, because it is read once, may be read by tools of other languages, and must still be understood when the game is
 * gone: it names the rules, and describes the layout column by column. Everything in it is checked as it is read.
 */

import { HurtboxError } from '../../base/errors.ts'
import type { AnyGame } from '../../world/game.ts'
import type { Setup } from '../session/session.ts'
import { describeLayout, ENGINE_VERSION, type Fingerprint, fingerprint, type LayoutDescription } from './fingerprint.ts'
import {
  badBytes,
  CHUNK,
  type Chain,
  FORMAT_VERSION,
  nameChunk,
  openFile,
  plainBytes,
  readChunk,
  sealChunk,
} from './format.ts'
import { asciiBytes, canonicalJson, parseJson } from './json.ts'

export type ReplayHeader = {
  readonly formatVersion: number
  /** Version of the engine that wrote it. */
  readonly engine: string
  /** Id of the game. */
  readonly game: string
  readonly rulesVersion: number
  readonly tickRate: number
  readonly fingerprint: Fingerprint
  readonly setup: Setup
  readonly layout: LayoutDescription
  /** Of a game that declares one, or was given a smaller one. */
  readonly eventCapacity?: number
}

/** Some fifty times what a large game needs. */
const MAX_HEADER_BYTES = 1 << 20

export function writeHeader(game: AnyGame, setup: Setup, chain: Chain): Uint8Array {
  const { id, rulesVersion, tickRate, eventCapacity } = game.declaration
  const header: Omit<ReplayHeader, 'formatVersion'> = {
    engine: ENGINE_VERSION,
    game: id,
    rulesVersion,
    tickRate,
    fingerprint: fingerprint(game),
    setup,
    layout: describeLayout(game),
    ...(eventCapacity !== undefined && { eventCapacity }),
  }
  return sealChunk(chain, CHUNK.header, asciiBytes(canonicalJson(header, 'header')))
}

/** Reads the header without knowing the game: to find the game, or to describe the file. */
export function readReplayHeader(bytes: Uint8Array): ReplayHeader {
  return openReplay(plainBytes(bytes)).header
}

/** The header, and where the chunks after it begin. */
export function openReplay(bytes: Uint8Array): {
  readonly header: ReplayHeader
  readonly at: number
  readonly chain: Chain
} {
  const { at, chain } = openFile(bytes)
  if (at === bytes.length) throw badHeader('the file ends before its header')
  const chunk = readChunk(bytes, at, chain)
  if (chunk.state === 'cut') throw badHeader(`the file ends inside ${nameChunk(chunk)}, which should be its header`)
  if (chunk.state === 'damaged') throw badHeader(`${nameChunk(chunk)}, which should be its header, is damaged`)
  if (chunk.type !== CHUNK.header) throw badHeader('the first chunk is not a header')
  if (chunk.payload.length > MAX_HEADER_BYTES) {
    throw badHeader(`the header has ${chunk.payload.length} bytes; at most ${MAX_HEADER_BYTES} are read`)
  }
  try {
    return { header: checkHeader(parseJson(chunk.payload)), at: chunk.end, chain }
  } catch (error) {
    if (error instanceof HurtboxError) throw badHeader(`the header cannot be read: ${error.message}`)
    throw error
  }
}

function badHeader(what: string): HurtboxError {
  return new HurtboxError('bad-replay', `${what}. Without its header a replay cannot be read; get the file again.`)
}

/** Copies what is known, field by field, so that nothing else of the file gets into the program. */
function checkHeader(json: unknown): ReplayHeader {
  const header = recordOf(json, 'header')
  const print = recordOf(header.fingerprint, 'fingerprint')
  const setup = recordOf(header.setup, 'setup')
  const layout = recordOf(header.layout, 'layout')
  return {
    formatVersion: FORMAT_VERSION,
    engine: textOf(header.engine, 'engine'),
    game: textOf(header.game, 'game'),
    rulesVersion: numberOf(header.rulesVersion, 'rulesVersion'),
    tickRate: numberOf(header.tickRate, 'tickRate'),
    fingerprint: { hash: textOf(print.hash, 'fingerprint.hash'), parts: mapOf(print.parts, 'parts', textOf) },
    setup: {
      seed: numberOf(setup.seed, 'seed'),
      options: mapOf(setup.options, 'options', optionOf),
      tuning: mapOf(setup.tuning, 'tuning', numberOf),
    },
    ...(header.eventCapacity !== undefined && { eventCapacity: numberOf(header.eventCapacity, 'eventCapacity') }),
    layout: {
      streams: listOf(layout.streams, 'streams').map((name) => textOf(name, 'stream')),
      tables: listOf(layout.tables, 'tables').map((table) => {
        const [name, capacity] = listOf(table, 'table')
        return [textOf(name, 'table'), numberOf(capacity, 'capacity')]
      }),
      regions: listOf(layout.regions, 'regions').map((region) => {
        const [table, column, type, width, rows] = listOf(region, 'region')
        return [
          numberOf(table, 'table'),
          textOf(column, 'column'),
          textOf(type, 'type'),
          numberOf(width, 'width'),
          numberOf(rows, 'rows'),
        ]
      }),
    },
  }
}

function recordOf(value: unknown, what: string): Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw badBytes(`${what} must be a record`)
  return value as Readonly<Record<string, unknown>>
}

function listOf(value: unknown, what: string): readonly unknown[] {
  if (!Array.isArray(value)) throw badBytes(`${what} must be a list`)
  return value
}

function mapOf<T>(value: unknown, what: string, itemOf: (value: unknown, what: string) => T): Record<string, T> {
  const map: Record<string, T> = {}
  for (const [name, item] of Object.entries(recordOf(value, what))) {
    // No name of a game is one of these, and copying the key `__proto__` would replace the record's prototype.
    if (name in Object.prototype) throw badBytes(`${what} has the key "${name}"`)
    map[name] = itemOf(item, `${what}.${name}`)
  }
  return map
}

function textOf(value: unknown, what: string): string {
  if (typeof value !== 'string') throw badBytes(`${what} must be a text`)
  return value
}

function numberOf(value: unknown, what: string): number {
  if (typeof value !== 'number' || !Number.isFinite(value)) throw badBytes(`${what} must be a number`)
  return value
}

function optionOf(value: unknown, what: string): boolean | number | string {
  if (typeof value === 'boolean') return value
  return typeof value === 'string' ? value : numberOf(value, what)
}
