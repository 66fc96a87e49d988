/**
 * Shots of terminals at running targets, in virtual time, and what each shooter had on the screen when it fired.
 *
 * A shot hits a lane at a point. What the shooter saw says whether it should hit; the host says whether it did.
 */

import { addCircle, collide, declareGame, defineGame, each, emit, fixed, players, press, spawn } from 'hurtbox'
import { unitAt } from 'hurtbox/math'
import { judgeAsSeen } from 'hurtbox/rewind'
import { type AnyWorld, rowOf, seatRow } from 'hurtbox/tools'
import { createByteWriter, takeBytes } from 'hurtbox/wire'
import {
  advanceTerminal,
  createTerminal,
  type RenderState,
  receiveAtTerminal,
  showTerminal,
} from '../src/client/index.ts'
import { addPeer, createHost, notePing, receive, stepHost } from '../src/host/index.ts'
import { MESSAGES, readMessage, writeMessage } from '../src/index.ts'
import { createLink, deliver, type LinkConditions, send } from '../src/links/link.ts'
import type { InputCoding, InputPacket } from '../src/protocol/input-packets.ts'

const LANES = 8
const SPEED = 150 / 62.5
const RADIUS = 24
const SHOT = 5
const EDGE = 600

const declaration = declareGame({
  id: 'range',
  tickRate: 62.5,
  seats: { min: 0, max: LANES },
  layers: { shot: ['target'], target: [], shooter: [] },
  capacity: 64,
  things: { at: 'f64', lane: 'u8', number: 'u32', fires: 'u8' },
  input: {
    fire: press(),
    at: fixed({ min: -1000, max: 1000, step: 1 / 16 }),
    lane: fixed({ min: 0, max: LANES - 1, step: 1 }),
    number: fixed({ min: 0, max: 1e6, step: 1 }),
  },
  events: { hit: { seat: 'u8', number: 'u32', target: 'id' } },
})

export const range = defineGame(declaration, {
  setup(world) {
    for (let lane = 0; lane < LANES; lane++) {
      const x = (unitAt(world.seed, lane, 0, 0, 1) - 0.5) * EDGE
      spawn(world, 'target', { x, y: 100 * lane, vx: lane % 2 === 0 ? SPEED : -SPEED, radius: RADIUS, lane })
    }
  },
  onJoin(world, player) {
    player.thing = spawn(world, 'shooter', { y: -500 })
  },
  phases: {
    fire(world) {
      for (const { thing: shooter, fire, at, lane, number } of players(world)) {
        if (shooter !== undefined) Object.assign(shooter, { fires: fire > 0 ? 1 : 0, at, lane, number })
      }
    },
    run(world) {
      for (const target of each(world, 'target')) {
        if (Math.abs(target.x + target.vx) > EDGE) target.vx = -target.vx
        target.x += target.vx
      }
    },
    hits: collide(
      declaration,
      {
        'shot hits target': {
          between: ['shot', 'target'],
          decide(shooter, target, { world }) {
            const seat = [...players(world)].find(({ thing }) => thing?.id === shooter.id)!.seat
            emit(world, 'hit', { seat, number: shooter.number, target })
          },
        },
      },
      {
        pose: {
          target: (target, boxes) => addCircle(boxes, target),
          shooter(shooter, boxes) {
            if (shooter.fires === 0) return
            addCircle(boxes, { x: shooter.at, y: 100 * shooter.lane, radius: SHOT }, 'shot')
          },
        },
      },
    ),
  },
})

export type ShotsReport = {
  shots: number
  /** Judged by what the shooter saw, and those of them with the verdict that the screen showed. */
  judged: number
  right: number
  /** Seen longer ago than the host believes or keeps: judged at the bound. */
  beyond: number
  /** Folded with others because they came late: never judged on their own. */
  lost: number
  /** How far back shots were judged, ms, by round trip: the mean. */
  readonly lookBackMs: Map<number, number>
}

export type ShotsSetup = {
  readonly shots: number
  /** Round trips, ms, one client each. */
  readonly roundTrips: readonly number[]
  readonly seed: number
  /** States kept. */
  readonly ticks: number
  readonly link?: Partial<LinkConditions>
  /** What a client sends instead of an honest packet; undefined: nothing. */
  readonly lie?: Lie
  /** How much later than it could a client answers pings, ms. */
  readonly pongLateMs?: number
}

export type Lie = (packet: InputPacket) => InputPacket | undefined

type Shot = { readonly isHit: boolean; readonly moment: number }

/** In the place of a message: a ping, which the transport answers. */
const PING = Uint8Array.of(255)
const PING_EVERY_MS = 1000

export function playShots({ shots, roundTrips, seed, ticks, link, lie, pongLateMs = 0 }: ShotsSetup): ShotsReport {
  const game = judgeAsSeen(range, { ticks, between: [['shot', 'target']] })
  const host = createHost(game as never, { seed, replay: false })
  const tickMs = 1000 / declaration.tickRate
  const report: ShotsReport = { shots: 0, judged: 0, right: 0, beyond: 0, lost: 0, lookBackMs: new Map() }
  const looks = roundTrips.map(() => ({ sum: 0, count: 0 }))
  const clients = roundTrips.map((rttMs, seat) => {
    const peer = addPeer(host, seat, 'terminal')
    const conditions: LinkConditions = { kind: 'stream', jitterMs: 10, ...link, latencyMs: rttMs / 2 }
    return {
      peer,
      terminal: createTerminal(game as never, peer.outbox.shift()!),
      up: createLink(conditions, 2 * seed + 100 * seat),
      down: createLink(conditions, 2 * seed + 100 * seat + 1),
      fired: new Map<number, Shot>(),
      next: 1,
      pingedAt: 0,
      /** When pings are answered that have come. */
      pongsAt: [] as number[],
    }
  })
  const judge = (world: AnyWorld) => {
    const { players: table } = world.tables
    const { hit } = world.events
    clients.forEach(({ fired }, seat) => {
      const player = seatRow(world, seat)
      if (player < 0 || table.fire[player] === 0) return
      const number = table.number[player]
      const shot = fired.get(number)
      if (shot === undefined) return
      report.lost += table.fire[player] - 1
      let isHit = false
      for (let n = 0; n < hit.count; n++) if (hit.seat[n] === seat && hit.number[n] === number) isHit = true
      fired.delete(number)
      // The tick that has just run.
      const ago = table.seenAgo[player]
      looks[seat].sum += ago * tickMs
      looks[seat].count++
      const really = world.tick - 1 - shot.moment
      if (really > ago + 1 / 32) report.beyond++
      else {
        report.judged++
        if (isHit === shot.isHit) report.right++
      }
    })
  }
  for (let step = 0; report.judged + report.beyond < shots; step++) {
    const now = (step * tickMs) / 4
    for (const { up, peer, pingedAt } of clients) {
      for (const message of deliver(up, now)) {
        if (message === PING) notePing(host, peer, now - pingedAt)
        else receive(host, peer, message)
      }
    }
    if (step % 4 === 0) {
      stepHost(host)
      judge(host.world)
      for (const client of clients) {
        const { peer, down } = client
        for (const message of peer.outbox.splice(0)) send(down, message, now)
        if (now - client.pingedAt < PING_EVERY_MS) continue
        client.pingedAt = now
        send(down, PING, now)
      }
    }
    for (const client of clients) {
      const { down, terminal, up, fired, pongsAt } = client
      for (const message of deliver(down, now)) {
        if (message === PING) pongsAt.push(now + pongLateMs)
        else receiveAtTerminal(terminal, message, now)
      }
      if (pongsAt[0] <= now) {
        pongsAt.shift()
        send(up, PING, now)
      }
      // 60 frames a second, as good as it goes in steps of 4 ms.
      if (step % 4 !== client.peer.seat % 4) continue
      const state = showTerminal(terminal, now)
      advanceTerminal(terminal, now, (tick) => {
        // In the first seconds the clocks do not agree yet.
        if (state === undefined || now < 4000) return {}
        const number = client.next++
        const lane = Math.floor(unitAt(seed, tick, client.peer.seat, 0, 5) * LANES)
        const x = seenX(state, lane)
        if (x === undefined) return {}
        const at = Math.round(16 * (x + (unitAt(seed, tick, client.peer.seat, 0, 6) - 0.5) * 120)) / 16
        fired.set(number, { isHit: Math.abs(x - at) < RADIUS + SHOT, moment: terminal.inside.shownTick })
        report.shots++
        return { fire: 1, at, lane, number }
      })
      for (const message of terminal.outbox.splice(0)) {
        const said = lie === undefined ? message : rewrite(message, terminal.sender, lie)
        if (said !== undefined) send(up, said, now)
      }
    }
  }
  for (const [seat, { sum, count }] of looks.entries())
    report.lookBackMs.set(roundTrips[seat], sum / Math.max(count, 1))
  return report
}

function rewrite(message: Uint8Array, coding: InputCoding, lie: Lie): Uint8Array | undefined {
  const packet = readMessage(message, MESSAGES.inputs, coding)
  if (packet === undefined) return message
  const said = lie(packet)
  if (said === undefined) return undefined
  const writer = createByteWriter()
  writeMessage(writer, MESSAGES.inputs, said, coding)
  return takeBytes(writer)
}

/** Where the target of a lane is drawn: between two frames, unsmoothed. */
function seenX({ before, after, alpha }: RenderState, lane: number): number | undefined {
  const { things } = after.tables
  for (let row = 0; row < things.count; row++) {
    if (things.layer[row] !== 1 || things.lane[row] !== lane) continue
    const was = rowOf(before.tables.things, things.id[row])
    const from = before.tables.things.x[was]
    return from + (things.x[row] - from) * alpha
  }
  return undefined
}
