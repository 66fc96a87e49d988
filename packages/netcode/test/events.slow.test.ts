/**
 * Events under prediction: each is shown once, and confirmed exactly as often as it happened at the host.
 *
 * Whole matches in virtual time; every failure repeats by its seed. The figures are printed: docs/guide/effects.md shows them.
 */

import { createWorld, declareGame, defineGame, emit, listEvents, spawn, step } from 'hurtbox'
import type { GameModule } from 'hurtbox/module'
import { planEvents } from 'hurtbox/picture'
import type { AnyBot } from 'hurtbox/tools'
import { expect, test } from 'vitest'
import { bots as jetBots } from '../../../games/jet-raiders/bots/index.ts'
import jetModule from '../../../games/jet-raiders/index.ts'
import { bots as sumoBots } from '../../../games/sumo/bots/index.ts'
import sumoModule from '../../../games/sumo/index.ts'
import { keeper, striker } from '../../create-hurtbox/shield-ball/game/bots.ts'
import courtModule from '../../create-hurtbox/shield-ball/game/index.ts'
import { type Mirror, takeNews } from '../src/client/index.ts'
import {
  beginAgain,
  continueFeed,
  createEventFeed,
  type EventFeed,
  endAgain,
  feedConfirmed,
  feedGap,
  feedPredicted,
  noteConfirmedState,
  takeGaps,
  withdrawBefore,
} from '../src/client/mirror/event-feed.ts'
import { type LinkConditions, type SimulatedClient, simulate } from '../src/links/index.ts'

const isLong = process.env.HURTBOX_LONG !== undefined
const PATIENCE_MS = isLong ? 3_600_000 : 240_000
/** A round trip of 200 ms. */
const ROUGH: LinkConditions = { kind: 'datagram', latencyMs: 90, jitterMs: 20, loss: 0.05 }

type Ledger = {
  readonly confirmed: string[]
  readonly standing: Set<number>
  predicted: number
  withdrawn: number
}

const mirrorOf = ({ follower }: SimulatedClient): Mirror => follower.mirror!

/** Plays a match and compares, client by client, what was confirmed with what happened, record by record. */
function follow(module: GameModule, bots: readonly AnyBot[], clients: number, ticks: number, seed: number) {
  const { game, meaning } = module
  const happened: string[] = []
  const ledgers = new Map<SimulatedClient, Ledger>()
  function take(client: SimulatedClient): void {
    const ledger = ledgers.get(client) ?? { confirmed: [], standing: new Set(), predicted: 0, withdrawn: 0 }
    ledgers.set(client, ledger)
    for (const { what, event, serial } of takeNews(mirrorOf(client).events)) {
      if (what === 'predicted') {
        ledger.predicted++
        expect(ledger.standing.has(serial), `seed ${seed}: ${serial} predicted twice`).toBe(false)
        ledger.standing.add(serial)
        continue
      }
      expect(ledger.standing.delete(serial), `seed ${seed}: ${serial} ${what} unannounced or twice`).toBe(true)
      if (what === 'confirmed') ledger.confirmed.push(JSON.stringify(event))
      else ledger.withdrawn++
    }
  }
  const report = simulate({
    game,
    bots,
    clients,
    ticks,
    seed,
    link: ROUGH,
    host: { replay: false },
    afterTick(host, clients) {
      happened.push(...listEvents(host.world).map((event) => JSON.stringify(event)))
      if (host.world.tick === 1)
        for (const client of clients) mirrorOf(client).events.plans = planEvents(game, meaning?.events)
    },
    afterFrame: take,
  })
  for (const client of report.clients) take(client)
  let confirmed = 0
  let predicted = 0
  let withdrawn = 0
  for (const [client, ledger] of ledgers) {
    const { confirmed: world, events } = mirrorOf(client)
    const due = happened.filter((text) => JSON.parse(text).tick < world.tick)
    expect(ledger.confirmed, `seed ${seed}, seat ${client.peer.seat}`).toEqual(due)
    expect(ledger.standing.size, `seed ${seed}: left open`).toBe(events.open.length)
    confirmed += ledger.confirmed.length
    predicted += ledger.predicted
    withdrawn += ledger.withdrawn
  }
  expect(report.mismatches).toBe(0)
  return { happened: happened.length, confirmed, predicted, withdrawn }
}

const games = [
  ['Jet Raiders', jetModule, jetBots, 8],
  ['Sumo', sumoModule, sumoBots, 8],
  ['Shield Ball', courtModule, [striker, striker, keeper, keeper], 4],
] as const

test.each(games)(
  '[EV1] %s at a round trip of 200 ms and 5 percent loss: every event is confirmed exactly once, none that did not happen',
  (name, module, bots, clients) => {
    const wanted = isLong ? 100_000 : 600
    const sum = { happened: 0, confirmed: 0, predicted: 0, withdrawn: 0 }
    for (let seed = 71; sum.confirmed < wanted; seed++) {
      const part = follow(module, bots, clients, isLong ? 4000 : 350, seed)
      for (const key of Object.keys(sum) as (keyof typeof sum)[]) sum[key] += part[key]
    }
    const share = (100 * sum.withdrawn) / sum.predicted
    console.log(
      `${name}, ${clients} mirrors, RTT 200 ms, loss 5 %: ${sum.happened} events at the host, confirmed ${sum.confirmed} times, ` +
        `0 too many, 0 too few; shown ${sum.predicted}, withdrawn ${sum.withdrawn} (${share.toFixed(1)} %)`,
    )
    expect(sum.withdrawn).toBeGreaterThan(0)
  },
  PATIENCE_MS,
)

// A feed by itself, with two runs of a match that are told what to emit.

type Told = { readonly kind: 'bounce' | 'spark' | 'goal'; readonly [field: string]: number | string }
const told = new Map<number, readonly Told[]>()
const script = defineGame(
  declareGame({
    id: 'script',
    tickRate: 50,
    layers: { ball: [] },
    events: { bounce: { ball: 'id', speed: 'f64' }, spark: { ball: 'id', fresh: 'id' }, goal: { team: 'u8' } },
  }),
  {
    setup: (world) => void spawn(world, 'ball'),
    phases: {
      tell(world) {
        for (const { kind, ...values } of told.get(world.tick) ?? []) emit(world, kind, values as never)
      },
    },
  },
)

type Tape = Readonly<Record<number, readonly Told[]>>

/** A client that has the match up to tick 0 and predicts ten ticks. */
function client(prediction: Tape, meanings: object = {}) {
  const feed = createEventFeed(planEvents(script, meanings))
  const confirmed = createWorld(script)
  noteConfirmedState(feed, confirmed)
  const predict = (tape: Tape, from = confirmed.tick, to = 10) => {
    const world = createWorld(script)
    told.clear()
    for (let tick = 0; tick < to; tick++) {
      told.set(tick, tape[tick] ?? [])
      step(world)
      if (tick >= from) feedPredicted(feed, world)
    }
  }
  predict(prediction)
  return {
    feed,
    predict,
    /** The host's ticks before `upTo` come; then what follows is predicted again. */
    confirm(tape: Tape, upTo: number, next: Tape = tape) {
      told.clear()
      while (confirmed.tick < upTo) {
        told.set(confirmed.tick, tape[confirmed.tick] ?? [])
        step(confirmed)
        feedConfirmed(feed, confirmed)
      }
      beginAgain(feed, confirmed)
      predict(next)
      endAgain(feed)
      withdrawBefore(feed, confirmed.tick)
    },
  }
}

const newsOf = (feed: EventFeed) =>
  takeNews(feed).map(({ what, event, serial }) => `${serial} ${what} at ${event.tick}`)
const bounce = (ball: number, speed = 1): Told => ({ kind: 'bounce', ball, speed })

test('[EV2] an event that a better prediction moves by some ticks, or gives other numbers, is the same event', () => {
  const { feed, confirm } = client({ 3: [bounce(1, 5)] })
  expect(newsOf(feed)).toEqual(['1 predicted at 3'])
  confirm({}, 1, { 4: [bounce(1, 5.5)] })
  expect(newsOf(feed)).toEqual([])
  confirm({ 5: [bounce(1, 6)] }, 6)
  expect(takeNews(feed)).toMatchObject([{ what: 'confirmed', serial: 1, event: { tick: 5, speed: 6 } }])
})

test('[EV3] what is about another thing, of another kind or beyond the window is another event', () => {
  const others: readonly [Told, Told][] = [
    [bounce(1), bounce(2)],
    [{ kind: 'spark', ball: 1, fresh: 0 }, bounce(1)],
  ]
  for (const [guess, other] of others) {
    const { feed, confirm } = client({ 3: [guess] })
    confirm({ 3: [other] }, 4)
    expect(newsOf(feed)).toEqual(['1 predicted at 3', '2 predicted at 3', '2 confirmed at 3', '1 withdrawn at 3'])
  }
  // 20 ms a tick: a window of 40 ms is two ticks.
  const meanings = { bounce: { windowMs: 40 } }
  for (const [tick, isSame] of [
    [3, true],
    [5, true],
    [6, false],
  ] as const) {
    const { feed, confirm } = client({ 3: [bounce(1)] }, meanings)
    confirm({ [tick]: [bounce(1)] }, 7)
    expect(newsOf(feed).includes(`1 confirmed at ${tick}`)).toBe(isSame)
  }
})

test('[EV4] two equal events stay two: matching is one to one, the nearest tick first', () => {
  const twice = client({ 3: [bounce(1), bounce(1)] })
  twice.confirm({ 3: [bounce(1)] }, 4)
  expect(newsOf(twice.feed)).toEqual(['1 predicted at 3', '2 predicted at 3', '1 confirmed at 3', '2 withdrawn at 3'])
  const once = client({ 3: [bounce(1)] })
  once.confirm({ 3: [bounce(1), bounce(1)] }, 4)
  expect(newsOf(once.feed)).toEqual(['1 predicted at 3', '1 confirmed at 3', '2 predicted at 3', '2 confirmed at 3'])
  const row = client({ 2: [bounce(1)], 4: [bounce(1)], 6: [bounce(1)] })
  newsOf(row.feed)
  row.confirm({ 4: [bounce(1)], 6: [bounce(1)] }, 7)
  expect(newsOf(row.feed)).toEqual(['2 confirmed at 4', '3 confirmed at 6', '1 withdrawn at 2'])
})

test('[EV5] ids of what was spawned in a prediction mean nothing: a shifted one is still the same event', () => {
  // One ball is confirmed. Ids from 2 on were given by the prediction.
  const spark = (fresh: number): Told => ({ kind: 'spark', ball: 1, fresh })
  const shifted = client({ 3: [spark(2)] })
  shifted.confirm({ 3: [spark(7)] }, 4)
  expect(newsOf(shifted.feed)).toEqual(['1 predicted at 3', '1 confirmed at 3'])
  // An old id is no new one.
  const old = client({ 3: [spark(2)] })
  old.confirm({ 3: [spark(1)] }, 4)
  expect(newsOf(old.feed)).toContain('1 withdrawn at 3')
})

test('[EV6] a declared key replaces the ids: what has the same key is the same event, whatever else differs', () => {
  const goal = (team: number): Told => ({ kind: 'goal', team })
  const by = (key: readonly string[]) => {
    const { feed, confirm } = client({ 3: [goal(1)] }, { goal: { key } })
    confirm({ 4: [goal(2)] }, 5)
    return newsOf(feed).includes('1 confirmed at 4')
  }
  expect([by([]), by(['team'])]).toEqual([true, false])
  expect(() => planEvents(script, { goal: { key: ['teem'] } })).toThrow('team')
  expect(() => planEvents(script, { gaol: {} })).toThrow('goal')
})

test('[EV7] an event that comes back in a later prediction, before its tick is over, is not shown again', () => {
  const { feed, confirm } = client({ 6: [bounce(1)] })
  newsOf(feed)
  confirm({}, 1, {})
  confirm({}, 2, { 6: [bounce(1)] })
  expect(newsOf(feed)).toEqual([])
  confirm({ 6: [bounce(1)] }, 7)
  expect(newsOf(feed)).toEqual(['1 confirmed at 6'])
})

test('[EV4] an event of the next tick is another one, as long as the one before it stands', () => {
  const { feed, confirm, predict } = client({ 9: [bounce(1)] })
  confirm({}, 1, { 9: [bounce(1)] })
  predict({ 10: [bounce(1)] }, 10, 11)
  expect(newsOf(feed)).toEqual(['1 predicted at 9', '2 predicted at 10'])
})

test('[EV12] what is withdrawn is the very record that was shown, though predictions have moved it since', () => {
  const { feed, confirm } = client({ 6: [bounce(1)] })
  const [shown] = takeNews(feed)
  confirm({}, 2, { 7: [bounce(1, 9)] })
  confirm({}, 9)
  const [taken] = takeNews(feed)
  expect([shown.what, taken.what]).toEqual(['predicted', 'withdrawn'])
  expect(taken.event).toBe(shown.event)
})

test('[EV8] ticks that were skipped are told as a gap; what was predicted for them is withdrawn', () => {
  const { feed } = client({ 3: [bounce(1)], 8: [bounce(1)] })
  newsOf(feed)
  feedGap(feed, { from: 1, to: 5 })
  expect(newsOf(feed)).toEqual(['1 withdrawn at 3'])
  expect(takeGaps(feed)).toEqual([{ from: 1, to: 5 }])
  // After a reconnect numbers go on, and nothing stays open.
  const after = createEventFeed(feed.plans)
  continueFeed(after, feed, { from: 5, to: 6 })
  expect(newsOf(after)).toEqual(['2 withdrawn at 8'])
  expect([takeGaps(after), after.nextSerial]).toEqual([[{ from: 5, to: 6 }], 3])
})
