/**
 * The files of a page, read into memory when the server starts.
 *
 * A request then names an entry of a map and never a file: there is no path to escape from, and nothing is read from disk
 * while matches run. It is some megabytes at most, packed once.
 */

import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, realpathSync } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import { extname, join, relative } from 'node:path'
import { constants, gzipSync } from 'node:zlib'
import { type Answer, Refusal } from './responses.ts'

type Asset = {
  readonly type: string
  readonly etag: string
  readonly body: Buffer
  readonly gzip: Buffer | undefined
  readonly cache: string
}

export type Assets = {
  /** The answer for a path, or undefined when there is no such file. */
  answer(path: string, request: IncomingMessage): Answer | undefined
}

const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.ico': 'image/x-icon',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.map': 'application/json; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.wasm': 'application/wasm',
  '.webmanifest': 'application/manifest+json',
  '.webp': 'image/webp',
  '.woff2': 'font/woff2',
}
/** Not worth packing: packed already. */
const PACKED = /\.(png|webp|woff2)$/
/** Vite puts a hash of the content into the names below this folder: they never change. */
const HASHED = /^\/assets\//

/** All files below a folder. */
export function loadAssets(folder: string): Assets {
  const assets = new Map<string, Asset>()
  // However the path is written: `./dist`, with a slash at its end, by a link.
  const root = realpathSync(folder)
  for (const entry of readdirSync(root, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue
    const file = join(entry.parentPath, entry.name)
    const path = `/${relative(root, file).replaceAll('\\', '/')}`
    assets.set(path, createAsset(path, readFileSync(file)))
  }
  const index = assets.get('/index.html')
  if (index) assets.set('/', index)

  return {
    answer(path, request) {
      const asset = assets.get(path)
      if (asset === undefined) return undefined
      if (request.method !== 'GET' && request.method !== 'HEAD') throw new Refusal(405, 'method', 'only GET and HEAD')
      const headers = { etag: asset.etag, 'cache-control': asset.cache, vary: 'accept-encoding' }
      if (request.headers['if-none-match'] === asset.etag) return { status: 304, headers }
      if (asset.gzip && /\bgzip\b/.test([request.headers['accept-encoding']].join())) {
        return { status: 200, type: asset.type, body: asset.gzip, headers: { ...headers, 'content-encoding': 'gzip' } }
      }
      return { status: 200, type: asset.type, body: asset.body, headers }
    },
  }
}

function createAsset(path: string, body: Buffer): Asset {
  return {
    type: TYPES[extname(path)] ?? 'application/octet-stream',
    etag: `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`,
    body,
    gzip: PACKED.test(path) ? undefined : gzipSync(body, { level: constants.Z_BEST_COMPRESSION }),
    cache: HASHED.test(path) ? 'public, max-age=31536000, immutable' : 'no-cache',
  }
}
