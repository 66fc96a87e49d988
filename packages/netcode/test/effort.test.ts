/**
 * A slow machine in virtual time: every step of its worlds takes time, frames come when the work of the last one is done, and the same for the
 * messages that wait for it. The match, the link and the machine follow from the seed.
 */

import { defineGame } from 'hurtbox'
import { purposeOf, unitAt } from 'hurtbox/math'
import { type AnyGame, botInput } from 'hurtbox/tools'
import { expect, test } from 'vitest'
import { follow } from '../src/client/follow.ts'
import type { Follower } from '../src/client/follower.ts'
import { createEffort, weighEffort } from '../src/client/mirror/effort.ts'
import { createHost, stepHost } from '../src/host/host.ts'
import { addPeer } from '../src/host/peers.ts'
import { receive } from '../src/host/receive.ts'
import { createLink, deliver, send } from '../src/links/link.ts'
import { declaration, phases, tag, whimsical } from './support.ts'

const TICK_RATE = 60
const LINK = { kind: 'stream', latencyMs: 120, jitterMs: 10 } as const
const FRAME_MS = 1000 / 60
/** What drawing a frame takes of the same thread. */
const DRAW_MS = 5
const fast = defineGame({ ...declaration, tickRate: TICK_RATE }, tag.behaviour as never) as AnyGame

type Second = {
  readonly ahead: number
  readonly mostAhead: number
  readonly fps: number
  readonly behind: number
  readonly late: number
}

/** Plays a match on a machine whose step takes `stepMs(second)` ms. What was seen in each second. */
function playSlowly(
  seconds: number,
  stepMs: (second: number) => number,
  { seed = 7, measured = true, inputDelay = 0 } = {},
): { readonly seconds: readonly Second[]; readonly follower: Follower; readonly mismatches: number } {
  let now = 0
  let spent = 0
  const slow = defineGame({ ...declaration, tickRate: TICK_RATE }, {
    ...tag.behaviour,
    phases: {
      ...phases,
      count(world: never) {
        phases.count(world)
        spent += stepMs(now / 1000)
      },
    },
  } as never) as AnyGame
  const host = createHost(fast, { seed, bots: [whimsical as never], fill: 4 })
  const peer = addPeer(host, 0, 'mirror', 'stream')
  const [up, down] = [createLink(LINK, 2 * seed), createLink(LINK, 2 * seed + 1)]
  const timer = () => now + spent
  const choices = { inputDelay, ...(measured && { timer }) }
  const follower = follow(slow, peer.outbox.shift()!, LINK.latencyMs, { choices })!
  const found: Second[] = []
  const tickMs = 1000 / TICK_RATE
  let [frameAt, frames, late] = [LINK.latencyMs, 0, 0]
  for (let tick = 0; tick < seconds * TICK_RATE; tick++) {
    const until = (tick + 1) * tickMs
    for (; frameAt < until; frames++) {
      now = frameAt
      spent = 0
      for (const message of deliver(down, now)) follower.receive(message, now)
      follower.advance(now, (_tick, world) => botInput(whimsical as never, world, 0, seed))
      for (const message of follower.outbox.splice(0)) send(up, message, now)
      frameAt = now + Math.max(FRAME_MS, spent + DRAW_MS)
    }
    for (const message of deliver(up, until)) receive(host, peer, message)
    stepHost(host)
    for (const message of peer.outbox.splice(0)) send(down, message, until)
    if (tick % TICK_RATE !== TICK_RATE - 1) continue
    const { world, confirmed } = follower.mirror!
    const lateNow = peer.counts.late - peer.counts.harmless
    const { mostAhead } = follower.network()
    found.push({
      ahead: world.tick - confirmed.tick,
      mostAhead,
      fps: frames,
      behind: host.world.tick - confirmed.tick,
      late: lateNow - late,
    })
    late = lateNow
    frames = 0
  }
  return { seconds: found, follower, mismatches: follower.mirror!.stats.mismatches }
}

const limits = (seconds: readonly Second[]) => seconds.map(({ mostAhead }) => mostAhead)
/** How often the limit was another one than in the second before. */
const changes = (seconds: readonly Second[]) =>
  limits(seconds).filter((limit, i) => i > 0 && limit !== limits(seconds)[i - 1]).length
const sum = (numbers: readonly number[]) => numbers.reduce((total, each) => total + each, 0)

const SEEDS = [1, 2, 3]
const NOISE = purposeOf('noise of a slow machine')

test('[SL1] a machine that cannot keep up predicts fewer ticks ahead, and its frames are as many again as drawing lets through', () => {
  for (const seed of SEEDS) {
    const [helped, left] = [true, false].map((measured) =>
      playSlowly(40, () => 3, { seed, measured }).seconds.slice(-20),
    )
    const aheadOf = (seconds: readonly Second[]) => sum(seconds.map(({ ahead }) => ahead)) / seconds.length
    const fpsOf = (seconds: readonly Second[]) => sum(seconds.map(({ fps }) => fps)) / seconds.length
    expect(aheadOf(helped), `seed ${seed}`).toBeLessThan(0.6 * aheadOf(left))
    expect(fpsOf(helped), `seed ${seed}`).toBeGreaterThan(1.3 * fpsOf(left))
    expect(sum(helped.map(({ late }) => late)), `seed ${seed}`).toBeLessThanOrEqual(
      sum(left.map(({ late }) => late)) + 5,
    )
  }
})

test('[SL1] a machine that keeps up predicts as far as its lead, also with an input delay of the player’s own', () => {
  for (const inputDelay of [0, 60]) {
    const { seconds, mismatches } = playSlowly(30, () => 0.05, { inputDelay })
    expect(changes(seconds)).toBe(0)
    expect(limits(seconds)).not.toContain(0)
    expect(seconds.at(-1)!.ahead).toBeGreaterThan(8)
    expect(mismatches).toBe(0)
  }
})

test('[SL1] the fewest are none: a machine that is slower still confirms every tick', () => {
  const { seconds, mismatches } = playSlowly(40, () => 4)
  expect(seconds.at(-1)!.mostAhead).toBeLessThanOrEqual(1)
  expect(seconds.at(-1)!.behind).toBeLessThan(TICK_RATE / 2)
  expect(mismatches).toBe(0)
})

test('[SL2] when the load has gone, all of the lead is predicted again within 40 seconds', () => {
  for (const seed of SEEDS) {
    const { seconds } = playSlowly(80, (second) => (second < 25 ? 1.2 : 0.05), { seed })
    expect(seconds[24].mostAhead, `seed ${seed}`).toBeLessThan(12)
    expect(seconds[65].mostAhead, `seed ${seed}`).toBe(Number.POSITIVE_INFINITY)
  }
})

/** What stepping takes by a formula: as much for every tick ahead, more or less of it by chance. Each second's limit. */
function weighFor(seconds: number, seed: number, lead: number, perTick: number, noise: number): number[] {
  const effort = createEffort(() => 0)
  const found: number[] = []
  for (let second = 0; second < seconds; second++) {
    const share =
      perTick * (Math.min(effort.mostAhead, lead) + 2) * (1 + noise * (2 * unitAt(seed, second, 0, 0, NOISE) - 1))
    for (let frame = 0; frame < 50; frame++) {
      effort.spentMs += 20 * Math.min(share, 1)
      weighEffort(effort, second * 1000 + frame * 20, lead)
    }
    found.push(effort.mostAhead)
  }
  return found
}

test('[SL3] a machine at its limit does not go to and fro: after three minutes at most four changes in a minute', () => {
  for (let seed = 1; seed <= 400; seed++) {
    const at = (n: number) => unitAt(seed, n, 1, 0, NOISE)
    const [lead, perTick, noise] = [2 + Math.floor(at(1) * 60), 0.002 + at(2) * 0.05, at(3) * 0.3]
    const limits = weighFor(600, seed, lead, perTick, noise)
    for (let minute = 3; minute < 10; minute++) {
      const part = limits.slice(60 * minute, 60 * (minute + 1))
      const times = part.filter((limit, i) => i > 0 && limit !== part[i - 1]).length
      expect(times, `seed ${seed}, minute ${minute}: ${part.join(' ')}`).toBeLessThanOrEqual(4)
    }
  }
})

test('[SL3] one stall, a page that was hidden, and the first seconds change nothing', () => {
  const effort = createEffort(() => 0)
  const play = (from: number, to: number, share: number) => {
    for (let now = from; now < to; now += 20) {
      effort.spentMs += 20 * share
      weighEffort(effort, now, 20)
    }
  }
  play(0, 1900, 0.9)
  play(1900, 10_000, 0.1)
  play(10_000, 11_000, 0.9)
  play(11_000, 20_000, 0.1)
  effort.spentMs += 30_000
  play(60_000, 70_000, 0.1)
  expect(effort.mostAhead).toBe(Number.POSITIVE_INFINITY)
  play(70_000, 73_000, 0.9)
  expect(effort.mostAhead).toBeLessThan(20)
})

test('[SL4] it says so, in figures and in words', () => {
  const { follower } = playSlowly(20, () => 1.2)
  const { mostAhead, stepShare, delayTicks, words } = follower.network()
  expect(mostAhead).toBeLessThan(15)
  expect(stepShare).toBeGreaterThan(0.05)
  expect(delayTicks).toBeGreaterThan(0)
  expect(words).toContain('This machine is too slow for more than')
  const quick = playSlowly(20, () => 0.02).follower.network()
  expect(quick.mostAhead).toBe(Number.POSITIVE_INFINITY)
  expect(quick.words).not.toContain('too slow')
})
