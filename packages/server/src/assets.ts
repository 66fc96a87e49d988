/**
 * The files of a page, read into memory when the server starts.
 *
 * A request then names an entry of a map and never a file: there is no path to escape from, and nothing is read from disk
 * while matches run. It is some megabytes at most, packed once; what a build has packed itself (`main.js.br`, `main.js.gz`) is taken as it is.
 *
 * Types are those of `mrmime`, which sirv uses. Not sirv itself: it reads the disk for each request, packs nothing, and knows a file again by
 * size and time of change. All files of an npm package have the same time, so after an update a page whose size is the same would stay the old one.
 */

import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, realpathSync } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import { join, relative } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { lookup } from 'mrmime'
import { type Answer, Refusal } from './responses.ts'

type Asset = {
  readonly type: string
  readonly etag: string
  readonly body: Buffer
  /** Packed, by the name of the encoding: the smallest first. */
  readonly packed: readonly (readonly [encoding: string, body: Buffer])[]
  readonly cache: string
}

export type Assets = {
  /** The answer for a path, or undefined when there is no such file. */
  answer(path: string, request: IncomingMessage): Answer | undefined
}

/** Other types are packed already: pictures, sound, `woff2`. */
const PACKABLE = /^text\/|javascript|json|xml|wasm|^font\/[ot]tf|^model\/gltf-binary|^image\/(x-icon|bmp|vnd)/
const IS_TEXT = /^text\/|javascript|json|xml/
/** Smaller ones gain nothing. */
const PACKED_FROM_BYTES = 512
/** The largest quality that packs several megabytes within a start. */
const BROTLI_QUALITY = 5
/** Vite puts a hash of the content into the names below this folder: they never change. */
const HASHED = /^\/assets\//

/** All files below a folder. */
export function loadAssets(folder: string): Assets {
  const files = new Map<string, Buffer>()
  // However the path is written: `./dist`, with a slash at its end, by a link.
  const root = realpathSync(folder)
  for (const entry of readdirSync(root, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue
    const file = join(entry.parentPath, entry.name)
    const path = `/${relative(root, file).replaceAll('\\', '/')}`
    files.set(path, readFileSync(file))
  }
  const assets = new Map([...files].map(([path, body]) => [path, createAsset(path, body, files)]))
  const index = assets.get('/index.html')
  if (index) assets.set('/', index)

  return {
    answer(path, request) {
      const asset = assets.get(path)
      if (asset === undefined) return undefined
      if (request.method !== 'GET' && request.method !== 'HEAD') throw new Refusal(405, 'method', 'only GET and HEAD')
      return answerOf(asset, request.headers)
    },
  }
}

function answerOf({ type, etag, cache, packed, body }: Asset, headers: IncomingMessage['headers']): Answer {
  const about = { etag, 'cache-control': cache, vary: 'accept-encoding', 'accept-ranges': 'bytes' }
  if (matches(headers['if-none-match'], etag)) return { status: 304, headers: about }
  // A part of what was there before is of no use.
  const isSame = headers['if-range'] === undefined || headers['if-range'] === etag
  const range = isSame ? rangeOf(headers.range, body.length) : undefined
  if (range === 'none') {
    return { status: 416, headers: { ...about, 'content-range': `bytes */${body.length}` } }
  }
  if (range !== undefined) {
    const [from, to] = range
    const part = { ...about, 'content-range': `bytes ${from}-${to}/${body.length}` }
    return { status: 206, type, body: body.subarray(from, to + 1), headers: part }
  }
  const accepted = acceptedBy(String(headers['accept-encoding'] ?? ''))
  const [encoding, bytes] = packed.find(([name]) => accepted.has(name)) ?? []
  if (bytes === undefined) return { status: 200, type, body, headers: about }
  return { status: 200, type, body: bytes, headers: { ...about, 'content-encoding': encoding! } }
}

/** A cache may have several, and a proxy that packs makes them weak. */
function matches(header: string | undefined, etag: string): boolean {
  return header?.split(',').some((each) => each.trim().replace(/^W\//, '') === etag) === true
}

/** The encodings that a client takes: those of quality 0 it does not. */
function acceptedBy(header: string): ReadonlySet<string> {
  const names = header.split(',').map((each) => each.split(';'))
  const taken = names.filter(([, quality = '']) => !/^\s*q=0(\.0*)?\s*$/.test(quality))
  return new Set(taken.map(([name]) => name.trim().toLowerCase()))
}

/** First and last byte of the one range that is asked for; `none` where it lies behind the end. Several, or none, get the whole file. */
function rangeOf(header: string | undefined, length: number): readonly [number, number] | 'none' | undefined {
  const [, first, last] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header ?? '') ?? []
  if (first === undefined || (first === '' && last === '')) return undefined
  const isSuffix = first === ''
  const from = isSuffix ? Math.max(0, length - Number(last)) : Number(first)
  const to = isSuffix || last === '' ? length - 1 : Math.min(Number(last), length - 1)
  // Backwards it is no range at all.
  if (!isSuffix && last !== '' && Number(last) < from) return undefined
  return from >= length ? 'none' : [from, to]
}

function createAsset(path: string, body: Buffer, siblings: ReadonlyMap<string, Buffer>): Asset {
  const kind = lookup(path) ?? 'application/octet-stream'
  const pack = (encoding: string, ending: string, work: () => Buffer): [string, Buffer][] => {
    const found = siblings.get(path + ending)
    if (found === undefined && (!PACKABLE.test(kind) || body.length < PACKED_FROM_BYTES)) return []
    const packed = found ?? work()
    return packed.length < body.length ? [[encoding, packed]] : []
  }
  const quality = { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY, [constants.BROTLI_PARAM_SIZE_HINT]: body.length }
  return {
    type: IS_TEXT.test(kind) ? `${kind}; charset=utf-8` : kind,
    etag: `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`,
    body,
    packed: [
      ...pack('br', '.br', () => brotliCompressSync(body, { params: quality })),
      ...pack('gzip', '.gz', () => gzipSync(body)),
    ],
    cache: HASHED.test(path) ? 'public, max-age=31536000, immutable' : 'no-cache',
  }
}
