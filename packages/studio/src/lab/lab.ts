/**
 * The network lab: a host and two mirrors in one page, with simulated links between them.
 *
 * It is the netcode of the real rooms; only the wire is replaced. Time is the lab's own, so it can be slowed and stopped,
 * and after every tick of the host the states of all three are written down, so that one can go back and look at the
 * moment in which a prediction turned out wrong.
 */

import {
  advanceMirror,
  createMirror,
  type InputDelay,
  keyOnMirror,
  type Mirror,
  mirrorAlpha,
  placeOnMirror,
  receiveAtMirror,
  takeNews,
  usePath,
} from '@hurtbox/netcode/client'
import {
  addPeer,
  changePath,
  createHost,
  type Host,
  type Peer,
  receive,
  stepHost,
  takeReplay,
} from '@hurtbox/netcode/host'
import { createLink, deliver, type LinkConditions, send, type VirtualLink } from '@hurtbox/netcode/links'
import { hashWorld, snapshot } from 'hurtbox'
import type { LoadedModule } from 'hurtbox/module'
import { type Picture, shownOf } from 'hurtbox/picture'
import { botInput, type Snapshot, snapshotTick } from 'hurtbox/tools'
import type { HandInput } from '../sim/protocol.ts'
import { sceneOf } from '../sim/scene-of.ts'

export type Conditions = {
  readonly latencyMs: number
  readonly jitterMs: number
  readonly loss: number
  readonly kind: 'stream' | 'datagram'
  /** How long inputs wait before they are seen, ms, or as the way demands. */
  readonly inputDelay: InputDelay
}

export type LabClient = {
  readonly name: string
  readonly peer: Peer
  readonly mirror: Mirror
  readonly up: VirtualLink
  readonly down: VirtualLink
  /** Corrections so far, the last one in ms of the lab, and how far it moved the player's thing. */
  corrections: number
  correctedAt: number
}

export type Lab = {
  readonly module: LoadedModule
  readonly host: Host
  readonly clients: readonly LabClient[]
  readonly seed: number
  /** Milliseconds of the lab's time, and when the host's next tick is due. */
  now: number
  nextTickAt: number
  readonly moments: Moment[]
  /** The host's tick of the first moment that is kept. */
  firstTick: number
}

/** The states of host and clients after a tick of the host. */
type Moment = {
  readonly tick: number
  readonly host: Snapshot
  readonly clients: readonly {
    readonly predicted: Snapshot
    readonly confirmed: Snapshot
    readonly corrected: boolean
  }[]
}

/** Seconds of the lab that can be scrubbed, as long as they fit into memory. */
const KEPT_SECONDS = 30
const KEPT_BYTES = 96 << 20

export const DEFAULT_CONDITIONS: Conditions = {
  latencyMs: 100,
  jitterMs: 20,
  loss: 0.02,
  kind: 'stream',
  inputDelay: 0,
}

export function createLab(module: LoadedModule, seed: number, conditions: Conditions): Lab {
  const scene = sceneOf(module, '')
  const host = createHost(module.game, {
    seed,
    bots: module.bots,
    botOf: module.botOf,
    teamOf: module.teamOf,
    fill: module.seats,
    replay: false,
    ...(scene.options !== undefined && { options: scene.options }),
    ...(scene.tuning !== undefined && { tuning: scene.tuning }),
  })
  const link = linkOf(conditions)
  const clients = ['A', 'B'].slice(0, Math.min(2, module.game.declaration.seats.max)).map((name, seat): LabClient => {
    const peer = addPeer(host, seat, 'mirror', conditions.kind)
    return {
      name,
      peer,
      // A welcome takes as long as everything else: one that came at once would be the fastest message for seconds.
      mirror: createMirror(module.game, peer.outbox.shift()!, link.latencyMs, link.kind),
      up: createLink(link, seed * 4 + 2 * seat),
      down: createLink(link, seed * 4 + 2 * seat + 1),
      corrections: 0,
      correctedAt: Number.NEGATIVE_INFINITY,
    }
  })
  return { module, host, clients, seed, now: 0, nextTickAt: 0, moments: [], firstTick: 0 }
}

/** One way of a client is half the round trip that people know as latency. */
function linkOf({ kind, loss, latencyMs, jitterMs }: Conditions): LinkConditions {
  return { kind, loss, latencyMs: latencyMs / 2, jitterMs: jitterMs / 2 }
}

/** Sets links, the path and input delay. */
export function setConditions(lab: Lab, conditions: Conditions): void {
  const { inputDelay } = conditions
  const link = linkOf(conditions)
  for (const { up, down, mirror, peer } of lab.clients) {
    up.conditions = link
    down.conditions = link
    usePath(mirror, link.kind)
    changePath(lab.host, peer, link.kind)
    mirror.pace.inputDelay = inputDelay
  }
}

/** Runs for `elapsedMs`. `hand` is the input of the person at the keyboard (client A); undefined: a bot plays. */
export function advanceLab(lab: Lab, elapsedMs: number, hand?: () => HandInput): void {
  const tickMs = 1000 / lab.module.game.declaration.tickRate
  const until = lab.now + elapsedMs
  while (lab.nextTickAt <= until) {
    lab.now = lab.nextTickAt
    carryUp(lab)
    stepHost(lab.host)
    for (const { peer, down } of lab.clients) for (const message of peer.outbox.splice(0)) send(down, message, lab.now)
    runClients(lab, hand)
    writeDown(lab)
    lab.nextTickAt += tickMs
  }
  lab.now = until
  carryUp(lab)
  runClients(lab, hand)
}

/**
 * Drains the links: no more delay or loss until both clients have confirmed what the host has played. Returns the three
 * hashes, which are then of the same tick and must be equal.
 */
export function settleLab(lab: Lab): { readonly tick: number; readonly hashes: readonly string[] } {
  const before = lab.clients.map(({ up }) => up.conditions)
  const calm: LinkConditions = { kind: before[0].kind, latencyMs: 0 }
  for (const { up, down } of lab.clients) {
    up.conditions = calm
    down.conditions = calm
  }
  const tickMs = 1000 / lab.module.game.declaration.tickRate
  const isLevel = () => lab.clients.every(({ mirror }) => mirror.confirmed.tick === lab.host.world.tick)
  for (let tries = 0; tries < 2000 && (tries < 2 || !isLevel()); tries++) advanceLab(lab, tickMs)
  lab.clients.forEach(({ up, down }, i) => {
    up.conditions = before[i]
    down.conditions = before[i]
  })
  const worlds = [lab.host.world, ...lab.clients.map(({ mirror }) => mirror.confirmed)]
  return { tick: lab.host.world.tick, hashes: worlds.map((world) => `${hashWorld(world)}`) }
}

/** What a client draws: its prediction, between two ticks, with corrections that fade. */
export function drawnBy({ mirror }: LabClient): Picture {
  const shown = { before: mirror.before, after: mirror.world, alpha: mirrorAlpha(mirror) }
  return {
    ...shown,
    ...shownOf(mirror.events.plans, takeNews(mirror.events)),
    place: (id, out) => placeOnMirror(mirror, id, out),
    key: (id) => keyOnMirror(mirror, id),
    jumped: false,
  }
}

/**
 * What a client saw when it acted for a tick of the host: the state that lag compensation would judge by.
 * Undefined before the client has acted, or when that moment is no longer kept.
 */
export function seenAt(lab: Lab, client: number, tick: number): Snapshot | undefined {
  return lab.moments.findLast(({ clients }) => snapshotTick(clients[client].predicted) <= tick)?.clients[client]
    .predicted
}

function carryUp({ clients, host, now }: Lab): void {
  for (const { up, peer } of clients) for (const message of deliver(up, now)) receive(host, peer, message)
}

function runClients(lab: Lab, hand: (() => HandInput) | undefined): void {
  lab.clients.forEach((client, i) => {
    const { mirror, peer, up, down } = client
    const { rollbacks } = mirror.stats
    for (const message of deliver(down, lab.now)) receiveAtMirror(mirror, message, lab.now)
    const bot = lab.module.bots[i % lab.module.bots.length]
    advanceMirror(mirror, lab.now, (_tick, world) =>
      i === 0 && hand !== undefined ? hand() : bot === undefined ? {} : botInput(bot, world, peer.seat, lab.seed),
    )
    for (const message of mirror.outbox.splice(0)) send(up, message, lab.now)
    if (mirror.stats.rollbacks === rollbacks) return
    client.corrections += mirror.stats.rollbacks - rollbacks
    client.correctedAt = lab.now
  })
}

function writeDown(lab: Lab): void {
  const { moments, host, clients, module } = lab
  // The host records nothing here; what it has written must not pile up.
  takeReplay(host)
  const tickMs = 1000 / module.game.declaration.tickRate
  moments.push({
    tick: host.world.tick,
    host: snapshot(host.world),
    clients: clients.map(({ mirror, correctedAt }) => ({
      predicted: snapshot(mirror.world),
      confirmed: snapshot(mirror.confirmed),
      corrected: lab.now - correctedAt < tickMs,
    })),
  })
  const bytes = moments[moments.length - 1].host.byteLength * (1 + 2 * clients.length)
  const most = Math.max(60, Math.min(KEPT_SECONDS * module.game.declaration.tickRate, KEPT_BYTES / bytes))
  while (moments.length > most) moments.shift()
  lab.firstTick = moments[0].tick
}
