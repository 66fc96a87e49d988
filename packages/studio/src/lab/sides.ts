/** What each side of the lab shows: the present as it is drawn, or an older moment as it was written down. */

import { describeDesync, readMirrorNetwork } from '@hurtbox/netcode/client'
import { restore } from 'hurtbox'
import type { Picture } from 'hurtbox/picture'
import { pictureOf } from 'hurtbox/picture'
import { type AnyWorld, createEmptyWorld, snapshotTick } from 'hurtbox/tools'
import type { Ghost } from '../draw/stage.ts'
import { type Compared, compareWorlds } from '../model/compare.ts'
import { drawnBy, type Lab, type LabClient, seenAt } from './lab.ts'

/** One of the three views of the lab, and worlds to restore old states into. */
export type Side = {
  readonly client: LabClient | 'server'
  readonly past: AnyWorld
  readonly ghosts: readonly [AnyWorld, AnyWorld]
}

/** What to draw, and the ghosts over it. */
type SideView = { readonly picture: Picture; readonly ghosts: readonly Ghost[] }

/** The server between the clients. */
export function createSides(lab: Lab): Side[] {
  const { options } = lab.host.world
  const makeWorld = (): AnyWorld => createEmptyWorld(lab.module.game, { options })
  return [lab.clients[0], 'server' as const, ...lab.clients.slice(1)].map((client) => ({
    client,
    past: makeWorld(),
    ghosts: [makeWorld(), makeWorld()],
  }))
}

export function viewPresent(lab: Lab, { client, ghosts }: Side): SideView {
  const { world } = lab.host
  if (client === 'server') return { picture: still(world, false), ghosts: rewoundGhosts(lab, world.tick, ghosts) }
  return { picture: drawnBy(client), ghosts: ghostsOf(world, client.mirror.confirmed) }
}

export function viewPast(lab: Lab, { client, past, ghosts }: Side, tick: number): SideView | undefined {
  const moment = lab.moments.findLast((each) => each.tick <= tick) ?? lab.moments[0]
  if (moment === undefined) return undefined
  if (client === 'server') {
    restore(past, moment.host)
    return { picture: still(past, true), ghosts: rewoundGhosts(lab, moment.tick, ghosts) }
  }
  const { predicted, confirmed } = moment.clients[lab.clients.indexOf(client)]
  restore(past, predicted)
  restore(ghosts[0], moment.host)
  restore(ghosts[1], confirmed)
  return { picture: still(past, true), ghosts: ghostsOf(ghosts[0], ghosts[1]) }
}

/** One state alone. */
function still(world: AnyWorld, jumped: boolean): Picture {
  return pictureOf({ before: world, after: world, alpha: 1, jumped })
}

function ghostsOf(host: AnyWorld, confirmed: AnyWorld): Ghost[] {
  return [
    { world: host, colour: '#5ef08ccc', dash: [] },
    { world: confirmed, colour: '#5aa8ff99', dash: [2, 3] },
  ]
}

/** On the server's side: where each client saw things when it acted for this tick. */
function rewoundGhosts(lab: Lab, tick: number, into: readonly AnyWorld[]): Ghost[] {
  return lab.clients.flatMap((_, i) => {
    const seen = seenAt(lab, i, tick)
    if (seen === undefined) return []
    restore(into[i], seen)
    return [{ world: into[i], colour: '#ffc857aa', dash: i === 0 ? [6, 3] : [1, 3] }]
  })
}

export function isGlowing(lab: Lab, client: LabClient, looked: number): boolean {
  if (looked < 0) return lab.now - client.correctedAt < GLOW_MS
  const moment = lab.moments.findLast((each) => each.tick <= looked)
  return moment?.clients[lab.clients.indexOf(client)].corrected === true
}

export function readLab(lab: Lab): Reading {
  const seconds = Math.max(1, lab.now / 1000)
  return {
    tick: lab.host.world.tick,
    firstTick: lab.firstTick,
    clients: lab.clients.map(({ name, mirror, corrections, up, down }) => ({
      name,
      path: mirror.path === 'datagram' ? 'datagrams' : 'socket',
      lostUp: up.lost / Math.max(1, up.sent),
      lostDown: down.lost / Math.max(1, down.sent),
      lateShare: readMirrorNetwork(mirror).lateShare,
      inputLead: mirror.clock.lead,
      rttMs: mirror.sender.rttMs ?? 0,
      lead: mirror.world.tick - lab.host.world.tick,
      corrections,
      depth: mirror.stats.depths.length === 0 ? 0 : mirror.stats.depths.length - 1,
      moved: mirror.stats.largestCorrection,
      kbPerSecond: down.bytes / 1000 / seconds,
      words: readMirrorNetwork(mirror).words,
      desyncs: mirror.desyncs.map(describeDesync),
    })),
  }
}

/** What the page shows of the lab, looked up ten times a second. */
export type Reading = {
  readonly tick: number
  readonly firstTick: number
  readonly clients: readonly {
    readonly name: string
    readonly path: 'socket' | 'datagrams'
    /** Parts of the messages, 0 to 1. On a socket they come later instead. */
    readonly lostUp: number
    readonly lostDown: number
    /** Share of the inputs that came late, 0 to 1, and how many ticks ahead inputs are made. */
    readonly lateShare: number
    readonly inputLead: number
    readonly rttMs: number
    readonly lead: number
    readonly corrections: number
    readonly depth: number
    readonly moved: number
    readonly kbPerSecond: number
    /** How far ahead, how long inputs wait, how often they come late. */
    readonly words: string
    /** Where its state came out otherwise than the server's: tick, phase, row and column, oldest first. */
    readonly desyncs: readonly string[]
  }[]
}

/** What a client had predicted for a tick against what the server then played. */
export type Verdict = {
  readonly tick: number
  readonly client: AnyWorld
  readonly server: AnyWorld
  readonly compared: Compared
}

/** Undefined where one of the two states is no longer kept, or not there yet. */
export function compareSides(
  lab: Lab,
  client: number,
  tick: number,
  into: readonly [AnyWorld, AnyWorld],
): Verdict | undefined {
  const truth = lab.moments.find((moment) => moment.tick === tick)?.host
  const predicted = seenAt(lab, client, tick)
  if (truth === undefined || predicted === undefined || snapshotTick(predicted) !== tick) return undefined
  restore(into[0], predicted)
  restore(into[1], truth)
  return { tick, client: into[0], server: into[1], compared: compareWorlds(into[0], into[1]) }
}

/** The next tick after `from` for which the client had predicted its things otherwise; −1 when there is none among those kept. */
export function nextDisagreement(lab: Lab, client: number, from: number, into: readonly [AnyWorld, AnyWorld]): number {
  for (const { tick } of lab.moments) {
    if (tick <= from) continue
    const verdict = compareSides(lab, client, tick, into)
    // Before it was welcomed a client predicted nothing.
    if (verdict === undefined || verdict.client.tables.players.count === 0) continue
    if (verdict.compared.things.length > 0) return tick
  }
  return -1
}

/** How long a correction glows. */
const GLOW_MS = 250
