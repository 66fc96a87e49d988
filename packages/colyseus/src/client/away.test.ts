import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { tag } from '../../../netcode/test/support.ts'
import { joinGame } from './index.ts'

/** The address of a server that answers everything with this, or with nothing where none is given. */
async function serverWith(answer?: { readonly status: number; readonly text: string }) {
  const server = createServer((_request, response) => {
    response.writeHead(answer!.status, { 'content-type': 'application/json' }).end(answer!.text)
  })
  await new Promise<void>((done) => void server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as AddressInfo
  const close = () => new Promise((done) => server.close(done))
  if (answer === undefined) await close()
  return { url: `http://127.0.0.1:${port}`, close: async () => void (answer !== undefined && (await close())) }
}

test('[EW11] a server that is away is told by its address, and a refusal keeps its code', async () => {
  const away = await serverWith()
  await expect(joinGame(away.url, tag)).rejects.toThrow(
    `${away.url} does not answer as a game server. Is it running, and is this its address?`,
  )
  const full = await serverWith({ status: 426, text: JSON.stringify({ code: 426, error: 'another build' }) })
  await expect(joinGame(full.url, tag)).rejects.toMatchObject({ code: 426, message: 'another build' })
  await full.close()
})
