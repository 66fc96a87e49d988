/** What goes wrong. */

import { hashToken } from '../../../colyseus/src/room/tokens.ts'
import { seekRoom } from './clients.ts'
import { ID, type System, type SystemClient } from './parts.ts'
import { kill, leave } from './processes.ts'
import { between, chance, isTroubled, later, oneOf } from './time.ts'

/** Now, and again after a while: something happens to a process, to the store or to a clock. */
export function trouble(system: System): void {
  const { time, store, slots, counts, clients } = system
  later(system, between(system, 150, 1_200), undefined, () => trouble(system))
  if (!isTroubled(system)) return
  const ownerId = store.matches.get(ID)?.owner
  const owner = slots.find(({ id }) => id === ownerId)
  const process = owner !== undefined && chance(system) < 0.7 ? owner : oneOf(system, slots)
  const dice = chance(system)
  if (dice < 0.35) kill(system, process)
  else if (dice < 0.6) {
    // Not one that is stopped already: what waits for it would lose its order, which no machine does.
    if (process.stoppedUntil > time.now) return
    counts.stops++
    process.stoppedUntil = time.now + between(system, 50, 3_000)
  } else if (dice < 0.75) leave(system, process)
  else if (dice < 0.9) store.awayUntil = time.now + between(system, 50, 2_500)
  else oneOf(system, clients).clockSkew += between(system, 0, 3_000)
}

/** Somebody tries tokens, again and again. */
export function intrude(system: System): void {
  const { clients, store } = system
  later(system, between(system, 300, 900), undefined, () => intrude(system))
  if (!isTroubled(system)) return
  const victim = oneOf(system, clients)
  const seats = store.matches.get(ID)?.seats ?? []
  const guesses = ['a guess', ...victim.oldTokens.slice(-1), ...seats.flatMap(({ tokens }) => tokens)]
  // An old token is good until the new one has arrived, so only those before are tried.
  const token = oneOf(system, guesses)
  const isPending = seats.some(({ tokens }) => tokens.includes(hashToken(token)))
  if (isPending) return
  const intruder: SystemClient = { ...victim, number: -1, token, oldTokens: [], returning: undefined, line: undefined }
  seekRoom(system, intruder, token)
}
