/**
 * Jet Raiders through the SDK's `predict.sim`, against our own mirror: `node scripts/test/netcode/seam.ts`.
 *
 * Not a test; the figures are in docs/decisions. The seam gets everything that helps it: the same world, confirmed ticks
 * that travel right behind the patch which acknowledges them, a patch per tick, one input per tick on both sides.
 */

import type { AddressInfo } from 'node:net'
import { defineRoom, defineServer, Room, type Client as RoomClient } from '@colyseus/core'
import { schema, t } from '@colyseus/schema'
import { Client, type Room as ClientRoom, Predict } from '@colyseus/sdk'
import { WebSocketTransport } from '@colyseus/ws-transport'
import { createWorld, restore, snapshot } from 'hurtbox'
import {
  type AnyWorld,
  botInput,
  botInputs,
  createEmptyWorld,
  createEncodedInputs,
  type EncodedInputs,
  encodeInputs,
  snapshotFromBytes,
  stepEncoded,
} from 'hurtbox/tools'
import { createByteReader, createByteWriter, createHeldInputs, readTick, takeBytes, writeTick } from 'hurtbox/wire'
import { bots } from '../../../games/jet-raiders/bots/index.ts'
import { jetRaiders as game } from '../../../games/jet-raiders/rules/index.ts'
import { joinGame } from '../../../packages/colyseus/src/client/index.ts'
import { gameRoom } from '../../../packages/colyseus/src/index.ts'

const SECONDS = 12
/** For a while nothing of the client gets through; then all of it comes at once. */
const STALL_AT_MS = 5000
const STALL_MS = 600
const PLAYERS = 8
const DELAY_MS = 50
const fields = game.input.fields.length

const Input = schema({
  c0: t.uint8().default(127),
  c1: t.uint8().default(127),
  c2: t.uint8().default(0),
  c3: t.uint8().default(0),
  c4: t.uint8().default(0),
})
const State = schema({ tick: t.uint32().default(0) })
const codesOf = (input: Record<string, number>) => Uint32Array.from({ length: fields }, (_, f) => input[`c${f}`])

class SeamRoom extends Room {
  override state = new State()
  commands = this.defineInput(Input as never, { bufferMaxSize: 64 })
  world = createWorld(game, { seed: 1 }) as unknown as AnyWorld
  encoded: EncodedInputs = createEncodedInputs(this.world)
  held = createHeldInputs(game)
  writer = createByteWriter()
  seats = new Map<string, number>()

  override onCreate(): void {
    this.patchRate = 1000 / game.declaration.tickRate
    encodeInputs(
      this.world,
      { controls: Array.from({ length: PLAYERS }, (_, seat) => ({ control: 'join', seat })) },
      this.encoded,
    )
    stepEncoded(this.world, this.encoded)
    this.setFixedTimestep(() => {
      const players = botInputs(bots[0], this.world, 1, (seat) => ![...this.seats.values()].includes(seat))
      encodeInputs(this.world, { players }, this.encoded)
      for (const [sessionId, seat] of this.seats) {
        const input = (this.commands as never as { get(id: string): { next(): Record<string, number> | undefined } })
          .get(sessionId)
          .next()
        if (input === undefined) continue
        this.encoded.seats[this.encoded.count] = seat
        this.encoded.codes.set(codesOf(input), this.encoded.count * fields)
        this.encoded.count++
      }
      stepEncoded(this.world, this.encoded)
      writeTick(this.writer, this.held, this.encoded)
      const bytes = takeBytes(this.writer)
      for (const client of this.clients) client.sendBytes(1, bytes, { afterNextPatch: true })
      ;(this.state as { tick: number }).tick++
    }, game.declaration.tickRate)
  }

  override onJoin(client: RoomClient): void {
    this.seats.set(client.sessionId, this.seats.size)
    const { bytes, byteLength } = snapshot(this.world)
    client.send('start', { seat: this.seats.size - 1, held: [...this.held.codes], state: bytes.slice(0, byteLength) })
  }
}

const transport = new WebSocketTransport()
const rooms = {
  seam: defineRoom(SeamRoom),
  own: defineRoom(gameRoom({ game, bots: [bots[0]], fill: PLAYERS, modes: ['mirror'] })),
}
const server = defineServer({ rooms, transport, greet: false })
await server.listen(0, '127.0.0.1')
const url = `http://127.0.0.1:${(server.transport.server!.address() as AddressInfo).port}`
transport.simulateLatency(DELAY_MS)

async function runSeam(): Promise<void> {
  const room = await new Client(url).create('seam')
  const started = await new Promise<{ seat: number; held: number[]; state: Uint8Array }>((resolve) =>
    room.onMessage('start', resolve),
  )
  const [confirmed, world] = [createEmptyWorld(game), createEmptyWorld(game)] as unknown as [AnyWorld, AnyWorld]
  const first = snapshotFromBytes(game.layout, new Uint8Array(started.state))
  restore(confirmed, first)
  restore(world, first)
  const held = { ...createHeldInputs(game), codes: Uint32Array.from(started.held) }
  const [inputs, own] = [createEncodedInputs(world), createEncodedInputs(world)]
  const counts = { bytes: 0, steps: 0, replayed: 0, adopted: 0, sent: 0, behind: 0 }
  const depth = createDepth()
  stall(room).addEventListener('message', ({ data }) => {
    counts.bytes += (data as ArrayBuffer).byteLength
  })
  room.onMessage(1, (bytes: Uint8Array) => {
    readTick(createByteReader(bytes), held, inputs)
    stepEncoded(confirmed, inputs)
  })
  const predict = Predict.get(room)
  const input = room.input({ type: Input as never }) as {
    data: Record<string, number>
    send(): void
    lastProcessed: number
  }
  predict.sim({
    input: input as never,
    world: { w: 1 },
    step(ctx: { isReplay: boolean }, _world: unknown, command: Record<string, number>) {
      own.controls = []
      own.count = 1
      own.seats[0] = started.seat
      own.codes.set(codesOf(command))
      stepEncoded(world, own)
      counts.steps++
      if (ctx.isReplay) counts.replayed++
    },
    adopt() {
      counts.adopted++
      restore(world, snapshot(confirmed))
    },
    pose: () => ({ x: world.tables.things.x[0] }),
  } as never)
  await play((now) => {
    const due = predict.tick(now) as unknown as number
    for (let i = 0; i < due; i++) {
      const thought = botInput(bots[0], world, started.seat, 1)
      game.input.fields.forEach((field, f) => {
        input.data[`c${f}`] = field.codeOf(thought)
      })
      input.send()
      counts.sent++
    }
    if (world.tick < confirmed.tick) counts.behind++
    note(depth, counts.sent - input.lastProcessed)
  })
  const ticks = SECONDS * game.declaration.tickRate
  console.log(
    `predict.sim: ${(counts.bytes / SECONDS / 1000).toFixed(2)} kB/s down, ` +
      `${(counts.replayed / ticks).toFixed(1)} ticks stepped again per tick, ${counts.adopted} adopts in ${ticks} ticks, ` +
      `${counts.behind} frames behind the confirmed world, ${describeDepth(depth)}`,
  )
  await room.leave()
}

async function runOwn(): Promise<void> {
  const match = await joinGame(url, game, { room: 'own', create: true, mode: 'mirror' })
  await match.whenPlaying()
  stall(match.room)
  const before = match.traffic.bytesIn
  let behind = 0
  const depth = createDepth()
  await play((now) => {
    match.update(now, (_tick, world) => botInput(bots[0], world, match.seat, 1))
    const { world, confirmed } = match.mirror!
    if (world.tick < confirmed.tick) behind++
    note(depth, world.tick - confirmed.tick)
  })
  const { stats } = match.mirror!
  const ticks = SECONDS * game.declaration.tickRate
  // Two bytes of Colyseus' own per message, as counted above.
  const bytes = match.traffic.bytesIn - before + 2 * ticks
  console.log(
    `our mirror: ${(bytes / SECONDS / 1000).toFixed(2)} kB/s down, ` +
      `${(stats.resimulated / ticks).toFixed(1)} ticks stepped again per tick, ${stats.rollbacks} rollbacks in ${ticks} ticks, ` +
      `${behind} frames behind the confirmed world, ${describeDepth(depth)}, ${stats.mismatches} mismatches`,
  )
  await match.leave()
}

/** How many ticks lie between what the player does and what is confirmed: before the stall and after. */
type Depth = { readonly before: number[]; readonly after: number[] }

function createDepth(): Depth {
  return { before: [], after: [] }
}

let elapsedMs = 0

function note({ before, after }: Depth, ticks: number): void {
  if (elapsedMs > 2000 && elapsedMs < STALL_AT_MS) before.push(ticks)
  if (elapsedMs > STALL_AT_MS + 3000) after.push(ticks)
}

function describeDepth({ before, after }: Depth): string {
  const median = (ticks: number[]) => ticks.sort((a, b) => a - b)[ticks.length >> 1]
  return `ticks ahead: ${median(before)} before the stall, ${median(after)} three seconds after it`
}

/** Holds back what is sent during the stall. */
function stall(room: ClientRoom): WebSocket {
  const { ws } = room.connection.transport as unknown as { ws: WebSocket }
  const sendNow = ws.send.bind(ws)
  const held: Uint8Array<ArrayBuffer>[] = []
  ws.send = (data) => {
    held.push(new Uint8Array(data as Uint8Array))
    if (elapsedMs > STALL_AT_MS && elapsedMs < STALL_AT_MS + STALL_MS) return
    for (const bytes of held.splice(0)) sendNow(bytes)
  }
  return ws
}

/** A frame every 8 ms for some seconds. */
function play(frame: (now: number) => void): Promise<void> {
  const started = performance.now()
  return new Promise((resolve) => {
    const timer = setInterval(() => {
      const now = performance.now()
      elapsedMs = now - started
      frame(now)
      if (elapsedMs < SECONDS * 1000) return
      clearInterval(timer)
      resolve()
    }, 8)
  })
}

await runSeam()
await runOwn()
process.exit(0)
