/**
 * Server-reflexive candidates (RFC 8445, 5.1.1.2): the port as STUN servers see it, from outside a NAT.
 *
 * Each request has a transaction id of its own, which counts once, for some seconds, and only from the address that was asked (RFC 8489, 6.3.3): who has seen one
 * cannot say later where the port is.
 */

import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import { type Address, createBindingRequest, octetsOf, readMappedAddress } from './stun.ts'

export type ServerReflexive = {
  /** Sends a binding request to each STUN server. */
  gather(): void
  /** Takes a binding response; false: it is none to our requests. */
  receive(message: Buffer, from: Address): boolean
  /** Whether all servers have responded. */
  isComplete(): boolean
  mappedAddresses(): readonly Address[]
}

type Server = {
  readonly named: Address
  pending: { readonly request: Buffer; readonly to: Address; readonly at: number }[]
  mapped: Address | undefined
}

const PENDING_MS = 5_000

/** `family` is that of the socket, 4 or 6. */
export function gatherServerReflexive(
  stunServers: readonly Address[],
  family: number,
  send: (message: Buffer, to: Address) => void,
): ServerReflexive {
  const servers = stunServers.map((named): Server => ({ named, pending: [], mapped: undefined }))

  function ask(server: Server, address: string): void {
    const to = { address, port: server.named.port }
    const now = performance.now()
    const request = createBindingRequest()
    server.pending = [...server.pending.filter(({ at }) => now - at < PENDING_MS), { request, to, at: now }]
    send(request, to)
  }

  return {
    gather() {
      for (const server of servers) {
        const { address } = server.named
        if (isIP(address)) ask(server, address)
        else
          lookup(address, { family }).then(
            (found) => ask(server, found.address),
            // Without a name it does not respond; the port has its other candidates.
            () => {},
          )
      }
    },
    receive(message, from) {
      const now = performance.now()
      for (const server of servers) {
        for (const asked of server.pending) {
          if (now - asked.at >= PENDING_MS || !isSame(asked.to, from)) continue
          const mapped = readMappedAddress(message, asked.request)
          if (mapped === undefined) continue
          server.mapped = mapped
          server.pending = server.pending.filter((each) => each !== asked)
          return true
        }
      }
      return false
    },
    isComplete: () => servers.every(({ mapped }) => mapped !== undefined),
    mappedAddresses: () => servers.flatMap(({ mapped }) => mapped ?? []),
  }
}

function isSame(one: Address, other: Address): boolean {
  return one.port === other.port && Buffer.from(octetsOf(one.address)).equals(Buffer.from(octetsOf(other.address)))
}
