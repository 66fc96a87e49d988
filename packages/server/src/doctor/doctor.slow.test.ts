/** `hurtbox doctor` on set-ups that are broken in one thing each, and on one that is not: real servers, nginx and Redis. */

import { execFileSync } from 'node:child_process'
import { createSocket, type Socket } from 'node:dgram'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer as createHttpServer, type RequestListener } from 'node:http'
import { type AddressInfo, connect, createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import type { PeerConnectionClass } from '@hurtbox/colyseus/client'
import { axis, declareGame, defineGame } from 'hurtbox'
import { defineModule, type LoadedModule, readModule } from 'hurtbox/module'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { freeUdpPort, RTCPeerConnection } from '../../../datagrams/test/channels.ts'
import { dots } from '../../test/dots.ts'
import { freePort } from '../../test/free-port.ts'
import { type Authority, createAuthority, hasNginx, PASSES, startNginx } from '../../test/nginx.ts'
import { hasRedis, type Redis, RedisClient, startRedis } from '../../test/redis-process.ts'
import { type RunningServer, type ServeOptions, serve } from '../serve.ts'
import type { Finding } from './finding.ts'
import { examineInside, type InsideOptions } from './inside.ts'
import { examineOutside, type OutsideOptions } from './outside.ts'

vi.setConfig({ testTimeout: 60_000 })

const TOKEN = 'token-of-the-operator'
const folder = mkdtempSync(join(tmpdir(), 'hurtbox-doctor-'))
const module = readModule({ default: defineModule({ game: dots }) }, 'dots')
/** Another build of dots, or another game. */
function variant(changes: { readonly id?: string; readonly rulesVersion?: number }): LoadedModule {
  const declaration = declareGame({
    id: 'dots',
    tickRate: 30,
    layers: { dot: [] },
    input: { moveX: axis() },
    ...changes,
  })
  return readModule({ default: defineModule({ game: defineGame(declaration, { phases: {} }) }) }, 'a variant')
}
const isThere = { nginx: hasNginx(), redis: hasRedis(), root: process.getuid?.() === 0 && process.platform === 'linux' }
let redis: Redis
let control: RedisClient
let authority: Authority
let trusted: readonly string[]

beforeAll(async () => {
  if (isThere.redis) {
    redis = await startRedis(undefined, ['--appendonly', 'yes', '--dir', folder])
    control = new RedisClient(redis.url)
  }
  if (isThere.nginx) {
    authority = createAuthority(join(folder, 'authority'))
    trusted = getCACertificates('default')
    setDefaultCACertificates([...trusted, authority.pem])
  }
})
afterAll(() => {
  control?.disconnect()
  redis?.child.kill('SIGKILL')
  if (trusted !== undefined) setDefaultCACertificates(trusted)
  rmSync(folder, { recursive: true, force: true })
})

let running: RunningServer | undefined
const cleanups: (() => unknown)[] = []
afterEach(async () => {
  for (const clean of cleanups.splice(0).reverse()) await clean()
  await running?.close()
  running = undefined
})

/** A server of dots; returns its port. */
async function start(options: Partial<ServeOptions> = {}): Promise<number> {
  running = await serve({
    games: [module],
    port: 0,
    replays: false,
    matches: false,
    logLevel: 'silent',
    signals: false,
    udp: 'off',
    token: TOKEN,
    say: () => {},
    limits: { load: 10, loopDelayMs: 60_000 },
    ...options,
  })
  return Number(new URL(running.url).port)
}

async function nginx(...given: Parameters<typeof startNginx>): Promise<number> {
  const started = await startNginx(...given)
  cleanups.push(started.close)
  return started.port
}

const to = (port: number, more = PASSES, path = '/') =>
  `location ${path} { proxy_pass http://127.0.0.1:${port}/; ${more} }`

/** Something that listens, and stops after the test. */
async function listening(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  cleanups.push(() => server.close())
  return (server.address() as AddressInfo).port
}

const site = (answer: RequestListener) => listening(createHttpServer(answer))

/** Passes on what a line of TCP says, that much later; what comes back as it is changed. */
async function slowLine(port: number, ms: number, change = (bytes: Buffer) => bytes): Promise<number> {
  return listening(
    createServer((one) => {
      const other = connect(port, '127.0.0.1')
      for (const [from, into] of [
        [one, other],
        [other, one],
      ]) {
        const pass = (bytes: Buffer) => into.write(from === other ? change(bytes) : bytes)
        from.on('data', (bytes) => setTimeout(pass, ms, bytes))
        from.on('close', () => setTimeout(() => into.destroy(), ms))
        from.on('error', () => into.destroy())
      }
    }),
  )
}

async function udpSocket(port = 0): Promise<Socket> {
  const socket = createSocket('udp4')
  socket.bind(port, '127.0.0.1')
  await once(socket, 'listening')
  cleanups.push(() => socket.close())
  return socket
}

/** A server whose UDP port is told as one before it, which passes on what it likes. */
async function startBehind(passes: (packet: Buffer, count: number) => boolean): Promise<number> {
  const front = await udpSocket()
  const back = await udpSocket()
  const udpPort = await freeUdpPort()
  let [client, count] = [0, 0]
  front.on('message', (packet, from) => {
    client = from.port
    if (passes(packet, count++)) back.send(packet, udpPort, '127.0.0.1')
  })
  back.on('message', (packet) => front.send(packet, client, '127.0.0.1'))
  return start({ udp: 'own', udpPort, udpAddresses: [`127.0.0.1:${front.address().port}`] })
}

function mountDisk(size: string): string {
  const disk = mkdtempSync(join(folder, 'disk-'))
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs', disk])
  cleanups.push(() => execFileSync('umount', [disk]))
  return disk
}

const inside = (options: InsideOptions = {}) =>
  examineInside({ variables: {}, dataDir: folder, host: '127.0.0.1', udp: 'off', ...options })

const outside = (address: string, options: Partial<OutsideOptions> = {}) =>
  examineOutside({ address, token: TOKEN, waitMs: 1_500, playMs: 300, ...options })

/** With a seat in a match. */
const played = (address: string, options: Partial<OutsideOptions> = {}) => outside(address, { module, ...options })

const at = (port: number, path = '/') => `http://localhost:${port}${path}`

type Broken = {
  readonly what: string
  readonly row: string
  readonly says: RegExp
  readonly verdict?: Finding['verdict']
  readonly needs?: keyof typeof isThere
  find(): Promise<readonly Finding[]>
}

const BROKEN_INSIDE: readonly Broken[] = [
  {
    what: 'an old Node',
    row: 'node',
    says: /Node 20\.11\.1 is too old: install 22\.12 or newer/,
    find: () => inside({ nodeVersion: '20.11.1' }),
  },
  {
    what: 'a small container',
    row: 'memory',
    says: /100 MB are too few: give/,
    find: () => inside({ memoryBytes: 100 * 2 ** 20 }),
  },
  {
    what: 'a container for a few rooms',
    row: 'memory',
    verdict: 'warning',
    says: /200 MB for this process.*256 MB are better/,
    find: () => inside({ memoryBytes: 200 * 2 ** 20, heapBytes: 100 * 2 ** 20 }),
  },
  {
    what: 'a heap larger than the container',
    row: 'memory',
    says: /may take 4,096 MB of the 512 MB.*--max-old-space-size out/,
    find: () => inside({ memoryBytes: 2 ** 29, heapBytes: 2 ** 32 }),
  },
  {
    what: 'few open files',
    row: 'open files',
    verdict: 'warning',
    says: /256 are fewer than .*LimitNOFILE/,
    find: () => inside({ openFiles: 256 }),
  },
  {
    what: 'a clock without a battery',
    row: 'clock',
    says: /says 1970-.*turn NTP on/,
    find() {
      vi.useFakeTimers({ toFake: ['Date'], now: 0 })
      cleanups.push(() => vi.useRealTimers())
      return inside()
    },
  },
  {
    what: 'a port in words',
    row: 'settings',
    says: /^PORT must be a whole number/,
    find: () => inside({ variables: { PORT: 'eighty' } }),
  },
  {
    what: 'the public address of each player’s own machine',
    row: 'settings',
    says: /each player's own machine.*--public-address/,
    find: () => inside({ proxies: 1, publicAddress: '127.0.0.1:2567' }),
  },
  {
    what: 'Redis behind a proxy, and no public address',
    row: 'settings',
    says: /With REDIS_URL and 127\.0\.0\.1 behind a proxy, give/,
    find: () => inside({ proxies: 1, redisUrl: 'redis://127.0.0.1:1' }),
  },
  {
    what: 'an origin without https://',
    row: 'settings',
    says: /An origin is like/,
    find: () => inside({ variables: { ORIGINS: 'example.org' } }),
  },
  {
    what: 'a TCP port that another program has',
    row: 'port',
    says: /Another program has TCP port \d+: end it, or take another port/,
    find: async () => inside({ port: await site((_, answer) => void answer.end('hello')) }),
  },
  {
    what: 'a host of another machine',
    row: 'port',
    says: /192\.0\.2\.1 is no address of this machine/,
    find: () => inside({ host: '192.0.2.1' }),
  },
  {
    what: 'a UDP port that another program has',
    row: 'udp port',
    says: /Another program has UDP port \d+/,
    find: async () => inside({ udp: 'own', port: await freePort(), udpPort: (await udpSocket()).address().port }),
  },
  {
    what: 'UDP on a name that is none',
    row: 'udp port',
    says: /cannot listen on nowhere\.invalid.*--udp-host/,
    find: async () => inside({ udp: 'own', port: await freePort(), udpHost: 'nowhere.invalid' }),
  },
  {
    what: 'a data folder that is a file',
    row: 'data folder',
    says: /cannot be written \(E\w+\).*DATA_DIR/,
    find() {
      writeFileSync(join(folder, 'file'), '')
      return inside({ dataDir: join(folder, 'file') })
    },
  },
  {
    what: 'a full disk',
    row: 'data folder',
    says: /has 0 MB left: make room/,
    needs: 'root',
    find: () => inside({ dataDir: join(mountDisk('64k'), 'data') }),
  },
  {
    what: 'a disk that replays will fill',
    row: 'data folder',
    verdict: 'warning',
    says: /has 300 MB left, and replays alone take 1,024 MB/,
    needs: 'root',
    find: () => inside({ dataDir: mountDisk('300m') }),
  },
  {
    what: 'no Redis',
    row: 'redis',
    says: /does not answer .*start it, or mend/,
    find: async () => inside({ redisUrl: `redis://127.0.0.1:${await freePort()}` }),
  },
  {
    what: 'a wrong password of Redis',
    row: 'redis',
    needs: 'redis',
    says: /takes another password: put it into REDIS_URL/,
    async find() {
      await control.config('SET', 'requirepass', 'secret')
      cleanups.push(() => control.config('SET', 'requirepass', ''))
      return inside({ redisUrl: redis.url.replace('//', '//:wrong@') })
    },
  },
  {
    what: 'a replica of Redis',
    row: 'redis',
    needs: 'redis',
    says: /is a replica, which takes no writes: .*primary/,
    async find() {
      await control.replicaof('127.0.0.1', '1')
      cleanups.push(() => control.replicaof('NO', 'ONE'))
      return inside({ redisUrl: redis.url })
    },
  },
  {
    what: 'a Redis that removes what it likes',
    row: 'redis',
    needs: 'redis',
    says: /allkeys-lru.*noeviction/,
    async find() {
      await control.config('SET', 'maxmemory', '100mb', 'maxmemory-policy', 'allkeys-lru')
      cleanups.push(() => control.config('SET', 'maxmemory', '0', 'maxmemory-policy', 'noeviction'))
      return inside({ redisUrl: redis.url })
    },
  },
  {
    what: 'a Redis that keeps nothing',
    row: 'redis',
    verdict: 'warning',
    needs: 'redis',
    says: /appendonly yes/,
    async find() {
      await control.config('SET', 'appendonly', 'no')
      cleanups.push(() => control.config('SET', 'appendonly', 'yes'))
      return inside({ redisUrl: redis.url })
    },
  },
  {
    what: 'a Redis far away',
    row: 'redis',
    verdict: 'warning',
    needs: 'redis',
    says: /takes \d+\.\d ms to answer/,
    find: async () => inside({ redisUrl: `redis://127.0.0.1:${await slowLine(redis.port, 15)}` }),
  },
  {
    what: 'an old Redis',
    row: 'redis',
    needs: 'redis',
    says: /Redis 5\.0\.\d+ is too old: install 6\.2 or newer/,
    async find() {
      const older = (bytes: Buffer) =>
        Buffer.from(bytes.toString('latin1').replace(/(redis_version:)\d\.\d/, '$15.0'), 'latin1')
      return inside({ redisUrl: `redis://127.0.0.1:${await slowLine(redis.port, 0, older)}` })
    },
  },
  {
    what: 'a Redis that cannot write to its disk',
    row: 'redis',
    needs: 'redis',
    says: /could not write to its disk: look at its log/,
    async find() {
      const gone = mkdtempSync(join(folder, 'gone-'))
      const other = await startRedis(undefined, ['--dir', gone])
      const client = new RedisClient(other.url)
      cleanups.push(() => {
        client.disconnect()
        other.child.kill('SIGKILL')
      })
      rmSync(gone, { recursive: true })
      await client.bgsave()
      await vi.waitUntil(async () => (await client.info()).includes('rdb_last_bgsave_status:err'), 10_000)
      return inside({ redisUrl: other.url })
    },
  },
  {
    what: 'a Redis whose clock is an hour behind',
    row: 'redis',
    verdict: 'warning',
    needs: 'redis',
    says: /clocks here and of Redis are 36\d\d s apart/,
    find() {
      vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 3_605_000 })
      cleanups.push(() => vi.useRealTimers())
      return inside({ redisUrl: redis.url })
    },
  },
]

const BROKEN_OUTSIDE: readonly Broken[] = [
  {
    what: 'an address of another kind',
    row: 'address',
    says: /is like https:/,
    find: () => outside('ftp://example.org'),
  },
  {
    what: 'a name that nobody knows',
    row: 'name',
    says: /nowhere\.invalid is no name.*A or AAAA/,
    find: () => outside('https://nowhere.invalid/'),
  },
  {
    what: 'nothing that listens',
    row: 'server',
    says: /nothing listens there.*forward the TCP port/,
    find: async () => outside(at(await freePort())),
  },
  {
    what: 'no TLS where there should be',
    row: 'certificate',
    says: /speaks no TLS: put a proxy/,
    find: async () => outside(`https://localhost:${await start()}/`),
  },
  {
    what: 'a certificate that has ended',
    row: 'certificate',
    needs: 'nginx',
    says: /has ended on .*renew it/,
    find: async () => outside(`https://localhost:${await nginx(to(1), authority.issue('localhost', -2))}/`),
  },
  {
    what: 'a certificate of another name',
    row: 'certificate',
    needs: 'nginx',
    says: /is for DNS:play\.example\.org, not for localhost/,
    find: async () => outside(`https://localhost:${await nginx(to(1), authority.issue('play.example.org', 90))}/`),
  },
  {
    what: 'a certificate of nobody that is known',
    row: 'certificate',
    needs: 'nginx',
    says: /public authority/,
    find: async () =>
      outside(
        `https://localhost:${await nginx(to(1), createAuthority(join(folder, 'strange')).issue('localhost', 90))}/`,
      ),
  },
  {
    what: 'a certificate that ends soon',
    row: 'certificate',
    verdict: 'warning',
    needs: 'nginx',
    says: /ends in 2 days/,
    find: async () => outside(`https://localhost:${await nginx(to(1), authority.issue('localhost', 3))}/`),
  },
  {
    what: 'somebody else’s server',
    row: 'server',
    says: /is no Hurtbox server/,
    find: async () => outside(at(await site((_, answer) => void answer.end('<html>')))),
  },
  {
    what: 'an address that only leads on',
    row: 'server',
    says: /only leads on to https:\/\/example\.org\/game\/: give players that/,
    find: async () =>
      outside(
        at(
          await site((_, answer) => void answer.writeHead(301, { location: 'https://example.org/game/health' }).end()),
        ),
      ),
  },
  {
    what: 'a proxy that passes to nothing',
    row: 'server',
    needs: 'nginx',
    says: /does not reach the server \(502\)/,
    find: async () => outside(at(await nginx(to(await freePort())))),
  },
  {
    what: 'a password at the proxy',
    row: 'server',
    says: /asks for a password/,
    find: async () => outside(at(await site((_, answer) => void answer.writeHead(401).end()))),
  },
  {
    what: 'a server whose Redis is away',
    row: 'server',
    needs: 'redis',
    says: /gives no seats \(no answer from Redis\): start Redis/,
    async find() {
      const port = await start({ redisUrl: redis.url })
      redis.child.kill('SIGSTOP')
      cleanups.push(() => redis.child.kill('SIGCONT'))
      return outside(at(port), { waitMs: 5_000 })
    },
  },
  {
    what: 'a proxy that passes the path on',
    row: 'server',
    needs: 'nginx',
    says: /passes the path \/game\/ on.*handle_path \/game\/\*/,
    find: async () =>
      outside(at(await nginx(`location /game/ { proxy_pass http://127.0.0.1:${await start()}; ${PASSES} }`), '/game/')),
  },
  {
    what: 'a path that is none',
    row: 'server',
    says: /nothing at \/game\/: the server is at http:/,
    find: async () => outside(at(await start(), '/game/')),
  },
  {
    what: 'a clock of the server an hour ahead',
    row: 'clock',
    says: /3\d{3} s ahead/,
    find: async () =>
      outside(
        at(
          await site((_, answer) => {
            answer.setHeader('date', new Date(Date.now() + 3_600_000).toUTCString())
            answer.end('{"status":"ok"}')
          }),
        ),
      ),
  },
  {
    what: 'a page that is not known as the server’s own',
    row: 'origin',
    needs: 'nginx',
    says: /refuses its own page: .*--origin http:\/\/localhost:\d+/,
    find: async () =>
      outside(at(await nginx(to(await start({ proxies: 1 }), PASSES.replace('$http_host', '$proxy_host'))))),
  },
  {
    what: 'a proxy that the server does not know of',
    row: 'proxies',
    needs: 'nginx',
    says: /1 in front and the server knows of 0, so all players count as one.*--proxies 1/,
    find: async () => outside(at(await nginx(to(await start())))),
  },
  {
    what: 'two proxies, of which the server knows one',
    row: 'proxies',
    needs: 'nginx',
    says: /2 in front and the server knows of 1.*--proxies 2/,
    find: async () => outside(at(await nginx(to(await nginx(to(await start({ proxies: 1 }))))))),
  },
  {
    what: 'a proxy that is not there',
    row: 'proxies',
    says: /0 in front and the server believes 1, so players can forge.*--proxies 0/,
    find: async () => outside(at(await start({ proxies: 1 }))),
  },
  {
    what: 'one proxy that begins the list anew, and a server that believes two',
    row: 'proxies',
    needs: 'nginx',
    says: /1 in front and the server believes 2/,
    find: async () =>
      outside(
        at(await nginx(to(await start({ proxies: 2 }), PASSES.replace('$proxy_add_x_forwarded_for', '$remote_addr')))),
      ),
  },
  {
    what: 'a proxy that does not say for whom',
    row: 'proxies',
    needs: 'nginx',
    says: /does not say for whom: .*X-Forwarded-For/,
    find: async () =>
      outside(
        at(await nginx(to(await start({ proxies: 1 }), PASSES.replace(/.*X-Forwarded-For.*/, ''), '/game/')), '/game/'),
      ),
  },
  {
    what: 'another token',
    row: 'proxies',
    says: /not that of the server/,
    find: async () => outside(at(await start()), { token: 'another' }),
  },
  {
    what: 'a proxy without web sockets',
    row: 'web socket',
    needs: 'nginx',
    says: /does not pass web sockets on \(404\): nginx needs/,
    find: async () =>
      outside(at(await nginx(to(await start({ proxies: 1 }), PASSES.replace(/.*(Upgrade|Connection) .*/g, ''))))),
  },
  {
    what: 'other rules',
    row: 'game',
    says: /other rules than this project: .*another build of dots/,
    find: async () => outside(at(await start()), { module: variant({ rulesVersion: 9 }) }),
  },
  {
    what: 'a server of another game',
    row: 'game',
    says: /has no game pebbles/,
    find: async () => outside(at(await start()), { module: variant({ id: 'pebbles' }) }),
  },
  {
    what: 'accounts, and a player without one',
    row: 'game',
    says: /lets only players in that it knows .*--player-token/,
    find: async () => played(at(await start({ auth: async () => undefined }))),
  },
  {
    what: 'a process that is told at another address',
    row: 'game',
    needs: 'redis',
    says: /sends its players to 127\.0\.0\.1:1, where nothing answers: --public-address/,
    find: async () => played(at(await start({ redisUrl: redis.url, publicAddress: '127.0.0.1:1' }))),
  },
  {
    what: 'players on the other side of the world',
    row: 'socket',
    verdict: 'warning',
    says: /^[45]\d\d ms there and back.*a server that is nearer/,
    find: async () => played(at(await slowLine(await start(), 210)), { waitMs: 5_000, playMs: 2_000 }),
  },
  {
    what: 'datagrams told where the server is not',
    row: 'datagrams',
    says: /told UDP 127\.0\.0\.9:\d+, where localhost is not: --udp-address localhost:\d+/,
    find: async () =>
      played(at(await start({ udp: 'own', udpPort: await freeUdpPort(), udpAddresses: ['127.0.0.9'] }))),
  },
  {
    what: 'a UDP port that nothing gets through to',
    row: 'datagrams',
    says: /No packet comes back from UDP 127\.0\.0\.1:\d+: open it/,
    find: async () => played(at(await startBehind(() => false))),
  },
  {
    what: 'a firewall that lets STUN through and nothing else',
    row: 'datagrams',
    says: /127\.0\.0\.1:\d+ answers checks, and no handshake comes to its end there: let the firewall pass all of UDP/,
    // RFC 7983: what begins with 0 to 3 is STUN.
    find: async () => played(at(await startBehind(([first]) => first <= 3))),
  },
  {
    what: 'a firewall that lets the beginning of a handshake through and not its end',
    row: 'datagrams',
    says: /127\.0\.0\.1:\d+ answers checks, and no handshake comes to its end there/,
    // A ClientHello is short, and a certificate is not.
    find: async () => played(at(await startBehind((packet) => packet[0] <= 3 || packet.length < 300))),
  },
  {
    what: 'a line that loses',
    row: 'datagrams',
    verdict: 'warning',
    says: /\d\d % lost: the line loses too much/,
    find: async () => played(at(await startBehind((_, count) => count % 3 !== 0))),
  },
  {
    what: 'a line that loses what is long',
    row: 'datagrams',
    verdict: 'warning',
    says: /those of 1,200 bytes do not: raise the MTU/,
    find: async () => played(at(await startBehind(({ length }) => length < 1_000))),
  },
]

const shown = (findings: readonly Finding[]) => findings.map(({ name, verdict, says }) => `${name} ${verdict}: ${says}`)

describe('[DR1] names what is broken, and nothing else', () => {
  for (const { what, row, says, verdict = 'wrong', needs, find } of [...BROKEN_INSIDE, ...BROKEN_OUTSIDE]) {
    test.skipIf(needs !== undefined && !isThere[needs])(what, async () => {
      const findings = await find()
      const complaints = findings.filter((finding) => finding.verdict === 'wrong' || finding.verdict === 'warning')
      // The server behind some certificates is not there.
      const [first, ...others] = row === 'certificate' ? complaints.slice(0, 1) : complaints
      expect(first, shown(findings).join('\n')).toEqual({ name: row, verdict, says: expect.stringMatching(says) })
      expect(shown(others)).toEqual([])
    })
  }

  test('25 set-ups at least', () => expect(BROKEN_INSIDE.length + BROKEN_OUTSIDE.length).toBeGreaterThanOrEqual(25))
})

describe('[DR2] has no complaint about what is not broken', () => {
  test.skipIf(!isThere.redis)('a machine with a Redis that keeps', async () => {
    const findings = await inside({ redisUrl: redis.url, port: await freePort(), udp: 'own' })
    expect(findings.filter(({ verdict }) => verdict !== 'ok')).toEqual([])
    expect(findings.map(({ name }) => name)).toEqual([
      'node',
      'memory',
      'open files',
      'clock',
      'settings',
      'port',
      'udp port',
      'data folder',
      'redis',
    ])
  })

  test.skipIf(!isThere.redis)('a Redis that keeps by snapshots', async () => {
    await control.config('SET', 'appendonly', 'no', 'save', '60 1')
    cleanups.push(() => control.config('SET', 'appendonly', 'yes', 'save', ''))
    expect(shown(await inside({ redisUrl: redis.url })).at(-1)).toMatch(/^redis ok: .* on disk by snapshots$/)
  })

  test('a machine on which the server runs', async () => {
    const port = await start({ udp: 'own' })
    const findings = await inside({ port, udp: 'own' })
    expect(shown(findings)).toContain(`port ok: a Hurtbox server runs on 127.0.0.1:${port}`)
    expect(findings.filter(({ verdict }) => verdict !== 'ok')).toEqual([])
  })

  const ROWS = [
    'name',
    'certificate',
    'server',
    'clock',
    'origin',
    'proxies',
    'web socket',
    'game',
    'socket',
    'datagrams',
  ]
  test.skipIf(!isThere.nginx).each<[string, Partial<OutsideOptions>]>([
    ['checks alone', {}],
    ['a real channel', { PeerConnection: RTCPeerConnection as unknown as PeerConnectionClass }],
  ])('a server behind nginx with TLS, below a path, with datagrams: %s', async (_, options) => {
    const port = await start({ proxies: 1, udp: 'own', udpPort: await freeUdpPort(), udpAddresses: ['localhost'] })
    const proxy = await nginx(to(port, PASSES, '/game/'), authority.issue('localhost', 90))
    const findings = await played(`https://localhost:${proxy}/game/`, options)
    expect(findings.filter(({ verdict }) => verdict !== 'ok')).toEqual([])
    expect(findings.map(({ name }) => name)).toEqual(ROWS)
    const end = options.PeerConnection === undefined ? 'a handshake is done' : 'a channel is open'
    expect(findings.at(-1)!.says).toMatch(new RegExp(`, ${end}$`))
  })

  test.skipIf(!isThere.nginx)('a certificate for hours only, of an authority that renews by itself', async () => {
    const proxy = await nginx(to(await start({ proxies: 1 })), authority.issue('localhost', 0.4, 0.1))
    const [, certificate] = await outside(`https://localhost:${proxy}/`)
    expect(certificate).toMatchObject({ name: 'certificate', verdict: 'ok' })
  })

  test('a server without datagrams, token and game: what cannot be seen is no complaint', async () => {
    const port = await start()
    const findings = await examineOutside({ address: at(port), waitMs: 1_500 })
    expect(findings.map(({ name, verdict }) => `${name} ${verdict}`)).toEqual([
      'name ok',
      'server ok',
      'clock ok',
      'origin ok',
      'proxies skipped',
      'web socket ok',
      'game skipped',
    ])
    expect((await played(at(port))).at(-1)).toMatchObject({ name: 'datagrams', verdict: 'ok' })
  })
})

test('[DR3] without the token health says no more than that it is well, with it what has come of the request', async () => {
  const port = await start({ proxies: 1 })
  const ask = async (headers: Record<string, string>) => {
    const response = await fetch(`http://127.0.0.1:${port}/health`, { headers })
    return [response.status, await response.text()]
  }
  const forwarded = { 'x-forwarded-for': '192.0.2.77, 198.51.100.1' }
  expect(await ask(forwarded)).toEqual([200, '{"status":"ok"}'])
  expect(await ask({ ...forwarded, authorization: `Bearer ${TOKEN}` })).toEqual([
    200,
    '{"status":"ok","seen":{"proxies":1,"forwarded":["192.0.2.77","198.51.100.1"]}}',
  ])
  expect(await ask({ authorization: 'Bearer wrong' })).toEqual([401, 'token needed'])
  // It is that of a proxy.
  expect(await ask({ authorization: `Basic ${btoa('somebody:else')}` })).toEqual([200, '{"status":"ok"}'])
  const tries = await Promise.all(Array.from({ length: 12 }, () => ask({ authorization: 'Bearer wrong' })))
  expect(tries.some(([status]) => status === 429)).toBe(true)
})
