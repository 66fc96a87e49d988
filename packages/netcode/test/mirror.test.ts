/** Mirrors: clients that step the same world, ahead of the host, and know when they are wrong. */

import { defineGame, hashWorld, listEvents, restore, snapshot, step } from 'hurtbox'
import { purposeOf, randomAt, unitAt } from 'hurtbox/math'
import { loadReplay, verifyReplay } from 'hurtbox/replay'
import { type AnyWorld, botInput, createEmptyWorld, seatRow } from 'hurtbox/tools'
import { createByteWriter, takeBytes } from 'hurtbox/wire'
import { expect, test } from 'vitest'
import {
  advanceMirror,
  createMirror,
  type Mirror,
  type OwnInput,
  receiveAtMirror,
  takeNews,
} from '../src/client/index.ts'
import {
  addPeer,
  createHost,
  finishHost,
  type Host,
  type HostOptions,
  type Peer,
  pauseHost,
  receive,
  removePeer,
  stepHost,
  takeReplay,
} from '../src/host/index.ts'
import { MESSAGES, SPECTATOR, writeMessage } from '../src/index.ts'
import { simulate } from '../src/links/index.ts'
import { declaration, phases, RATE, tag, whimsical } from './support.ts'

const TICK_MS = 1000 / RATE

/** A host and mirrors in one place, with a line of some ticks between them. */
type Table = {
  readonly host: Host
  readonly lines: { readonly peer: Peer; readonly mirror: Mirror; read: (tick: number, world: AnyWorld) => OwnInput }[]
  readonly delayTicks: number
  readonly mail: { at: number; deliver: (now: number) => void }[]
}

function sitDown(options: HostOptions = {}, delayTicks = 3): Table {
  const host = createHost(tag, { seed: 21, bots: [whimsical], fill: 4, hashEvery: 1, ...options })
  return { host, lines: [], delayTicks, mail: [] }
}

function join(table: Table, seat: number, read: (tick: number, world: AnyWorld) => OwnInput = () => ({})): Mirror {
  const peer = addPeer(table.host, seat, 'mirror')
  // The welcome takes as long as everything else: one that came at once would be the fastest message for seconds.
  const welcomeAt = (table.host.world.tick + table.delayTicks) * TICK_MS
  const mirror = createMirror(table.host.game, peer.outbox.shift()!, welcomeAt)
  table.lines.push({ peer, mirror, read })
  return mirror
}

function run(table: Table, ticks: number, afterTick: () => void = () => {}): void {
  const { host, lines, mail, delayTicks } = table
  for (let i = 0; i < ticks; i++) {
    const now = host.world.tick * TICK_MS
    stepHost(host)
    for (const { peer, mirror } of lines) {
      for (const bytes of peer.outbox.splice(0)) {
        mail.push({ at: now + delayTicks * TICK_MS, deliver: (at) => receiveAtMirror(mirror, bytes, at) })
      }
    }
    afterTick()
    const due = mail.filter(({ at }) => at <= now)
    mail.splice(0, mail.length, ...mail.filter(({ at }) => at > now))
    for (const { deliver } of due) deliver(now)
    for (const { peer, mirror, read } of lines) {
      advanceMirror(mirror, now, read)
      for (const bytes of mirror.outbox.splice(0)) {
        mail.push({ at: now + delayTicks * TICK_MS, deliver: () => receive(host, peer, bytes) })
      }
    }
  }
}

const bot = (seat: number) => (_tick: number, world: AnyWorld) => botInput(whimsical, world, seat, 4)

test("[NC20] mirrors step the host's world bit for bit, whatever their own predictions were", () => {
  const table = sitDown()
  const mirrors = [0, 1, 2].map((seat) => join(table, seat, bot(seat)))
  run(table, 300)
  for (const mirror of mirrors) {
    expect(mirror.stats.hashChecks).toBeGreaterThan(280)
    expect(mirror.stats.mismatches).toBe(0)
    expect(mirror.stats.rollbacks).toBeGreaterThan(50)
  }
  expect(table.lines.map(({ peer }) => peer.counts.malformed)).toEqual([0, 0, 0])
})

test('[NC21] own actions are shown at once, and nothing is rolled back while the others do nothing new', () => {
  const table = sitDown({ bots: [], fill: 0 })
  const mirror = join(table, 0, (tick) => ({ moveX: tick % 40 < 20 ? 1 : -1 }))
  run(table, 50)
  mirror.stats.rollbacks = 0
  mirror.stats.resimulated = 0
  run(table, 200)
  // Ahead by the way there and back.
  expect(mirror.world.tick - mirror.confirmed.tick).toBeGreaterThanOrEqual(6)
  const row = seatRow(mirror.world, 0)
  expect(mirror.world.tables.players.moveX[row]).toBe((mirror.world.tick - 1) % 40 < 20 ? 1 : -1)
  expect(mirror.stats.rollbacks).toBe(0)
  expect(table.host.totals.desyncs).toBe(0)
})

test('[NC22] a desync is noticed at its tick, named by table and column on both sides, and repaired', () => {
  const table = sitDown()
  const mirror = join(table, 0, bot(0))
  const honest = join(table, 1, bot(1))
  run(table, 100)
  // One bit of one number of one world.
  const { things } = mirror.confirmed.tables
  const wrongAt = mirror.confirmed.tick
  things.x[2] += 1e-9
  const id = things.id[2]
  run(table, 150)
  expect(mirror.stats.mismatches).toBe(1)
  expect(mirror.desyncs).toHaveLength(1)
  const [{ tick, differences }] = mirror.desyncs
  expect(tick).toBe(wrongAt + 1)
  const wrong = differences.filter(({ table, column }) => table === 'things' && column === 'x')
  expect(wrong.map((difference) => difference.id)).toContain(id)
  // The host knows it too.
  const { differences: reported } = table.lines[0].peer
  expect(reported).toHaveLength(1)
  expect(reported[0]).toMatch(/^tick \d+: (things|poses) row \d+ \(id \d+\) \w+(\[\d+\])? is .* here and .* there$/)
  // Both agree again.
  const { hashChecks } = mirror.stats
  run(table, 100)
  expect(mirror.stats.mismatches).toBe(1)
  expect(mirror.stats.hashChecks).toBeGreaterThan(hashChecks + 90)
  expect(honest.stats.mismatches).toBe(0)
})

test('[NC70] a phase that runs differently on the two ends is named on both, with tick, row and column', () => {
  // What another engine, or state outside the world, does to a game: the same rules give other bits on one end.
  const flaw = { isMirror: false, from: 150 }
  const flawed = defineGame(declaration, {
    ...tag.behaviour,
    phases: {
      ...phases,
      drift(world: AnyWorld) {
        const { things } = world.tables
        if (flaw.isMirror && world.tick === flaw.from && things.count > 2) things.x[2] += 1e-9
      },
      idle() {},
    },
  } as never)
  const table: Table = {
    host: createHost(flawed as never, { seed: 21, bots: [whimsical], fill: 4, hashEvery: 16 }),
    lines: [],
    delayTicks: 3,
    mail: [],
  }
  flaw.isMirror = true
  const mirror = join(table, 0, bot(0))
  for (let tick = 0; tick < 300; tick++) {
    const now = tick * TICK_MS
    const [{ peer }] = table.lines
    flaw.isMirror = false
    stepHost(table.host)
    flaw.isMirror = true
    for (const bytes of peer.outbox.splice(0)) receiveAtMirror(mirror, bytes, now)
    advanceMirror(mirror, now, bot(0))
    for (const bytes of mirror.outbox.splice(0)) receive(table.host, peer, bytes)
  }
  expect(mirror.desyncs).toHaveLength(1)
  const [{ tick, first, differences }] = mirror.desyncs
  expect(tick).toBe(160)
  expect(first).toEqual({ tick: 150, phase: 'drift' })
  const [cell] = differences
  expect(cell).toMatchObject({ table: 'things', row: 2, column: 'x' })
  expect(cell.a - cell.b).toBeCloseTo(1e-9, 12)
  expect(table.lines[0].peer.differences).toEqual([
    expect.stringMatching(/^tick 150, phase drift: things row 2 \(id \d+\) x is .* here and .* there$/),
  ])
  // Repaired, and the host looks at another way only later.
  expect(mirror.stats.mismatches).toBe(1)
  expect(hashWorld(mirror.confirmed)).toBe(hashWorld(table.host.world))
})

test('[NC23] a client with false alarms gets the state every 60 ticks at most, and the others are not affected', () => {
  const table = sitDown()
  const mirror = join(table, 0)
  run(table, 70)
  for (let tick = 0; tick < 300; tick++) {
    for (let i = 0; i < 20; i++) receive(table.host, table.lines[0].peer, Uint8Array.of(MESSAGES.desync.kind, 0, 0))
    for (let i = 0; i < 5; i++) receive(table.host, table.lines[0].peer, Uint8Array.of(MESSAGES.difference.kind, 1, 65))
    run(table, 1)
  }
  expect(table.host.totals.statesSent).toBeLessThanOrEqual(6)
  // Each time it may say what differed, and once.
  expect(table.lines[0].peer.differences.length).toBeLessThanOrEqual(6)
  expect(table.lines[0].peer.counts.malformed).toBeGreaterThan(1400)
  expect(table.host.status).toBe('running')
  expect(mirror.stats.mismatches).toBe(0)
})

test('[NC71] a host steps again for a way once in 30 seconds, no matter how often it is asked, and only through the past that it keeps', () => {
  const table = sitDown()
  join(table, 0)
  run(table, 100)
  const [{ peer }] = table.lines
  const ask = (from: number) => {
    const writer = createByteWriter()
    writeMessage(writer, MESSAGES.desync, { from, hashes: [1] })
    receive(table.host, peer, takeBytes(writer))
  }
  let blamed = 0
  for (let tick = 0; tick < 32 * RATE; tick++) {
    ask(table.host.world.tick - 8)
    stepHost(table.host)
    blamed += peer.outbox.splice(0).filter(([kind]) => kind === MESSAGES.blamed.kind).length
  }
  expect(blamed).toBe(2)
  for (const fromOf of [() => 0xffffffff, () => table.host.world.tick + 1, () => 0]) {
    table.host.inside.blamedAt = Number.NEGATIVE_INFINITY
    peer.stateSentAt = 0
    ask(fromOf())
    stepHost(table.host)
    expect(peer.outbox.splice(0).map(([kind]) => kind)).toContain(MESSAGES.state.kind)
    expect(table.host.inside.blamedAt).toBe(Number.NEGATIVE_INFINITY)
  }
  expect(table.host.status).toBe('running')
})

test('[NC24] a mirror may join in the middle, watch, or leave; the others go on', () => {
  const table = sitDown()
  const first = join(table, 0, bot(0))
  run(table, 200)
  const late = join(table, 5, bot(5))
  const watcher = join(table, SPECTATOR)
  run(table, 200)
  expect(late.stats.hashChecks).toBeGreaterThan(190)
  expect(watcher.stats.hashChecks).toBeGreaterThan(190)
  expect([first, late, watcher].map(({ stats }) => stats.mismatches)).toEqual([0, 0, 0])
  const { players } = table.host.world.tables
  expect(players.count).toBe(5)
  removePeer(table.host, table.lines[1].peer)
  table.lines.splice(1, 1)
  run(table, 20)
  expect(players.count).toBe(4)
  expect(first.stats.mismatches).toBe(0)
})

test('[NC25] a match can rest and go on, and its replay verifies', () => {
  const table = sitDown({ replay: {} })
  const mirror = join(table, 0, bot(0))
  run(table, 100)
  pauseHost(table.host, true)
  run(table, 50)
  expect(mirror.confirmed.paused).toBe(true)
  pauseHost(table.host, false)
  run(table, 700)
  expect(mirror.stats.mismatches).toBe(0)
  finishHost(table.host)
  const bytes = Uint8Array.from(takeReplay(table.host).flatMap((part) => [...part]))
  const replay = loadReplay(tag, bytes)
  const verification = verifyReplay(tag, replay)
  expect(verification.mismatch).toBeUndefined()
  expect(replay.log.length).toBe(850)
})

test('[NC26] the log of a long match is forgotten, its replay is not', () => {
  const { host, clients, replay } = simulate({
    game: tag,
    bots: [whimsical],
    clients: 2,
    ticks: 1300,
    seed: 8,
    link: { kind: 'stream', latencyMs: 20 },
  })
  expect(clients).toHaveLength(2)
  expect(host.session.keyframes.length).toBeLessThanOrEqual(4)
  expect(host.session.log.tick[0]).toBeGreaterThan(500)
  const loaded = loadReplay(tag, replay)
  expect(loaded.log.length).toBe(1300)
  expect(verifyReplay(tag, loaded).mismatch).toBeUndefined()
})

test('[NC27] a rule that throws ends the match with a replay of all ticks before it', () => {
  const failing = defineGame(declaration, {
    ...tag.behaviour,
    phases: {
      ...phases,
      trap(world) {
        if (world.tick === 1100) throw new Error('sprung')
      },
    },
  })
  const host = createHost(failing, { seed: 1, bots: [whimsical], fill: 4 })
  for (let tick = 0; tick < 1200; tick++) stepHost(host)
  expect(host.status).toBe('failed')
  expect(String(host.failure)).toContain('sprung')
  finishHost(host)
  const replay = loadReplay(failing, Uint8Array.from(takeReplay(host).flatMap((part) => [...part])))
  expect(replay.log.length).toBe(1100)
  expect(verifyReplay(failing, replay).mismatch).toBeUndefined()
})

test('[FM5] a rule that fails again while its replay is finished keeps the failure and what was recorded until then', () => {
  let isBroken = false
  const failing = defineGame(declaration, {
    ...tag.behaviour,
    phases: {
      ...phases,
      trap({ tick }) {
        // Not as rules should be: it remembers something outside of the world.
        isBroken ||= tick === 1100
        if (isBroken) throw new Error('sprung')
      },
    },
  })
  const host = createHost(failing, { seed: 1, bots: [whimsical], fill: 4 })
  for (let tick = 0; tick < 1200; tick++) stepHost(host)
  expect(() => finishHost(host)).not.toThrow()
  expect([host.status, String(host.failure)]).toEqual(['failed', expect.stringContaining('sprung')])
  const kept = loadReplay(failing, Uint8Array.from(takeReplay(host).flatMap((part) => [...part])))
  expect(kept.log.length).toBeGreaterThan(1000)
})

test('[NC22] a world in which the rules break is a desync like any other: nothing is thrown, and it is repaired', () => {
  const trapped = defineGame(declaration, {
    ...tag.behaviour,
    phases: {
      trap(world) {
        if (world.globals.round === 77_777) throw new Error('sprung')
      },
      ...phases,
    },
  })
  const host = createHost(trapped, { seed: 21, bots: [whimsical], fill: 4, hashEvery: 1 })
  const table: Table = { host, lines: [], delayTicks: 3, mail: [] }
  const mirror = join(table, 0, bot(0))
  run(table, 100)
  run(table, 1)
  // Two ticks come within one frame, and the second of them cannot be run.
  const [line] = table.lines.splice(0, 1)
  run(table, 5)
  const now = host.world.tick * TICK_MS
  for (const { deliver } of table.mail.splice(0)) deliver(now)
  const [first, second] = line.peer.outbox.splice(0)
  receiveAtMirror(mirror, first, now)
  mirror.confirmed.globals.round = 77_777
  mirror.world.globals.round = 77_777
  receiveAtMirror(mirror, second, now)
  advanceMirror(mirror, now, line.read)
  table.lines.push(line)
  run(table, 150)
  expect(mirror.stats.mismatches).toBe(1)
  expect(mirror.desyncs).toHaveLength(1)
  const { hashChecks } = mirror.stats
  run(table, 50)
  expect(mirror.stats.mismatches).toBe(1)
  expect(mirror.stats.hashChecks).toBeGreaterThan(hashChecks + 40)
})

test('[NC28] an event comes up once: predicted, stepped again and confirmed', () => {
  const table = sitDown()
  const mirror = join(table, 0, (tick) => ({ throwing: tick % 50 < 25 }))
  const shown = new Set<number>()
  const confirmed: string[] = []
  const happened: string[] = []
  const known = ({ tick, kind, n }: { tick: number; kind: string; n: number }) => `${tick} ${kind} ${n}`
  run(table, 400, () => {
    for (const { what, serial, event } of takeNews(mirror.events)) {
      if (what === 'predicted') expect(shown.has(serial)).toBe(false)
      if (what === 'predicted') shown.add(serial)
      if (what === 'confirmed') confirmed.push(known(event))
    }
    happened.push(...listEvents(table.host.world).map(known))
  })
  const isOld = (key: string) => Number(key.split(' ')[0]) < 380
  expect(confirmed.filter(isOld)).toEqual(happened.filter(isOld))
  expect(mirror.events.totals.foreseen).toBeGreaterThan(20)
})

test('[NC29] a mirror that stalled for seconds catches up without playing inputs that no player made', () => {
  const table = sitDown()
  const mirror = join(table, 0, bot(0))
  run(table, 100)
  const line = table.lines.splice(0, 1)[0]
  // Two seconds without a frame; messages gather.
  const gathered: Uint8Array[] = []
  for (let tick = 0; tick < 100; tick++) {
    run(table, 1)
    gathered.push(...line.peer.outbox.splice(0))
  }
  const now = table.host.world.tick * TICK_MS
  for (const bytes of gathered) receiveAtMirror(mirror, bytes, now)
  table.lines.push(line)
  const played = advanceMirror(mirror, now, line.read)
  expect(played).toBeLessThanOrEqual(8)
  run(table, 100)
  expect(mirror.stats.mismatches).toBe(0)
  expect(mirror.world.tick).toBeGreaterThan(mirror.confirmed.tick)
  expect(hashWorld(mirror.confirmed)).toHaveLength(16)
})

const DICE = purposeOf('dice of a test')

/** Tag in which a die is rolled in every tick, by the world's entropy. */
const dice = defineGame({ ...declaration, id: 'dice' }, {
  ...tag.behaviour,
  phases: {
    ...phases,
    roll(world: AnyWorld) {
      world.globals.round = 1 + Math.floor(6 * unitAt(world.entropy, world.clock, 0, 0, DICE))
    },
  },
} as never)

/** How many of a hundred rolls a mirror that means harm knows before the host has made them. */
function foreseen(options: HostOptions): { known: number; host: Host } {
  const host = createHost(dice, { seed: 21, hashEvery: 1, ...options })
  const peer = addPeer(host, 0, 'mirror')
  const mirror = createMirror(dice, peer.outbox.shift()!, 0)
  const oracle = createEmptyWorld(dice)
  let known = 0
  for (let tick = 0; tick < 100; tick++) {
    // It has everything that the host has sent, and steps on by itself.
    restore(oracle, snapshot(mirror.confirmed))
    step(oracle, { controls: [], players: [] })
    stepHost(host)
    for (const bytes of peer.outbox.splice(0)) receiveAtMirror(mirror, bytes, tick * TICK_MS)
    advanceMirror(mirror, tick * TICK_MS, () => ({}))
    if (oracle.globals.round === host.world.globals.round) known++
  }
  expect(mirror.stats.mismatches).toBe(0)
  expect(mirror.stats.hashChecks).toBeGreaterThan(50)
  return { known, host }
}

test('[NC30] with entropy from the host a mirror does not know rolls before they are made; without it knows them all', () => {
  // The first tick brings the player in.
  expect(foreseen({}).known).toBeGreaterThanOrEqual(99)
  let drawn = 0
  const bits = () => randomAt(7, ++drawn, 0, 0, DICE)
  const { known, host } = foreseen({ entropy: { every: 1, bits } })
  // One in six is luck.
  expect(known).toBeLessThan(40)
  expect(drawn).toBe(100)
  finishHost(host)
  const replay = loadReplay(dice, joined(takeReplay(host)))
  expect(verifyReplay(dice, replay)).toMatchObject({ ok: true })
})

test('[NC30] entropy comes as often as was asked for, and not while the match rests', () => {
  let drawn = 0
  const host = createHost(dice, { seed: 21, replay: false, entropy: { every: 10, bits: () => ++drawn } })
  addPeer(host, 0, 'mirror')
  for (let tick = 0; tick < 100; tick++) stepHost(host)
  expect([drawn, host.world.entropy]).toEqual([10, 10])
  pauseHost(host, true)
  for (let tick = 0; tick < 100; tick++) stepHost(host)
  expect(drawn).toBeLessThanOrEqual(11)
})

function joined(parts: readonly Uint8Array[]): Uint8Array {
  return new Uint8Array(Buffer.concat(parts))
}
