/**
 * The lead alone: one client that makes an input a tick, a host that notes how early each came, and two links between them.
 *
 * No game: what a lead costs and spares follows from the links and the clock, so that minutes of it take a moment.
 */

import { createHostClock, inputTick, noteSlack, noteTick } from '../src/client/clock.ts'
import { createLink, deliver, type LinkConditions, send } from '../src/links/link.ts'
import { FRAME_CATCH_UP_TICKS, MAX_PACKET_INPUTS, NO_SLACK } from '../src/protocol/protocol.ts'

/** A round trip of 200 ms, a jitter of 20, a loss of 5 %; with bursts as `npm run measure -- figures --only netcode` has them. */
export const LOSSY = { latencyMs: 90, jitterMs: 20, loss: 0.05 } as const
export function roughAt(tickRate: number) {
  return { ...LOSSY, burstsPerMinute: 0.03 * tickRate, burstMs: 150 }
}

export type LeadReport = {
  readonly inputs: number
  readonly late: number
  /** Each frame's lead, ms, ascending. */
  readonly leads: readonly number[]
}

type Input = { readonly sequence: number; readonly tick: number }

const FRAME_MS = 1000 / 60
const SUBSTEPS = 4

/** `fromMs`: what comes before is not counted. `fixedMs`: a lead that never changes. `changes`: other conditions from that moment on. */
export function playLead(
  conditions: LinkConditions,
  { tickRate = 62.5, seconds = 400, fromMs = 15_000, seed = 1, fixedMs = 0 } = {},
  ...changes: readonly { readonly atMs: number; readonly conditions: LinkConditions }[]
): LeadReport {
  const up = createLink(conditions, 2 * seed)
  const down = createLink(conditions, 2 * seed + 1)
  const clock = createHostClock(tickRate)
  const { tickMs } = clock
  const open: Input[] = []
  const leads: number[] = []
  const early = new Set<number>()
  let [nextSequence, nextTick, fresh, nextFrameAt] = [1, -1, 0, conditions.latencyMs + FRAME_MS]
  let [hostTick, acknowledged, slack, inputs, late] = [0, 0, NO_SLACK, 0, 0]
  noteTick(clock, 0, conditions.latencyMs)
  if (fixedMs > 0) clock.lead = fixedMs / tickMs
  for (let step = 0; step * tickMs < seconds * 1000 * SUBSTEPS; step++) {
    const now = (step * tickMs) / SUBSTEPS
    const { conditions: current } = changes.findLast(({ atMs }) => now >= atMs) ?? { conditions }
    for (const link of [up, down]) link.conditions = current
    for (const message of deliver(up, now)) {
      for (const { sequence, tick } of decode(message) as Input[]) {
        if (sequence <= acknowledged || early.has(sequence)) continue
        early.add(sequence)
        while (early.delete(acknowledged + 1)) acknowledged++
        slack = Math.min(slack, tick - hostTick)
        if (now < fromMs) continue
        inputs++
        if (tick < hostTick) late++
      }
    }
    if (step % SUBSTEPS === 0) {
      hostTick++
      send(down, encode([hostTick, acknowledged, slack]), now)
      slack = NO_SLACK
    }
    for (const message of deliver(down, now)) {
      const [tick, has, came] = decode(message) as [number, number, number]
      noteTick(clock, tick, now)
      while (open.length > 0 && open[0].sequence <= has) open.shift()
      if (came < NO_SLACK && fixedMs === 0) noteSlack(clock, came, has, nextSequence, now)
    }
    if (now < nextFrameAt) continue
    nextFrameAt += FRAME_MS
    const target = inputTick(clock, now)
    nextTick = nextTick < 0 ? target - 1 : Math.max(nextTick, target - FRAME_CATCH_UP_TICKS)
    for (; nextTick < target; nextTick++, fresh++) open.push({ sequence: nextSequence++, tick: nextTick })
    const sent = conditions.kind === 'datagram' ? MAX_PACKET_INPUTS : fresh
    if (sent > 0) send(up, encode(open.slice(-sent)), now)
    fresh = 0
    if (now >= fromMs) leads.push(clock.lead * tickMs)
  }
  return { inputs, late, leads: leads.sort((a, b) => a - b) }
}

/** Several of them as one. */
export function playLeads(
  conditions: LinkConditions,
  options: Parameters<typeof playLead>[1],
  seeds: readonly number[],
): LeadReport {
  const reports = seeds.map((seed) => playLead(conditions, { ...options, seed }))
  const sum = (key: 'inputs' | 'late') => reports.reduce((total, report) => total + report[key], 0)
  const leads = reports.flatMap((report) => report.leads).sort((a, b) => a - b)
  return { inputs: sum('inputs'), late: sum('late'), leads }
}

export function median(ascending: readonly number[]): number {
  return ascending[ascending.length >> 1]
}

function encode(content: unknown): Uint8Array {
  return new TextEncoder().encode(JSON.stringify(content))
}

function decode(bytes: Uint8Array): unknown {
  return JSON.parse(new TextDecoder().decode(bytes))
}
