/** Lag compensation from end to end: a shot is judged by what its player had on the screen. */

import { findRow } from 'hurtbox'
import { unitAt } from 'hurtbox/math'
import { loadReplay, verifyReplay } from 'hurtbox/replay'
import { type SeenPose, seenPose } from 'hurtbox/rewind'
import { seatRow } from 'hurtbox/tools'
import { expect, test } from 'vitest'
import { advanceTerminal, createTerminal, receiveAtTerminal, showTerminal } from '../src/client/index.ts'
import { addPeer, createHost, finishHost, receive, stepHost, takeReplay } from '../src/host/index.ts'
import { createLink, deliver, send } from '../src/links/index.ts'
import { RATE, rewind, tag, whimsical } from './support.ts'

/** A runner's way in one tick. */
const WAY = 40 / RATE

test.each([0, 150, 300])(
  '[LC9] at a round trip of %d ms the host judges where the player saw them, to a 64th of a tick',
  (rttMs) => {
    const tickMs = 1000 / RATE
    const host = createHost(tag, { seed: 3, bots: [whimsical], fill: 6, terminal: { every: 1 } })
    const peer = addPeer(host, 0, 'terminal')
    const terminal = createTerminal(tag, peer.outbox.shift()!)
    const conditions = { kind: 'stream', latencyMs: rttMs / 2, jitterMs: 10 } as const
    const [up, down] = [createLink(conditions, 1), createLink(conditions, 2)]
    /** What was on the screen at each shot: places by id. */
    const seen: Map<number, number>[] = []
    const offs: number[] = []
    let clamped = 0
    let foldedAtFirst = 0
    const pose: SeenPose = { x: 0, y: 0, ago: 0 }

    const judge = () => {
      const { things, players } = host.world.tables
      const player = seatRow(host.world, 0)
      if (player < 0 || players.zap[player] === 0) return
      const screen = seen.shift()!
      for (const [id, x] of screen) {
        const row = findRow(things, id)
        if (row < 0 || things.hp[row] <= 0) continue
        // The tick has run: its past is one tick longer now.
        const ago = players.seenAgo[player] + 1
        seenPose(host.world, rewind, row, ago, pose)
        if (pose.ago === ago) offs.push(pose.x - x)
        else clamped++
      }
    }

    for (let step = 0; step < 900 * 3; step++) {
      const now = (step * tickMs) / 3
      for (const message of deliver(up, now)) receive(host, peer, message)
      if (step % 3 === 0) {
        stepHost(host)
        if (host.world.tick === 2 * RATE) foldedAtFirst = peer.counts.folded
        judge()
        for (const message of peer.outbox.splice(0)) send(down, message, now)
      }
      for (const message of deliver(down, now)) receiveAtTerminal(terminal, message, now)
      const state = showTerminal(terminal, now)
      advanceTerminal(terminal, now, (tick) => {
        // Not in the first two seconds: until the clocks agree inputs are late, and late ones are folded.
        if (state === undefined || tick < 2 * RATE || unitAt(5, tick, 0, 0, 0) > 0.2) return {}
        const { before, after, alpha } = state
        const screen = new Map<number, number>()
        for (let row = 0; row < after.tables.things.count; row++) {
          const { id, kind, x, teleports } = after.tables.things
          const was = findRow(before.tables.things, id[row])
          if (kind[row] !== 1 || was < 0 || before.tables.things.teleports[was] !== teleports[row]) continue
          const from = before.tables.things.x[was]
          screen.set(id[row], from + (x[row] - from) * alpha)
        }
        seen.push(screen)
        return { zap: 1 }
      })
      for (const message of terminal.outbox.splice(0)) send(up, message, now)
    }
    expect(offs.length).toBeGreaterThan(400)
    expect(peer.counts.folded).toBe(foldedAtFirst)
    const worst = Math.max(...offs.map(Math.abs))
    // A 64th of a tick's way, and the rounding of places on both frames. A whole tick would be 1.33.
    expect(worst).toBeLessThanOrEqual(WAY / 64 + 2 * (5 / 256))
    expect(clamped).toBeLessThan(offs.length)

    finishHost(host)
    const replay = loadReplay(tag, Uint8Array.from(takeReplay(host).flatMap((part) => [...part])))
    expect(verifyReplay(tag, replay).mismatch).toBeUndefined()
  },
)
