/**
 * `npm run measure -- press`: which source files one button press passes through, from the page that is asked for it to the tick that confirms it.
 *
 * A server, a room and a mirror run in this process over a real socket. Most of what runs meanwhile runs in every tick, press or no press, so
 * the press is followed by its value: a number that nothing else has. At each station, a place in the sources where a value is handled, a
 * breakpoint's condition looks for it and keeps the stack of calls; the condition is never true, so nothing stops. The files of those
 * stacks are the walk; copies that are kept aside (a mirror's trail, replays) are not on it. What V8 has counted as called meanwhile is printed
 * as a second figure.
 */

import { readFileSync } from 'node:fs'
import { Session } from 'node:inspector/promises'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { defineRoom, defineServer } from '@colyseus/core'
import { WebSocketTransport } from '@colyseus/ws-transport'
import { gameRoom } from '@hurtbox/colyseus'
import { joinGame } from '@hurtbox/colyseus/client'
import { declareGame, defineGame, players, target } from 'hurtbox'
import { createByteWriter, takeBytes, writeVarint } from 'hurtbox/wire'

const MAX_FILES = 20
const MAX_ENTRIES = 2

const packages = fileURLToPath(new URL('../packages/', import.meta.url))

/** What is pressed. No other number of the match is written with the same five bytes. */
const PRESS = 0x5eed1e55
const writer = createByteWriter()
writeVarint(writer, PRESS)
const pressBytes = Buffer.from(takeBytes(writer))

type Station = {
  /** What happens to the press here. */
  readonly says: string
  /** Below packages/, and the code before which to look. It must be there once. */
  readonly file: string
  readonly before: string
  /** What holds the press, in the names of that code: codes of inputs, or bytes. */
  readonly look: string
}

const COMPARED = 'compared with the prediction, in the next frame'
const stations: readonly Station[] = [
  {
    says: 'numbered, to be sent until it is acknowledged',
    file: 'netcode/src/client/sender.ts',
    before: 'sender.lastCodes.set(codes)',
    look: 'codes',
  },
  {
    says: 'written into a packet',
    file: 'netcode/src/protocol/input-packets.ts',
    before: 'writeChanges(writer, before, 0',
    look: 'input.codes',
  },
  {
    says: 'refused by the path beside the socket, which is not open',
    file: 'colyseus/src/client/datagrams.ts',
    before: "if (path.state !== 'open' || channel",
    look: 'bytes',
  },
  {
    says: 'sent by the client',
    file: 'colyseus/src/client/connection.ts',
    before: 'this.room.sendBytes(NETCODE, bytes)',
    look: 'bytes',
  },
  {
    says: 'drawn, as predicted',
    file: 'colyseus/src/client/connection.ts',
    before: 'const { news, gaps, isCurrent, ...picture } = shown',
    look: 'shown.after.tables.players.last',
  },
  {
    says: 'received by the room',
    file: 'colyseus/src/room/guard.ts',
    before: 'if (isOurs) take(client',
    look: 'frame',
  },
  {
    says: 'read and checked',
    file: 'netcode/src/protocol/input-packets.ts',
    before: 'packet.inputs.push(',
    look: 'codes[i]',
  },
  {
    says: 'put into the buffer of its seat',
    file: 'netcode/src/host/seat-buffer.ts',
    before: 'const entry =',
    look: 'input.codes',
  },
  {
    says: 'taken by its tick',
    file: 'netcode/src/host/seat-buffer.ts',
    before: 'taken.set(waiting[0].codes)',
    look: 'waiting[0].codes',
  },
  {
    says: 'written as a confirmed tick',
    file: 'netcode/src/host/updates.ts',
    before: 'writeTick(bytes, held, session.changes',
    look: 'session.changes.codes',
  },
  {
    says: 'put into an update',
    file: 'netcode/src/host/updates.ts',
    before: 'writeBytes(bytes, recent[',
    look: 'recent[tick - recentFrom]',
  },
  { says: 'sent by the room', file: 'colyseus/src/room/delivery.ts', before: 'stream.write(frame)', look: 'frame' },
  {
    says: 'received by the client',
    file: 'colyseus/src/client/connection.ts',
    before: 'if (bytes[0] === MESSAGES.welcome.kind) this.#start',
    look: 'bytes',
  },
  {
    says: 'read as a confirmed tick',
    file: 'netcode/src/client/mirror/confirm.ts',
    before: 'if (isNew) confirmTick(',
    look: 'inputs.codes',
  },
  {
    says: COMPARED,
    file: 'netcode/src/client/mirror/predict.ts',
    before: 'if (isForeseen(mirror))',
    look: 'confirmed.tables.players.last',
  },
]

/** A station that was passed: the files of the stack, outermost first, and the turn of the event loop. */
type Passed = { readonly says: string; readonly files: readonly string[]; readonly turn: number }
const passed: Passed[] = []
let turn = 0
let isSameTurn = false

function pass(says: string): void {
  if (passed.some((station) => station.says === says)) return
  if (!isSameTurn) turn++
  isSameTurn = true
  process.nextTick(() => {
    isSameTurn = false
  })
  const stack = new Error().stack!.split('\n').reverse()
  const files = stack.flatMap((line) => (line.split(`file://${packages}`)[1] ?? '').split(':')[0] || [])
  passed.push({ says, files: [...new Set(files)], turn })
}

/** Called by the breakpoints' conditions. */
function look(says: string, value: Uint32Array | Uint8Array): void {
  const isHere = value instanceof Uint32Array ? value[0] === PRESS : Buffer.from(value).includes(pressBytes)
  if (isHere) pass(says)
}
Object.assign(globalThis, { look })

const game = defineGame(
  declareGame({
    id: 'presses',
    tickRate: 30,
    seats: { min: 1, max: 1 },
    layers: { dot: [] },
    players: { last: 'u32' },
    input: { pressed: target() },
  }),
  {
    phases: {
      count(world) {
        for (const player of players(world)) {
          if (player.pressed !== PRESS) continue
          player.last = player.pressed
          pass(
            world === match?.mirror?.world ? 'predicted' : world === match?.mirror?.confirmed ? 'confirmed' : 'decided',
          )
        }
      },
    },
  },
)

const rooms = { presses: defineRoom(gameRoom({ game })) }
const server = defineServer({ rooms, transport: new WebSocketTransport(), greet: false })
await server.listen(0, '127.0.0.1')
const { port } = server.transport.server!.address() as { port: number }
const match = await joinGame(`http://127.0.0.1:${port}`, game, { mode: 'mirror', datagrams: false })
await match.whenPlaying()

let isPressed = false
const frame = () =>
  match.update(performance.now(), () => {
    if (isPressed) pass('asked of the page')
    const pressed = isPressed ? PRESS : 0
    isPressed = false
    return { pressed }
  })
await frames(60)

const session = new Session()
session.connect()
await session.post('Debugger.enable')
for (const { says, file, before, look } of stations) {
  const parts = readFileSync(packages + file, 'utf8').split(before)
  if (parts.length !== 2) throw new Error(`${file} has "${before}" ${parts.length - 1} times, not once.`)
  const lines = parts[0].split('\n')
  await session.post('Debugger.setBreakpointByUrl', {
    url: pathToFileURL(packages + file).href,
    lineNumber: lines.length - 1,
    columnNumber: lines.at(-1)!.length,
    condition: `void globalThis.look(${JSON.stringify(says)}, ${look})`,
  })
}
await session.post('Profiler.enable')
await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
await session.post('Profiler.takePreciseCoverage')
isPressed = true
const missed = () => stations.filter(({ says }) => !passed.some((station) => station.says === says))
for (let left = 60; left > 0 && missed().length > 0; left--) await frames(1)
const { result } = await session.post('Profiler.takePreciseCoverage')
await session.post('Debugger.disable')
await match.leave()
await server.gracefullyShutdown(false)

if (missed().length > 0)
  throw new Error(
    `The press was not seen: ${missed()
      .map(({ says }) => says)
      .join(', ')}.`,
  )

const isEngine = (file: string) => file.startsWith('hurtbox/')
const walk = new Set<string>()
for (const { says, files, turn } of passed) {
  console.log(`\n${turn}  ${says}`)
  for (const file of files.filter((each) => !isEngine(each))) {
    console.log(`     ${walk.has(file) ? ' ' : '+'} ${file}`)
    walk.add(file)
  }
}
const untilConfirmed = passed.filter(({ says }) => says !== COMPARED)
const entries = (place: string) =>
  new Set(untilConfirmed.filter(({ files }) => files.some((file) => file.startsWith(place))).map(({ turn }) => turn))
    .size
const client = entries('colyseus/src/client/')
const room = entries('colyseus/src/room/')
const called = result
  .filter(({ url }) => url.startsWith(`file://${packages}`))
  // The first function is the module itself, which has run before.
  .filter(({ functions }) => functions.some(({ functionName, ranges }) => functionName !== '' && ranges[0].count > 0))
  .map(({ url }) => url.slice(`file://${packages}`.length))
const calledOutside = called.filter((file) => !isEngine(file)).length
console.log(`
The press passes through ${walk.size} files outside the engine (at most ${MAX_FILES}).
Until it is confirmed, the client is entered ${client} times and the room ${room} times (at most ${MAX_ENTRIES}).
Called between press and confirmation, for whatever reason: ${calledOutside} files outside the engine, ${called.length - calledOutside} of the engine.`)
if (walk.size > MAX_FILES || client > MAX_ENTRIES || room > MAX_ENTRIES) process.exitCode = 1

async function frames(count: number): Promise<void> {
  for (let i = 0; i < count; i++) {
    frame()
    await new Promise((go) => setTimeout(go, 16))
  }
}
