/** A real browser plays a room over datagrams: Chromium's data channel to the UDP port of the server, on loopback. */

import { startDatagrams } from '@hurtbox/datagrams'
import { build } from 'esbuild'
import { expect, test, vi } from 'vitest'
import { freeUdpPort } from '../../datagrams/test/channels.ts'
import { tag, whimsical } from '../../netcode/test/support.ts'
import { startBrowser } from '../../studio/test/browser.ts'
import type { GameConnection } from '../src/client/index.ts'
import { roomById, startServer, until } from './server.ts'

vi.setConfig({ testTimeout: 240_000 })

const CLIENT = `
import { joinGame } from './packages/colyseus/src/client/index.ts'
import { tag } from './packages/netcode/test/support.ts'
const match = await joinGame(location.origin, tag, { mode: 'mirror' })
globalThis.match = match
setInterval(() => match.update(performance.now(), (tick) => ({ moveX: tick % 40 < 20 ? 1 : -1 })), 16)
`

test('[DG10] a real browser plays a room over datagrams, and by the socket once it is told to', async (context) => {
  const browser = await startBrowser()
  if (browser === undefined) return context.skip()
  const root = new URL('../../..', import.meta.url).pathname
  const { outputFiles } = await build({
    stdin: { contents: CLIENT, resolveDir: root, loader: 'ts' },
    bundle: true,
    format: 'esm',
    write: false,
    platform: 'browser',
    logLevel: 'error',
  })
  const datagrams = (await startDatagrams({ port: await freeUdpPort() }))!
  const server = await startServer({ tag: { game: tag, bots: [whimsical], fill: 4, hashEvery: 1, datagrams } })
  try {
    const page = await browser.newPage()
    await page.goto(server.url, { waitUntil: 'domcontentloaded' })
    await page.addScriptTag({ content: outputFiles[0].text, type: 'module' })
    const read = () =>
      page.evaluate(() => {
        const { match } = globalThis as unknown as { match?: GameConnection }
        const { mirror, datagrams: path, room } = match ?? {}
        const { hashChecks = 0, mismatches = 0 } = mirror?.stats ?? {}
        return { hashChecks, mismatches, state: path?.state, rttMs: path?.rttMs, roomId: room?.roomId }
      })
    let now = await read()
    const look = async (what: string, isTrue: () => boolean) => {
      for (let i = 0; i < 600 && !isTrue(); i++) {
        await new Promise((resolve) => setTimeout(resolve, 100))
        now = await read()
      }
      expect(isTrue(), what).toBe(true)
    }
    await look('the path is open', () => now.state === 'open')
    const room = roomById(now.roomId!)
    const [peer] = room.host.peers
    await until('the host answers on it', () => peer.path === 'datagram')
    const from = now.hashChecks
    await look('hashes are checked', () => now.hashChecks > from + 60)
    await until('datagrams come in', () => room.traffic.datagrams.in > 60)
    expect(now.rttMs).toBeGreaterThan(0)
    await page.evaluate(() => {
      ;(globalThis as unknown as { match: GameConnection }).match.datagrams.isWanted = false
    })
    await until('the host answers on the socket', () => peer.path === 'stream')
    const later = now.hashChecks
    await look('hashes are checked', () => now.hashChecks > later + 30)
    expect(now.mismatches).toBe(0)
  } finally {
    await browser.close()
    await server.close()
    datagrams.close()
  }
})
