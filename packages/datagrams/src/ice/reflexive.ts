/** How a port is seen from outside, by the STUN servers that are asked. */

import { type Address, createQuestion, readSeenAddress } from './stun.ts'

export type Outside = {
  ask(): void
  /** Takes an answer; false: it is none. */
  take(packet: Buffer): boolean
  /** All that were asked have answered. */
  isKnown(): boolean
  seen(): readonly Address[]
}

export function createOutside(servers: readonly Address[], send: (packet: Buffer, to: Address) => void): Outside {
  const asked = servers.map((server) => ({
    server,
    question: createQuestion(),
    seen: undefined as Address | undefined,
  }))
  return {
    ask() {
      for (const { server, question } of asked) send(question, server)
    },
    take(packet) {
      const answered = asked.find(({ question }) => readSeenAddress(packet, question) !== undefined)
      if (answered !== undefined) answered.seen = readSeenAddress(packet, answered.question)
      return answered !== undefined
    },
    isKnown: () => asked.every(({ seen }) => seen !== undefined),
    seen: () => asked.flatMap(({ seen }) => seen ?? []),
  }
}
