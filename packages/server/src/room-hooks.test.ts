/** What the hooks of a room count and write, without a room: a world and the few things that hooks look at. */

import type { RoomView } from '@hurtbox/colyseus'
import { collide, createWorld, declareGame, defineGame, emit, spawn, step } from 'hurtbox'
import { defineModule, readModule } from 'hurtbox/module'
import { expect, test } from 'vitest'
import { createLateLog } from './late-log.ts'
import type { Logger } from './log.ts'
import { countPort, createMetrics } from './metrics.ts'
import { createReach } from './reach.ts'
import { createHooks } from './room-hooks.ts'

const declaration = declareGame({
  id: 'range',
  tickRate: 60,
  events: { hit: { victim: 'u32', shooter: 'u32' }, miss: { shooter: 'u32' }, quiet: { shooter: 'u32' } },
})
const game = defineGame(declaration, {
  phases: {
    shoot(world) {
      if (world.tick === 3 || world.tick === 4) emit(world, 'quiet', { shooter: 9 })
      if (world.tick === 4) emit(world, 'hit', { victim: 7, shooter: 5 })
      if (world.tick === 4) emit(world, 'miss', { shooter: 5 })
    },
  },
})
let linesMade = 0
const module = readModule(
  {
    default: defineModule({
      game,
      meaning: {
        events: {
          hit: {
            log({ victim, shooter }) {
              linesMade++
              return { victim_id: victim, shooter_id: shooter, msg: 'player hit' }
            },
          },
          miss: { log: ({ shooter }) => ({ shooter_id: shooter }) },
          quiet: { is: 'other' },
        },
      },
    }),
  },
  'range',
)

function watched(level = 'debug') {
  const world = createWorld(game)
  const metrics = createMetrics()
  const lines: object[] = []
  const write = (level: string) => (fields: object, msg: string) => void lines.push({ level, msg, ...fields })
  const isLevelEnabled = (asked: string) => asked !== 'debug' || level === 'debug'
  const levels = { debug: write('debug'), info: write('info'), warn: write('warn'), error: write('error') }
  const log = { ...levels, isLevelEnabled } as unknown as Logger
  const peers = new Set<{ counts: Record<string, number>; path: string }>()
  const host = {
    peers,
    status: 'over',
    result: { over: true, winner: 'seat 1', summary: 'well' },
    failure: undefined as unknown,
  }
  const ended: unknown[] = []
  const results = { ended: (_module: unknown, room: unknown) => void ended.push(room) } as never
  const none = { bytesIn: 0, bytesOut: 0 }
  const noChannels = { invited: 0, offered: 0, opened: 0, unheard: 0, lost: 0 }
  const traffic = {
    ...none,
    messagesIn: 0,
    messagesOut: 0,
    datagrams: { ...none, in: 0, out: 0, malformed: 0, unbound: 0, beyondBudget: 0, ...noChannels },
  }
  const room = { roomId: 'r1', world, host, traffic } as unknown as RoomView
  const figure = async (name: string) => (await metrics.registry.getSingleMetric(name)!.get()).values
  const madeBefore = linesMade
  return {
    world,
    lines,
    made: () => linesMade - madeBefore,
    peers,
    host,
    room,
    traffic,
    ended,
    hooks: createHooks(module, { metrics, log, late: createLateLog(log), reach: createReach(log), results }),
    figure,
  }
}

test('[SV22] at debug an event is logged as its game says, victim and shooter as they are, and what has no line is not', () => {
  const { world, lines, room, hooks } = watched()
  for (let tick = 0; tick < 6; tick++) {
    step(world)
    hooks.onTick!(room, 1)
  }
  const about = { level: 'debug', game: 'range', room: 'r1', tick: 5 }
  expect(lines).toEqual([
    { ...about, msg: 'player hit', victim_id: 7, shooter_id: 5 },
    { ...about, msg: 'miss', shooter_id: 5 },
  ])
})

test('[SV81] at info they are counted by kind, and no line is made for them', async () => {
  const { world, lines, room, hooks, figure, made } = watched('info')
  for (let tick = 0; tick < 6; tick++) {
    step(world)
    hooks.onTick!(room, 1)
  }
  expect([lines, made()]).toEqual([[], 0])
  expect(await figure('hurtbox_events_total')).toEqual([
    { labels: { game: 'range', kind: 'hit' }, value: 1 },
    { labels: { game: 'range', kind: 'miss' }, value: 1 },
  ])
})

test('[SV23] the time of a tick is counted in seconds, and the inputs of clients every 16 ticks, what is new of them', async () => {
  const { world, peers, room, hooks, figure } = watched()
  const peer = { counts: { applied: 5, late: 0 }, path: 'stream' }
  peers.add(peer)
  const play = (ticks: number) => {
    for (let tick = 0; tick < ticks; tick++) {
      step(world)
      hooks.onTick!(room, 2)
    }
  }
  play(15)
  expect(await figure('hurtbox_inputs_total')).toEqual([])
  play(1)
  const labels = { game: 'range', fate: 'applied', path: 'socket' }
  const applied = (value: number) => expect.objectContaining({ labels, value })
  const late = (value: number) => expect.objectContaining({ labels: { ...labels, fate: 'late' }, value })
  expect(await figure('hurtbox_inputs_total')).toEqual([applied(5), late(0)])
  peer.counts = { applied: 8, late: 1 }
  play(16)
  expect(await figure('hurtbox_inputs_total')).toEqual([applied(8), late(1)])
  Object.assign(peer, { counts: { applied: 10, late: 1 }, path: 'datagram' })
  play(16)
  const byDatagram = (fate: string, value: number) => ({ labels: { ...labels, fate, path: 'datagram' }, value })
  expect(await figure('hurtbox_inputs_total')).toMatchObject([
    applied(8),
    late(1),
    byDatagram('applied', 2),
    byDatagram('late', 0),
  ])
  const seconds = await figure('hurtbox_tick_seconds')
  const sum = seconds.find((each) => (each as { metricName?: string }).metricName?.endsWith('_sum'))
  expect(sum!.value).toBeCloseTo(48 * 0.002, 9)
})

test('[EW6] code of the game that threw is in the log with its function, things, file and line, and as a sentence', () => {
  const { lines, host, room, hooks } = watched()
  const duel = declareGame({ id: 'duel', tickRate: 60, layers: { sword: ['slime'], slime: [] } })
  const rules = collide(duel, {
    'sword hits slime': {
      between: ['sword', 'slime'],
      decide: (_sword, slime) => void (slime as never as { owner: { name: string }[] }).owner[7].name,
    },
  })
  const failing = createWorld(defineGame(duel, { phases: { rules } }))
  spawn(failing, 'sword', { radius: 1 })
  spawn(failing, 'slime', { radius: 1 })
  try {
    step(failing)
  } catch (error) {
    Object.assign(host, { status: 'failed', failure: error })
  }
  hooks.onMatchEnd!(room)
  expect(lines).toEqual([
    {
      level: 'error',
      msg: expect.stringMatching(
        /^the match is over: rule "sword hits slime" of phase rules failed in tick 0 with sword 1 and slime 2: .*'name'/,
      ),
      game: 'range',
      room: 'r1',
      tick: 0,
      what: 'rule "sword hits slime"',
      phase: 'rules',
      things: [
        { layer: 'sword', id: 1 },
        { layer: 'slime', id: 2 },
      ],
      file: import.meta.filename,
      line: expect.any(Number),
      column: expect.any(Number),
      err: host.failure,
    },
  ])
})

test('[SV23] ends, cuts, rollbacks and desyncs are counted and logged', async () => {
  const { lines, host, room, ended, hooks, figure } = watched()
  hooks.onMatchEnd!(room)
  Object.assign(host.result, { over: false })
  hooks.onMatchEnd!(room)
  Object.assign(host, { status: 'failed', failure: 'a reason' })
  hooks.onMatchEnd!(room)
  expect(ended).toEqual([room, room, room])
  hooks.onCut!(room, 'flood' as never)
  hooks.onRollbacks!(room, 3)
  hooks.onDesync!(room, 2, 'hp')
  hooks.onAbuse!(room, 3, 'records')
  const about = { game: 'range', room: 'r1', tick: 0 }
  expect(lines).toEqual([
    { level: 'info', msg: 'match over', ...about, winner: 'seat 1', summary: 'well' },
    { level: 'info', msg: 'match abandoned', ...about },
    { level: 'error', msg: 'the match is over: a reason', ...about, err: 'a reason' },
    { level: 'warn', msg: 'client cut', ...about, reason: 'flood' },
    { level: 'warn', msg: 'desync', ...about, seat: 2, difference: 'hp' },
    {
      level: 'warn',
      msg: 'data channel closed: its client sent too much, and plays on by its socket',
      ...about,
      seat: 3,
      abuse: 'records',
    },
  ])
  const labels = async (name: string) => (await figure(name)).map((each) => [each.labels, each.value])
  expect(await labels('hurtbox_matches_total')).toEqual([
    [{ game: 'range', end: 'over' }, 1],
    [{ game: 'range', end: 'abandoned' }, 1],
    [{ game: 'range', end: 'failed' }, 1],
  ])
  expect(await labels('hurtbox_refused_total')).toEqual([[{ reason: 'flood' }, 1]])
  expect(await labels('hurtbox_rollbacks_total')).toEqual([[{ game: 'range' }, 3]])
  expect(await labels('hurtbox_desyncs_total')).toEqual([[{ game: 'range' }, 1]])
})

test('[SV23] datagrams are counted every 16 ticks by what became of them, what is new of them', async () => {
  const { world, room, traffic, hooks, figure } = watched()
  const play = () => {
    for (let tick = 0; tick < 16; tick++) {
      step(world)
      hooks.onTick!(room, 1)
    }
  }
  const counted = async () =>
    Object.fromEntries((await figure('hurtbox_datagrams_total')).map(({ labels, value }) => [labels.fate, value]))
  play()
  expect(await counted()).toEqual({})
  // As many in as out: their difference would be nothing.
  Object.assign(traffic.datagrams, { in: 3, out: 3, malformed: 1, beyondBudget: 2 })
  play()
  expect(await counted()).toEqual({ in: 3, out: 3, malformed: 1, beyondBudget: 2 })
  Object.assign(traffic.datagrams, { in: 4, unbound: 5 })
  play()
  expect(await counted()).toEqual({ in: 4, out: 3, malformed: 1, unbound: 5, beyondBudget: 2 })
  const [{ labels }] = await figure('hurtbox_datagrams_total')
  expect(labels.game).toBe('range')
})

test('[SV23] a single datagram is counted', async () => {
  const { world, room, traffic, hooks, figure } = watched()
  traffic.datagrams.in = 1
  for (let tick = 0; tick < 16; tick++) {
    step(world)
    hooks.onTick!(room, 1)
  }
  expect((await figure('hurtbox_datagrams_total')).map(({ value }) => value)).toEqual([1])
})

test('[DG103] clients are counted by how far their channels got, and several that nobody hears are one warning', async () => {
  const { world, room, traffic, hooks, figure, lines } = watched('info')
  const play = () => {
    for (let tick = 0; tick < 16; tick++) {
      step(world)
      hooks.onTick!(room, 1)
    }
  }
  Object.assign(traffic.datagrams, { invited: 6, offered: 5, opened: 1, unheard: 2, lost: 1 })
  play()
  Object.assign(traffic.datagrams, { invited: 9, offered: 8, unheard: 6 })
  play()
  const all = await figure('hurtbox_channels_total')
  expect(Object.fromEntries(all.map(({ labels, value }) => [labels.step, value]))).toEqual({
    invited: 9,
    offered: 8,
    opened: 1,
    unheard: 6,
    lost: 1,
  })
  const warnings = () => lines.filter((line) => 'clients' in line)
  expect(warnings()).toEqual([])
  traffic.datagrams.unheard = 7
  play()
  // What comes after the last look is counted when the match ends.
  traffic.datagrams.opened = 2
  hooks.onMatchEnd!(room)
  const opened = async () =>
    (await figure('hurtbox_channels_total')).find(({ labels }) => labels.step === 'opened')?.value
  expect(await opened()).toBe(2)
  hooks.onMatchEnd!(room)
  expect(await opened()).toBe(2)
  expect(warnings()).toEqual([
    { level: 'warn', clients: 5, msg: expect.stringContaining('no client reaches the UDP port') },
  ])
})

test('[SV23] packets that the UDP port dropped are read at each scrape, by reason', async () => {
  const metrics = createMetrics()
  const refused = { strange: 2, forged: 0 }
  const abusers = { records: 0 }
  countPort(metrics, { refused, abusers })
  const read = async () => (await metrics.registry.metrics()).match(/^hurtbox_packets_refused_total.*$/gm)
  expect(await read()).toEqual([
    'hurtbox_packets_refused_total{reason="strange"} 2',
    'hurtbox_packets_refused_total{reason="forged"} 0',
  ])
  refused.forged = 3
  expect(await read()).toContain('hurtbox_packets_refused_total{reason="forged"} 3')
  abusers.records = 4
  expect(await metrics.registry.metrics()).toContain('hurtbox_channels_abused_total{reason="records"} 4')
})

test('[SV67] messages and their bytes are counted by path and direction, what is new of them', async () => {
  const { world, room, traffic, hooks, figure } = watched()
  const play = () => {
    for (let tick = 0; tick < 16; tick++) {
      step(world)
      hooks.onTick!(room, 1)
    }
  }
  const counted = async (name: string) =>
    Object.fromEntries((await figure(name)).map(({ labels, value }) => [`${labels.path} ${labels.direction}`, value]))
  Object.assign(traffic, { messagesIn: 1, messagesOut: 2, bytesIn: 30, bytesOut: 40 })
  play()
  expect(await counted('hurtbox_messages_total')).toEqual({ 'socket in': 1, 'socket out': 2 })
  Object.assign(traffic.datagrams, { in: 5, out: 6, bytesIn: 70, bytesOut: 80 })
  traffic.messagesOut = 9
  play()
  expect(await counted('hurtbox_messages_total')).toEqual({
    'socket in': 1,
    'socket out': 9,
    'datagram in': 5,
    'datagram out': 6,
  })
  expect(await counted('hurtbox_message_bytes_total')).toEqual({
    'socket in': 30,
    'socket out': 40,
    'datagram in': 70,
    'datagram out': 80,
  })
})
