/**
 * One start of the native stack with 32 clients, of which every second leaves at some moment. Ends with code 0 when nothing was thrown.
 * The seed decides when they leave.
 */

import { createRandom } from '../../hurtbox/test/random.ts'
import { startDatagrams } from '../src/service.ts'
import { freeUdpPort, RTCPeerConnection } from './channels.ts'

const CLIENTS = 32
const LEAVE_WITHIN_MS = 120
const random = createRandom(Number(process.argv[2]))
const service = await startDatagrams({
  stack: 'native',
  port: await freeUdpPort(),
  onError(error) {
    throw error
  },
})
if (service === undefined) throw new Error('The native stack did not start.')

/** With all candidates, as browsers send them. */
async function join(isLeaving: boolean): Promise<void> {
  const connection = new RTCPeerConnection({ iceServers: [] })
  const data = connection.createDataChannel('hurtbox', { ordered: false, maxRetransmits: 0 })
  const opened = new Promise<void>((resolve) => {
    data.onopen = () => resolve()
  })
  await connection.setLocalDescription(await connection.createOffer())
  const atServer = service!.open(connection.localDescription!.sdp, { onMessage() {}, onClosed() {} })
  if (isLeaving) {
    const leave = random() < 0.5 ? () => atServer!.close() : () => connection.close()
    setTimeout(leave, random() * LEAVE_WITHIN_MS)
  }
  // The client's own library may throw for one that was closed: it is not what is tried here.
  const answered = connection.setRemoteDescription({ type: 'answer', sdp: atServer!.answer })
  await (isLeaving ? answered.catch(() => {}) : answered.then(() => opened))
}

const joins = Array.from({ length: CLIENTS }, (_, i) => join(i % 2 === 1))
await Promise.all(joins)
console.log(`${CLIENTS / 2} opened`)
service.close()
// Some clients are open, and would keep the process.
setTimeout(() => process.exit(), 50)
