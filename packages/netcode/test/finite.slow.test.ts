/**
 * Every number of a picture is finite, whatever a game does: a place that is not a number is drawn nowhere, for as long as the match lasts.
 *
 * Random games in virtual time. What happens in a tick is decided by fresh bits that no mirror knows before, so that nearly every prediction is
 * corrected, by as much as things move.
 */

import type { Room } from '@colyseus/sdk'
import fc from 'fast-check'
import {
  button,
  declareGame,
  defineGame,
  despawn,
  each,
  emit,
  exists,
  flag,
  players,
  spawn,
  type World,
  whole,
} from 'hurtbox'
import { createPlace, type Picture, placeBetween } from 'hurtbox/picture'
import type { AnyWorld } from 'hurtbox/tools'
import { afterEach, expect, test, vi } from 'vitest'
import { connect, type Smoothing } from '../../colyseus/src/client/index.ts'
import { createPlaces, placeAll, playOffline } from '../../view/src/index.ts'
import { addPeer, createHost, type Host, receive, stepHost } from '../src/host/index.ts'
import { SPECTATOR } from '../src/index.ts'

const RUNS = process.env.HURTBOX_LONG ? 20_000 : 40
const RATE = 50
const SIDE = 512

const declaration = declareGame({
  id: 'turmoil',
  tickRate: RATE,
  seats: { min: 0, max: 2 },
  layers: { body: [], spark: [] },
  capacity: 48,
  things: { z: 'f64', facingX: 'f64', facingY: 'f64' },
  options: { size: whole(0, { min: 0, max: 6 }), isTorus: flag(false) },
  input: { going: button() },
  events: { struck: { by: 'id', size: 'f64' } },
})
type Turmoil = World<typeof declaration>

/** From 0, by way of the smallest number there is, to larger than the world. */
const SIZES = [0, 5e-324, 1e-160, 1e-9, 0.5, 16, 1e4]

/** What a thing does in a tick: a number of 0 to 1, and what it decides. */
function disturb(world: Turmoil): void {
  let bits = world.entropy >>> 0
  const pick = (count: number) => {
    bits = (Math.imul(bits, 1664525) + 1013904223) >>> 0
    return Math.floor((bits / 2 ** 32) * count)
  }
  for (const { thing, going } of players(world)) {
    if (thing === undefined) continue
    thing.x += going ? 3 : 0
    const by = [1e-7, 0.01, 1, 30, 99, 3_000, 1e9][pick(7)] * (pick(2) ? 1 : -1)
    const deed = pick(12)
    if (deed === 0) thing.x += by
    else if (deed === 1) thing.y += by
    else if (deed === 2) thing.z += by
    else if (deed === 3) {
      thing.x = by
      thing.teleports++
    } else if (deed === 4) [thing.facingX, thing.facingY] = [0, 0]
    else if (deed === 5) [thing.facingX, thing.facingY] = [0 - thing.facingX, 0 - thing.facingY]
    else if (deed === 6) [thing.facingX, thing.facingY] = [[1, 0.6, 0, -1][pick(4)], [0, 0.8, 1, 0][pick(4)]]
    else if (deed === 7) thing.radius = SIZES[pick(SIZES.length)]
    else if (deed === 8 || deed === 9) {
      const spark = spawn(world, 'spark', {
        x: thing.x,
        y: by,
        vx: by,
        radius: SIZES[pick(SIZES.length)],
        owner: thing,
      })
      // Born and gone in one tick.
      if (exists(spark) && pick(4) === 0) despawn(spark)
    } else if (deed === 10) for (const spark of each(world, 'spark')) if (pick(2)) despawn(spark)
    emit(world, 'struck', { by: thing, size: by })
    if (!world.options.isTorus) continue
    thing.x -= SIDE * Math.floor(thing.x / SIDE)
    thing.y -= SIDE * Math.floor(thing.y / SIDE)
  }
  for (const spark of each(world, 'spark')) spark.x += spark.vx / RATE
}

const turmoil = defineGame(declaration, {
  onJoin(world, player) {
    player.thing = spawn(world, 'body', { radius: SIZES[world.options.size] })
  },
  phases: { disturb },
})

type Mode = 'mirror' | 'terminal' | 'spectator' | 'offline'
type Case = {
  readonly seed: number
  readonly mode: Mode
  /** Which of `SIZES` players have at first. */
  readonly size: number
  readonly isTorus: boolean
  /** Ticks between two draws of fresh bits. */
  readonly every: number
  readonly latencyTicks: number
  readonly smoothing: Smoothing
  readonly inputDelay: number | 'adaptive'
  /** Time between two frames, in ticks. */
  readonly frames: readonly number[]
}

const smoothing = fc.record(
  {
    fadeMs: fc.constantFrom(0, 1e-3, 1, 200, 5_000),
    longestMs: fc.constantFrom(0, 1, 400, Number.POSITIVE_INFINITY),
    jumpBeyond: fc.constantFrom(0, 10, 1e12, Number.POSITIVE_INFINITY),
    asConfirmed: fc.constantFrom(['body'], ['spark'], ['body', 'spark']),
  },
  { requiredKeys: [] },
)
const cases: fc.Arbitrary<Case> = fc.record({
  seed: fc.nat(2 ** 31 - 1),
  mode: fc.constantFrom<Mode>('mirror', 'mirror', 'mirror', 'terminal', 'spectator', 'offline'),
  size: fc.nat(SIZES.length - 1),
  isTorus: fc.boolean(),
  every: fc.constantFrom(1, 2, 7),
  latencyTicks: fc.constantFrom(0, 1, 4, 12),
  smoothing,
  inputDelay: fc.constantFrom<number | 'adaptive'>(0, 60, 'adaptive'),
  // Two frames in one moment, whole ticks (alpha 0 and 1), parts of ticks, and a stall.
  frames: fc.array(fc.constantFrom(0, 0.25, 0.5, 1, 1, 2, 40), { minLength: 40, maxLength: 80 }),
})

afterEach(() => void vi.restoreAllMocks())

test('[PV16] every number of a picture is finite, in every mode, whatever things do', { timeout: 3_600_000 }, () => {
  let seen = 0
  fc.assert(
    fc.property(cases, (each) => {
      for (const picture of picturesOf(each)) seen += requireFinite(picture, each)
    }),
    { numRuns: RUNS },
  )
  expect(seen).toBeGreaterThan(RUNS * 40)
})

/** Returns how many things were looked at. */
function requireFinite(picture: Picture, { isTorus }: Case): number {
  const numbers: Record<string, number> = { alpha: picture.alpha }
  const place = createPlace()
  let count = 0
  const shown = picture.things?.() ?? each(picture.after as AnyWorld)
  for (const { id } of shown) {
    count++
    if (!picture.place(id, place)) continue
    for (const [name, value] of Object.entries(place)) numbers[`${name} of ${id}`] = value
    numbers[`key of ${id}`] = picture.key(id)
  }
  const { before, after } = picture as { before: AnyWorld; after: AnyWorld }
  for (const alpha of [0, 1]) {
    for (const { id } of each(after)) {
      if (!placeBetween({ before, after, alpha }, id, place, wrapOf(isTorus))) continue
      for (const [name, value] of Object.entries(place)) numbers[`${name} of ${id} at alpha ${alpha}`] = value
    }
  }
  const places = createPlaces(declaration)
  placeAll(places, picture as never)
  for (let row = 0; row < after.tables.things.count; row++) {
    numbers[`x of row ${row}`] = places.x[row]
    numbers[`y of row ${row}`] = places.y[row]
    numbers[`z of row ${row}`] = places.z[row]
  }
  for (const event of [...picture.events, ...picture.withdrawn]) numbers[`tick of ${event.kind}`] = event.tick
  const wrong = Object.entries(numbers).filter(([, value]) => !Number.isFinite(value))
  if (wrong.length > 0)
    throw new Error(`not finite at tick ${after.tick}: ${wrong.map((each) => each.join(' = ')).join(', ')}`)
  return count
}

function wrapOf(isTorus: boolean) {
  return isTorus ? { width: SIDE, height: SIDE } : { width: 0, height: 0 }
}

function* picturesOf(setup: Case): Generator<Picture> {
  const { seed, size, isTorus, mode } = setup
  const options = { size, isTorus }
  if (mode !== 'offline') return yield* onlinePictures(setup, options)
  const match = playOffline(turmoil as never, { seed, options, wrap: wrapOf(isTorus) } as never)
  let now = 0
  for (const ticks of setup.frames) {
    now += (ticks * 1000) / RATE
    const picture = match.update(now, () => ({ going: seed % 2 === 1 }) as never)
    if (picture !== undefined) yield picture
  }
}

/** A match of two: one client that draws, and one of whose inputs it hears late. */
function* onlinePictures(
  { seed, mode, every, latencyTicks, smoothing, inputDelay, frames, isTorus }: Case,
  options: object,
) {
  const bits = () => Math.imul(host.world.tick + 1, 2654435761) ^ seed
  const host: Host = createHost(turmoil as never, {
    seed,
    options: options as never,
    replay: false,
    entropy: { every, bits },
  })
  addPeer(host, 1, 'terminal')
  const peer = addPeer(host, mode === 'spectator' ? SPECTATOR : 0, mode === 'mirror' ? 'mirror' : 'terminal')
  const up: { at: number; bytes: Uint8Array }[] = []
  const down: { at: number; bytes: Uint8Array }[] = []
  const tickMs = 1000 / RATE
  let now = 0
  const lateMs = latencyTicks * tickMs
  const room = roomThat((bytes) => void up.push({ at: now + lateMs, bytes }))
  vi.spyOn(performance, 'now').mockImplementation(() => now)
  const match = connect(turmoil as never, room as unknown as Room, {
    smoothing: { ...smoothing, ...(isTorus && { wrap: wrapOf(isTorus) }) },
    inputDelay,
    datagrams: false,
  })
  let steppedTo = 0
  for (const ticks of frames) {
    const end = now + ticks * tickMs
    for (; (steppedTo + 1) * tickMs <= end; steppedTo++) {
      now = (steppedTo + 1) * tickMs
      while (up.length > 0 && up[0].at <= now) receive(host, peer, up.shift()!.bytes)
      stepHost(host)
      for (const bytes of peer.outbox.splice(0)) down.push({ at: now + lateMs, bytes })
    }
    now = end
    while (down.length > 0 && down[0].at <= now) room.deliver(down.shift()!.bytes)
    const picture = match.update(now, (tick) => ({ going: (tick & 8) > 0 }) as never)
    if (picture !== undefined) yield picture
  }
}

/** As much of the SDK's room as a match needs. */
function roomThat(send: (bytes: Uint8Array) => void) {
  let deliver: (bytes: Uint8Array) => void = () => {}
  return {
    reconnection: {},
    state: { phase: 'playing' },
    onMessage(type: unknown, handler: (bytes: Uint8Array) => void) {
      if (type === 0) deliver = handler
    },
    onStateChange() {},
    onDrop() {},
    onLeave() {},
    send() {},
    sendBytes: (_type: number, bytes: Uint8Array) => send(bytes),
    deliver: (bytes: Uint8Array) => deliver(bytes),
  }
}
