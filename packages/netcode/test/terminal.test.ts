/** Terminals: clients that show what they are sent, which is little, rounded, and only what they may see. */

import { type Bot, each, findRow, restore, snapshot, thing as thingOf } from 'hurtbox'
import { purposeOf, unitAt } from 'hurtbox/math'
import { type AnyGame, type AnyWorld, createEmptyWorld, type Snapshot } from 'hurtbox/tools'
import { expect, test } from 'vitest'
import { advanceTerminal, createTerminal, receiveAtTerminal, showTerminal, type Terminal } from '../src/client/index.ts'
import {
  addPeer,
  createHost,
  type Host,
  type HostOptions,
  type Peer,
  pauseHost,
  receive,
  stepHost,
} from '../src/host/index.ts'
import { MESSAGES, SPECTATOR, type TerminalOptions } from '../src/index.ts'
import { simulate } from '../src/links/index.ts'
import { type declaration, fogTag, RATE, SIGHT, tag, whimsical } from './support.ts'
import { compareUnseen, lastId, run, shownBy } from './terminals.ts'

const TICK_MS = 1000 / RATE
const STEP = 1 / 256
const bots = [whimsical]
const LOSS = purposeOf('half of them')

function start(game: AnyGame = tag, options: HostOptions = {}): { host: Host; peer: Peer; terminal: Terminal } {
  const host = createHost(game, { seed: 31, bots, fill: 6, terminal: { every: 2 }, ...options })
  const peer = addPeer(host, 0, 'terminal')
  return { host, peer, terminal: createTerminal(game, peer.outbox.shift()!) }
}

/** Compares what a terminal knows with the world, column by column. */
function expectSame(host: Host, terminal: Terminal): void {
  expect(differences(host.world, terminal)).toEqual([])
}

function differences(world: AnyWorld, terminal: Terminal): string[] {
  const shown = shownBy(terminal)
  const found: string[] = []
  const compare = (what: string, a: number | boolean, b: number | boolean, tolerance = 0) => {
    if (Math.abs(Number(a) - Number(b)) > tolerance) found.push(`${what} is shown as ${a}, but is ${b}`)
  }
  compare('tick', shown.tick, world.tick)
  compare('clock', shown.clock, world.clock)
  compare('paused', shown.paused, world.paused)
  for (const { name, values } of terminal.scheme.tables) {
    const [ours, theirs] = [shown.tables[name], world.tables[name]]
    compare(`count of ${name}`, ours.count, theirs.count)
    for (let row = 0; row < ours.count; row++) {
      compare(`id of row ${row} of ${name}`, ours.id[row], theirs.id[row])
      for (const { column, index, width, kind } of values) {
        const at = row * width + index
        const tolerance = kind !== 'float' ? 0 : (column === 'x' || column === 'y' ? 4.5 : 0.5) * STEP
        compare(`${name}.${column} of row ${row}`, ours[column][at], theirs[column][at], tolerance)
      }
    }
  }
  for (const { column, array } of terminal.scheme.singles) {
    if (array.startsWith('globals.')) compare(array, shown.globals[column], world.globals[column], STEP / 2)
  }
  return found
}

test('[NC40] a terminal knows every row and column that travels, to half a step; places to four', () => {
  const { host, peer, terminal } = start()
  run(host, peer, terminal, 400, () => expectSame(host, terminal))
  expect(terminal.stats).toMatchObject({ frames: 200, fullFrames: 1, gaps: 0, malformed: 0 })
  expect(terminal.scheme.tables.map(({ name }) => name)).toEqual(['things', 'players'])
  const players = terminal.scheme.tables[1].values.map(({ column }) => column)
  // Inputs are not sent.
  expect(players).toEqual(['seat', 'team', 'thing', 'score', 'presses'])
})

test('[NC41] a thing that flies straight is sent at birth and at death only, and its position is always right', () => {
  const { host, peer, terminal } = start(tag, {
    bots: [],
    fill: 0,
    terminal: { every: 1, events: [], hide: ['globals.pot'] },
  })
  stepHost(host)
  const { things } = host.world.tables
  const spawnDart = (n: number) => {
    things.counters[things.countersAt]++
    things.counters[things.countersAt + 1]++
    const row = things.count - 1
    things.id[row] = things.counters[things.countersAt + 1]
    things.kind[row] = 2
    things.layer[row] = 1
    things.x[row] = -190 + n
    things.y[row] = 150 + n / 3
    things.vx[row] = 31.7 + n
    things.vy[row] = -7.3
    things.endsAt[row] = 80 + n
  }
  run(host, peer, terminal, 2)
  const quiet = run(host, peer, terminal, 20) / 20
  for (let n = 0; n < 20; n++) spawnDart(n)
  const birth = run(host, peer, terminal, 1)
  const flight = run(host, peer, terminal, 50, () => expectSame(host, terminal)) / 50
  expect(things.count).toBe(21)
  const death = run(host, peer, terminal, 40)
  expect(things.count).toBe(1)
  expect(birth - quiet).toBeGreaterThan(20 * 8)
  expect(flight).toBeLessThanOrEqual(quiet + 1)
  // A death is a byte or two.
  expect(death - 40 * quiet).toBeLessThan(20 * 4)
})

test('[NC42] a match that rests sends next to nothing, and flights rest with it', () => {
  const { host, peer, terminal } = start()
  run(host, peer, terminal, 200)
  pauseHost(host, true)
  run(host, peer, terminal, 2)
  const bytes = run(host, peer, terminal, 100, () => expectSame(host, terminal)) / 50
  expect(bytes).toBeLessThan(20)
})

test('[NC43] a late viewer gets a full frame, then the same differences as the others: the same bytes, encoded once', () => {
  const { host, peer, terminal } = start()
  run(host, peer, terminal, 300)
  const second = addPeer(host, 7, 'terminal')
  const late = createTerminal(tag, second.outbox.shift()!)
  const bodies: string[][] = []
  for (let tick = 0; tick < 40; tick++) {
    stepHost(host)
    const [a, b] = [peer.outbox.splice(0), second.outbox.splice(0)]
    for (const message of a) receiveAtTerminal(terminal, message, host.world.tick * TICK_MS)
    for (const message of b) receiveAtTerminal(late, message, host.world.tick * TICK_MS)
    if (a.length > 0) {
      expectSame(host, late)
      bodies.push([a, b].map(([message]) => message.slice(9).join()))
    }
  }
  expect(late.stats).toMatchObject({ frames: 20, fullFrames: 1 })
  for (const [a, b] of bodies.slice(1)) expect(a).toBe(b)
})

test('[NC44] lost frames: deltas stand on what was acknowledged, and after too long everything comes again', () => {
  const past = new Map<number, Snapshot>()
  const then: AnyWorld = createEmptyWorld(tag)
  let compared = 0
  const report = simulate({
    game: tag,
    bots,
    clients: 3,
    ticks: 900,
    seed: 15,
    mode: 'terminal',
    link: { kind: 'datagram', latencyMs: 60, jitterMs: 40, loss: 0.1, burstsPerMinute: 4, burstMs: 4500 },
    afterTick(host, clients) {
      past.set(host.world.tick, snapshot(host.world))
      past.delete(host.world.tick - 100)
      for (const { follower } of clients) {
        const terminal = follower.terminal!
        const newest = terminal.frames.at(-1)?.tick ?? 0
        if (!past.has(newest) || newest % 5 > 0) continue
        restore(then, past.get(newest)!)
        expect(differences(then, terminal)).toEqual([])
        compared++
      }
    },
  })
  expect(compared).toBeGreaterThan(200)
  for (const { follower } of report.clients) {
    const { stats } = follower.terminal!
    expect(stats.frames).toBeGreaterThan(200)
    expect(stats.malformed).toBe(0)
    expect(stats.fullFrames).toBeGreaterThan(1)
  }
})

test('[NC45] the moment shown never goes back, lies between two frames, and shows each event once, in its time', () => {
  const { host, peer, terminal } = start()
  let shown = 0
  const events: string[] = []
  const happened: string[] = []
  for (let tick = 0; tick < 400; tick++) {
    stepHost(host)
    for (const kind of ['thrown', 'hit', 'zapped']) {
      for (let n = 0; n < host.world.events[kind].count; n++) happened.push(`${host.world.tick - 1} ${kind} ${n}`)
    }
    for (const message of peer.outbox.splice(0)) receiveAtTerminal(terminal, message, tick * TICK_MS + (tick % 5) * 7)
    for (let part = 0; part < 3; part++) {
      const state = showTerminal(terminal, tick * TICK_MS + part * 7)
      if (state === undefined) continue
      const { before, after, alpha } = state
      const moment = before.tick + alpha * (after.tick - before.tick)
      expect(moment).toBeGreaterThanOrEqual(shown - 1e-9)
      expect(alpha).toBeGreaterThanOrEqual(0)
      expect(alpha).toBeLessThanOrEqual(1)
      shown = moment
      for (const { tick: at, kind, n } of state.events) {
        expect(at + 1).toBeLessThanOrEqual(moment)
        events.push(`${at} ${kind} ${n}`)
      }
    }
  }
  expect(shown).toBeGreaterThan(385)
  expect(happened.length).toBeGreaterThan(50)
  const sorted = (keys: string[]) => keys.filter((key) => Number(key.split(' ')[0]) < 380).sort()
  expect(sorted(events)).toEqual(sorted(happened))
})

test('[DG31] over datagrams of which half are lost, either way, every event is shown once: it is said again until it is acknowledged', () => {
  const host = createHost(tag, { seed: 31, bots, fill: 6, terminal: { every: 2 } })
  const peer = addPeer(host, 0, 'terminal', 'datagram')
  const terminal = createTerminal(tag, peer.outbox.shift()!, 'datagram')
  const isLost = (tick: number, way: number) => unitAt(7, tick, way, 0, LOSS) < 0.5
  const [shown, happened]: [string[], string[]] = [[], []]
  for (let tick = 0; tick < 600; tick++) {
    stepHost(host)
    for (const kind of ['thrown', 'hit', 'zapped']) {
      for (let n = 0; n < host.world.events[kind].count; n++) happened.push(`${host.world.tick - 1} ${kind} ${n}`)
    }
    const now = tick * TICK_MS
    for (const message of peer.outbox.splice(0)) if (!isLost(tick, 0)) receiveAtTerminal(terminal, message, now)
    for (const event of showTerminal(terminal, now)?.events ?? []) shown.push(`${event.tick} ${event.kind} ${event.n}`)
    advanceTerminal(terminal, now, () => ({}))
    for (const message of terminal.outbox.splice(0)) if (!isLost(tick, 1)) receive(host, peer, message)
  }
  // From its first frame on, which a room sends by the socket, to the last ones that have not come yet.
  const isCounted = (key: string) => Number(key.split(' ')[0]) >= 10 && Number(key.split(' ')[0]) < 560
  const sorted = (keys: string[]) => keys.filter(isCounted).sort()
  expect(sorted(happened).length).toBeGreaterThan(50)
  expect(sorted(shown)).toEqual(sorted(happened))
})

test('[NC40] handles in a shown world are of the things that it shows, frame after frame', () => {
  const { host, peer, terminal } = start(tag, { terminal: { every: 1 } })
  let checked = 0
  run(host, peer, terminal, 300, () => {
    const state = showTerminal(terminal, host.world.tick * TICK_MS)
    if (state === undefined) return
    for (const world of [state.before, state.after]) {
      const { things } = world.tables
      let row = 0
      for (const thing of each(world)) {
        expect([thing.id, thing.x]).toEqual([things.id[row], things.x[row]])
        expect(thingOf(world, thing.id)).toBe(thing)
        row++
        checked++
      }
    }
  })
  expect(checked).toBeGreaterThan(1000)
})

/** Ids of things that a side can see, by the game's own word. */
function seenBy(host: Host, side: number): Set<number> {
  const seen = new Set<number>()
  for (const thing of each(host.world)) {
    if (fogTag.behaviour.visible!(host.world as never, side, thing)) seen.add(thing.id)
  }
  return seen
}

/** Things by the ids that viewers with these eyes know them by. */
function asKnown(host: Host, eyes: string, things: Iterable<number>): Set<number> {
  const { byThing } = host.terminal.histories.get(eyes)!.ids
  return new Set([...things].map((id) => byThing.get(id) ?? -1))
}

test('[NC46] nothing that the fog hides is on the wire: no row, no place, no id in any column or event', () => {
  const { host, peer, terminal } = start(fogTag, { terminal: { every: 2, events: ['thrown', 'hit', 'zapped'] } })
  let hidden = 0
  let received = 0
  const players = fogTag.tables.players.capacity
  run(host, peer, terminal, 1500, () => {
    const seen = asKnown(host, '1', seenBy(host, 1))
    for (const { tick: _tick, kind, n: _n, ago: _ago, ...ids } of terminal.inside.events.splice(0)) {
      received++
      for (const id of Object.values(ids)) {
        if (!seen.has(id as number)) throw new Error(`the event ${kind} reveals ${id}`)
      }
    }
    const { things: all } = host.world.tables
    hidden += all.count - seen.size
    const shown = shownBy(terminal)
    const { things } = shown.tables
    expect(new Set(things.id.subarray(0, things.count))).toEqual(seen)
    for (const { name, values } of terminal.scheme.tables) {
      for (const { column, kind } of values) {
        if (kind !== 'id') continue
        for (let row = 0; row < shown.tables[name].count; row++) {
          const id = shown.tables[name][column][row]
          if (id !== 0 && !seen.has(id)) throw new Error(`${name}.${column} reveals ${id}`)
        }
      }
    }
  })
  expect(hidden).toBeGreaterThan(500)
  expect(received).toBeGreaterThan(20)
  expect(players).toBe(8)
  expect(terminal.stats.malformed).toBe(0)
})

test('[NC46] a hidden thing changes no byte of what the other side is sent', () => {
  // Two matches that differ in one thing alone: where a far, hidden runner of team 2 stands.
  const messages = [0, 40].map((offset) => {
    const host = createHost(fogTag, { seed: 2, terminal: { every: 1 } })
    const watcher = addPeer(host, 0, 'terminal')
    addPeer(host, 1, 'terminal')
    stepHost(host)
    const { things } = host.world.tables
    things.x[0] = -190
    things.y[0] = -190
    things.x[1] = 100 + offset
    things.y[1] = 150 - offset
    watcher.outbox.length = 0
    for (let tick = 0; tick < 50; tick++) {
      things.x[1] += 0.5
      things.vx[1] = 25 + offset
      things.hp[1] = 50 + offset
      stepHost(host)
    }
    expect(Math.hypot(things.x[1] - things.x[0], things.y[1] - things.y[0])).toBeGreaterThan(SIGHT)
    return watcher.outbox.map((message) => message.join())
  })
  expect(messages[0]).toHaveLength(50)
  expect(messages[0]).toEqual(messages[1])
})

test('[NC47] a spectator of a game with fog sees what every team sees, and no terminal gets the seed', () => {
  const { host, terminal: _ } = start(fogTag)
  const peer = addPeer(host, SPECTATOR, 'terminal')
  const welcome = peer.outbox.shift()!
  expect(new TextDecoder().decode(welcome)).not.toContain('seed')
  const watcher = createTerminal(fogTag, welcome)
  let seen = 0
  run(host, peer, watcher, 600, () => {
    const both = [...seenBy(host, 1)].filter((id) => seenBy(host, 2).has(id))
    const { things } = shownBy(watcher).tables
    expect(new Set(things.id.subarray(0, things.count))).toEqual(asKnown(host, '1,2', both))
    seen += both.length
  })
  expect(seen).toBeGreaterThan(100)
})

test('[NC47] a viewer that changes teams gets a full frame, also while old frames are still being acknowledged', () => {
  const host = createHost(fogTag, { seed: 31, bots, fill: 6, terminal: { every: 1 } })
  const peer = addPeer(host, 0, 'terminal', 'datagram')
  const terminal = createTerminal(fogTag, peer.outbox.shift()!, 'datagram')
  // Another client has had this viewpoint all along.
  const other = addPeer(host, 1, 'terminal', 'datagram')
  const packets: Uint8Array[] = []
  for (let tick = 0; tick < 200; tick++) {
    const { things, players } = host.world.tables
    if (tick === 100) {
      players.team[0] = 2
      things.team[findRow(things, players.thing[0])] = 2
    }
    stepHost(host)
    other.outbox.length = 0
    for (const message of peer.outbox.splice(0)) receiveAtTerminal(terminal, message, tick * TICK_MS)
    const shown = shownBy(terminal).tables.things
    const side = tick < 100 ? 1 : 2
    expect(new Set(shown.id.subarray(0, shown.count))).toEqual(asKnown(host, String(side), seenBy(host, side)))
    advanceTerminal(terminal, tick * TICK_MS, () => ({}))
    // Acknowledgements take five ticks.
    packets.push(...terminal.outbox.splice(0))
    if (tick >= 5) for (const message of packets.splice(0, packets.length - 5)) receive(host, peer, message)
  }
  expect(terminal.stats.malformed).toBe(0)
  expect(terminal.stats.fullFrames).toBeLessThan(20)
})

test('[NC48] a terminal that cannot decode a frame of a stream asks once a second and gets everything', () => {
  const { host, peer, terminal } = start()
  run(host, peer, terminal, 100)
  // One frame is lost, which no stream does.
  stepHost(host)
  stepHost(host)
  peer.outbox.length = 0
  let asked = 0
  for (let tick = 0; tick < 200; tick++) {
    run(host, peer, terminal, 1)
    for (const message of terminal.outbox.splice(0)) {
      if (message[0] === MESSAGES.desync.kind) asked++
      receive(host, peer, message)
    }
  }
  expect(asked).toBeLessThanOrEqual(2)
  expect(terminal.stats.fullFrames).toBe(2)
  run(host, peer, terminal, 2, () => expectSame(host, terminal))
})

test('[NC49] inputs of a terminal are played, and say how long ago its player saw the others', () => {
  const { host, peer, terminal } = start()
  const row = () => findRow(host.world.tables.players, 1)
  for (let tick = 0; tick < 100; tick++) {
    const now = tick * TICK_MS
    run(host, peer, terminal, 1)
    showTerminal(terminal, now)
    advanceTerminal(terminal, now, () => ({ moveX: 1 }))
    for (const message of terminal.outbox.splice(0)) receive(host, peer, message)
  }
  const { players } = host.world.tables
  expect(players.moveX[row()]).toBe(1)
  const { delayTicks } = terminal.stats
  const ago = players.seenAgo[row()]
  // What is shown lies behind the host by the delay, and the input was meant for some ticks ahead.
  expect(ago).toBeGreaterThan(delayTicks)
  expect(ago).toBeLessThan(delayTicks + terminal.clock.lead + 2)
})

test('[NC52] what terminals are to be shown or to run must be there', () => {
  const wrong = (terminal: TerminalOptions) => () => createHost(tag, { terminal })
  expect(wrong({ derive: ['fgo'] })).toThrow('has no phase "fgo" for terminals to run. Known: ')
  expect(wrong({ events: ['hti'] })).toThrow('has no event "hti" to show')
  expect(wrong({ arrays: ['map'] })).toThrow('has no array "map" to show')
  expect(wrong({ derive: ['run'] })).not.toThrow()
})

test('[NC50] a terminal waits for a host that falls behind its own clock: no input is too far ahead', () => {
  const { host, peer, terminal } = start()
  let now = 0
  for (let tick = 0; tick < 400; tick++) {
    run(host, peer, terminal, 1)
    // For a while the host takes four times as long for a tick.
    now += tick > 100 && tick < 300 ? 4 * TICK_MS : TICK_MS
    advanceTerminal(terminal, now, () => ({ moveX: 1 }))
    for (const message of terminal.outbox.splice(0)) receive(host, peer, message)
  }
  expect(peer.counts).toMatchObject({ future: 0, malformed: 0 })
  expect(peer.counts.accepted).toBeGreaterThan(300)
})

test('[NC54] what is spawned, thrown and scored unseen changes no byte, also when something new comes into sight', () => {
  const spawned: number[] = []
  const messages = [false, true].map((isBusy) => {
    const rival: Bot<typeof declaration> = {
      name: 'rival',
      about: 'throws and zaps in its corner, or does nothing',
      think: (world) => (isBusy ? { moveX: 0.1, throwing: true, zap: world.tick % 3 === 0 ? 1 : 0 } : {}),
    }
    const terminal = { every: 1, events: ['thrown', 'hit', 'zapped'] }
    const host = createHost(fogTag, { seed: 2, bots: [rival], fill: 2, terminal })
    const watcher = addPeer(host, 0, 'terminal')
    const client = createTerminal(fogTag, watcher.outbox.shift()!)
    const { things, players } = host.world.tables
    const sent: Uint8Array[] = []
    let friend: Peer | undefined
    for (let tick = 0; tick < 160; tick++) {
      if (tick > 0) {
        // Corners: what is thrown there flies away from the watcher.
        for (const [row, place] of [-190, 190].entries()) {
          const runner = findRow(things, players.thing[row])
          things.x[runner] = place
          things.y[runner] = place
        }
        if (isBusy) players.score[1] += 3
      }
      if (tick === 80) friend = addPeer(host, 2, 'terminal')
      stepHost(host)
      if (friend !== undefined) friend.outbox.length = 0
      for (const message of watcher.outbox.splice(0)) {
        sent.push(message)
        receiveAtTerminal(client, message, tick * TICK_MS)
      }
      // Its own darts are new things in sight.
      advanceTerminal(client, tick * TICK_MS, () => ({ moveX: -1, throwing: tick > 100 }))
      for (const message of client.outbox.splice(0)) receive(host, watcher, message)
    }
    expect(client.stats.malformed).toBe(0)
    expect(client.frames.at(-1)!.tables[0].length, 'runner, friend and darts').toBeGreaterThan(4)
    spawned.push(lastId(host.world))
    return sent
  })
  compareUnseen(messages, spawned, 6)
})
