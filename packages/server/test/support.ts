/** A server for a test file, and the raw clients that no library would give: too much, too slow, half open. */

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { type Agent, type IncomingHttpHeaders, request } from 'node:http'
import { connect, type Socket } from 'node:net'
import { fileURLToPath } from 'node:url'
import { LIMITS, type Limits } from '../src/limits.ts'
import { createServer, type HurtboxServer, type ServerOptions } from '../src/server.ts'
import { BrokenRoom, EchoRoom, FirehoseRoom } from './rooms.ts'

export type Reachable = { readonly url: string; readonly port: number }
export type TestServer = HurtboxServer & Reachable
export type ServerProcess = Reachable & { readonly child: ChildProcess; stop(): Promise<void> }

export const TOKEN = 'a-token-for-tests'

export async function startTestServer(
  options: Partial<Omit<ServerOptions, 'limits'>> & { limits?: Partial<Limits> } = {},
): Promise<TestServer> {
  const server = createServer({
    rooms: [
      { name: 'echo', room: EchoRoom },
      { name: 'firehose', room: FirehoseRoom },
      { name: 'broken', room: BrokenRoom },
    ],
    token: TOKEN,
    ...options,
    // Tests share the event loop with the server, and the machine with each other: admission by load has a test of its own.
    limits: { ...LIMITS, load: 10, loopDelayMs: 60_000, ...options.limits },
  })
  const url = await server.listen(0, '127.0.0.1')
  return { ...server, url, port: Number(new URL(url).port) }
}

/** The same in a process of its own. */
export async function startServerProcess(
  options: { limits?: Partial<Limits>; redisUrl?: string; replayFolder?: string; pageFolder?: string } = {},
): Promise<ServerProcess> {
  const script = fileURLToPath(new URL('server-process.ts', import.meta.url))
  const child = spawn(process.execPath, [script, JSON.stringify({ token: TOKEN, ...options })], {
    // The channel closes when we end, however we end; then so does the server.
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    env: { PATH: process.env.PATH },
  })
  const ended = once(child, 'exit')
  const [line] = await Promise.race([once(child.stdout!, 'data'), ended.then(() => ['ended'])])
  const url = String(line).trim()
  return {
    url,
    port: Number(new URL(url).port),
    child,
    async stop() {
      child.kill()
      const timer = setTimeout(() => child.kill('SIGKILL'), 10_000)
      await ended
      clearTimeout(timer)
    },
  }
}

export type Reply = { readonly status: number; readonly headers: IncomingHttpHeaders; readonly body: string }

type Asking = {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  /** The address it comes from; all of 127.0.0.0/8 is this machine. */
  readonly from?: string
  /** Default: a connection of its own. */
  readonly agent?: Agent
}

/** A request as it is given: the path is not tidied up, any header may be set, and the body may be as large as it likes. */
export function ask(
  server: Reachable,
  path: string,
  { method = 'GET', headers = {}, body, from = '127.0.0.1', agent }: Asking = {},
): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const to = { host: '127.0.0.1', port: server.port, localAddress: from, agent: agent ?? false }
    const asked = request({ ...to, path, method, headers }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk) => chunks.push(chunk))
      response.on('end', () => {
        resolve({ status: response.statusCode!, headers: response.headers, body: Buffer.concat(chunks).toString() })
        if (agent === undefined) asked.destroy()
      })
    })
    asked.on('error', reject)
    asked.end(body)
  })
}

/** A seat by plain HTTP. */
export async function reserve(
  server: Reachable,
  method: string,
  room: string,
  body = '{}',
  headers = {},
): Promise<Reply> {
  return ask(server, `/matchmake/${method}/${room}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body,
  })
}

export function seatPath(reply: Reply): string {
  const { processId, roomId, sessionId } = JSON.parse(reply.body)
  return `/${processId}/${roomId}?sessionId=${sessionId}`
}

/** A bare connection that has sent `head`. */
export function openConnection(server: Reachable, head: string, from = '127.0.0.1'): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port: server.port, host: '127.0.0.1', localAddress: from }, () => {
      socket.write(head)
      resolve(socket)
    })
    socket.on('error', reject)
  })
}

/** Asks until it is so; says what it was waiting for when it never is. */
export async function until(what: string, isSo: () => boolean | Promise<boolean>, withinMs = 10_000): Promise<number> {
  const start = performance.now()
  while (!(await isSo())) {
    if (performance.now() - start > withinMs) throw new Error(`not within ${withinMs} ms: ${what}`)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  return performance.now() - start
}

/** The sum of a metric over all its labels that include the given text. */
export async function metricOf(server: Reachable, name: string, labels = ''): Promise<number> {
  const { body } = await ask(server, '/metrics', { headers: { authorization: `Bearer ${TOKEN}` } })
  let sum = 0
  for (const [, found, value] of body.matchAll(new RegExp(`^${name}(?:\\{(.*)\\})? (\\S+)$`, 'gm'))) {
    if ((found ?? '').includes(labels)) sum += Number(value)
  }
  return sum
}
