/**
 * One attacker, one address, as fast as it can: `node attack.ts <kind> <port> <host> <sink or server> <ms>`.
 *
 * In a process of its own, so that the time it takes is the same whatever it floods. A server that throws it out sees it again at
 * once, as long as it is let in.
 */

import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { WebSocket } from 'ws'

export const FLOODS = ['messages', 'pings', 'requests', 'half-open', 'ipv6', 'reservations', 'downloads'] as const
export type Flood = (typeof FLOODS)[number]

const ATTACKER = '127.0.0.66'

type Target = { readonly port: number; readonly host: string; readonly isSink: boolean }

async function attack(kind: Flood, target: Target, until: number): Promise<void> {
  const lanes = Array.from({ length: kind === 'half-open' || kind === 'ipv6' ? 1 : 8 }, async () => {
    while (performance.now() < until) {
      await ATTACKS[kind](target, until).catch(() => {})
      // A refusal comes at once; the attacker asks again at once, but not in a loop that never lets go.
      await new Promise((resolve) => setImmediate(resolve))
    }
  })
  await Promise.all(lanes)
}

const MASK = [1, 2, 3, 4]
const TEXT_FRAME = Buffer.from([0x82, 0x84, ...MASK, 13 ^ 1, 0xa1 ^ 2, 0x78 ^ 3, 0xc0 ^ 4])
const PING_FRAME = Buffer.from([0x89, 0x80, ...MASK])

const ATTACKS: Readonly<Record<Flood, (target: Target, until: number) => Promise<void>>> = {
  messages: (target, until) => floodSocket(target, TEXT_FRAME, until),
  pings: (target, until) => floodSocket(target, PING_FRAME, until),
  requests: (target, until) => pipeline(target, 'GET /health HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n', 500, until),
  reservations: (target, until) => pipeline(target, post('/matchmake/joinOrCreate/echo', '{}'), 50, until),
  downloads: (target, until) =>
    pipeline(target, 'GET /replays/none.hbr HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n', 100, until),
  'half-open': (target, until) => halfOpen(target, until),
  ipv6: (target, until) => halfOpen(target, until),
}

function post(path: string, body: string): string {
  const head = ['host: 127.0.0.1', 'content-type: application/json', `content-length: ${body.length}`]
  return `POST ${path} HTTP/1.1\r\n${head.join('\r\n')}\r\n\r\n${body}`
}

function open({ port, host }: Target): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host, ...(host === '127.0.0.1' && { localAddress: ATTACKER }) }, () =>
      resolve(socket),
    )
    socket.on('error', reject)
  })
}

/** Writes until the other side closes, as fast as it takes it. */
async function writeAll(socket: Socket, bytes: Buffer, until: number): Promise<void> {
  const closing = once(socket, 'close')
  socket.on('error', () => {}).on('data', () => {})
  while (!socket.destroyed && performance.now() < until) {
    if (socket.write(bytes)) await new Promise((resolve) => setImmediate(resolve))
    else await Promise.race([once(socket, 'drain'), closing, new Promise((resolve) => setTimeout(resolve, 100))])
  }
  socket.destroy()
}

async function pipeline(target: Target, request: string, times: number, until: number): Promise<void> {
  await writeAll(await open(target), Buffer.from(request.repeat(times)), until)
}

async function floodSocket(target: Target, frame: Buffer, until: number): Promise<void> {
  const { port, isSink } = target
  let path = '/a/b'
  if (!isSink) {
    const socket = await open(target)
    socket.write(post('/matchmake/joinOrCreate/echo', '{}'))
    const [answer] = await once(socket, 'data')
    socket.destroy()
    const { processId, roomId, sessionId } = JSON.parse(/\{.*\}/s.exec(String(answer))![0])
    path = `/${processId}/${roomId}?sessionId=${sessionId}`
  }
  const socket = new WebSocket(`ws://127.0.0.1:${port}${path}`, { localAddress: ATTACKER })
  socket.on('error', () => {})
  await once(socket, 'open')
  const connection = (socket as unknown as { readonly _socket: Socket })._socket
  // What comes back is thrown away unread: the attacker needs its time for sending.
  connection.removeAllListeners('data')
  await writeAll(connection, Buffer.concat(Array.from({ length: 500 }, () => frame)), until)
}

async function halfOpen(target: Target, until: number): Promise<void> {
  const sockets: Socket[] = []
  while (performance.now() < until) {
    const socket = connect({ port: target.port, host: target.host })
    socket.on('error', () => {}).on('data', () => {})
    socket.once('connect', () => void socket.write('GET / HTTP/1.1\r\nx-slow: '))
    if (sockets.push(socket) > 300) sockets.shift()!.destroy()
    if (sockets.length % 10 === 0) await new Promise((resolve) => setTimeout(resolve, 1))
  }
  for (const socket of sockets) socket.destroy()
}

if (import.meta.main) {
  const [kind, port, host, what, ms] = process.argv.slice(2) as [Flood, string, string, string, string]
  process.on('uncaughtException', () => {})
  const until = performance.now() + Number(ms)
  process.send?.('begun')
  await attack(kind, { port: Number(port), host, isSink: what === 'sink' }, until)
  process.exit()
}
