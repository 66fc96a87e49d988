/**
 * Any mix of silence, freezing, loss, takeover and rematch, in virtual time: it ends in the same seat, or in the sentence that the seat was given
 * away. Nothing is shown twice, and nothing rains. A failure names its seed: `live(seed)` repeats it exactly.
 */

import { hashWorld } from 'hurtbox'
import { purposeOf, unitAt } from 'hurtbox/math'
import { readMatchLog } from 'hurtbox/replay'
import { expect, test } from 'vitest'
import { follow } from '../src/client/follow.ts'
import type { Follower } from '../src/client/follower.ts'
import { comeBack, createAbsence, goAway, spentMs } from '../src/host/absence.ts'
import { createHost, resumeHost, stepHost } from '../src/host/host.ts'
import { createKeeper, type Keeper, keepTick, tendKeeper } from '../src/host/keeper.ts'
import { openLog } from '../src/host/open-log.ts'
import { addPeer, dismissBots, removePeer, suspendPeer } from '../src/host/peers.ts'
import { receive } from '../src/host/receive.ts'
import { acceptOffer } from '../src/host/returning.ts'
import type { Host, Peer } from '../src/host/state.ts'
import type { TakenMatch } from '../src/host/store.ts'
import { MESSAGES } from '../src/protocol/messages.ts'
import type { Mode } from '../src/protocol/protocol.ts'
import { memoryStore, RECORD } from './memory-store.ts'
import { RATE, tag, whimsical } from './support.ts'

const isLong = process.env.HURTBOX_LONG !== undefined
const SEEDS = isLong ? 10_000 : 200
const STEPS = 8
const SEAT = 2
const SEAT_SECONDS = 60
const TICK_MS = 1000 / RATE
const STALE_TICKS = RATE / 2
const BOTS = { bots: [whimsical], fill: 4, hashEvery: 8, replay: false } as const
const WHAT = purposeOf('what happens')
const HOW_LONG = purposeOf('how long')

const HAPPENINGS = ['play', 'play', 'hidden', 'frozen', 'stall', 'loss', 'takeover', 'rematch'] as const

type Life = {
  readonly seed: number
  readonly mode: Mode
  host: Host
  keeper: Keeper
  store: ReturnType<typeof memoryStore>
  nonce: number
  peer: Peer
  follower: Follower
  /** Ticks of the room, through all matches: its clock. */
  clock: number
  readonly absence: ReturnType<typeof createAbsence>
  /** The same, counted tick by tick. */
  spent: number
  isAway: boolean
  isGone: boolean
  readonly shown: Set<number>
  /** Nothing of this match before is to be shown any more. */
  missedUntil: number
  readonly problems: string[]
  readonly done: Set<string>
}

function keep(host: Host, store: ReturnType<typeof memoryStore>, nonce: number): Keeper {
  return createKeeper(host, openLog(store, { ...RECORD, nonce }))
}

function begin(seed: number): Life {
  const nonce = seed * 100
  const host = createHost(tag, { ...BOTS, seed, nonce })
  const store = memoryStore()
  const keeper = keep(host, store, nonce)
  const mode = seed % 2 === 0 ? 'mirror' : 'terminal'
  const peer = addPeer(host, SEAT, mode)
  const follower = follow(tag, peer.outbox.shift()!, 0)!
  const state = { clock: 0, absence: createAbsence(), spent: 0, isAway: false, isGone: false, missedUntil: 0 }
  const seen = { shown: new Set<number>(), problems: [], done: new Set<string>() }
  return { seed, mode, host, keeper, store, nonce, peer, follower, ...state, ...seen }
}

const nowOf = ({ clock }: Life) => clock * TICK_MS

/** One tick of the room. */
function tick(life: Life): void {
  const { keeper, host } = life
  life.clock++
  // Others keep the match running; with bots alone it would wait for players.
  stepHost(host)
  keepTick(keeper)
  tendKeeper(keeper)
  life.spent = life.isAway ? life.spent + TICK_MS : Math.max(0, life.spent - 4 * TICK_MS)
  if (!life.isAway || life.isGone || spentMs(life.absence, nowOf(life)) <= SEAT_SECONDS * 1000) return
  removePeer(life.host, life.peer)
  life.isGone = true
}

/** What has come is taken, and one frame is drawn. */
function frame(life: Life, says = true): void {
  const now = nowOf(life)
  take(life)
  const { follower } = life
  follower.advance(now, () => ({ moveX: 1 }))
  look(life)
  for (const bytes of follower.outbox.splice(0)) if (says) receive(life.host, life.peer, bytes)
}

function take(life: Life): void {
  const now = nowOf(life)
  for (const bytes of life.peer.outbox.splice(0)) {
    if (bytes[0] !== MESSAGES.welcome.kind) life.follower.receive(bytes, now)
    else life.follower = follow(tag, bytes, now, { earlier: life.follower })!
  }
}

function look(life: Life): void {
  const { follower, shown, problems, seed, missedUntil } = life
  const picture = follower.picture(nowOf(life))
  const moment = follower.mirror?.confirmed.tick ?? follower.terminal!.inside.shownTick
  for (const { what, serial, event } of picture?.news ?? []) {
    if (what !== 'predicted') continue
    if (shown.has(serial)) problems.push(`seed ${seed}: event ${serial} was shown twice`)
    shown.add(serial)
    const isOld = picture!.isCurrent && event.tick < moment - STALE_TICKS - 2
    if (isOld) problems.push(`seed ${seed}: an event of tick ${event.tick} rained at ${moment}`)
    if (event.tick < missedUntil) problems.push(`seed ${seed}: an event of the absence, tick ${event.tick}, was shown`)
  }
}

function leave(life: Life): void {
  if (life.isAway) return
  life.isAway = true
  goAway(life.absence, nowOf(life))
  suspendPeer(life.host, life.peer)
}

/** The room says welcome, unless the seat is gone. */
function back(life: Life, knows: boolean): void {
  if (life.isGone) return
  if (knows) life.follower.skipMissed()
  const offer = life.follower.offer()
  life.peer = addPeer(life.host, SEAT, life.mode)
  if (offer !== undefined) acceptOffer(life.host, life.peer, offer)
  life.isAway = false
  comeBack(life.absence, nowOf(life))
  if (knows) life.missedUntil = life.host.world.tick - 1
}

function takeOver(life: Life): void {
  let taken: TakenMatch | undefined
  life.store.take('room', (_error, found) => void (taken = found))
  const logged = readMatchLog(tag, taken!.record.setup, taken!.entries)!
  life.host = resumeHost(logged, { ...BOTS, nonce: life.nonce })
  const peer = addPeer(life.host, SEAT, life.mode)
  suspendPeer(life.host, peer)
  life.peer = peer
  dismissBots(life.host)
  life.keeper = createKeeper(life.host, taken!.log)
}

function rematch(life: Life): void {
  const nonceBefore = life.nonce
  life.nonce++
  life.missedUntil = 0
  life.host = createHost(tag, { ...BOTS, seed: life.nonce, nonce: life.nonce, nonceBefore })
  life.store = memoryStore()
  life.keeper = keep(life.host, life.store, life.nonce)
  life.peer = addPeer(life.host, SEAT, life.mode)
  if (life.isAway) suspendPeer(life.host, life.peer)
}

/** Something happens, and the player is back after it if it can be. */
function happen(life: Life, step: number): void {
  const { seed } = life
  const what = HAPPENINGS[Math.floor(unitAt(seed, step, 0, 0, WHAT) * HAPPENINGS.length)]
  const chance = unitAt(seed, step, 0, 0, HOW_LONG)
  // Mostly some seconds, now and then most of a minute.
  const ticks = Math.ceil(RATE * (chance < 0.85 ? 5 * chance : 380 * (chance - 0.85)))
  life.done.add(what)
  const wait = (perTick = () => {}) => {
    for (let i = 0; i < ticks && !life.isGone; i++) {
      tick(life)
      perTick()
    }
  }
  if (what === 'play') wait(() => frame(life))
  else if (what === 'stall') {
    // Packets are late, for less than it takes to be away.
    for (let i = 0; i < Math.min(ticks, 2 * RATE - 2); i++) tick(life)
  } else if (what === 'takeover' || what === 'rematch') {
    const isThere = unitAt(seed, step, 1, 0, WHAT) < 0.5
    if (!isThere) leave(life)
    if (what === 'takeover') {
      leave(life)
      takeOver(life)
    } else rematch(life)
    if (life.isAway) wait()
    if (life.isAway) back(life, !isThere)
  } else {
    if (what === 'hidden') take(life)
    // What is on its way is lost with the connection.
    else if (what === 'loss') life.peer.outbox.length = 0
    leave(life)
    wait()
    back(life, what !== 'loss')
  }
  if (!life.isGone) for (let i = 0; i < 3; i++) playOn(life)
}

function playOn(life: Life): void {
  tick(life)
  frame(life)
}

/** What is left of a life: ten thousand of them with their worlds would take gigabytes. */
type Story = Pick<Life, 'problems' | 'done' | 'isGone'> & { readonly shown: number }

function live(seed: number): Story {
  const life = begin(seed)
  go(life)
  const { problems, done, isGone, shown } = life
  return { problems, done, isGone, shown: shown.size }
}

function go(life: Life): void {
  const { seed } = life
  const { problems } = life
  for (let i = 0; i < 30; i++) playOn(life)
  for (let step = 0; step < STEPS && !life.isGone; step++) happen(life, step)
  const shouldBeGone = life.isAway && life.spent > SEAT_SECONDS * 1000 - TICK_MS
  if (life.isGone !== shouldBeGone)
    problems.push(`seed ${seed}: gone is ${life.isGone} after ${life.spent} ms of absence`)
  const { seats, world } = life.host
  if (life.isGone) {
    if (seats[SEAT].player === life.peer) problems.push(`seed ${seed}: a seat that was given away is still taken`)
    return
  }
  for (let i = 0; i < RATE; i++) playOn(life)
  const { mirror, terminal, seat } = life.follower
  if (seat !== SEAT || seats[SEAT].player !== life.peer) problems.push(`seed ${seed}: another seat`)
  if ((terminal?.frames.at(-1)?.tick ?? world.tick) < world.tick - 2) problems.push(`seed ${seed}: it does not follow`)
  if (mirror !== undefined && (mirror.stats.mismatches > 0 || hashWorld(mirror.confirmed) !== hashWorld(world)))
    problems.push(`seed ${seed}: another state`)
  if (life.peer.counts.malformed > 0) problems.push(`seed ${seed}: malformed packets of an honest player`)
}

test('[AW15] any mix of silence, freezing, loss, takeover and rematch ends in the same seat or in the true sentence; nothing is shown twice or rains', {
  timeout: isLong ? 3_600_000 : 120_000,
}, () => {
  const lives = Array.from({ length: SEEDS }, (_, i) => live(i + 1))
  expect(lives.flatMap(({ problems }) => problems)).toEqual([])
  // It would be easy if nothing happened.
  expect(new Set(lives.flatMap(({ done }) => [...done]))).toEqual(new Set(HAPPENINGS))
  expect(lives.filter(({ isGone }) => isGone).length).toBeGreaterThan(SEEDS / 100)
  expect(lives.filter(({ isGone }) => !isGone).length).toBeGreaterThan(SEEDS / 2)
  expect(lives.reduce((sum, { shown }) => sum + shown, 0)).toBeGreaterThan(SEEDS * 10)
})
