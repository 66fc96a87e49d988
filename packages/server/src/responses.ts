/** Answers: every one with the headers that keep a browser from doing more with it than we mean. */

import type { FileHandle } from 'node:fs/promises'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { pipeline } from 'node:stream/promises'

export type Answer = {
  readonly status: number
  readonly type?: string
  readonly body?: string | Buffer | FileBody
  readonly headers?: Readonly<Record<string, string | string[]>>
}

/** An open file that is sent piece by piece, as fast as it is read at the other end. */
type FileBody = {
  readonly file: FileHandle
  readonly bytes: number
  /** Called once, when the file is sent or never will be. */
  readonly done: () => void
}

/** Rejects a request. Thrown where the request is read, answered in one place. */
export class Refusal extends Error {
  override readonly name = 'Refusal'
  readonly status: number
  /** For the counter of refusals: one of a few words. */
  readonly reason: string

  constructor(status: number, reason: string, message: string) {
    super(message)
    this.status = status
    this.reason = reason
  }
}

/**
 * The headers of all answers. Scripts, styles and workers come from here alone, nothing is inline, no page may frame us.
 * `connectSources` are other servers a page may talk to, `own` what the operator allows its page besides.
 */
export function securityHeaders(
  connectSources: readonly string[],
  own: Readonly<Record<string, string>> = {},
): Readonly<Record<string, string>> {
  const policy = {
    'default-src': "'none'",
    'script-src': "'self'",
    'style-src': "'self'",
    'img-src': "'self' data: blob:",
    'media-src': "'self' blob:",
    'font-src': "'self'",
    'worker-src': "'self'",
    'connect-src': ["'self'", ...connectSources].join(' '),
    'manifest-src': "'self'",
    'base-uri': "'none'",
    'form-action': "'none'",
    'frame-ancestors': "'none'",
    ...own,
  }
  return {
    'content-security-policy': Object.entries(policy)
      .map(([name, value]) => `${name} ${value}`)
      .join('; '),
    'cross-origin-resource-policy': 'same-origin',
    'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    // Older than `frame-ancestors`, and knows no list.
    ...(own['frame-ancestors'] === undefined && { 'x-frame-options': 'DENY' }),
  }
}

/**
 * What browsers take from trustworthy addresses only (https, or this machine) and complain about elsewhere. They say themselves which
 * it is: `Sec-Fetch-` headers are sent to such addresses alone. Behind a proxy we could not know.
 */
export function trustedHeaders({ headers }: IncomingMessage): Readonly<Record<string, string>> {
  return headers['sec-fetch-site'] === undefined ? {} : { 'cross-origin-opener-policy': 'same-origin' }
}

export function json(status: number, value: unknown): Answer {
  return { status, type: 'application/json; charset=utf-8', body: JSON.stringify(value) }
}

export function text(status: number, body: string): Answer {
  return { status, type: 'text/plain; charset=utf-8', body }
}

export function send(response: ServerResponse, answer: Answer, headers: Readonly<Record<string, string>>): void {
  const body = answer.body ?? ''
  const isFile = typeof body === 'object' && 'file' in body
  if (response.headersSent || response.destroyed) {
    if (isFile) closeFile(body)
    return
  }
  response.writeHead(answer.status, {
    ...headers,
    'cache-control': 'no-store',
    ...(answer.type && { 'content-type': answer.type }),
    ...answer.headers,
    ...(answer.status !== 304 && { 'content-length': isFile ? body.bytes : Buffer.byteLength(body) }),
  })
  const isHead = response.req.method === 'HEAD'
  if (!isFile) response.end(isHead ? undefined : body)
  else if (isHead) {
    closeFile(body)
    response.end()
  } else sendFile(response, body)
}

const FILE_PIECE = 64 * 1024
/** A download may take half a minute, and as long as it takes at 16 kB/s. Slower readers would keep others waiting. */
const FILE_MS = 30_000
const FILE_BYTES_PER_MS = 16

function sendFile(response: ServerResponse, body: FileBody): void {
  const { file, bytes, done } = body
  if (bytes === 0) {
    closeFile(body)
    response.end()
    return
  }
  const stream = file.createReadStream({ start: 0, end: bytes - 1, highWaterMark: FILE_PIECE })
  const signal = AbortSignal.timeout(FILE_MS + Math.ceil(bytes / FILE_BYTES_PER_MS))
  // It fails when the reader leaves or stands still. The stream closes the file either way.
  pipeline(stream, response, { signal })
    .catch(() => response.destroy())
    .finally(done)
}

function closeFile({ file, done }: FileBody): void {
  file
    .close()
    .catch(() => {})
    .finally(done)
}

/** Time a client has to read why its body was refused before the connection is cut. */
const REFUSED_BODY_MS = 1_000

/** The body as a JSON object, of at most `maxBytes`. */
export async function readJsonObject(request: IncomingMessage, maxBytes: number): Promise<Record<string, unknown>> {
  if (!/^application\/json\b/.test(request.headers['content-type'] ?? '')) {
    throw new Refusal(415, 'body', 'the body must be application/json')
  }
  const bytes = await readBody(request, maxBytes)
  let value: unknown
  try {
    value = JSON.parse(bytes.toString('utf8') || '{}', refuseDangerousKeys)
  } catch (error) {
    throw error instanceof Refusal ? error : new Refusal(400, 'body', 'the body is no JSON')
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new Refusal(400, 'body', 'the body must be a JSON object')
  }
  return value as Record<string, unknown>
}

export function readBody(request: IncomingMessage, maxBytes: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let size = 0
    request.on('data', (chunk: Buffer) => {
      size += chunk.length
      // Beyond the limit it is read on but not kept: a connection cut within a body loses the answer, too.
      if (size <= maxBytes) chunks.push(chunk)
      else refuse()
    })
    request.on('end', () => resolve(Buffer.concat(chunks)))
    request.on('error', reject)
    if (Number(request.headers['content-length'] ?? 0) > maxBytes) refuse()

    function refuse(): void {
      setTimeout(() => request.destroy(), REFUSED_BODY_MS).unref()
      reject(new Refusal(413, 'body', `the body may have ${maxBytes} bytes`))
    }
  })
}

/** Options travel through merges that are not ours. These keys would reach the prototype of every object there. */
function refuseDangerousKeys(key: string, value: unknown): unknown {
  if (key === '__proto__' || key === 'constructor' || key === 'prototype') {
    throw new Refusal(400, 'body', `the key ${key} is not allowed`)
  }
  return value
}
