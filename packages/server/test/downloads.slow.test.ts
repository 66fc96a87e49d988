/** Files from a server in its own process: readers that are slow, many, or stand still. */

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import type { Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { LIMITS } from '../src/limits.ts'
import { createDownloads } from '../src/replays.ts'
import { ask, metricOf, openConnection, type ServerProcess, startServerProcess, until } from './support.ts'

const MB = 1024 * 1024
const FILE_BYTES = 12 * MB
const READERS = 30
const STALL_MS = 4_000
const folder = mkdtempSync(join(tmpdir(), 'hurtbox-downloads-'))
let server: ServerProcess
beforeAll(async () => {
  const [replayFolder, pageFolder] = [join(folder, 'replays'), join(folder, 'studio')]
  for (const each of [replayFolder, pageFolder]) mkdirSync(each)
  writeFileSync(join(replayFolder, 'long.hbr'), Buffer.alloc(FILE_BYTES, 'a replay '))
  writeFileSync(join(pageFolder, 'index.html'), '<!doctype html>')
  // Packed already, so it is kept and sent as it is.
  writeFileSync(join(pageFolder, 'map.png'), Buffer.alloc(FILE_BYTES, 1))
  server = await startServerProcess({ replayFolder, pageFolder, limits: { stallMs: STALL_MS } })
}, 60_000)
afterAll(async () => {
  await server?.stop()
  rmSync(folder, { recursive: true })
})

/** Asks for a file and reads nothing. */
async function stand(path: string, from: string): Promise<Socket> {
  const socket = await openConnection(server, `GET ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n`, from)
  socket.on('error', () => {})
  socket.pause()
  return socket
}

test.for(['/replays/long.hbr', '/map.png'])(
  `[SV36] ${READERS} readers of %s that stand still cost less than a copy each`,
  async (path) => {
    await ask(server, path)
    const rss = () => metricOf(server, 'process_resident_memory_bytes')
    const before = await rss()
    const sockets = await Promise.all(Array.from({ length: READERS }, (_, i) => stand(path, `127.0.2.${i + 1}`)))
    let most = before
    for (let i = 0; i < 25; i++) {
      most = Math.max(most, await rss())
      await new Promise((resolve) => setTimeout(resolve, 40))
    }
    for (const socket of sockets) socket.destroy()
    console.log(`${READERS} slow readers of ${path}: RSS grew ${((most - before) / MB).toFixed(0)} MB`)
    // What the kernel takes at once passes through our memory and is collected later; a copy each would be three times this.
    expect(most - before).toBeLessThan((READERS * FILE_BYTES) / 3)
  },
)

test('[SV36] a replay is sent whole, with its length, and HEAD has the length without the body', async () => {
  const reply = await ask(server, '/replays/long.hbr')
  expect(reply.status).toBe(200)
  expect(reply.headers['content-length']).toBe(String(FILE_BYTES))
  expect(reply.body.length).toBe(FILE_BYTES)
  const head = await ask(server, '/replays/long.hbr', { method: 'HEAD' })
  expect(head).toMatchObject({ status: 200, body: '' })
  expect(head.headers['content-length']).toBe(String(FILE_BYTES))
})

test('[SV36] an address has its share of downloads at once, gets them back, and loses those that stall', async () => {
  const from = '127.0.3.1'
  const first = await Promise.all(
    Array.from({ length: LIMITS.downloadsPerAddress }, () => stand('/replays/long.hbr', from)),
  )
  const status = async (address: string) =>
    (await ask(server, '/replays/long.hbr', { method: 'GET', from: address })).status
  await until('the share is used up', async () => (await status(from)) === 429)
  expect(await status('127.0.3.2')).toBe(200)
  first[0].destroy()
  await until('one is given back', async () => (await status(from)) === 200)
  // The others are not read: they are closed, and their places are free.
  await until('all are given back', async () => {
    const again = await Promise.all(first.map(() => status(from)))
    return again.every((each) => each === 200)
  })
  for (const socket of first) socket.destroy()
})

test('[SV36] all addresses together have their share of downloads at once, and get them back', async () => {
  const replays = join(folder, 'few')
  mkdirSync(replays)
  writeFileSync(join(replays, 'short.hbr'), 'a replay')
  const downloads = createDownloads(replays, { downloads: 3, downloadsPerAddress: 2 })
  const statusOf = async (from: string) => {
    const answer = await downloads.answer('/replays/short.hbr', from).catch((error) => error)
    return { status: answer.status, body: answer.body }
  }
  const sent = [await statusOf('a'), await statusOf('a'), await statusOf('b')]
  expect(sent.map(({ status }) => status)).toEqual([200, 200, 200])
  expect((await statusOf('a')).status, 'too many of this address').toBe(429)
  expect((await statusOf('c')).status, 'too many in all').toBe(503)
  for (const { body } of sent) {
    await body.file.close()
    body.done()
  }
  const again = await statusOf('c')
  expect(again.status, 'places are given back').toBe(200)
  await again.body.file.close()
})
