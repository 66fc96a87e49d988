/** What each side of the lab shows: the present as it is drawn, or an older moment as it was written down. */

import { signal } from '@preact/signals'
import { type AnyWorld, createEmptyWorld, restore } from 'hurtbox'
import type { Ghost, Shown, Stage } from '../draw/stage.ts'
import type { GameModule } from '../sim/games.ts'
import { type Lab, type LabClient, pictureOf, seenAt } from './lab.ts'

export function shownOf(module: GameModule, world: AnyWorld): Shown {
  return {
    module,
    mirror: { before: world, after: world } as Shown['mirror'],
    playhead: 0,
    unseen: [],
    jumped: true,
    overlay: undefined,
    failure: signal(''),
    isReady: signal(true),
  }
}

export function emptyWorld(lab: Lab): AnyWorld {
  return createEmptyWorld(lab.module.game, { options: lab.host.world.options } as never)
}

export type Side = LabClient | 'server'

export function showPresent(lab: Lab, side: Side, show: Shown, stage: Stage, ghosts: AnyWorld[]): void {
  const { host } = lab
  if (side === 'server') {
    show.mirror.before = host.world
    show.mirror.after = host.world
    show.playhead = host.world.tick
    stage.ghosts = rewoundGhosts(lab, host.world.tick, ghosts)
    return
  }
  const { before, after, alpha, events } = pictureOf(lab, side)
  show.mirror.before = before
  show.mirror.after = after
  show.playhead = before.tick + alpha * (after.tick - before.tick)
  show.unseen.push(...events)
  stage.ghosts = ghostsOf(host.world, side.mirror.confirmed)
}

export function showPast(
  lab: Lab,
  tick: number,
  side: Side,
  show: Shown,
  stage: Stage,
  into: AnyWorld,
  ghosts: AnyWorld[],
): void {
  const moment = lab.moments.findLast((each) => each.tick <= tick) ?? lab.moments[0]
  if (moment === undefined) return
  const place = side === 'server' ? -1 : lab.clients.indexOf(side)
  restore(into, place < 0 ? moment.host : moment.clients[place].predicted)
  show.mirror.before = into
  show.mirror.after = into
  show.playhead = into.tick
  show.jumped = true
  if (place < 0) {
    stage.ghosts = rewoundGhosts(lab, moment.tick, ghosts)
    return
  }
  restore(ghosts[0], moment.host)
  restore(ghosts[1], moment.clients[place].confirmed)
  stage.ghosts = ghostsOf(ghosts[0], ghosts[1])
}

function ghostsOf(host: AnyWorld, confirmed: AnyWorld): Ghost[] {
  return [
    { world: host, colour: '#5ef08ccc', dash: [] },
    { world: confirmed, colour: '#5aa8ff99', dash: [2, 3] },
  ]
}

/** On the server's side: where each client saw things when it acted for this tick. */
function rewoundGhosts(lab: Lab, tick: number, into: AnyWorld[]): Ghost[] {
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
    clients: lab.clients.map(({ name, mirror, corrections, down }) => ({
      name,
      rttMs: mirror.sender.rttMs ?? 0,
      lead: mirror.world.tick - lab.host.world.tick,
      corrections,
      depth: mirror.stats.depths.length === 0 ? 0 : mirror.stats.depths.length - 1,
      moved: mirror.stats.largestCorrection,
      lost: down.lost,
      kbPerSecond: down.bytes / 1000 / seconds,
    })),
  }
}

/** What the page shows of the lab, looked up ten times a second. */
export type Reading = {
  readonly tick: number
  readonly firstTick: number
  readonly clients: readonly {
    readonly name: string
    readonly rttMs: number
    readonly lead: number
    readonly corrections: number
    readonly depth: number
    readonly moved: number
    readonly lost: number
    readonly kbPerSecond: number
  }[]
}

/** How long a correction glows. */
const GLOW_MS = 250
