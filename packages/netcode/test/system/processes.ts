/** Processes: they announce themselves, look for matches to take, are killed, are stopped, or hand over and leave. */

import { handOver } from '../../src/host/keeper.ts'
import { type ListedMatch, matchesToTake, withoutOwner } from '../../src/host/takeover.ts'
import { closeLines } from './lines.ts'
import { ID, type Process, type System } from './parts.ts'
import { resume } from './rooms.ts'
import { ask, storeOf } from './store.ts'
import { between, chance, isTroubled, later } from './time.ts'

const LEASE_MS = 1_000
const LOOK_MS = 200

export function startProcess(system: System, slot: number): void {
  const { now } = system.time
  const process: Process = {
    id: `process-${system.processNumber++}`,
    slot,
    isAlive: true,
    isLeaving: false,
    stoppedUntil: 0,
    rooms: new Set(),
    looks: new Map(),
    pending: new Set(),
    requestAt: now,
    answerAt: now,
    open: new Set(),
    isCutOff: false,
  }
  system.slots[slot] = process
  announce(system, process)
  look(system, process)
}

function announce(system: System, process: Process): void {
  const { store, time } = system
  const view = { id: process.id, games: { [ID]: 'build 1' }, isLeaving: process.isLeaving }
  const lease = () => void store.leases.set(process.id, { view, until: time.now + LEASE_MS })
  ask(system, process, lease, () => {})
  later(system, LEASE_MS / 4, process, () => announce(system, process))
}

function look(system: System, process: Process): void {
  const { store, time } = system
  later(system, LOOK_MS * between(system, 0.8, 1.2), process, () => look(system, process))
  if (process.isLeaving || !process.isAlive) return
  const read = () => ({
    alive: [...store.leases.values()].filter(({ until }) => until > time.now).map(({ view }) => view),
    matches: [...store.matches].map(
      ([id, { owner }]): ListedMatch => ({ id, room: ID, fingerprint: 'build 1', owner }),
    ),
  })
  ask(system, process, read, (error, found) => {
    if (error !== undefined) return
    // Now and then a process believes itself first: then two take the same match.
    const isRash = isTroubled(system) && chance(system) < 0.1
    const processes = isRash ? found.alive.filter(({ id }) => id === process.id) : found.alive
    const isRun = process.pending.has(ID) || [...process.rooms].some(({ isOpen }) => isOpen)
    const matches = found.matches.map((match) => withoutOwner(match, process.id, isRun))
    for (const { id } of matchesToTake(process.id, processes, matches, process.looks)) takeMatch(system, process, id)
  })
}

function takeMatch(system: System, process: Process, id: string): void {
  process.pending.add(id)
  storeOf(system, process).take(id, (failed, taken) => {
    process.pending.delete(id)
    if (failed === undefined && taken !== undefined) resume(system, process, taken)
  })
}

export function kill(system: System, process: Process): void {
  if (!process.isAlive) return
  system.counts.kills++
  exit(system, process)
}

/** Whether the process dies here, which it may between any two events. */
export function dies(system: System, process: Process, probability: number): boolean {
  if (!isTroubled(system) || chance(system) >= probability) return false
  kill(system, process)
  return true
}

/** Another one starts in its place. */
function exit(system: System, process: Process): void {
  process.isAlive = false
  for (const room of process.rooms) closeLines(system, room)
  later(system, between(system, 200, 1_500), undefined, () => startProcess(system, process.slot))
}

export function leave(system: System, process: Process): void {
  if (process.isLeaving || !process.isAlive) return
  system.counts.handovers++
  process.isLeaving = true
  const rooms = [...process.rooms].filter(({ isOpen }) => isOpen)
  let open = rooms.length
  if (open === 0) exit(system, process)
  for (const room of rooms) {
    room.isOpen = false
    handOver(room.keeper, () => {
      const release = () => {
        const match = system.store.matches.get(ID)
        if (match?.epoch === room.log.epoch) match.owner = ''
      }
      ask(system, process, release, () => {
        // The words before the last checkpoint are on their way; the clients follow them.
        closeLines(system, room)
        if (--open === 0) later(system, 50, process, () => exit(system, process))
      })
    })
  }
}
