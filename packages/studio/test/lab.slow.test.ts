import { axis, type Bot, declareGame, defineGame, each, players, restore, spawn } from 'hurtbox'
import { defineModule, readModule } from 'hurtbox/module'
import { type AnyWorld, createEmptyWorld, snapshotTick } from 'hurtbox/tools'
import { expect, test } from 'vitest'
import jetRaiders from '../../../games/jet-raiders/index.ts'
import { advanceLab, createLab, DEFAULT_CONDITIONS, seenAt, setConditions } from '../src/lab/lab.ts'
import { readLab } from '../src/lab/sides.ts'
import { playTick, startMatch } from '../src/sim/match.ts'
import type { SyncAnswer } from '../src/sim/protocol.ts'
import { answer } from '../src/sim/questions.ts'

test('[ST19] the lab shows on the server what each client saw when it acted for the tick', () => {
  const lab = createLab(readModule({ default: jetRaiders }, 'jet-raiders'), 5, DEFAULT_CONDITIONS)
  setConditions(lab, { ...DEFAULT_CONDITIONS, latencyMs: 200, jitterMs: 0, loss: 0 })
  advanceLab(lab, 4000)
  const { host, clients } = lab
  const seen: AnyWorld = createEmptyWorld(host.game, { options: host.world.options } as never)
  const furthest = clients.map(() => 0)
  const exact = clients.map(() => 0)
  for (let moment = 0; moment < 20; moment++) {
    advanceLab(lab, 100)
    clients.forEach(({ mirror }, i) => {
      // The client runs ahead by the way of its inputs; what it saw for this tick it saw that long ago.
      expect(mirror.world.tick - host.world.tick).toBeGreaterThan(3)
      const then = seenAt(lab, i, host.world.tick)!
      expect(snapshotTick(then)).toBe(host.world.tick)
      restore(seen, then)
      const gap = (seat: number) => {
        const { x, y } = seen.tables.things
        return Math.hypot(x[seat] - host.world.tables.things.x[seat], y[seat] - host.world.tables.things.y[seat])
      }
      if (gap(i) < 1e-9) exact[i]++
      furthest[i] = Math.max(furthest[i], ...[0, 1, 2, 3].map(gap))
    })
  }
  // Its own ship it saw where it is, unless somebody hit it; others not quite.
  expect(Math.min(...exact)).toBeGreaterThan(10)
  expect(Math.min(...furthest)).toBeGreaterThan(1)
  expect(seenAt(lab, 0, 0)).toBeUndefined()
})

test('[ST25] input delay in the lab: the clients see less ahead, and the lab says so in words', () => {
  const ahead = (inputDelay: number | 'adaptive') => {
    const conditions = { ...DEFAULT_CONDITIONS, latencyMs: 200, jitterMs: 0, loss: 0, inputDelay }
    const lab = createLab(readModule({ default: jetRaiders }, 'jet-raiders'), 5, conditions)
    setConditions(lab, conditions)
    advanceLab(lab, 2000)
    const [{ lead, words }] = readLab(lab).clients
    return { lead, words }
  }
  const [none, delayed] = [ahead(0), ahead(64)]
  // 16 ms a tick, and whole ticks are counted.
  expect(Math.abs(none.lead - delayed.lead - 4)).toBeLessThanOrEqual(1)
  expect(delayed.words).toContain('Your inputs wait 4 ticks (64 ms)')
  expect(ahead('adaptive').words).toMatch(/Your inputs wait [1-4] ticks?/)
})

test('[DG16] the figures of the lab are those of the links and of the client: path, loss each way, late inputs, lead', () => {
  const conditions = { ...DEFAULT_CONDITIONS, latencyMs: 150, jitterMs: 40, loss: 0.25, kind: 'datagram' } as const
  const lab = createLab(readModule({ default: jetRaiders }, 'jet-raiders'), 5, conditions)
  setConditions(lab, conditions)
  advanceLab(lab, 5000)
  readLab(lab).clients.forEach(({ path, lostUp, lostDown, lateShare, inputLead }, i) => {
    const { up, down, mirror, peer } = lab.clients[i]
    expect([path, lostUp, lostDown]).toEqual(['datagrams', up.lost / up.sent, down.lost / down.sent])
    for (const loss of [lostUp, lostDown]) expect(Math.abs(loss - 0.25)).toBeLessThan(0.1)
    const { reports, lateReports } = mirror.sender
    expect(lateShare).toBe(lateReports / reports)
    // Each report of the host that says "late" is about at least one late input.
    expect(lateReports).toBeGreaterThan(0)
    expect(lateReports).toBeLessThanOrEqual(peer.counts.late)
    expect(inputLead).toBe(mirror.clock.lead)
  })
  setConditions(lab, { ...conditions, kind: 'stream' })
  expect(readLab(lab).clients.map(({ path }) => path)).toEqual(['socket', 'socket'])
})

test('[DI40] a phase that depends on something outside the world is named by phase and column: in the sync test, in the room, in the lab', () => {
  let calls = 0
  const declaration = declareGame({
    id: 'leaky',
    tickRate: 30,
    seats: { min: 1, max: 4 },
    layers: { walker: [] },
    input: { moveX: axis() },
  })
  const game = defineGame(declaration, {
    onJoin(world, player) {
      player.thing = spawn(world, 'walker', { radius: 5, x: 10 * player.seat })
    },
    phases: {
      walk(world) {
        for (const { thing: walker, moveX } of players(world)) if (walker !== undefined) walker.x += moveX
      },
      // Counted in this module, over all worlds that there are.
      leak(world) {
        calls++
        for (const walker of each(world, 'walker')) walker.y += calls % 5
      },
      turn(world) {
        for (const walker of each(world, 'walker')) walker.vx = walker.y
      },
    },
  })
  const sway: Bot<typeof declaration> = {
    name: 'sway',
    about: 'walks to and fro',
    think: (world) => ({ moveX: world.tick % 20 < 10 ? 1 : -1 }),
  }
  const module = readModule({ default: defineModule({ game, bots: [sway], seating: { seats: 2 } }) }, 'leaky')
  const named = /^(tick \d+, )?phase leak: (tick \d+: )?things row \d \(id \d\) y is \S+ here and \S+ there$/

  const lab = createLab(module, 3, DEFAULT_CONDITIONS)
  setConditions(lab, { ...DEFAULT_CONDITIONS, latencyMs: 80, jitterMs: 0, loss: 0 })
  advanceLab(lab, 12_000)
  const reports = readLab(lab).clients.flatMap(({ desyncs }) => desyncs)
  expect(reports.length).toBeGreaterThan(0)
  expect(reports.filter((text) => named.test(text)).length, reports.join('\n')).toBeGreaterThan(0)
  // The room has the same words from its clients.
  const told = [...lab.host.peers].flatMap(({ differences }) => differences)
  expect(
    told.some((text) => named.test(text)),
    told.join('\n'),
  ).toBe(true)

  // And so does the sync test of the studio.
  const match = startMatch(module, {
    game: 'leaky',
    scene: '',
    seed: 3,
    seats: [0, 1].map((seat) => ({ seat, team: 0, bot: 0 })),
  })
  for (let i = 0; i < 250; i++) playTick(match, undefined)
  const { ok, message } = answer(match, { ask: 'synctest', depth: 4 }) as SyncAnswer
  expect(ok).toBe(false)
  expect(message).toMatch(named)
})
