/** A proxy that puts a server below a path, as `location /game/ { proxy_pass http://…/; }` does, and answers nothing else. */

import { once } from 'node:events'
import { createServer, type IncomingMessage, request } from 'node:http'
import type { AddressInfo } from 'node:net'

export async function startPrefixProxy(target: string, prefix: string): Promise<{ url: string; close(): void }> {
  const ask = (asked: IncomingMessage) =>
    request(new URL(asked.url!.slice(prefix.length - 1), target), { method: asked.method, headers: asked.headers })
  const proxy = createServer((asked, answer) => {
    if (!asked.url!.startsWith(prefix)) return void answer.writeHead(404).end()
    const passed = ask(asked).on('response', (response) => {
      answer.writeHead(response.statusCode!, response.headers)
      response.pipe(answer)
    })
    asked.pipe(passed)
  })
  proxy.on('upgrade', (asked, client) => {
    if (!asked.url!.startsWith(prefix)) return client.destroy()
    const passed = ask(asked).on('upgrade', (response, server, first) => {
      const headers = Object.entries(response.headers).map(([name, value]) => `${name}: ${value}`)
      client.write(['HTTP/1.1 101 Switching Protocols', ...headers, '', ''].join('\r\n'))
      client.write(first)
      for (const socket of [client, server]) socket.on('error', () => socket.destroy())
      client.pipe(server).pipe(client)
    })
    passed.on('response', () => client.destroy()).on('error', () => client.destroy())
    passed.end()
  })
  proxy.listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  return {
    url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}${prefix}`,
    close() {
      proxy.close()
      proxy.closeAllConnections()
    },
  }
}
