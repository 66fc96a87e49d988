/** Data channels for clients of Node, and a UDP port for those of a server. */

import { createSocket } from 'node:dgram'

export { RTCPeerConnection } from 'node-datachannel/polyfill'

/**
 * What a stranger might send to the port: noise, a question to the client of this name with a wrong signature, the beginning of a
 * handshake, sealed data.
 */
export function strangePackets(name: string): Buffer[] {
  const names = Buffer.from(`${name}:them`.padEnd(20, '.'))
  const question = Buffer.alloc(20 + 4 + names.length + 4 + 20)
  question.writeUInt16BE(0x0001, 0)
  question.writeUInt16BE(question.length - 20, 2)
  question.writeUInt32BE(0x2112a442, 4)
  question.writeUInt16BE(0x0006, 20)
  question.writeUInt16BE(names.length, 22)
  question.set(names, 24)
  question.writeUInt16BE(0x0008, 24 + names.length)
  question.writeUInt16BE(20, 26 + names.length)
  const hello = Buffer.alloc(100)
  hello.set([22, 254, 253])
  hello.writeUInt16BE(hello.length - 13, 11)
  hello[13] = 1
  const data = Buffer.alloc(60, 7)
  data.set([23, 254, 253, 0, 1])
  data.writeUInt16BE(data.length - 13, 11)
  return [Buffer.alloc(1), Buffer.alloc(64, 200), question, hello, data]
}

/** A UDP port that is free now. */
export async function freeUdpPort(): Promise<number> {
  const socket = createSocket('udp4')
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve))
  const { port } = socket.address()
  await new Promise<void>((resolve) => socket.close(() => resolve()))
  return port
}
