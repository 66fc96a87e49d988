/**
 * A created project online: its compose file on one host, two players on another, and the restart of each server under their match.
 *
 *   client ── router ── server: podman ── ports 80, 443, 2567/udp, 2568/udp ── Caddy, two servers, Redis
 */

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { metricOf } from '../world/place.ts'
import { HURTBOX } from '../world/projects.ts'
import { lineOf } from '../world/ways.ts'
import type { Scenario, World } from '../world/world.ts'
import { createEngine, type Engine } from './engine.ts'
import { type Needs, needsOfProcess } from './idle.ts'

/** One for which Caddy signs a certificate itself. */
export const DOMAIN = 'play.local'
export const TOKEN = 'password-of-the-image'
/** Where the name leads to: the host of the containers. */
const SERVER = '10.77.1.2'
const START_SECONDS = 60

type Service = 'one' | 'two'
const SERVICES: readonly Service[] = ['one', 'two']

export function online(project: string, folder: string, found: (needs: Needs) => void): Scenario {
  return {
    name: 'compose',
    says: 'two containers behind TLS: two players by sockets and datagrams, in a match that survives the restart of each',
    needs: ['chromium'],
    async run(world) {
      const net = world.net()
      net.nameHosts({ [DOMAIN]: SERVER })
      // Docker does the same on its host.
      net.run('server', 'sysctl', ['-qw', 'net.ipv4.ip_forward=1'])
      const engine = createEngine(`${net.name}-server`, { [DOMAIN]: SERVER })
      engine.clear()
      const host = createHost(engine, project, folder)
      try {
        await host.compose('up', '--detach')
        await startsWell(world, host)
        found(await needsOf(host))
        await playsThrough(world, host)
        await isWellForDoctor(world, host, folder)
      } catch (error) {
        throw new Error(`${(error as Error).message}\n${await host.logs()}`, { cause: error })
      } finally {
        engine.clear()
      }
    },
  }
}

type Host = ReturnType<typeof createHost>

function createHost(engine: Engine, project: string, folder: string) {
  const container = (service: string) => `${project}_${service}_1`
  const execute = (service: string, ...command: string[]) =>
    engine.run('podman', ['exec', container(service), ...command])
  return {
    engine,
    execute,
    /** In a container's Node. */
    evaluate: (service: Service, program: string) => execute(service, 'node', '--eval', program),
    compose: (...args: string[]) => engine.run('podman-compose', args, folder),
    inspect: (service: string, field: string) =>
      engine.run('podman', ['inspect', '--format', field, container(service)]).then((text) => text.trim()),
    /** Sums of a metric, of each server. */
    metrics: (name: string, ...labels: string[]) =>
      Promise.all(
        SERVICES.map((service) =>
          metricOf(
            async (path) => ({ status: 200, text: await execute(service, 'node', '--eval', ASK, path, TOKEN) }),
            name,
            ...labels,
          ),
        ),
      ),
    isHealthy: (service: string) =>
      engine.run('podman', ['healthcheck', 'run', container(service)]).then(
        () => true,
        () => false,
      ),
    async logs() {
      const all = await Promise.all(
        [...SERVICES, 'redis', 'caddy'].map((service) =>
          engine
            .run('sh', ['-c', 'podman logs --tail 12 "$0" 2>&1', container(service)])
            .catch((error) => String(error))
            .then((text) => `${service}:\n${text}`),
        ),
      )
      return all.join('\n')
    },
  }
}

const ASK = `
const [path, token] = process.argv.slice(1)
const answer = await fetch('http://127.0.0.1:' + process.env.PORT + path, { headers: { authorization: 'Bearer ' + token } })
process.stdout.write(await answer.text())`

/** What the files promise of containers. */
async function startsWell({ see }: World, host: Host): Promise<void> {
  for (const service of [...SERVICES, 'redis']) {
    await see(`${service} is healthy`, () => host.isHealthy(service), Boolean, START_SECONDS)
  }
  for (const service of SERVICES) {
    const seen = await host.evaluate(service, PROBE)
    await see(
      `${service}: process 1, not root, writes to /data alone`,
      () => JSON.parse(seen) as { user: number; first: string; written: string[] },
      ({ user, first, written }) => user === 1000 && first === 'node' && written.join() === 'EROFS,EROFS,',
      0,
    )
  }
  const wanted = { appendonly: 'yes', appendfsync: 'always' }
  for (const [name, value] of Object.entries(wanted)) {
    const got = await host.execute('redis', 'redis-cli', 'config', 'get', name)
    await see(
      `Redis: ${name} ${value}`,
      () => got,
      (text) => text.trim().split('\n').at(-1) === value,
      0,
    )
  }
}

const PROBE = `
const { readFileSync, writeFileSync } = require('node:fs')
const written = ['/app/file', '/file', '/data/file'].map((file) => {
  try { writeFileSync(file, ''); return '' } catch ({ code }) { return code }
})
console.log(JSON.stringify({ user: process.getuid(), first: readFileSync('/proc/1/comm', 'utf8').trim().replace('MainThread', 'node'), written }))`

/** Of a server that nobody plays on. */
async function needsOf(host: Host): Promise<Needs> {
  const [status, stat] = await Promise.all(
    ['status', 'stat'].map((name) => host.execute('one', 'cat', `/proc/1/${name}`)),
  )
  const onDisk = Number.parseInt(await host.execute('one', 'du', '-sk', '/app/node_modules'), 10)
  return { ...needsOfProcess(status, stat), packagesMb: onDisk / 1024 }
}

/** What the guide says to type next finds nothing. */
async function isWellForDoctor({ see, net }: World, host: Host, folder: string): Promise<void> {
  const { run, folder: files } = net()
  const certificate = join(files, 'caddy.crt')
  writeFileSync(certificate, await host.execute('caddy', 'cat', '/data/caddy/pki/authorities/local/root.crt'))
  // Whatever its exit code is: what it says is what one wants to see.
  const doctor = 'cd "$0" && "$@" || true'
  const command = [
    `NODE_EXTRA_CA_CERTS=${certificate}`,
    `HURTBOX_TOKEN=${TOKEN}`,
    process.execPath,
    HURTBOX,
    'doctor',
    '--json',
  ]
  const said = run('client', 'env', ['sh', '-c', doctor, folder, 'env', ...command, `https://${DOMAIN}/`])
  await see(
    'hurtbox doctor has no complaint',
    () =>
      said
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as { name: string; verdict: string; says: string }),
    (findings) => findings.at(-1)?.name === 'datagrams' && findings.every(({ verdict }) => verdict === 'ok'),
    0,
  )
}

/** Two players; each path in turn, then each server in turn. */
async function playsThrough(world: World, host: Host): Promise<void> {
  const { see } = world
  const net = world.net()
  net.run('router', 'nft', [
    'add table inet world; add chain inet world passing { type filter hook forward priority filter; }',
  ])
  const first = await world.visit(`https://${DOMAIN}/`)
  let ofFirst = await world.seeJoined(first)
  const second = await world.visit(await first.evaluate<string>('location.href'))
  let ofSecond = await world.seePlaying(second)
  await see(
    'both in one room',
    () => host.metrics('hurtbox_clients'),
    (counts) => counts.includes(2),
  )

  const flowing = async (path: string) => {
    const sums = () => host.metrics('hurtbox_messages_total', `path="${path}"`, 'direction="in"')
    const before = Math.max(...(await sums()))
    await see(`inputs come by ${path}`, sums, (counts) => Math.max(...counts) > before + 200, START_SECONDS)
  }
  await see(
    'two data channels are open',
    () => host.metrics('hurtbox_channels_total', 'step="opened"'),
    (counts) => counts.includes(2),
  )
  await flowing('datagram')
  net.run('router', 'nft', ['add rule inet world passing meta l4proto udp drop'])
  await flowing('socket')
  lineOf(net).revive()
  await flowing('datagram')

  for (let restarts = 0; restarts < SERVICES.length; restarts++) {
    const rooms = await host.metrics('hurtbox_rooms')
    const owner = SERVICES[rooms.indexOf(1)]
    const other = SERVICES[1 - SERVICES.indexOf(owner)]
    await host.compose('restart', owner)
    await see(
      `${other} has the match of ${owner}`,
      () => host.metrics('hurtbox_clients'),
      (counts) => counts[SERVICES.indexOf(other)] === 2,
    )
    ofFirst = await world.seePlaying(first, ofFirst)
    ofSecond = await world.seePlaying(second, ofSecond)
    await see(`${owner} is healthy again`, () => host.isHealthy(owner), Boolean, START_SECONDS)
  }
  await flowing('datagram')
  await see(
    '0 desyncs',
    () => host.metrics('hurtbox_desyncs_total'),
    (counts) => counts.every((count) => count === 0),
    0,
  )
}
