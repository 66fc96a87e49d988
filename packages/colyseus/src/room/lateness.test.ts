/** What late ticks are put down to: random stretches of time whose parts are known. */

import { expect, test } from 'vitest'
import { causeOf, type LateCause, type Seen } from './lateness.ts'

type Part = { readonly kind: Exclude<LateCause, 'log'>; readonly ms: number }

/** From a seed, numbers from 0 to 1. */
function chance(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

/** What is seen when the parts of a turn, and then those after it, happened one after the other, and the tick was due at their begin. */
function seenOf(inTurn: readonly Part[], after: readonly Part[]): Seen {
  const begin = 1_000
  let [at, cpu] = [begin, 70]
  const collections: { from: number; to: number }[] = []
  const calls: { from: number; to: number; name: string; cpuMs: number }[] = []
  const pass = ({ kind, ms }: Part) => {
    const span = { from: at, to: at + ms }
    if (kind === 'gc') collections.push(span)
    // Half of the time it waits, and lets nobody else run.
    if (kind === 'user') calls.push({ ...span, name: `hook ${ms}`, cpuMs: ms / 2 })
    at += ms
    if (kind !== 'machine') cpu += kind === 'user' ? ms / 2 : ms
  }
  inTurn.forEach(pass)
  const turn = { from: begin, to: at, name: 'slow room', longestMs: at - begin, cpuFrom: 70, cpuTo: cpu }
  after.forEach(pass)
  return { late: { from: begin, to: at }, turn, collections, calls, pending: undefined, cpuMs: cpu }
}

function sumBy(parts: readonly Part[]): Map<string, number> {
  const sums = new Map<string, number>()
  for (const { kind, ms } of parts) sums.set(kind, (sums.get(kind) ?? 0) + ms)
  return sums
}

test('[SV240] a late tick is put down to what took most of the time', () => {
  let judged = 0
  for (let seed = 1; seed <= 3_000; seed++) {
    const random = chance(seed)
    const parts = (kinds: readonly Part['kind'][]) =>
      Array.from({ length: Math.floor(random() * 6) }, (): Part => {
        return { kind: kinds[Math.floor(random() * kinds.length)], ms: random() * 100 }
      })
    const [inTurn, after] = [parts(['room', 'gc', 'user']), parts(['gc', 'user', 'machine', 'other'])]
    const all = [...inTurn, ...after]
    const sums = [...sumBy(all)].sort((a, b) => b[1] - a[1])
    const [most, second] = sums
    // Of two that took as long either may be named; where the thread was not run for less than half of the time, what it did counts.
    if (most === undefined || most[1] - (second?.[1] ?? 0) < 0.01) continue
    const total = all.reduce((sum, { ms }) => sum + ms, 0)
    const named = sums.find(([kind, ms]) => kind !== 'machine' || ms > total / 2)
    if (named === undefined) continue
    judged++
    const longestCall = [...all].filter(({ kind }) => kind === 'user').sort((a, b) => b.ms - a.ms)[0]
    const by = named[0] === 'room' ? 'slow room' : named[0] === 'user' ? `hook ${longestCall.ms}` : ''
    expect(causeOf(seenOf(inTurn, after)), `seed ${seed}: ${JSON.stringify(all)}`).toEqual({ cause: named[0], by })
  }
  expect(judged).toBeGreaterThan(2_000)
})

test('[SV240] what nothing explains is put down to a function of the user that has not answered, if there is one', () => {
  const seen = seenOf([], [{ kind: 'other', ms: 50 }])
  expect(causeOf(seen)).toEqual({ cause: 'other', by: '' })
  expect(causeOf({ ...seen, pending: 'fetch' })).toEqual({ cause: 'user', by: 'fetch' })
  const explained = seenOf([], [{ kind: 'gc', ms: 50 }])
  expect(causeOf({ ...explained, pending: 'fetch' })).toEqual({ cause: 'gc', by: '' })
})

test('[SV240] a thread that had nothing to do before the tick was due did not stand still', () => {
  const turn = { from: 0, to: 1, name: 'room', longestMs: 1, cpuFrom: 0, cpuTo: 1 }
  const idle = { turn, collections: [], calls: [], pending: undefined }
  // Due at 100, run at 140: the thread was busy for these 40 ms, and idle from 1 to 100.
  expect(causeOf({ ...idle, late: { from: 100, to: 140 }, cpuMs: 41 }).cause).toBe('other')
  expect(causeOf({ ...idle, late: { from: 100, to: 140 }, cpuMs: 2 }).cause).toBe('machine')
})
