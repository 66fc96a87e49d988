/** `node echo-clients.ts <url> own|native|socket <channels>`: sends 60 messages of 100 bytes a second on each channel, from one message of its parent to the next. */

import { once } from 'node:events'
import { WebSocket } from 'ws'
import { RTCPeerConnection } from '../../packages/datagrams/test/channels.ts'

process.on('disconnect', () => process.exit())

const SEND_EVERY_MS = 1_000 / 60
const [url, carrier, channels] = process.argv.slice(2)
const message = new Uint8Array(100).fill(7)
const sends: (() => void)[] = []
/** One that nobody refers to is collected, and closed. */
const connections: unknown[] = []

async function connect(): Promise<() => void> {
  const socket = new WebSocket(url, { perMessageDeflate: false })
  await once(socket, 'open')
  if (carrier === 'socket') return () => socket.send(message)
  const connection = new RTCPeerConnection({ iceServers: [] })
  connections.push(connection)
  const channel = connection.createDataChannel('hurtbox', { ordered: false, maxRetransmits: 0 })
  const opened = new Promise<void>((resolve) => {
    channel.onopen = () => resolve()
  })
  await connection.setLocalDescription(await connection.createOffer())
  socket.send(connection.localDescription!.sdp)
  const [answer] = await once(socket, 'message')
  await connection.setRemoteDescription({ type: 'answer', sdp: String(answer) })
  await opened
  return () => channel.send(message)
}

for (let i = 0; i < Number(channels); i++) sends.push(await connect())
let timer: NodeJS.Timeout | undefined
process.on('message', () => {
  if (timer === undefined) {
    // One by one, as players send.
    let next = 0
    let owed = 0
    let at = performance.now()
    timer = setInterval(() => {
      const now = performance.now()
      owed += ((now - at) / SEND_EVERY_MS) * sends.length
      at = now
      for (; owed >= 1; owed--) sends[next++ % sends.length]()
    }, 1)
  } else {
    clearInterval(timer)
    timer = undefined
  }
  process.send!('done')
})
process.send!('connected')
