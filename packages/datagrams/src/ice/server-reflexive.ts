/** Server-reflexive candidates (RFC 8445, 5.1.1.2): the port as STUN servers see it, from outside a NAT. */

import { type Address, createBindingRequest, readMappedAddress } from './stun.ts'

export type ServerReflexive = {
  /** Sends a binding request to each STUN server. */
  gather(): void
  /** Takes a binding response; false: it is none to our requests. */
  receive(message: Buffer): boolean
  /** Whether all servers have responded. */
  isComplete(): boolean
  mappedAddresses(): readonly Address[]
}

export function gatherServerReflexive(
  stunServers: readonly Address[],
  send: (message: Buffer, to: Address) => void,
): ServerReflexive {
  const transactions = stunServers.map((server) => ({
    server,
    request: createBindingRequest(),
    mapped: undefined as Address | undefined,
  }))
  return {
    gather() {
      for (const { server, request } of transactions) send(request, server)
    },
    receive(message) {
      for (const transaction of transactions) {
        const mapped = readMappedAddress(message, transaction.request)
        if (mapped === undefined) continue
        transaction.mapped = mapped
        return true
      }
      return false
    },
    isComplete: () => transactions.every(({ mapped }) => mapped !== undefined),
    mappedAddresses: () => transactions.flatMap(({ mapped }) => mapped ?? []),
  }
}
