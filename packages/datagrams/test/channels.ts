/** Data channels for clients of Node, and a UDP port for those of a server. */

import { createSocket } from 'node:dgram'

export { RTCPeerConnection } from 'node-datachannel/polyfill'

/** A UDP port that is free now. */
export async function freeUdpPort(): Promise<number> {
  const socket = createSocket('udp4')
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve))
  const { port } = socket.address()
  await new Promise<void>((resolve) => socket.close(() => resolve()))
  return port
}
