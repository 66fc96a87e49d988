/**
 * The whole system in virtual time: processes that own a match, a store, takers, clients and the links between them.
 *
 * Everything follows from one seed, so a failure is repeated by running it again. Owners, takers and clients run the code of
 * the product; only what is outside of it is made of numbers: time, links, the store's machine, and what goes wrong. For
 * some seconds everything goes wrong that can: processes are killed between any two events, are stopped and wake up,
 * hand over and leave; the store is slow, fails before or after it did what it was asked, or is away; two processes take
 * the same match; an intruder tries tokens. Then the system has some quiet seconds, and must be whole.
 */

import { hashToken } from '../../../colyseus/src/room/tokens.ts'
import { startReturn } from '../../src/client/return.ts'
import { createHost } from '../../src/host/host.ts'
import { addPeer, suspendPeer } from '../../src/host/peers.ts'
import type { Host } from '../../src/host/state.ts'
import type { MatchRecord } from '../../src/host/store.ts'
import type { Mode } from '../../src/protocol/protocol.ts'
import { tag } from '../support.ts'
import { createClient, frame } from './clients.ts'
import { type Breaks, HASH_EVERY, ID, type Seat, type System, type SystemClient } from './parts.ts'
import { startProcess } from './processes.ts'
import { openRoom } from './rooms.ts'
import { keepSeats } from './seats.ts'
import { createStore, storeOf } from './store.ts'
import { createTime, QUIET_MS, runUntil, TROUBLE_MS } from './time.ts'
import { intrude, trouble } from './trouble.ts'
import { judge } from './verdict.ts'

export type SystemSetup = { readonly seed: number; readonly breaks?: Breaks }

export type SystemReport = Readonly<System['counts']> & {
  /** What must not be; empty when all is well. */
  readonly problems: readonly string[]
  readonly ticks: number
  readonly returns: number
  readonly hashes: number
}

const PROCESSES = 3
const CLIENTS: readonly Mode[] = ['mirror', 'mirror', 'terminal']

export function simulateSystem({ seed, breaks }: SystemSetup): SystemReport {
  const system: System = {
    breaks,
    time: createTime(seed),
    problems: [],
    counts: { kills: 0, stops: 0, handovers: 0, takeovers: 0, fenced: 0 },
    store: createStore(),
    slots: [],
    processNumber: 0,
    clients: CLIENTS.map((mode, number) => createClient(seed, number, mode)),
  }
  for (let slot = 0; slot < PROCESSES; slot++) startProcess(system, slot)
  beginMatch(system)
  runUntil(system, TROUBLE_MS)
  // A machine that was stopped at the end wakes up; what is left is what the system makes of it.
  const atEnd = system.clients.map(({ seenTick }) => seenTick)
  runUntil(system, TROUBLE_MS + QUIET_MS)
  return endMatch(system, atEnd)
}

function beginMatch(system: System): void {
  const { seed } = system.time
  const [process] = system.slots
  const record: MatchRecord = {
    id: ID,
    room: ID,
    fingerprint: 'build 1',
    setup: { seed, options: {}, tuning: {} },
    nonce: seed,
    match: 1,
    isPrivate: false,
    startedAt: 0,
  }
  process.pending.add(ID)
  storeOf(system, process).create(record, (error, log) => {
    process.pending.delete(ID)
    if (error !== undefined) return
    const host = createHost(tag, { seed, nonce: seed, hashEvery: HASH_EVERY })
    const seats = system.clients.map((client) => firstSeat(host, client))
    const room = openRoom(system, { process, host, log, seats })
    keepSeats(room, (failed) => {
      if (failed !== undefined) return
      for (const client of system.clients) {
        client.returning = startReturn(system.time.now, 60)
        frame(system, client)
      }
      trouble(system)
      intrude(system)
    })
  })
}

function firstSeat(host: Host, { number, seat, mode, token }: SystemClient): Seat {
  const peer = addPeer(host, seat, mode)
  suspendPeer(host, peer)
  const record = { sessionId: String(number), seat, mode, name: '', id: '', data: undefined }
  return { ...record, tokens: [hashToken(token)], peer, line: undefined }
}

/** What must be when the trouble is over. */
function endMatch({ store, slots, clients, problems, counts }: System, atEnd: readonly number[]): SystemReport {
  const nothing = { problems, ticks: 0, ...counts, returns: 0, hashes: 0 }
  const match = store.matches.get(ID)
  // The very first request may have failed: then there never was a match.
  if (match === undefined || store.loggedBy.size === 0 || clients.every(({ seenTick }) => seenTick === 0))
    return nothing
  const owners = slots.flatMap(({ rooms, isAlive }) => (isAlive ? [...rooms].filter(({ isOpen }) => isOpen) : []))
  const owner = owners.find(({ log }) => log.epoch === match.epoch)
  if (owner === undefined || owner.keeper.state !== 'kept') {
    problems.push(`in the end nobody owns the match (epoch ${match.epoch}, ${owner?.keeper.state})`)
    return nothing
  }
  if (owners.length > 1) problems.push(`${owners.length} processes run the match in the end`)
  const { hashes } = judge({ owner, clients, atEnd }, problems)
  const returns = clients.reduce((sum, client) => sum + client.returns, 0)
  return { problems, ticks: owner.host.world.tick, ...counts, returns, hashes }
}
