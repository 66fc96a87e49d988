/**
 * A whole match over bad links in virtual time: one host, several mirrors or terminals with bots at the controls.
 *
 * Everything follows from the seed, so a failure is repeated by running it again. Time goes in small steps; the host runs
 * when its tick is due, clients when their frame is due, each at a phase of its own.
 */

import { purposeOf, unitAt } from 'hurtbox/math'
import { type AnyBot, type AnyGame, type AnyWorld, botInput } from 'hurtbox/tools'
import { createByteWriter, takeBytes, writeBytes } from 'hurtbox/wire'
import { follow } from '../client/follow.ts'
import type { Follower } from '../client/follower.ts'
import { createHost, finishHost, stepHost, takeReplay } from '../host/host.ts'
import { addPeer } from '../host/peers.ts'
import { receive } from '../host/receive.ts'
import type { Host, HostOptions, Peer } from '../host/state.ts'
import type { Mode } from '../protocol/protocol.ts'
import { createLink, deliver, type LinkConditions, send, type VirtualLink } from './link.ts'

export type SimulationSetup = {
  readonly game: AnyGame
  readonly bots: readonly AnyBot[]
  readonly clients: number
  readonly ticks: number
  readonly link: LinkConditions
  readonly seed: number
  readonly mode?: Mode
  readonly host?: Omit<HostOptions, 'seed' | 'bots'>
  /** Frames of a client a second. Default 60. */
  readonly fps?: number
  /** Called after each tick of the host, for tests that interfere. */
  readonly afterTick?: (host: Host, clients: readonly SimulatedClient[]) => void
  /** Called when a client has made a frame, for tests that look at what is drawn. `now` is in ms. */
  readonly afterFrame?: (client: SimulatedClient, now: number) => void
}

export type SimulatedClient = {
  readonly peer: Peer
  readonly up: VirtualLink
  readonly down: VirtualLink
  readonly follower: Follower
  nextFrameAt: number
}

export type SimulationReport = {
  readonly host: Host
  readonly clients: readonly SimulatedClient[]
  readonly replay: Uint8Array
  readonly hashChecks: number
  readonly mismatches: number
  readonly inputs: number
  readonly lateInputs: number
  /** Late ones that changed nothing: the same was held. */
  readonly harmlessInputs: number
  /** Depth of the rollbacks, in ticks. */
  readonly rollbacks: number
  readonly depthMedian: number
  readonly depth99: number
  readonly depthMax: number
  /** Ticks stepped again per tick of a client. */
  readonly resimulatedPerTick: number
  /** Payload down to one client, bytes a second, on average and for the client that gets most. */
  readonly bytesPerSecond: number
  readonly bytesPerSecondMax: number
}

const PHASE = purposeOf('simulate phase')
/** Steps of time within a tick of the host. */
const SUBSTEPS = 4

export function simulate(setup: SimulationSetup): SimulationReport {
  const { game, bots, clients: count, ticks, seed, link, mode = 'mirror', fps = 60 } = setup
  const host = createHost(game, { ...setup.host, seed })
  const tickMs = 1000 / game.declaration.tickRate
  const clients: SimulatedClient[] = []
  for (let seat = 0; seat < count; seat++) {
    const peer = addPeer(host, seat, mode, link.kind)
    const welcome = peer.outbox.shift()!
    clients.push({
      peer,
      up: createLink(link, seed * 2 + seat * 2),
      down: createLink(link, seed * 2 + seat * 2 + 1),
      follower: follow(game, welcome, link.latencyMs, { path: link.kind })!,
      // Not before the welcome is there.
      nextFrameAt: link.latencyMs + (unitAt(seed, 0, seat, 0, PHASE) * 1000) / fps,
    })
  }
  for (let step = 0; host.totals.ticks < ticks && host.status === 'running'; step++) {
    const now = (step * tickMs) / SUBSTEPS
    for (const each of clients) {
      for (const message of deliver(each.up, now)) receive(host, each.peer, message)
    }
    if (step % SUBSTEPS === 0) {
      stepHost(host)
      for (const { peer, down } of clients) for (const message of peer.outbox.splice(0)) send(down, message, now)
      setup.afterTick?.(host, clients)
    }
    for (const each of clients) {
      if (runClient(each, bots, seed, now, 1000 / fps)) setup.afterFrame?.(each, now)
    }
  }
  finishHost(host)
  return report(host, clients, ticks * tickMs)
}

/** Whether it made a frame. */
function runClient(
  each: SimulatedClient,
  bots: readonly AnyBot[],
  seed: number,
  now: number,
  frameMs: number,
): boolean {
  const { follower, peer, up, down } = each
  const bot = bots[peer.seat % bots.length]
  const think = (_tick: number, world: AnyWorld) => botInput(bot, world, peer.seat, seed)
  for (const message of deliver(down, now)) follower.receive(message, now)
  if (now < each.nextFrameAt) return false
  each.nextFrameAt += frameMs
  follower.advance(now, think)
  for (const message of follower.outbox.splice(0)) send(up, message, now)
  follower.sender.loss = up.lost / Math.max(up.sent, 1)
  return true
}

function report(host: Host, clients: readonly SimulatedClient[], durationMs: number): SimulationReport {
  const mirrors = clients.flatMap(({ follower }) => follower.mirror ?? [])
  const sum = (numbers: number[]) => numbers.reduce((total, number) => total + number, 0)
  const depths: number[] = []
  for (const { stats } of mirrors) {
    stats.depths.forEach((times, depth) => {
      depths[depth] = (depths[depth] ?? 0) + times
    })
  }
  const rollbacks = sum(mirrors.map(({ stats }) => stats.rollbacks))
  const perSecond = clients.map(({ down }) => (down.bytes * 1000) / durationMs)
  return {
    host,
    clients,
    replay: replayOf(host),
    hashChecks: sum(mirrors.map(({ stats }) => stats.hashChecks)),
    mismatches: sum(mirrors.map(({ stats }) => stats.mismatches)),
    inputs: sum(clients.map(({ peer }) => peer.counts.accepted)),
    lateInputs: sum(clients.map(({ peer }) => peer.counts.late)),
    harmlessInputs: sum(clients.map(({ peer }) => peer.counts.harmless)),
    rollbacks,
    depthMedian: quantile(depths, rollbacks, 0.5),
    depth99: quantile(depths, rollbacks, 0.99),
    depthMax: depths.length - 1,
    resimulatedPerTick: sum(mirrors.map(({ stats }) => stats.resimulated)) / (host.totals.ticks * clients.length),
    bytesPerSecond: sum(perSecond) / clients.length,
    bytesPerSecondMax: Math.max(...perSecond),
  }
}

function quantile(histogram: readonly number[], total: number, part: number): number {
  let seen = 0
  for (let depth = 0; depth < histogram.length; depth++) {
    seen += histogram[depth] ?? 0
    if (seen >= total * part) return depth
  }
  return 0
}

function replayOf(host: Host): Uint8Array {
  const writer = createByteWriter()
  for (const part of takeReplay(host)) writeBytes(writer, part)
  return takeBytes(writer)
}
