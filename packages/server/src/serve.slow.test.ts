/** `serve` for a game that is nobody's but its author's. */

import { createSocket, type Socket } from 'node:dgram'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { joinGame, type PeerConnectionClass } from '@hurtbox/colyseus/client'
import type { DatagramOptions } from '@hurtbox/datagrams'
import { defineModule } from 'hurtbox/module'
import { fingerprint } from 'hurtbox/replay'
import { afterAll, afterEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { RTCPeerConnection } from '../../datagrams/test/channels.ts'
import { dots } from '../test/dots.ts'
import { startPrefixProxy } from '../test/prefix.ts'
import { ask, until } from '../test/support.ts'
import { LIMITS } from './limits.ts'
import { type RunningServer, type ServeOptions, serve } from './serve.ts'

const folder = mkdtempSync(join(tmpdir(), 'hurtbox-serve-'))
const module = defineModule({ game: dots, title: 'Dots' })
afterAll(() => rmSync(folder, { recursive: true }))

/** Where it is not empty, datagrams do not start, for this reason. */
let problem = ''
const started: DatagramOptions[] = []
vi.mock('@hurtbox/datagrams', async (original) => {
  const real = await original<typeof import('@hurtbox/datagrams')>()
  return {
    ...real,
    startDatagrams: async (options: DatagramOptions) => {
      started.push(options)
      if (problem === '') return real.startDatagrams(options)
      options.onState?.(false, problem)
    },
  }
})

let running: RunningServer | undefined
const said: string[] = []
afterEach(async () => {
  await running?.close()
  running = undefined
  said.length = 0
  problem = ''
})

async function start(options: Partial<ServeOptions> = {}) {
  running = await serve({
    games: [module],
    port: 0,
    replays: false,
    matches: join(folder, 'matches'),
    logLevel: 'silent',
    signals: false,
    say: (line) => said.push(line),
    limits: { load: 10, loopDelayMs: 60_000 },
    ...options,
  })
  return { url: running.url, port: Number(new URL(running.url).port) }
}

describe('serve', () => {
  test('[SV42] serves the modules it is given, with a page that lists the rooms, and says where', async () => {
    const server = await start()
    expect(said[0]).toBe(`Hurtbox is at ${server.url}`)
    expect(said[1]).toMatch(/games +dots$/)
    const match = await joinGame(server.url, dots)
    await match.whenPlaying()
    expect(match.seat).toBe(0)
    const listed = async () => JSON.parse((await ask(server, '/rooms.json')).body)
    await until('the room is listed', async () => (await listed()).length === 1)
    const { hash } = fingerprint(dots)
    expect(await listed()).toEqual([{ game: 'dots', room: match.room.roomId, clients: 1, seats: 8, fingerprint: hash }])
    const page = await ask(server, '/')
    expect(page.body).toContain('<title>Hurtbox server</title>')
    const files = [...page.body.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, file]) => file)
    expect(files.filter((file) => /^\/|:/.test(file))).toEqual([])
    for (const file of files) if (!file.endsWith('/')) expect((await ask(server, `/${file}`)).status, file).toBe(200)
    await match.leave()
  })

  test('[ML28] starts beside foreign and damaged things in its folder, and goes on with the matches that it can read', async () => {
    const matches = join(folder, 'mixed')
    const match = await joinGame((await start({ matches })).url, dots)
    await match.whenPlaying()
    const { roomId } = match.room
    await running?.drain(0)
    await running?.close()
    // In the order of names they stand before and after it.
    for (const name of ['---', 'zzz']) {
      mkdirSync(join(matches, name))
      writeFileSync(join(matches, name, 'record.json'), name === 'zzz' ? '{}' : 'not json')
      writeFileSync(join(matches, `${name}-file`), '')
    }
    const server = await start({ matches })
    const rooms: { room: string }[] = JSON.parse((await ask(server, '/rooms.json')).body)
    expect(rooms.map(({ room }) => room)).toEqual([roomId])
    expect(readdirSync(matches).filter((name) => /^(---|zzz)/.test(name))).toHaveLength(4)
    await match.leave()
  })

  test('[SV42] a page of one’s own takes its place, under a policy that can be widened', async () => {
    const page = join(folder, 'dist')
    await expect(start({ page })).rejects.toThrow(`There is no index.html in ${page}. Build the page first.`)
    mkdirSync(page)
    writeFileSync(join(page, 'index.html'), '<!doctype html><title>mine</title>')
    const server = await start({ page, policy: { 'img-src': "'self' https://img.example.org" } })
    const { body, headers } = await ask(server, '/')
    expect(body).toContain('mine')
    expect(headers['content-security-policy']).toContain("img-src 'self' https://img.example.org;")
    expect(headers['content-security-policy']).toContain("script-src 'self';")
  })

  test('[SV47] on a loopback address, pages of other ports of this machine may talk to it; others may not', async () => {
    const from = async (origin: string) => (await ask(await server, '/health', { headers: { origin } })).status
    const server = start()
    for (const page of ['http://localhost:5173', 'http://127.0.0.1:5173', 'http://[::1]:80'])
      expect(await from(page), page).toBe(200)
    for (const page of ['http://localhost.evil.example', 'http://evil.example:5173', 'null'])
      expect(await from(page), page).toBe(403)
    // For the network, a page on this machine is a page like any other.
    await running?.close()
    const open = await start({ host: '0.0.0.0' })
    expect((await ask(open, '/health', { headers: { origin: 'http://localhost:5173' } })).status).toBe(403)
  })

  test('[SV92] below the path of a proxy: clients that are given it play, and the list of rooms is there', async () => {
    const { url } = await start()
    const proxy = await startPrefixProxy(url, '/game/')
    onTestFinished(() => proxy.close())
    const match = await joinGame(proxy.url, dots)
    await match.whenPlaying()
    expect(match.seat).toBe(0)
    expect((await fetch(new URL('home.js', proxy.url))).status).toBe(200)
    expect((await fetch(new URL('/home.js', proxy.url))).status).toBe(404)
    await match.leave()
  })

  test('[SV42] replaces single limits, and keeps the others', async () => {
    const server = await start({ limits: { bodyBytes: 64 } })
    const headers = { 'content-type': 'application/json' }
    const body = JSON.stringify({ name: 'x'.repeat(100) })
    const reply = await ask(server, '/matchmake/joinOrCreate/dots', { method: 'POST', headers, body })
    expect(reply).toMatchObject({ status: 413, body: expect.stringContaining('64 bytes') })
    const long = { 'x-long': 'x'.repeat(LIMITS.headerBytes) }
    expect((await ask(server, '/health', { headers: long })).status).toBe(431)
  })

  test.each<[string, Partial<ServeOptions>, string]>([
    ['no module', { games: [{} as never] }, 'games[0] is not the module of a game'],
    ['a game that is not served', { games: [defineModule({ game: dots, room: false })] }, 'dots is not served'],
    ['two games of one id', { games: [module, module] }, 'Two games have the id "dots"'],
    ['a load test for the network', { loadTest: true, host: '0.0.0.0' }, 'only on a loopback, not 0.0.0.0'],
    ['a level of logs', { logLevel: 'loud' }, 'A log level is one of trace'],
    ['a public port', { publicAddress: '203.0.113.7:70000' }, 'like 203.0.113.7:2567'],
    ['a public IP address', { udpPort: 1, publicAddress: '300.1.1.1:2567' }, 'not "300.1.1.1:2567"'],
    ['an ICE server', { udpPort: 1, ice: ['stun.example.org'] }, 'stun:host:port'],
    ['an ICE server', { udpPort: 1, ice: ['http://example.org:1'] }, 'stun:host:port'],
    [
      'a TURN server without a password',
      { udpPort: 1, ice: ['turn:example.org:3478'] },
      'turn:user:password@host:port',
    ],
    ['a stack that there is none of', { udp: 'werift' as never }, 'udp is one of own, native, off, not werift'],
    ['ICE servers for nothing', { udp: 'off', ice: ['stun:example.org:3478'] }, 'switched off'],
    ['a UDP address', { udpAddresses: ['203.0.113.7:x'] }, 'A UDP address is host:port'],
    ['a UDP address of the player’s own', { host: '0.0.0.0', udpAddresses: ['127.0.0.1:1'] }, '--udp-address 203.'],
    ['UDP for this machine alone', { udpHost: '127.0.0.1', proxies: 1 }, 'players are elsewhere: --udp-host 0.0.0.0'],
    ['a public address of the player’s own', { proxies: 1, publicAddress: '127.0.0.1' }, '--public-address play.'],
    ['ICE servers for a port that is off', { proxies: 1, ice: ['stun:example.org:3478'] }, '--udp-port'],
    ['a TURN server without a secret', { ice: ['turn:example.org:3478'] }, 'Set ICE_SECRET'],
  ])('[SV32] %s: refused in words', async (_, options, message) => {
    await expect(start(options)).rejects.toThrow(message)
  })

  test('[SV68] the public IP address is told to clients, with a port or without, and a password of an ICE server is not', async () => {
    problem = 'no'
    const told = async (publicAddress: string) => {
      await expect(start({ udpPort: 4242, publicAddress })).rejects.toThrow('cannot be had: no.')
      return started
        .at(-1)
        ?.addresses?.([])
        .map(({ address, port }) => `${address} ${port}`)
    }
    expect(await told('203.0.113.7')).toEqual(['203.0.113.7 4242'])
    expect(await told('203.0.113.7:2567')).toEqual(['203.0.113.7 4242'])
    expect(await told('[2001:db8::7]:2567')).toEqual(['2001:db8::7 4242'])
    expect(await told('2001:db8::7')).toEqual(['2001:db8::7 4242'])
    expect(await told('https://203.0.113.7:8443/game/')).toEqual(['203.0.113.7 4242'])
    const wrong = start({ udpPort: 1, ice: ['turn:ada:secret@exa mple.org'] })
    await expect(wrong).rejects.toThrow(/^(?!.*secret)/)
    const right = ['stun:example.org', 'stun:[2001:db8::1]:3478', 'turns:a:b@example.org:443?transport=tcp']
    await expect(start({ udpPort: 4242, ice: right })).rejects.toThrow('cannot be had: no.')
    expect(started.at(-1)?.iceServers).toEqual(right)
    // The secret is for the service, and each client is told what was made of it.
    vi.stubEnv('ICE_SECRET', 'shared')
    await expect(start({ udpPort: 4242, ice: ['turn:example.org'] })).rejects.toThrow('cannot be had: no.')
    vi.unstubAllEnvs()
    expect(started.at(-1)).toMatchObject({ iceServers: ['turn:example.org'], iceSecret: 'shared' })
  })

  test.each<[string, Partial<ServeOptions>, string, string[]]>([
    ['beside the sockets', {}, '127.0.0.1', ['own']],
    ['behind a proxy: all of the machine', { proxies: 1 }, '0.0.0.0', ['own']],
    ['behind a proxy on IPv6', { proxies: 1, host: '::1' }, '::', ['own']],
    ['where it is told to', { udpHost: '192.0.2.1', host: '0.0.0.0' }, '192.0.2.1', ['own']],
    [
      'mapped',
      { udpAddresses: ['203.0.113.7:45181', '2001:db8::7'] },
      '127.0.0.1',
      ['203.0.113.7 45181', '2001:db8::7 4242'],
    ],
    [
      'asked for by its address alone',
      { port: 4242, host: '0.0.0.0', udpAddresses: ['203.0.113.7'], ice: ['stun:a.example'] },
      '0.0.0.0',
      ['203.0.113.7 4242'],
    ],
    [
      'mapped, not by the public address',
      { udpAddresses: ['203.0.113.7'], publicAddress: '192.0.2.1' },
      '127.0.0.1',
      ['203.0.113.7 4242'],
    ],
  ])('[SV205] UDP listens and is told: %s', async (_, options, host, told) => {
    problem = 'no'
    await expect(start(options.port ? options : { udpPort: 4242, ...options })).rejects.toThrow('cannot be had: no.')
    const { addresses, ...given } = started.at(-1)!
    expect(given).toMatchObject({ port: 4242, host })
    expect(
      addresses!([{ address: 'own', port: 4242 }]).map(({ address, port }) =>
        address === 'own' ? address : `${address} ${port}`,
      ),
    ).toEqual(told)
  })

  test('[SV205] an address for UDP asks for a port, that of TCP, also beyond loopback and behind proxies', async () => {
    const port = await freePort()
    await start({ port, host: '0.0.0.0', udpAddresses: ['203.0.113.7:45181'] })
    expect(said.filter((line) => line.includes('udp'))).toEqual([
      `  udp      port ${port}, outside 203.0.113.7:45181, for datagrams beside the sockets (our own WebRTC)`,
    ])
    await running?.close()
    const taken = (await bindUdp(port))!
    await expect(start({ port, udpHost: '127.0.0.1' })).rejects.toThrow('Datagrams cannot be had')
    taken.close()
    // A variable that the operator has set for good, and off for today.
    await start({ port, udpAddresses: ['203.0.113.7:45181'], udp: 'off' })
    expect(said.filter((line) => line.includes('udp  ')).length).toBe(1)
  })

  test('[SV205] UDP listens on an address by its name', async () => {
    const port = await freePort()
    const { url } = await start({ port, udpHost: 'localhost' })
    const match = await joinGame(url, dots, { datagrams: RTCPeerConnection as unknown as PeerConnectionClass })
    const timer = setInterval(() => match.update(performance.now(), () => ({ moveX: 1 })), 16)
    await until('datagrams', () => match.network.path === 'datagram')
    clearInterval(timer)
    await match.leave()
    await running?.close()
    await expect(start({ port, udpHost: 'nowhere.invalid' })).rejects.toThrow(/cannot be had: .*nowhere\.invalid/)
  })

  test('[SV32] a port that is taken is named, and nothing stays open', async () => {
    const blocker = createServer().listen(0, '127.0.0.1')
    await once(blocker, 'listening')
    const { port } = blocker.address() as AddressInfo
    const udpPort = await freePort()
    await expect(start({ port, udpPort })).rejects.toThrow(`Port ${port} is taken. Take another: ${port + 1}`)
    ;(await bindUdp(udpPort))!.close()
    blocker.close()
  })

  test('[SV69] datagrams need no setting: their UDP port has the number of the TCP port, and is free again after the end', async () => {
    const port = await freePort()
    const { url } = await start({ port })
    expect(said.some((line) => line.includes(`udp      port ${port}`))).toBe(true)
    const match = await joinGame(url, dots, { datagrams: RTCPeerConnection as unknown as PeerConnectionClass })
    const timer = setInterval(() => match.update(performance.now(), () => ({ moveX: 1 })), 16)
    await until('datagrams', () => match.network.path === 'datagram')
    clearInterval(timer)
    await match.leave()
    await running?.close()
    ;(await bindUdp(port))!.close()
  })

  test('[SV69] if that port is taken, sockets carry everything; a port that was asked for must be had', async () => {
    const port = await freePort()
    const taken = (await bindUdp(port))!
    const { url } = await start({ port })
    expect(said.filter((line) => line.includes('udp'))).toEqual([])
    const match = await joinGame(url, dots)
    await match.whenPlaying()
    await match.leave()
    await running?.close()
    await expect(start({ udpPort: port })).rejects.toThrow(/^Datagrams cannot be had: .*EADDRINUSE.*--udp off/)
    // Asked for without a number.
    await expect(start({ port, udp: 'own' })).rejects.toThrow(/EADDRINUSE/)
    await expect(start({ udpPort: 0 })).rejects.toThrow('a whole number from 1 to 65535')
    taken.close()
  })

  test.each<[string, Partial<ServeOptions>, lines: number]>([
    ['where none are wanted', { udp: 'off' }, 0],
    ['where none are wanted, for the network', { udp: 'off', host: '0.0.0.0' }, 0],
    ['where none are wanted, though a port is named', { udp: 'off', udpPort: 1 }, 0],
    ['behind a proxy, where clients do not come to this machine', { proxies: 1 }, 1],
  ])('[SV69] no UDP port is opened %s', async (_, options, lines) => {
    const port = await freePort()
    await start({ port, ...options })
    ;(await bindUdp(port))!.close()
    expect(said.filter((line) => line.includes('udp')).length).toBe(lines)
  })

  test.each(['own', 'native'] as const)(
    '[DG150] a room is played over the %s stack, and a line says which it is',
    async (udp) => {
      const { url, port } = await start({ udp, host: '0.0.0.0' })
      expect(said.filter((line) => line.includes('udp'))).toEqual([
        `  udp      port ${port}, for datagrams beside the sockets (${udp === 'own' ? 'our own WebRTC' : 'WebRTC of node-datachannel'})`,
      ])
      const match = await joinGame(url.replace('0.0.0.0', '127.0.0.1'), dots, {
        datagrams: RTCPeerConnection as unknown as PeerConnectionClass,
      })
      const timer = setInterval(() => match.update(performance.now(), () => ({ moveX: 1 })), 16)
      await until('datagrams', () => match.network.path === 'datagram')
      clearInterval(timer)
      await match.leave()
    },
  )

  test('[DG151] UDP names the stack as the option does, which goes before it; one that cannot be had ends the start', async () => {
    vi.stubEnv('UDP', 'native')
    onTestFinished(() => void vi.unstubAllEnvs())
    await start()
    expect(said.filter((line) => line.includes('node-datachannel'))).toHaveLength(1)
    await running?.close()
    await start({ udp: 'off' })
    await running?.close()
    problem = 'the native stack is not there'
    await expect(start()).rejects.toThrow(/^Datagrams cannot be had: the native stack is not there\. .*--udp off/)
    expect(said.filter((line) => line.includes('Hurtbox is at'))).toHaveLength(2)
    vi.stubEnv('UDP', 'wireguard')
    await expect(start()).rejects.toThrow('udp is one of own, native, off, not wireguard')
  })

  test('[SV100] beyond loopback a UDP port is opened, too, with a line that says which WebRTC runs', async () => {
    const port = await freePort()
    await start({ port, host: '0.0.0.0' })
    expect(said.filter((line) => line.includes('udp'))).toEqual([
      expect.stringMatching(new RegExp(`udp      port ${port}\\b.*our own WebRTC`)),
    ])
    expect(await bindUdp(port, '0.0.0.0')).toBeUndefined()
  })

  test('[SV100] the address may come from HOST, as in the server of a template', async () => {
    vi.stubEnv('HOST', '0.0.0.0')
    const { port } = await start()
    vi.unstubAllEnvs()
    expect(await bindUdp(port, '0.0.0.0')).toBeUndefined()
  })

  test('[SV100] UDP=off opens none, anywhere', async () => {
    vi.stubEnv('UDP', 'off')
    const port = await freePort()
    await start({ port, host: '0.0.0.0' })
    vi.unstubAllEnvs()
    ;(await bindUdp(port, '0.0.0.0'))!.close()
    expect(said.filter((line) => line.includes('udp'))).toEqual([])
  })

  test('[SV100] behind a proxy no UDP port is opened, and one line says how to open it', async () => {
    const port = await freePort()
    await start({ port, host: '0.0.0.0', proxies: 1 })
    ;(await bindUdp(port, '0.0.0.0'))!.close()
    const lines = said.filter((line) => line.includes('udp'))
    expect(lines).toEqual([
      expect.stringMatching(new RegExp(`off behind proxies; .*--udp-port ${port},.*udpPort: ${port}$`)),
    ])
  })
})

/** Undefined: it is taken. */
async function bindUdp(port: number, host = '127.0.0.1'): Promise<Socket | undefined> {
  const socket = createSocket('udp4').bind(port, host)
  return once(socket, 'listening').then(
    () => socket,
    () => undefined,
  )
}

/** A number that is free as a TCP port and as a UDP port. */
async function freePort(): Promise<number> {
  const tcp = createServer().listen(0, '127.0.0.1')
  await once(tcp, 'listening')
  const { port } = tcp.address() as AddressInfo
  await new Promise((resolve) => tcp.close(resolve))
  const udp = await bindUdp(port)
  if (udp === undefined) return freePort()
  await new Promise<void>((resolve) => udp.close(() => resolve()))
  return port
}
