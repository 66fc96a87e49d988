/**
 * The ICE lite agent (RFC 8445, 2.5, 7.3): connections by their ufrag, and by the addresses of their valid connectivity checks.
 *
 * A check proves that its sender knows the pwd, not where it is, and it can be sent again by anybody who has seen it. So it leads to nothing but an answer and
 * an entry here: DTLS from that address is taken for this connection. Entries are few, the oldest are replaced, and one that nobody has answered at
 * does not keep out another client.
 *
 * An error under here closes one connection, and no other notices.
 */

import type { RemoteInfo, Socket } from 'node:dgram'
import { admitsCheck } from './budget.ts'
import {
  type Connection,
  closeConnection,
  nameOf,
  type RefusedPackets,
  type Remote,
  receiveDtls,
  runTimers,
} from './connection.ts'
import { type Address, type BindingRequest, bindingResponse, hasIntegrity, readBindingRequest } from './ice/stun.ts'

/** From how many addresses one client may come: its networks, and what NATs make of them. */
const MAX_REMOTES = 16
const REMOTE_MS = 30_000
/** Transaction ids are remembered for some minutes. */
const MAX_TRANSACTIONS = 256

export type Agent = {
  readonly socket: Socket
  readonly refused: RefusedPackets
  readonly onError: (error: unknown) => void
  readonly byUfrag: Map<string, Connection>
  readonly byRemote: Map<string, { readonly connection: Connection; readonly remote: Remote }>
}

export function createAgent(socket: Socket, refused: RefusedPackets, onError: (error: unknown) => void): Agent {
  return { socket, refused, onError, byUfrag: new Map(), byRemote: new Map() }
}

/** Runs what a connection has to do. An error closes it. */
export function guard({ refused, onError }: Agent, connection: Connection, run: () => void): void {
  try {
    run()
  } catch (error) {
    refused.threw++
    onError(error)
    try {
      closeConnection(connection)
    } catch (another) {
      onError(another)
    }
  }
}

export function addConnection({ byUfrag }: Agent, connection: Connection): void {
  byUfrag.set(connection.ufrag, connection)
}

export function removeConnection({ byUfrag, byRemote }: Agent, { ufrag, remotes }: Connection): void {
  byUfrag.delete(ufrag)
  for (const name of remotes.keys()) byRemote.delete(name)
}

export function receiveDatagram(agent: Agent, datagram: Buffer, from: RemoteInfo): void {
  const known = agent.byRemote.get(nameOf(from))
  if (known === undefined) agent.refused.strange++
  else guard(agent, known.connection, () => receiveDtls(known.connection, datagram, known.remote, performance.now()))
}

/** A connectivity check. */
export function receiveCheck(agent: Agent, message: Buffer, from: RemoteInfo): void {
  const request = readBindingRequest(message)
  const connection = request && agent.byUfrag.get(request.ufrag)
  if (connection === undefined) agent.refused.strange++
  else guard(agent, connection, () => answer(agent, connection, request!, from))
}

function answer(agent: Agent, connection: Connection, request: BindingRequest, from: RemoteInfo): void {
  const { socket, refused } = agent
  const { budget, pwd, remotes, transactions } = connection
  const name = nameOf(from)
  if (!admitsCheck(budget, remotes.has(name))) return
  if (!hasIntegrity(request, pwd)) {
    refused.strange++
    return
  }
  const transaction = request.transactionId.toString('latin1')
  const seenAt = transactions.get(transaction)
  // Somebody has seen it, and sends it again. A client repeats it from where it was.
  if (seenAt !== undefined && seenAt !== name) {
    refused.replayed++
    return
  }
  const now = performance.now()
  const remote = remotes.get(name) ?? claim(agent, connection, from, now)
  if (remote === undefined) {
    refused.strange++
    return
  }
  remote.seenAt = now
  connection.checkedAt = now
  transactions.set(transaction, name)
  if (transactions.size > MAX_TRANSACTIONS) transactions.delete(transactions.keys().next().value!)
  socket.send(bindingResponse(request, from, pwd), from.port, from.address)
}

/** Undefined: another client has answered there. */
function claim(agent: Agent, connection: Connection, { address, port }: Address, now: number): Remote | undefined {
  const name = nameOf({ address, port })
  const other = agent.byRemote.get(name)
  if (other?.remote.isProved) return undefined
  other?.connection.remotes.delete(name)
  if (connection.remotes.size >= MAX_REMOTES) forgetOldest(agent, connection)
  const remote = { address, port, seenAt: now, isProved: false }
  connection.remotes.set(name, remote)
  agent.byRemote.set(name, { connection, remote })
  return remote
}

function forget({ byRemote }: Agent, { remotes }: Connection, remote: Remote): void {
  remotes.delete(nameOf(remote))
  byRemote.delete(nameOf(remote))
}

function forgetOldest(agent: Agent, connection: Connection): void {
  let oldest: Remote | undefined
  for (const remote of connection.remotes.values()) {
    if (remote === connection.selectedRemote) continue
    if (oldest === undefined || remote.seenAt < oldest.seenAt) oldest = remote
  }
  if (oldest !== undefined) forget(agent, connection, oldest)
}

/** Call it every now and then. */
export function runAllTimers(agent: Agent, now: number): void {
  for (const connection of agent.byUfrag.values()) guard(agent, connection, () => runTimers(connection, now))
}

/** Addresses from which nothing has come for long. */
export function forgetUnheard(agent: Agent, now: number): void {
  for (const connection of agent.byUfrag.values()) {
    for (const remote of connection.remotes.values()) {
      const isUnheard = remote !== connection.selectedRemote && now - remote.seenAt > REMOTE_MS
      if (isUnheard) forget(agent, connection, remote)
    }
  }
}

export function closeAll(agent: Agent): void {
  for (const connection of [...agent.byUfrag.values()]) guard(agent, connection, () => closeConnection(connection))
}
