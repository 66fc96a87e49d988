/** A player's end: handlers of events, what is shown when, and types, over a room that is not there. */

import type { Room } from '@colyseus/sdk'
import type { Mode } from '@hurtbox/netcode'
import { addPeer, createHost, type Host, type Peer, receive, stepHost } from '@hurtbox/netcode/host'
import { axis, declareGame, defineGame, emit, listEvents, players, spawn } from 'hurtbox'
import { defineModule } from 'hurtbox/module'
import { encodeInput } from 'hurtbox/wire'
import { afterEach, expect, test, vi } from 'vitest'
import { connect, type GameConnection, type joinGame } from './index.ts'

const declaration = declareGame({
  id: 'bells',
  tickRate: 50,
  seats: { min: 1, max: 4 },
  layers: { bell: [] },
  input: { ring: axis() },
  events: { rung: { bell: 'id', loudness: 'f64' }, won: { seat: 'u8' }, dimmed: { bell: 'id' } },
})
/** While a player pulls, the bell rings in every tenth tick; `won` and `dimmed` come with it. */
const game = defineGame(declaration, {
  onJoin: (world, player) => void (player.thing = spawn(world, 'bell')),
  phases: {
    ring(world) {
      for (const { thing: bell, ring, seat } of players(world)) {
        if (bell === undefined || ring <= 0 || world.tick % 10 !== 0) continue
        emit(world, 'rung', { bell, loudness: ring })
        emit(world, 'won', { seat })
        emit(world, 'dimmed', { bell })
      }
    },
  },
})
const module = defineModule({
  game,
  meaning: { events: { rung: { windowMs: 100 }, won: { is: 'score' }, dimmed: { show: 'taken-back' } } },
})
type Bells = typeof declaration

/** A host, another player that pulls at times, and a connection with a line of some ticks to it. */
function sit(mode: Mode, delayTicks: number) {
  const host = createHost(game, { seed: 1, replay: false })
  const other = addPeer(host, 1, 'mirror')
  const peer = addPeer(host, 0, mode)
  let receiveBytes: (bytes: Uint8Array) => void = () => {}
  const mail: { at: number; run: () => void }[] = []
  const later = (run: () => void) => mail.push({ at: host.world.tick + delayTicks, run })
  const room = {
    reconnection: {},
    onMessage: (_type: number, handle: (bytes: Uint8Array) => void) => void (receiveBytes = handle),
    onStateChange() {},
    onDrop() {},
    onLeave() {},
    send() {},
    sendBytes: (_type: number, bytes: Uint8Array) => later(() => receive(host, line.peer, bytes)),
    leave: async () => {},
  }
  const line = {
    host,
    peer,
    match: connect(module, room as unknown as Room),
    happened: [] as string[],
    run(ticks: number, frame: (picture: ReturnType<GameConnection<Bells>['update']>) => void = () => {}) {
      for (let i = 0; i < ticks; i++) {
        const now = host.world.tick * 20
        vi.spyOn(performance, 'now').mockReturnValue(now)
        pullOther(host, other)
        stepHost(host)
        for (const event of listEvents(host.world)) line.happened.push(`${event.kind} at ${event.tick}`)
        for (const bytes of line.peer.outbox.splice(0)) later(() => receiveBytes(bytes))
        for (const each of mail.filter(({ at }) => at <= host.world.tick)) {
          mail.splice(mail.indexOf(each), 1)
          each.run()
        }
        frame(line.match.update(now, (tick) => ({ ring: tick % 80 < 40 ? 1 : 0 })))
      }
    },
    /** The connection breaks and comes back: a new peer, a new welcome. */
    reconnect() {
      host.peers.delete(line.peer)
      mail.length = 0
      line.peer = addPeer(host, 0, mode)
    },
  }
  return line
}

/** The other player pulls and lets go where nobody expects it: everything about that is predicted wrong. */
function pullOther(host: Host, { seat }: Peer): void {
  const { waiting, playedSequence, playedTick } = host.seats[seat].buffer
  const { tick } = host.world
  if (tick % 37 !== 0 || tick <= playedTick) return
  const codes = new Uint32Array(1)
  encodeInput(game.input, { seat, ring: tick % 2 }, codes)
  waiting.push({ sequence: playedSequence + 1, tick, codes, seenAgo: 0 })
}

afterEach(() => void vi.restoreAllMocks())

test.each(['mirror', 'terminal'] as const)(
  '[EV9] a %s calls handlers once per event, and once more when it is confirmed',
  (mode) => {
    const line = sit(mode, 4)
    const calls = { predicted: new Set<number>(), confirmed: [] as string[], withdrawn: 0, plain: [] as string[] }
    line.match.on('rung', {
      predicted(_event, serial) {
        expect(calls.predicted.has(serial)).toBe(false)
        calls.predicted.add(serial)
      },
      confirmed(event, serial) {
        expect(calls.predicted.has(serial)).toBe(true)
        calls.confirmed.push(`rung at ${event.tick}`)
      },
      withdrawn(_event, serial) {
        expect(calls.predicted.has(serial)).toBe(true)
        calls.withdrawn++
      },
    })
    const end = line.match.on('won', ({ tick }) => void calls.plain.push(`won at ${tick}`))
    line.run(600)
    const due = (kind: string) => line.happened.filter((text) => text.startsWith(kind))
    const late = mode === 'mirror' ? 1 : 2
    expect(calls.confirmed.length).toBeGreaterThan(40)
    expect(calls.confirmed).toEqual(due('rung').slice(0, calls.confirmed.length))
    expect(due('rung').length - calls.confirmed.length).toBeLessThanOrEqual(2 * late)
    // A score is shown when it is certain.
    expect(calls.plain).toEqual(due('won').slice(0, calls.plain.length))
    expect(calls.plain.length).toBe(calls.confirmed.length)
    if (mode === 'mirror') expect(calls.withdrawn).toBeGreaterThan(0)
    else expect(calls.withdrawn).toBe(0)
    end()
    const { length } = calls.plain
    line.run(100)
    expect(calls.plain.length).toBe(length)
  },
)

test('[EV10] pictures have what is shown at once early, what must be certain late, and take back what they should', () => {
  const line = sit('mirror', 4)
  const shown = { rung: 0, won: [] as string[], dimmed: 0, back: 0, backOthers: 0 }
  line.run(600, (picture) => {
    for (const event of picture?.events ?? []) {
      if (event.kind === 'won') shown.won.push(`won at ${event.tick}`)
      else shown[event.kind]++
    }
    for (const { kind } of picture?.withdrawn ?? []) shown[kind === 'dimmed' ? 'back' : 'backOthers']++
  })
  const wons = line.happened.filter((text) => text.startsWith('won'))
  expect(shown.won).toEqual(wons.slice(0, shown.won.length))
  expect(shown.rung).toBeGreaterThan(wons.length)
  expect(shown.back).toBeGreaterThan(0)
  // What was not predicted wrong is what happened, but for the newest.
  expect(Math.abs(shown.dimmed - shown.back - wons.length)).toBeLessThanOrEqual(4)
  expect(shown.backOthers).toBe(0)
  // Events are followed as the module says, too: 100 ms are five ticks.
  expect(line.match.mirror?.events.plans.get('rung')?.windowTicks).toBe(5)
})

test.each(['mirror', 'terminal'] as const)(
  '[EV8] after a reconnect a %s is told which ticks it missed, and serials go on',
  (mode) => {
    const line = sit(mode, 4)
    const gaps: { from: number; to: number }[] = []
    const seen: number[] = []
    const serials = new Set<number>()
    line.match.onGap((gap) => void gaps.push(gap))
    line.match.on('rung', {
      predicted(_event, serial) {
        expect(serials.has(serial)).toBe(false)
        serials.add(serial)
      },
      confirmed: ({ tick }) => void seen.push(tick),
    })
    line.run(200)
    line.reconnect()
    line.run(100)
    expect(gaps).toHaveLength(1)
    const [{ from, to }] = gaps
    expect(to).toBeGreaterThan(from)
    const happened = line.happened.flatMap((text) => (text.startsWith('rung') ? [Number(text.split(' ')[2])] : []))
    const expected = happened.filter((tick) => tick < from || tick >= to).slice(0, seen.length)
    expect(seen).toEqual(expected)
  },
)

test('[EV11] a misspelt input, event or field does not compile', () => {
  // Never called: the compiler is what is tested.
  const typed = async (join: typeof joinGame) => {
    const match = await join('http://localhost', game)
    match.update(0, () => ({ ring: 1 }))
    // @ts-expect-error: there is no such input.
    match.update(0, () => ({ rign: 1 }))
    match.update(0, (_tick, world) => ({ ring: world.tables.players.ring[0] }))
    // @ts-expect-error: nor such a column.
    match.update(0, (_tick, world) => ({ ring: world.tables.players.rign[0] }))
    match.on('rung', ({ bell, loudness }) => [bell, loudness])
    // @ts-expect-error: nor such an event.
    match.on('rang', () => {})
    // @ts-expect-error: nor such a field.
    match.on('rung', { confirmed: ({ volume }) => volume })
    const picture = match.update(0, () => ({}))
    // @ts-expect-error: nor such a table.
    picture?.after.tables.bells
    for (const event of picture?.events ?? []) if (event.kind === 'won') event.seat
    await join('http://localhost', game, { guess: ({ ring }) => ({ ring }) })
    // @ts-expect-error: nor can it be guessed.
    await join('http://localhost', game, { guess: () => ({ rign: 1 }) })
    return join('http://localhost', module)
  }
  expect(typed).toBeTypeOf('function')
  defineModule({
    game,
    meaning: {
      events: {
        rung: { key: ['bell'] },
        // @ts-expect-error: a key is made of fields.
        won: { key: ['seta'] },
      },
    },
  })
})
