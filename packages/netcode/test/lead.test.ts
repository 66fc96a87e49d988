/** How far a client runs ahead: seldom late, no further than it must, and quick to learn that a link got worse. */

import { expect, test } from 'vitest'
import { createHostClock, hostTick, noteSlack, noteTick } from '../src/client/clock.ts'
import { createInputSender, isPacketDue, sendLater } from '../src/client/sender.ts'
import { createLink, deliver, send } from '../src/links/link.ts'
import { LOSSY, median, playLead, playLeads, roughAt } from './lead.ts'
import { tag } from './support.ts'

/** Medians before the window had three seconds, by link and ticks a second: the lead must not grow past them. */
const BEFORE = { datagram: { 62.5: 268, 20: 313 }, stream: { 62.5: 497, 20: 528 } } as const

/** Bursts are rare: one match has too few of them. */
const SEEDS = [2, 3, 4]

test('[LE1] at 200 ms, jitter 20 and a loss of 5 % fewer than 0.1 % of inputs over datagrams are late, fewer than 1 % over a stream', () => {
  for (const tickRate of [62.5, 20] as const) {
    for (const kind of ['datagram', 'stream'] as const) {
      const { inputs, late, leads } = playLead({ kind, ...LOSSY }, { tickRate })
      const what = `${kind} at ${tickRate} Hz`
      expect(late / inputs, what).toBeLessThan(kind === 'datagram' ? 0.001 : 0.01)
      expect(median(leads), what).toBeLessThanOrEqual(BEFORE[kind][tickRate])
    }
  }
})

test('[LE2] with bursts of 150 ms fewer than 1 % are late over either link, with the same lead', () => {
  for (const kind of ['datagram', 'stream'] as const) {
    const { inputs, late, leads } = playLeads({ kind, ...roughAt(62.5) }, {}, SEEDS)
    expect(late / inputs, kind).toBeLessThan(kind === 'datagram' ? 0.004 : 0.01)
    expect(median(leads), kind).toBeLessThanOrEqual(BEFORE[kind][62.5])
  }
})

test('[LE3] the first inputs are in time up to a round trip of 150 ms, and the lead is near its final one within three seconds', () => {
  const calm = { kind: 'datagram', latencyMs: 75 } as const
  expect(playLead(calm, { seconds: 20, fromMs: 0 }).late).toBe(0)
  const near = { kind: 'datagram', latencyMs: 5 } as const
  const final = median(playLead(near, { seconds: 60, fromMs: 30_000 }).leads)
  const early = playLead(near, { seconds: 3.1, fromMs: 3_000 }).leads
  expect(early.at(-1)).toBeLessThanOrEqual(final + 3 * 16)
})

test('[LE4] when a link gets slower, inputs are in time again after one round trip and a half; when it gets faster, the lead falls over seconds', () => {
  const fast = { kind: 'datagram', latencyMs: 30 } as const
  const slow = { kind: 'datagram', latencyMs: 130 } as const
  const change = { atMs: 10_000, conditions: slow }
  // From the change: 130 ms until the first late one is there, 130 until the client hears of it, then as long as they fly.
  const after = playLead(fast, { seconds: 20, fromMs: 10_000 + 3 * 130 + 50 }, change)
  expect(after.late).toBe(0)
  const back = { atMs: 10_000, conditions: fast }
  const second = playLead(slow, { seconds: 11, fromMs: 10_900 }, back)
  const minute = playLead(slow, { seconds: 60, fromMs: 59_000 }, back)
  expect(median(second.leads)).toBeGreaterThan(200)
  expect(median(minute.leads)).toBeLessThan(140)
})

test('[LE5] a few messages that were faster than all others cost nothing when they are too old to count', () => {
  const usual = { kind: 'datagram', latencyMs: 80 } as const
  const fast = { kind: 'datagram', latencyMs: 20 } as const
  for (let offsetMs = 0; offsetMs < 3_000; offsetMs += 500) {
    const moment = { atMs: 10_000 + offsetMs, conditions: fast }
    const back = { atMs: moment.atMs + 100, conditions: usual }
    const after = playLead(usual, { seconds: 30, fromMs: 10_000 }, moment, back)
    expect(after.late, `${offsetMs} ms`).toBe(0)
    // And the lead is what it was in the end.
    const end = playLead(usual, { seconds: 40, fromMs: 35_000 }, moment, back)
    expect(median(end.leads)).toBeLessThanOrEqual(median(playLead(usual, { seconds: 40, fromMs: 35_000 }).leads) + 16)
  }
})

test('[LE6] what bursts cost: no lead of the same median that never changes is late less often, and one that is late in fewer than 0.1 % needs more than 30 ms more', () => {
  const share = (fixedMs: number) => {
    const { late, inputs } = playLeads({ kind: 'datagram', ...roughAt(62.5) }, { fixedMs }, [2, 3])
    return late / inputs
  }
  const before = BEFORE.datagram[62.5]
  const shares = { adaptive: share(0), fixed: share(before), more: share(before + 30), most: share(before + 80) }
  const words = Object.entries(shares).map(([name, part]) => `${name} ${(100 * part).toFixed(3)} %`)
  console.log(`late over datagrams with bursts: ${words.join(', ')}`)
  expect(shares.adaptive).toBeLessThan(shares.fixed)
  expect(shares.more).toBeGreaterThan(0.001)
  expect(shares.most).toBeLessThan(0.001)
})

test('[LE7] when the host stood still, inputs come early, and the lead does not rise when its old ticks are too old to count', () => {
  const clock = createHostClock(60)
  const play = (fromMs: number, toMs: number, behindTicks: number) => {
    for (let now = fromMs; now < toMs; now += clock.tickMs) {
      const tick = Math.round(now / clock.tickMs) - behindTicks
      noteTick(clock, tick, now)
      const slack = Math.floor(hostTick(clock, now) + clock.lead) - 6 - tick
      noteSlack(clock, slack, tick, tick, now)
    }
    return clock.lead
  }
  const usual = play(0, 20_000, 0)
  expect(play(20_000, 25_000, 30)).toBeLessThanOrEqual(usual + 1)
})

test('[LE9] what a late input has added to the lead is kept for 600 ticks, and then given back; what was only scarce is not kept', () => {
  for (const tickRate of [20, 60]) {
    const clock = createHostClock(tickRate)
    const report = (slack: number, fromMs: number, toMs: number) => {
      for (let now = fromMs; now < toMs; now += 50) noteSlack(clock, slack, 1_000, 1, now)
      return clock.lead
    }
    report(clock.wantedSlack, 0, 10_000)
    noteSlack(clock, -6, 1_000, 1, 10_000)
    const raised = clock.lead
    const until = 10_000 + (600 * 1000) / tickRate
    expect(report(20, 10_050, until)).toBe(raised)
    expect(report(20, until, until + 100)).toBeLessThan(raised)
  }
  const clock = createHostClock(60)
  let now = 0
  for (; now < 10_000; now += 50) noteSlack(clock, clock.wantedSlack, 1_000, 1, now)
  const usual = clock.lead
  for (; clock.lead === usual; now += 50) noteSlack(clock, 0, 1_000, 1, now)
  const more = clock.lead
  expect(more).toBeGreaterThan(usual)
  for (const end = now + 4_000; now < end; now += 50) noteSlack(clock, 9, 1_000, 1, now)
  expect(clock.lead).toBeLessThan(more)
})

test('[LE10] inputs that may be lost are said again, but not in the last moment before the next input, whose packet has them all', () => {
  const sender = createInputSender(tag as never, 1, 'datagram')
  sendLater(sender, 5, { moveX: 1 }, 0)
  expect(isPacketDue(sender, 'datagram', 0, 30)).toBe(true)
  sender.fresh = 0
  expect(isPacketDue(sender, 'datagram', 24, 30)).toBe(false)
  expect(isPacketDue(sender, 'datagram', 30, 20)).toBe(true)
  expect(isPacketDue(sender, 'datagram', 30, 5)).toBe(false)
  expect(isPacketDue(sender, 'datagram', 50, 5)).toBe(true)
  // Of a line that loses packets every one counts.
  sender.loss = 0.05
  expect(isPacketDue(sender, 'datagram', 8, 20)).toBe(false)
  expect(isPacketDue(sender, 'datagram', 16, 5)).toBe(true)
  sender.open.length = 0
  expect(isPacketDue(sender, 'datagram', 16, 5)).toBe(false)
})

test('[LE11] with bursts fewer than 0.1 % are late over datagrams at 20 and 30 Hz, with a lead no larger than that of 0.1.0', () => {
  for (const [tickRate, before] of [
    [30, 283],
    [20, 300],
  ]) {
    const { inputs, late, leads } = playLeads({ kind: 'datagram', ...roughAt(tickRate) }, { tickRate }, SEEDS)
    console.log(`${tickRate} Hz: ${((100 * late) / inputs).toFixed(3)} % late, lead ${median(leads).toFixed(0)} ms`)
    expect(late / inputs, `${tickRate} Hz`).toBeLessThan(0.001)
    expect(median(leads), `${tickRate} Hz`).toBeLessThanOrEqual(before)
  }
})

test('[LE12] the bursts of a link come by time: as many, and as long, however much is sent', () => {
  const lostMs = (everyMs: number) => {
    const link = createLink({ kind: 'datagram', latencyMs: 0, burstsPerMinute: 2, burstMs: 150 }, 7)
    for (let now = 0; now < 15 * 60_000; now += everyMs) {
      send(link, new Uint8Array(1), now)
      deliver(link, now)
    }
    return link.lost * everyMs
  }
  const [often, seldom] = [lostMs(10), lostMs(40)]
  // 30 bursts, more or less.
  expect(often).toBeGreaterThan(20 * 150)
  expect(often).toBeLessThan(40 * 150)
  expect(Math.abs(often - seldom)).toBeLessThan(0.1 * often)
})
