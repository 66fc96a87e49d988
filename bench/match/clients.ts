/**
 * A process of clients of the match benchmark: `node clients.ts <kind> <url> <frames as JSON> <rooms> <clients> <all> <id of a room>`.
 *
 * They join like real ones and send what real ones send, when real ones send it. They draw nothing and step nothing: it is the
 * server that is measured, and clients that are short of time would send less and make it look cheap. What is sent and received is
 * counted, so that such a run shows.
 */

import { Client, type Room } from '@colyseus/sdk'
import { helloOf, MESSAGES, NETCODE, readMessage } from '@hurtbox/netcode'
import { createByteReader, readByte } from 'hurtbox/wire'
import { WebSocket } from 'ws'
import { createHostClock, inputTick, noteTick } from '../../packages/netcode/src/client/clock.ts'
import { createInputSender, makePacket, noteFeedback, sendLater } from '../../packages/netcode/src/client/sender.ts'
import { type ClientReading, type Frames, inputOf, type Kind, matchGame, TICK_MS } from './kinds.ts'

const [kind, url, framesText, roomCount, perRoom, ofRoom, where] = process.argv.slice(2) as [Kind, ...string[]]
/** With the seats of a room for all clients, which may be in several processes. */
const game = matchGame(Number(ofRoom))
const frames: Frames = JSON.parse(framesText)
const ROOM_DATA_BYTES = 17
const count = { acted: 0, sent: 0, sentBytes: 0, received: 0, receivedBytes: 0, connected: 0 }

/** Called every few milliseconds; sends what is due. */
type Player = (now: number) => void
const players: Player[] = []
process.on('disconnect', () => process.exit())
process.on('message', () => process.send!({ ...count } satisfies ClientReading))

// Clients are not in step with each other: in each quarter of a tick another quarter of them acts.
let quarter = Math.floor(performance.now() / (TICK_MS / 4))
setInterval(() => {
  const now = performance.now()
  const due = Math.floor(now / (TICK_MS / 4))
  // A timer that is late makes up for it, so that everybody acts as often as there are ticks.
  for (quarter = Math.max(quarter, due - 4); quarter < due; quarter++) {
    for (let i = quarter % 4; i < players.length; i += 4) {
      count.acted++
      players[i](now)
    }
  }
}, 2)

let roomId = where
for (let room = 0; room < Number(roomCount); room++) await joinRoom()
process.send!({ roomId })

async function joinRoom(): Promise<void> {
  if (kind === 'floor-terminals' || kind === 'floor-mirrors') {
    for (let i = 0; i < Number(perRoom); i++) players.push(await playFloor())
    return
  }
  const client = new Client(url)
  const isPlain = kind === 'plain-a' || kind === 'plain-b'
  const play = isPlain ? playPlain : playHurtbox
  const options = isPlain ? {} : { hello: helloOf(game), mode: kind === 'mirrors' ? 'mirror' : 'terminal' }
  for (let i = 0; i < Number(perRoom); i++) {
    if (i === 0 && where === undefined) {
      const first = await client.create(isPlain ? 'match' : 'jet-raiders', options)
      roomId = first.roomId
      players.push(await play(first))
      continue
    }
    // When every seat is taken, one watches.
    const room = await client
      .joinById(roomId, options)
      .catch(() => client.joinById(roomId, { ...options, spectate: true }))
    players.push(await play(room))
  }
}

/** Takes over what arrives at the socket of a room. The SDK would decode it; a client of ours decodes the part that it needs. */
function listen(room: Room, take: (bytes: Uint8Array, now: number) => void): WebSocket {
  const { ws } = room.connection.transport as unknown as { ws: WebSocket }
  ws.binaryType = 'arraybuffer'
  ws.onmessage = ({ data }) => {
    const bytes = new Uint8Array(data as ArrayBuffer)
    count.received++
    count.receivedBytes += bytes.length
    take(bytes, performance.now())
  }
  ws.onclose = () => void count.connected--
  count.connected++
  const send = ws.send.bind(ws)
  ws.send = (data: unknown) => {
    count.sent++
    count.sentBytes += (data as Uint8Array).length
    send(data as Uint8Array)
  }
  return ws
}

/** A client of ours without a world: its clock, its inputs and its packets are the real ones. */
function playHurtbox(room: Room): Promise<Player> {
  const number = players.length
  return new Promise((resolve) => {
    const clock = createHostClock(game.declaration.tickRate)
    let sender: ReturnType<typeof createInputSender> | undefined
    let [received, nextTick] = [0, 0]
    listen(room, (bytes, now) => {
      if (bytes[0] !== ROOM_DATA_BYTES || bytes[1] !== NETCODE) return
      const message = bytes.subarray(2)
      if (sender === undefined) {
        const welcome = readMessage(message, MESSAGES.welcome, game)
        if (welcome === undefined) return
        sender = createInputSender(game, welcome.nonce, 'stream')
        resolve(play)
        return
      }
      const reader = createByteReader(message)
      const head = readByte(reader) === MESSAGES.frame.kind ? MESSAGES.frame.read(reader) : MESSAGES.ticks.read(reader)
      if (head === undefined) return
      received = 'tick' in head ? head.tick : head.from + head.count
      if (nextTick === 0) noteTick(clock, received, now)
      noteFeedback(clock, sender, received, head.acknowledged, head.slack, now)
    })
    const play = (now: number) => {
      if (sender === undefined || received === 0) return
      const target = inputTick(clock, now)
      nextTick = Math.max(nextTick, target - 8)
      if (nextTick >= target) return
      for (; nextTick < target; nextTick++) sendLater(sender, nextTick, inputOf(number, nextTick), now)
      if (sender.fresh > 0) room.sendBytes(NETCODE, makePacket(sender, received, 0))
    }
  })
}

function playPlain(room: Room): Player {
  const number = players.length
  listen(room, () => {})
  return createPacer(1, (tick) => room.send('input', inputOf(number, tick)))
}

function playFloor(): Promise<Player> {
  const frame = new Uint8Array(Math.round(frames.upBytes))
  return new Promise((resolve) => {
    const socket = new WebSocket(url.replace('http', 'ws'), { perMessageDeflate: false })
    socket.onmessage = ({ data }) => {
      count.received++
      count.receivedBytes += (data as Buffer).length
    }
    socket.onclose = () => void count.connected--
    socket.onopen = () => {
      count.connected++
      const send = () => {
        count.sent++
        count.sentBytes += frame.length
        socket.send(frame)
      }
      resolve(createPacer((frames.upPerSecond * TICK_MS) / 1000, send))
    }
  })
}

/** Calls `send` so often per tick. */
function createPacer(perTick: number, send: (n: number) => void): Player {
  const startedAt = performance.now()
  let sent = 0
  return (now) => {
    const due = Math.floor(((now - startedAt) / TICK_MS) * perTick)
    // After a stall the past is not sent, as no client would.
    sent = Math.max(sent, due - 8)
    while (sent < due) send(sent++)
  }
}
