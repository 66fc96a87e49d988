/**
 * JSON for files and fingerprints: one spelling when written, no trust when read.
 *
 * Out: keys sorted, ASCII only, so that the same data is the same bytes on every machine and can be hashed. Data that
 * JSON would change silently (undefined, functions, NaN, classes) is refused with its path. In: size and depth are
 * limited before anything walks the text, because `JSON.parse` itself takes arrays nested 200,000 deep.
 */

import { HurtboxError } from '../../base/errors.ts'
import { badBytes } from './format.ts'

/** Deeper than any map or ability list; a structure that contains itself ends here, too. */
const MAX_DEPTH_OUT = 64
/** A header is four levels deep. */
const MAX_DEPTH_IN = 16

/** `value` as JSON with sorted keys. Typed arrays become arrays; -0 stays -0. `path` names the value in errors. */
export function canonicalJson(value: unknown, path: string, depth = 0): string {
  if (depth > MAX_DEPTH_OUT) throw notData(path, `is nested deeper than ${MAX_DEPTH_OUT} levels, or contains itself`)
  switch (typeof value) {
    case 'number':
      if (!Number.isFinite(value)) throw notData(path, `is ${value}`)
      return Object.is(value, -0) ? '-0' : String(value)
    case 'boolean':
      return String(value)
    case 'string':
      return JSON.stringify(value).replace(/[^ -~]/g, escapeUnit)
    case 'object':
      break
    default:
      throw notData(path, value === undefined ? 'is undefined' : `is a ${typeof value}`)
  }
  if (value === null) return 'null'
  if (Array.isArray(value) || (ArrayBuffer.isView(value) && !(value instanceof DataView))) {
    const items: string[] = []
    const list = value as ArrayLike<unknown>
    for (let i = 0; i < list.length; i++) items.push(canonicalJson(list[i], `${path}[${i}]`, depth + 1))
    return `[${items.join(',')}]`
  }
  const prototype = Object.getPrototypeOf(value)
  if (prototype !== null && Object.getPrototypeOf(prototype) !== null) {
    throw notData(path, `is an object of a class (${value.constructor?.name})`)
  }
  const record = value as Readonly<Record<string, unknown>>
  // The plain sort compares code units, the same everywhere.
  const members = Object.keys(record)
    .sort()
    .map((key) => `${canonicalJson(key, path)}:${canonicalJson(record[key], `${path}.${key}`, depth + 1)}`)
  return `{${members.join(',')}}`
}

/** The bytes of a text that `canonicalJson` made. */
export function asciiBytes(text: string): Uint8Array {
  return Uint8Array.from(text, (character) => character.charCodeAt(0))
}

/** Reads JSON from an untrusted source. The caller has limited the size. */
export function parseJson(bytes: Uint8Array): unknown {
  requireShallow(bytes)
  let text = ''
  // In pieces, because a call takes only so many arguments.
  for (let i = 0; i < bytes.length; i += 4096) text += String.fromCharCode(...bytes.subarray(i, i + 4096))
  try {
    return JSON.parse(text)
  } catch {
    throw badBytes('its text is not JSON')
  }
}

/** Brackets outside of strings, counted without recursion. */
function requireShallow(bytes: Uint8Array): void {
  let depth = 0
  let isText = false
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i]
    if (byte >= 0x80) throw badBytes('its text is not ASCII')
    if (byte === QUOTE) isText = !isText
    else if (isText) i += byte === BACKSLASH ? 1 : 0
    else if (byte === OPEN_LIST || byte === OPEN_RECORD) depth++
    else if (byte === CLOSE_LIST || byte === CLOSE_RECORD) depth--
    if (depth > MAX_DEPTH_IN) throw badBytes(`its text is nested deeper than ${MAX_DEPTH_IN} levels`)
  }
}

const QUOTE = 0x22
const BACKSLASH = 0x5c
const OPEN_LIST = 0x5b
const CLOSE_LIST = 0x5d
const OPEN_RECORD = 0x7b
const CLOSE_RECORD = 0x7d

function escapeUnit(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`
}

function notData(path: string, what: string): HurtboxError {
  return new HurtboxError(
    'bad-declaration',
    `${path} ${what}; it must be plain data (numbers, text, booleans, null, arrays, records), because it is hashed.`,
    { path },
  )
}
