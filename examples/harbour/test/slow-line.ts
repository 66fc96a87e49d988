/**
 * A line between a page and its server: each piece of a stream comes 100 ms later, each way, and every twentieth waits for its repetition, as TCP
 * has it when a packet is lost.
 */

import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

const [DELAY_MS, JITTER_MS, LOSS, REPEAT_MS] = [90, 20, 0.05, 220]

export async function startSlowLine(port: number): Promise<{ readonly port: number; close(): void }> {
  const sockets = new Set<Socket>()
  const line = createServer((page) => {
    const server = connect(port, '127.0.0.1')
    for (const [from, to] of [
      [page, server],
      [server, page],
    ]) {
      sockets.add(from)
      // One after the other: two timers that are due at nearly the same time may run in either order, and a stream would be torn.
      const waiting: { readonly due: number; readonly act: () => void }[] = []
      const pass = () => {
        while (waiting.length > 0 && waiting[0].due <= performance.now()) waiting.shift()!.act()
        if (waiting.length > 0) setTimeout(pass, Math.max(1, waiting[0].due - performance.now()))
      }
      const later = (act: () => void) => {
        const wait = DELAY_MS + Math.random() * JITTER_MS + (Math.random() < LOSS ? REPEAT_MS : 0)
        waiting.push({ due: Math.max(waiting.at(-1)?.due ?? 0, performance.now() + wait), act })
        if (waiting.length === 1) setTimeout(pass, wait)
      }
      from.setNoDelay(true)
      from.on('data', (bytes) => later(() => to.writable && to.write(bytes)))
      from.on('end', () => later(() => to.end()))
      from.on('error', () => to.destroy())
      from.on('close', () => {
        sockets.delete(from)
        later(() => to.destroy())
      })
    }
  })
  line.listen(0, '127.0.0.1')
  await once(line, 'listening')
  return {
    port: (line.address() as AddressInfo).port,
    close() {
      line.close()
      for (const socket of sockets) socket.destroy()
    },
  }
}
