/**
 * One message to one client, as cheaply as it can be done: it happens for every client in every tick.
 *
 * Colyseus would copy the message behind two bytes, and `ws` would write a head and the copy in two pieces, through five calls. Here
 * head, the two bytes and the message are one piece and one write. What is not a plain open WebSocket goes the usual way.
 */

import { type Client, ClientState } from '@colyseus/core'
import { ROOM_DATA_BYTES } from './guard.ts'
import { socketOf, streamOf } from './private-members.ts'

const OPEN = 1
/** The last piece of a binary message. */
const WHOLE_BINARY = 0x82
/** Longer messages are rare, and have another head. */
const MAX_BYTES = 0xffff
const TWO_BYTE_LENGTH = 126
/** The two bytes before a message: what kind of Colyseus' it is, and its type. */
const PREFIX = 2

/** Sends bytes with a type below 128 to a client, as `client.sendBytes` does. */
export function sendMessage(client: Client, type: number, message: Uint8Array): void {
  const socket = socketOf(client)
  const stream = streamOf(socket)
  const length = message.length + PREFIX
  const isPlain =
    stream && socket.readyState === OPEN && socket.extensions === '' && client.state === ClientState.JOINED
  if (!isPlain || length > MAX_BYTES) {
    client.sendBytes(type, message)
    return
  }
  const head = length < TWO_BYTE_LENGTH ? 2 : 4
  const frame = Buffer.allocUnsafe(head + length)
  frame[0] = WHOLE_BINARY
  if (head === 2) frame[1] = length
  else {
    frame[1] = TWO_BYTE_LENGTH
    frame[2] = length >>> 8
    frame[3] = length & 0xff
  }
  frame[head] = ROOM_DATA_BYTES
  frame[head + 1] = type
  frame.set(message, head + PREFIX)
  stream.write(frame)
}
